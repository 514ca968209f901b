import hashlib
from types import SimpleNamespace

import pytest

from waypost.machine_code import shipped, switches

ENTRY = b"machine code"


@pytest.fixture
def contents(tmp_path, monkeypatch):
    """A wheel's contents, for this process."""
    (tmp_path / "x86-64-v2.pack").write_bytes(b"before" + ENTRY + b"after")
    entry = ("(int64,)", 6, len(ENTRY), hashlib.sha256(ENTRY).hexdigest())
    made = SimpleNamespace(
        __file__=str(tmp_path / "contents.py"),
        PLATFORM=switches.platform_tag(),
        SOURCES="digest",
        PACKS={"x86-64-v2": {"walk": entry}},
    )
    monkeypatch.setattr(shipped, "contents_of", lambda: made)
    monkeypatch.setattr(switches, "usable_levels", lambda: ["x86-64-v3", "x86-64-v2"])
    monkeypatch.setattr(switches, "changed_settings", list)
    monkeypatch.setattr(switches, "named_processor", lambda: None)
    shipped.find_pack.cache_clear()
    yield made
    shipped.find_pack.cache_clear()


def test_an_entry_is_found_by_kernel_and_signature(contents):
    pack = shipped.find_pack("digest")
    assert pack.level == "x86-64-v2"
    assert pack.read("walk", "(int64,)") == ENTRY
    assert pack.read("walk", "(float64,)") is None
    assert pack.read("run", "(int64,)") is None


def test_the_best_level_is_taken(contents, tmp_path):
    (tmp_path / "x86-64-v3.pack").write_bytes(b"")
    contents.PACKS["x86-64-v3"] = {}
    assert shipped.find_pack("digest").level == "x86-64-v3"


@pytest.mark.parametrize("place", range(6, 6 + len(ENTRY)))
def test_a_changed_byte_is_noticed(contents, tmp_path, place):
    path = tmp_path / "x86-64-v2.pack"
    content = bytearray(path.read_bytes())
    content[place] ^= 4
    path.write_bytes(content)
    assert shipped.find_pack("digest").read("walk", "(int64,)") is None


def test_a_short_pack_is_noticed(contents, tmp_path):
    (tmp_path / "x86-64-v2.pack").write_bytes(b"bef")
    assert shipped.find_pack("digest").read("walk", "(int64,)") is None


def why(sources="digest"):
    shipped.find_pack.cache_clear()
    return shipped.find_pack(sources)


def test_it_says_why_nothing_is_taken(contents, tmp_path, monkeypatch):
    assert why("another digest") == "the kernels of this installation were edited"
    with monkeypatch.context() as other:
        other.setattr(switches, "changed_settings", lambda: ["NUMBA_BOUNDSCHECK=1"])
        assert why() == "NUMBA_BOUNDSCHECK=1 asks for other machine code"
    with monkeypatch.context() as other:
        other.setattr(switches, "named_processor", lambda: "NUMBA_CPU_NAME")
        assert why() == "NUMBA_CPU_NAME asks for other machine code"
    with monkeypatch.context() as other:
        other.setattr(switches, "usable_levels", lambda: ["generic"])
        assert why() == "the machine code of this installation is for other processors"
    with monkeypatch.context() as other:
        other.setattr(contents, "PLATFORM", "cpython-310-linux")
        assert why() == "the machine code of this installation is for cpython-310-linux"
    with monkeypatch.context() as other:
        other.setattr(shipped, "contents_of", lambda: None)
        assert why() == "this installation came without machine code"
    (tmp_path / "x86-64-v2.pack").unlink()
    assert why() == "x86-64-v2.pack cannot be read: No such file or directory"


def test_this_tree_has_none():
    assert shipped.contents_of() is None
