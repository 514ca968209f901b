"""Machine code between processes: kept, taken, and compiled again where it cannot be."""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.support.processes import AS_NOBODY, SCRIPT, compilations
from tests.support.worlds import JIT_IS_OFF, deep

pytestmark = [
    pytest.mark.skipif(JIT_IS_OFF, reason="nothing is compiled"),
    pytest.mark.skipif(not hasattr(os, "getuid"), reason="users and modes of files as on Unix"),
]
as_root = pytest.mark.skipif(hasattr(os, "getuid") and os.getuid() != 0, reason="only root can be other users")
NOBODY = 65534


@pytest.fixture
def cache(tmp_path):
    """An empty cache for all processes of a test, where other users can come."""
    for folder in (tmp_path, *tmp_path.parents[:2]):
        folder.chmod(0o755)
    return tmp_path / "cache"


def entries(cache):
    return sorted(path for path in cache.rglob("*") if path.is_file())


def test_what_one_process_compiled_another_takes(cache):
    assert compilations(WAYPOST_CACHE=cache)[0] > 0
    assert len(entries(cache)) == 1
    assert compilations(WAYPOST_CACHE=cache) == (0, "")


DAMAGES = [
    pytest.param(lambda content: content[:-1], id="cut"),
    pytest.param(lambda _: b"", marks=deep, id="empty"),
    pytest.param(lambda _: b"nonsense" * 99, marks=deep, id="nonsense"),
]


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_entry_is_compiled_again_and_mended(cache, damage):
    compilations(WAYPOST_CACHE=cache)
    (entry,) = entries(cache)
    whole = entry.read_bytes()
    entry.write_bytes(damage(whole))
    assert compilations(WAYPOST_CACHE=cache)[0] > 0
    assert len(entry.read_bytes()) > 1000
    assert compilations(WAYPOST_CACHE=cache)[0] == 0


def test_an_entry_that_is_whole_but_no_code_is_compiled_again_and_said(cache):
    import hashlib

    compilations(WAYPOST_CACHE=cache)
    (entry,) = entries(cache)
    entry.write_bytes(hashlib.sha256(b"no pickle").digest() + b"no pickle")
    count, said = compilations(WAYPOST_CACHE=cache)
    assert count > 0
    assert "the machine code of waypost.kernels.moves.cells_of cannot be used and is compiled again" in said


@deep
def test_two_processes_at_once(cache):
    with ThreadPoolExecutor(2) as pool:
        assert all(found[0] > 0 for found in pool.map(lambda _: compilations(WAYPOST_CACHE=cache), range(2)))
    assert len(entries(cache)) == 1
    assert compilations(WAYPOST_CACHE=cache)[0] == 0


@pytest.mark.parametrize("switch", ["NUMBA_BOUNDSCHECK", pytest.param("NUMBA_DEBUGINFO", marks=deep)])
def test_code_of_other_settings_is_not_taken(cache, switch):
    compilations(WAYPOST_CACHE=cache)
    assert compilations(WAYPOST_CACHE=cache, **{switch: 1})[0] > 0
    assert len(entries(cache)) == 2
    assert compilations(WAYPOST_CACHE=cache, **{switch: 1})[0] == 0
    assert compilations(WAYPOST_CACHE=cache)[0] == 0


NOTHING = {"HOME": "/nonexistent", "XDG_CACHE_HOME": None, "TMPDIR": None}


@as_root
def test_code_that_root_prepared_is_read_by_any_user(cache):
    compilations(WAYPOST_CACHE=cache)
    before = entries(cache)
    assert compilations(AS_NOBODY + SCRIPT, WAYPOST_CACHE=cache, **NOTHING) == (0, "")
    assert entries(cache) == before


@as_root
@deep
def test_code_of_another_user_is_not_taken(cache, tmp_path):
    theirs = tmp_path / "theirs"
    theirs.mkdir()
    os.chown(theirs, NOBODY, NOBODY)
    assert compilations(AS_NOBODY + SCRIPT, WAYPOST_CACHE=theirs)[0] > 0
    assert entries(theirs)
    assert compilations(WAYPOST_CACHE=theirs)[0] > 0


@as_root
@deep
def test_a_user_with_no_place_at_all_compiles_and_works(cache):
    nowhere = "import tempfile; tempfile._get_default_tempdir = lambda: '/nonexistent'\n"
    assert compilations(nowhere + AS_NOBODY + SCRIPT, **NOTHING)[0] > 0


def test_a_user_without_a_home(cache):
    environment = {"HOME": None, "XDG_CACHE_HOME": None, "TMPDIR": cache}
    cache.mkdir()
    assert compilations("import os; os.path.expanduser = lambda path: path" + SCRIPT, **environment)[0] > 0
    assert len(entries(cache)) == 1


def test_an_upgrade_with_equal_sources_keeps_what_was_compiled(cache, tmp_path):
    """The digest is of sources, not of the place or the version of the package."""
    import shutil

    import waypost

    compilations(WAYPOST_CACHE=cache)
    moved = tmp_path / "a new place"
    package = os.path.dirname(waypost.__file__)
    shutil.copytree(package, moved / "waypost", ignore=shutil.ignore_patterns("__pycache__"))
    (moved / "waypost" / "version.py").write_text('__version__ = "99.0"\n')
    script = f"import sys; sys.path.insert(0, {str(moved)!r}); import waypost; assert waypost.__version__ == '99.0'"
    assert compilations(script + SCRIPT, WAYPOST_CACHE=cache)[0] == 0


def test_compiled_code_of_users_may_call_kernels_that_were_kept(cache):
    script = """
import json
import numba, numpy as np
from waypost.kernels.moves import cells_of
cells_of(np.array([[1, 1]]), 3, 3, 5, np.zeros(1, np.int64))

@numba.njit
def twice(points, cells):
    return 2 * cells_of(points, 3, 3, 5, cells)

assert twice(np.array([[1, 1]]), np.zeros(1, np.int64)) == -2
assert twice(np.array([[9, 1]]), np.zeros(1, np.int64)) == 0
print(json.dumps([0]))
"""
    compilations(WAYPOST_CACHE=cache)
    compilations(script, WAYPOST_CACHE=cache)


def test_a_version_of_numba_that_was_not_tried_does_by_its_public_interface(cache):
    script = """
import numba
numba.__version__ = "0.99.0"
from waypost.machine_code import numba_private
assert not numba_private.IS_KNOWN
"""
    assert compilations(script + SCRIPT, WAYPOST_CACHE=cache)[0] > 0
    assert compilations(script + SCRIPT, WAYPOST_CACHE=cache)[0] == 0


def test_it_runs_without_the_jit():
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], capture_output=True, text=True, env=os.environ | {"NUMBA_DISABLE_JIT": "1"}
    )
    assert done.stdout == "[0]\n", done.stderr
