import os
from pathlib import Path

import pytest

from waypost.kernels import compiling


@pytest.fixture
def no_cached_folder():
    compiling.cache_folder.cache_clear()
    yield
    compiling.cache_folder.cache_clear()


@pytest.mark.usefixtures("no_cached_folder")
def test_machine_code_lives_in_a_folder_named_by_the_sources(tmp_path, monkeypatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    folder = compiling.cache_folder()
    assert folder == tmp_path / "waypost" / f"kernels-{compiling._source_digest()}"
    assert compiling.is_cold("best_first.advance")
    (folder / "best_first.advance-90.py311.nbi").touch()
    assert not compiling.is_cold("best_first.advance")
    assert compiling.is_cold("jump.advance")
    assert compiling.is_cold("first.advance")


@pytest.mark.usefixtures("no_cached_folder")
def test_a_place_that_cannot_be_written_is_passed_over(tmp_path, monkeypatch):
    blocked = tmp_path / "a file"
    blocked.touch()
    monkeypatch.setattr("tempfile.mkdtemp", lambda prefix: str(tmp_path / prefix))
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(blocked))
    assert compiling.cache_folder() == tmp_path / "waypost-"


def test_a_user_without_a_home(tmp_path, monkeypatch):
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    monkeypatch.setattr("os.path.expanduser", lambda path: path)
    monkeypatch.setattr("tempfile.mkdtemp", lambda prefix: str(tmp_path / prefix))
    assert compiling._user_cache() == tmp_path / "waypost-"


@pytest.mark.parametrize("platform", ["linux", "darwin", "win32"])
def test_the_user_cache_of_each_platform(platform, monkeypatch):
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.delenv("LOCALAPPDATA", raising=False)
    monkeypatch.setattr("sys.platform", platform)
    assert Path.home() in compiling._user_cache().parents


def test_editing_a_kernel_changes_the_folder(tmp_path, monkeypatch):
    source = tmp_path / "compiling.py"
    source.write_text("one")
    monkeypatch.setattr(compiling, "__file__", os.fspath(source))
    before = compiling._source_digest()
    source.write_text("two")
    assert compiling._source_digest() != before


def test_a_kernel_is_named_with_its_module():
    with pytest.raises(ValueError, match=r"module\.function"):
        compiling.is_cold("walk")
