import os
import tempfile
from pathlib import Path

import pytest

from waypost.machine_code import folders

ours_alone = pytest.mark.skipif(not hasattr(os, "getuid"), reason="Windows keeps users apart in another way")


@pytest.fixture(autouse=True)
def elsewhere(tmp_path, monkeypatch):
    """No folder of the user's own."""
    monkeypatch.delenv("WAYPOST_CACHE", raising=False)
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()


def test_the_folder_that_is_named_goes_first(tmp_path, monkeypatch):
    monkeypatch.setenv("WAYPOST_CACHE", str(tmp_path / "named"))
    assert folders.writable_place("code") == tmp_path / "named" / "code"
    assert folders.places("code")[:2] == [tmp_path / "named" / "code", tmp_path / "cache" / "waypost" / "code"]


def test_without_a_name_it_is_the_users_cache(tmp_path, caplog):
    assert folders.writable_place("code") == tmp_path / "cache" / "waypost" / "code"
    assert caplog.messages == []


def test_a_place_that_cannot_be_made_is_passed_over(tmp_path, monkeypatch):
    (tmp_path / "a file").touch()
    monkeypatch.setenv("WAYPOST_CACHE", str(tmp_path / "a file"))
    assert folders.writable_place("code") == tmp_path / "cache" / "waypost" / "code"


@ours_alone
def test_a_user_without_a_home_has_a_folder_among_temporary_files(tmp_path, monkeypatch, caplog):
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setattr("os.path.expanduser", lambda path: path)
    assert folders.user_cache() is None
    place = tmp_path / "temporary" / f"waypost-{os.getuid()}" / "code"
    assert folders.writable_place("code") == folders.writable_place("code") == place
    assert caplog.messages == [
        f"Machine code of Waypost is kept in {place.parent}, which may be emptied, because this user has no home; "
        "WAYPOST_CACHE can name another folder."
    ]


@ours_alone
def test_it_is_said_that_a_temporary_folder_must_do(tmp_path, monkeypatch, caplog):
    for name in ("WAYPOST_CACHE", "XDG_CACHE_HOME"):
        (tmp_path / name).touch()
        monkeypatch.setenv(name, str(tmp_path / name))
    assert folders.writable_place("code").parent == tmp_path / "temporary" / f"waypost-{os.getuid()}"
    (line,) = caplog.messages
    assert f"because {tmp_path}/WAYPOST_CACHE and {tmp_path}/XDG_CACHE_HOME/waypost cannot be written safely" in line


def test_there_may_be_no_place_at_all(tmp_path, monkeypatch, caplog):
    (tmp_path / "a file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "a file"))

    def nowhere():
        raise FileNotFoundError("no usable temporary directory")

    monkeypatch.setattr(tempfile, "gettempdir", nowhere)
    assert folders.writable_place("code") is None
    assert "is not kept, so each process compiles it, because" in caplog.text


@ours_alone
@pytest.mark.parametrize("mode", [0o775, 0o777, 0o757])
@pytest.mark.parametrize("place", ["folder", "above"])
def test_what_others_can_write_to_is_not_used(tmp_path, mode, place):
    folder = tmp_path / "cache" / "waypost" / "code"
    folder.mkdir(parents=True)
    for each in (folder, folder.parent):
        each.chmod(0o755)
    assert folders.trusted(folder)
    (folder if place == "folder" else folder.parent).chmod(mode)
    assert not folders.trusted(folder)
    assert folders.writable_place("code") != folder


@ours_alone
@pytest.mark.skipif(hasattr(os, "getuid") and os.getuid() != 0, reason="only root can give a folder away")
@pytest.mark.parametrize("place", ["folder", "above"])
def test_what_somebody_else_owns_is_not_used(tmp_path, place):
    folder = tmp_path / "code"
    folder.mkdir(mode=0o755)
    os.chown(folder if place == "folder" else tmp_path, 12345, 12345)
    assert not folders.trusted(folder)


@ours_alone
def test_folders_that_are_made_can_be_written_by_their_owner_only_whatever_the_umask():
    previous = os.umask(0o000)
    try:
        folder = folders.writable_place("code")
    finally:
        os.umask(previous)
    assert folders.trusted(folder)


def test_a_file_is_no_folder(tmp_path):
    (tmp_path / "code").touch()
    assert not folders.trusted(tmp_path / "code")
    assert not folders.trusted(tmp_path / "missing")


@pytest.mark.parametrize("platform", ["linux", "darwin", "win32"])
def test_the_user_cache_of_each_platform(platform, monkeypatch):
    for name in ("XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("sys.platform", platform)
    assert Path.home() in folders.user_cache().parents
