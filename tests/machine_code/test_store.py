import os
import tempfile

import pytest

from waypost.machine_code.store import Store


@pytest.fixture
def store(tmp_path, monkeypatch):
    monkeypatch.setenv("WAYPOST_CACHE", str(tmp_path))
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "of the user"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    tmp_path.chmod(0o755)
    return Store("code")


def test_what_was_written_is_read(store):
    assert store.read("a") is None
    assert not store.has("a")
    store.write("a", b"machine code")
    assert store.read("a") == b"machine code"
    assert store.has("a")


def test_nothing_unfinished_is_left(store, tmp_path):
    store.write("a", b"machine code")
    assert os.listdir(tmp_path / "code") == ["a"]


@pytest.mark.parametrize("place", range(36))
def test_a_damaged_entry_counts_as_none(store, tmp_path, place):
    store.write("a", b"code")
    file = tmp_path / "code" / "a"
    content = bytearray(file.read_bytes())
    assert len(content) == 36
    content[place] ^= 1
    file.write_bytes(content)
    assert store.read("a") is None


@pytest.mark.parametrize("size", [0, 5, 32, 35])
def test_a_short_entry_counts_as_none(store, tmp_path, size):
    store.write("a", b"code")
    file = tmp_path / "code" / "a"
    file.write_bytes(file.read_bytes()[:size])
    assert store.read("a") is None


def test_another_folder_has_what_is_damaged_in_the_first(store, tmp_path, monkeypatch):
    store.write("a", b"code")
    (tmp_path / "code" / "a").write_bytes(b"damaged")
    monkeypatch.delenv("WAYPOST_CACHE")
    store.write("a", b"code")
    monkeypatch.setenv("WAYPOST_CACHE", str(tmp_path))
    assert store.read("a") == b"code"


def test_code_of_a_folder_that_others_can_write_to_is_not_read(store, tmp_path):
    store.write("a", b"code")
    (tmp_path / "code").chmod(0o777)
    assert store.read("a") is None
    assert not store.has("a")


def test_a_full_disk_is_no_error(store, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    store.write("a", b"code")
    monkeypatch.undo()
    assert store.read("a") is None


def test_everybody_can_read_what_root_prepared(store, tmp_path):
    store.write("a", b"code")
    assert (tmp_path / "code" / "a").stat().st_mode & 0o777 == 0o644
