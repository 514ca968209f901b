import pytest

from tests.support.worlds import JIT_IS_OFF
from waypost.errors import WaypostError
from waypost.preparing import missing, pool

pytestmark = pytest.mark.skipif(JIT_IS_OFF, reason="nothing is compiled")
SMALL = ["waypost.kernels.moves.cells_of", "waypost.planners.walking.kernels.troop.ways_of"]


@pytest.fixture
def empty_cache(tmp_path, monkeypatch):
    tmp_path.chmod(0o755)
    monkeypatch.setenv("WAYPOST_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "of the user"))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    return tmp_path / "cache"


def test_processes_compile_what_is_missing(empty_cache):
    assert set(missing.missing(SMALL)) == set(SMALL)
    told = []
    pool.compile_all(SMALL, 2, lambda kernel, seconds: told.append((kernel, seconds > 0)))
    assert sorted(told) == [(kernel, True) for kernel in SMALL]
    assert missing.missing(SMALL) == []
    assert {missing.source_of(kernel) for kernel in SMALL} == {"cached"}
    assert len(list(empty_cache.rglob("*.code"))) == 2


def test_one_process_or_no_place_is_this_process(empty_cache, monkeypatch):
    compiled = []
    monkeypatch.setattr(pool, "compile_kernel", lambda kernel: compiled.append(kernel) or 0.5)
    monkeypatch.setattr(pool.folders, "writable_place", lambda name: None)
    told = []
    pool.compile_all(SMALL, 2, lambda *news: told.append(news))
    assert compiled == SMALL
    assert told == [(kernel, 0.5) for kernel in SMALL]


def test_a_process_that_fails_is_said_in_one_sentence(empty_cache):
    with pytest.raises(WaypostError, match=r"the process that compiled waypost\.no\.kernels\.walk failed: .*No module"):
        pool.compile_all(["waypost.no.kernels.walk"] * 2, 2, lambda *_: None)


def test_all_kernels_are_found():
    found = missing.all_kernels()
    assert set(SMALL) <= set(found)
    assert len(found) > 80
    assert all(name.startswith("waypost.") for name in found)
