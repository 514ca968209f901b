import os

import pytest

from waypost.errors import WaypostError
from waypost.system.files import check_writable, read_bytes, write_atomically


def test_a_write_that_fails_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch):
    path = tmp_path / "result"
    write_atomically(path, b"old")

    def no_space(_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", no_space)
    with pytest.raises(WaypostError, match=r"cannot write .*result: No space left"):
        write_atomically(path, b"new")
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["result"]


def test_a_write_replaces_the_file_and_keeps_usual_permissions(tmp_path):
    path = tmp_path / "result"
    write_atomically(path, b"old")
    write_atomically(path, b"new")
    assert read_bytes(path, "result") == b"new"
    (tmp_path / "usual").touch()
    (tmp_path / "link").symlink_to(path)
    write_atomically(tmp_path / "link", b"through the link")
    assert path.read_bytes() == b"through the link"
    assert (tmp_path / "link").is_symlink()
    assert path.stat().st_mode == (tmp_path / "usual").stat().st_mode


def test_a_device_is_written_not_replaced():
    write_atomically(os.devnull, b"gone")
    assert not os.path.isfile(os.devnull)


def test_places_that_cannot_be_written(tmp_path):
    check_writable(tmp_path / "new")
    with pytest.raises(WaypostError, match="it is a directory"):
        check_writable(tmp_path)
    with pytest.raises(WaypostError, match="there is no directory"):
        check_writable(tmp_path / "no" / "such" / "place")
    with pytest.raises(WaypostError, match="cannot write"):
        write_atomically(tmp_path / "no" / "such", b"")
    with pytest.raises(WaypostError, match="not a file name"):
        read_bytes("a\0b", "map")


def test_a_folder_that_may_not_be_written(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(WaypostError, match="is not writable"):
        check_writable(tmp_path / "a.png")
