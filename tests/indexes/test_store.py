import hashlib
import json
import os
import struct

import hypothesis.extra.numpy as hypothesis_numpy
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from safetensors.numpy import load as load_safetensors

import waypost as wp
from tests.oracle import checksum as oracle
from tests.support.worlds import cases, few
from waypost.errors import IndexFileError, ParameterError, WaypostError
from waypost.indexes.store import is_index_file, open_index, read_index, write_index

GRID = wp.grid_from_text("a..#\n.#..")
OTHER = wp.grid_from_text("a..#\n..#.")
ARRAYS = {
    "targets": np.arange(7, dtype=np.int32),
    "offsets": np.array([0, 2, 7]),
    "nothing": np.zeros((0, 3), np.uint16),
    "bound": np.array(2.5),
}
DTYPES = ("<f4", "<f8", "<i1", "<i2", "<i4", "<i8", "<u1", "<u2", "<u4", "<u8", ">i4", ">f8")


def write(path, grid=GRID, arrays=ARRAYS, **changes):
    about = {"planner": "trees", "revision": 3, "params": {"cap": 250, "share": 0.5}, "facts": {"build_seconds": 1.5}}
    write_index(path, grid=grid, arrays=arrays, **(about | changes))
    return path


@pytest.fixture
def path(tmp_path):
    return write(tmp_path / "small.waypost")


@pytest.fixture
def refused(tmp_path):
    """Read bytes that must be refused by one sentence, which is returned."""

    def refused(content, grid=GRID):
        file = tmp_path / "bad.waypost"
        file.write_bytes(content)
        with pytest.raises(IndexFileError) as error:
            read_index(file, grid)
        sentence = str(error.value)
        assert sentence.startswith(f"{file} ")
        assert sentence.isprintable()
        assert len(sentence) < 400 + len(str(file))
        return sentence

    return refused


def with_header(content, change, length=None):
    """The file with its header changed as text."""
    end = 8 + int.from_bytes(content[:8], "little")
    header = change(content[8:end].decode()).encode()
    return (len(header) if length is None else length).to_bytes(8, "little") + header + content[end:]


def edited(content, edit):
    """The file with its header changed as JSON, padded and spelled as it must be."""

    def change(text):
        header = json.loads(text)
        edit(header)
        text = json.dumps(header, sort_keys=True, separators=(",", ":"))
        return text + " " * (-(8 + len(text)) % 64)

    return with_header(content, change)


def test_what_was_written_is_read(path):
    index = read_index(path, GRID)
    assert (index.planner, index.revision) == ("trees", 3)
    assert index.params == {"cap": 250, "share": 0.5}
    assert index.facts == {"build_seconds": 1.5}
    assert index.map["width"] == "4"
    assert index.map["fingerprint"] == GRID.fingerprint
    assert index.file_bytes == path.stat().st_size
    assert sorted(index.arrays) == sorted(ARRAYS)
    for name, array in index.arrays.items():
        assert array.dtype == ARRAYS[name].dtype
        assert np.array_equal(array, ARRAYS[name])
        assert array.ctypes.data % 64 == 0
        assert array.flags.aligned
        assert not array.flags.writeable


@settings(max_examples=cases(60), deadline=None)
@given(st.data())
def test_any_arrays_come_back(tmp_path_factory, data):
    any_array = hypothesis_numpy.arrays(
        st.sampled_from(DTYPES), hypothesis_numpy.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=7)
    )
    arrays = data.draw(st.dictionaries(st.from_regex("[a-z][a-z0-9_]{0,9}", fullmatch=True), any_array, max_size=5))
    arrays |= {name: array.T for name, array in arrays.items()}
    path = write(tmp_path_factory.mktemp("any") / "index", arrays=arrays)
    index, elsewhere = read_index(path, GRID), load_safetensors(path.read_bytes())
    assert sorted(index.arrays) == sorted(arrays) == sorted(name for name in elsewhere if name[0] != "~")
    for name, array in arrays.items():
        for found in (index.arrays[name], elsewhere[name]):
            assert found.dtype == array.dtype.newbyteorder("<")
            assert found.shape == array.shape
            assert found.tobytes() == array.astype(found.dtype).tobytes()


def test_the_same_index_is_the_same_bytes(path, tmp_path):
    backwards = dict(reversed(ARRAYS.items()))
    again = write(tmp_path / "again", arrays=backwards, params={"share": 0.5, "cap": 250}, facts={"build_seconds": 9})
    assert again.read_bytes() == path.read_bytes()
    assert write(tmp_path / "other", revision=4).read_bytes() != path.read_bytes()


def test_the_checksum_is_what_the_documentation_says(path):
    found = []
    bare = edited(path.read_bytes(), lambda header: found.append(header["__metadata__"].pop("checksum")))
    end = 8 + int.from_bytes(bare[:8], "little")
    lanes = oracle.mix(range(1, 9), struct.unpack(f"<{len(bare[end:]) // 8}Q", bare[end:]))
    digest = hashlib.blake2b(bare[:end] + struct.pack("<8Q", *lanes), digest_size=16)
    assert found == [digest.hexdigest()] == [open_index(path).checksum]


def test_every_flipped_bit_is_refused(path, refused):
    content = path.read_bytes()
    for place in range(len(content)):
        for bit in few(range(place % 4, 8 + place % 4)):  # of each byte some, not the same of all
            flipped = bytearray(content)
            flipped[place] ^= 1 << bit % 8
            refused(flipped)


def test_every_cut_is_refused(path, refused):
    content = path.read_bytes()
    for length in range(len(content)):
        refused(content[:length])
    assert "the last 1 bytes are missing" in refused(content[:-1])
    assert "it ends within its header" in refused(content[:200])
    assert "does not begin as one" in refused(b"")


@pytest.mark.parametrize("count", [1, 63, 64, 128])
@pytest.mark.parametrize("byte", [b"\0", b" ", b"x"])
def test_bytes_behind_the_end_are_refused(path, refused, count, byte):
    assert f"has {count} bytes behind its end" in refused(path.read_bytes() + count * byte)


def test_another_map_is_refused(path, refused):
    content = path.read_bytes()
    assert "was built for another map: fingerprint" in refused(content, OTHER)
    wider = wp.grid_from_text("a..#.\n.#...")
    assert "open_cells 6 there and 8 here, width 4 there and 5 here; load that map" in refused(content, wider)
    never = wp.Grid(GRID.is_open, diagonals="never")
    assert "costs 5741 8119 there and 1 2 here, diagonals both-open there and never here" in refused(content, never)


def test_other_formats_are_refused(path, refused):
    content = path.read_bytes()

    def say(version):
        return edited(content, lambda header: header["__metadata__"].update(format=version))

    assert "is of format 2, and this Waypost reads format 1; a newer Waypost reads it" in refused(say("2"))
    assert "is of format 0, and this Waypost reads format 1; build the index again" in refused(say("0"))
    for version in ("", "one", "01", "9" * 5000, 1, None, ["1"]):
        assert "its header is not one that Waypost writes" in refused(say(version))


@pytest.mark.parametrize(
    "key", ["planner", "revision", "parameters", "fingerprint", "width", "costs", "checksum", "extra"]
)
def test_changed_texts_are_refused(path, refused, key):
    content = path.read_bytes()
    for text in ("7", "", "{}", "[]", '{"a":{}}', '{"a":NaN}', '{"a":1e999}', '{"a": 1}', '{"a":1,"a":1}', "[" * 9999):
        refused(edited(content, lambda header, text=text: header["__metadata__"].update({key: text})))
    for value in (7, None, ["trees"], "\x1b[2J", "é"):
        refused(edited(content, lambda header, value=value: header["__metadata__"].update({key: value})))
    if key != "extra":
        refused(edited(content, lambda header: header["__metadata__"].pop(key)))


@pytest.mark.parametrize(
    "change",
    [
        {"dtype": "I64"},
        {"dtype": "BOOL"},
        {"dtype": ["I32"]},
        {"dtype": "F32"},
        {"shape": [8]},
        {"shape": [-7]},
        {"shape": [7, True]},
        {"shape": [7.0]},
        {"shape": "7"},
        {"shape": None},
        {"shape": [2**80]},
        {"shape": [0, 2**62]},
        {"shape": [0] * 9},
        {"shape": [10**4000, 0]},
        {"data_offsets": [0, 28]},
        {"data_offsets": [2**70, 2**70 + 28]},
        {"data_offsets": [-28, 0]},
        {"data_offsets": None},
        {"extra": 1},
    ],
    ids=str,
)
def test_changed_entries_are_refused(path, refused, change):
    content = path.read_bytes()
    refused(edited(content, lambda header: header["targets"].update(change)))
    refused(edited(content, lambda header: header["~targets"].update(change)))


def test_renamed_and_missing_arrays_are_refused(path, refused):
    content = path.read_bytes()
    for name in ("renamed", "targetz", "Targets", "tar gets", "", "~", "~bound"):

        def rename(header, name=name):
            header[name], header["~" + name] = header.pop("targets"), header.pop("~targets")

        refused(edited(content, rename))

    def swap(header):
        header["targets"], header["offsets"] = header["offsets"], header["targets"]

    refused(edited(content, swap))
    for name in ("targets", "~targets", "nothing", "__metadata__"):
        refused(edited(content, lambda header, name=name: header.pop(name)))
    for entry in (None, 7, [], {}, "I32"):
        refused(edited(content, lambda header, entry=entry: header.update(more=entry)))


def test_headers_that_are_not_canonical_are_refused(path, refused):
    content = path.read_bytes()
    opening = '{"__metadata__":{"checksum":"'
    for change in (
        lambda text: text + " " * 64,
        lambda text: text.replace(":", ": "),
        lambda text: text.replace('"U8"', '"\\u00558"'),
        lambda text: text.replace('"nothing"', '"nothing":0,"nothing"'),
        lambda text: text.replace("[7]", "[NaN]"),
        lambda text: text.replace("[7]", "[1e999]"),
        lambda text: text.replace("[7]", f"[{'9' * 5000}]"),
        lambda text: text.replace("[7]", "[" * 50_000 + "]" * 50_000),
        lambda text: text.replace("trees", "bäume"),
        lambda _: opening + "[" * 100_000,
        lambda _: opening,
        lambda _: opening + '"}}',
        lambda _: opening + "\0",
    ):
        refused(with_header(content, change))
    for length in (0, 1, 2**20, 2**20 + 1, 2**31, 2**63, 2**64 - 1):
        refused(with_header(content, str, length))
    refused(content[:8] + content[8:].replace(b"trees", b"tr\xff\xfes"))
    assert "its header would be 18,446,744,073,709,551,615 bytes long" in refused(with_header(content, str, 2**64 - 1))


def test_facts_are_none_when_they_are_missing_broken_or_of_another_index(path):
    beside = path.with_name(path.name + ".facts.json")
    good = beside.read_text()
    for text in (
        "",
        "{",
        "[]",
        "{}",
        "[" * 100_000,
        '"x"',
        good.replace("1.5", "[[]]"),
        good.replace('s": {', 's": [{'),
    ):
        beside.write_text(text)
        assert read_index(path, GRID).facts == {}
    beside.write_text(good)
    assert read_index(path, GRID).facts == {"build_seconds": 1.5}
    stale = beside.read_bytes()
    write(path, revision=4)
    beside.write_bytes(stale)
    assert read_index(path, GRID).facts == {}
    beside.unlink()
    assert read_index(path, GRID).facts == {}


def test_no_flipped_bit_changes_a_fact(path):
    beside = path.with_name(path.name + ".facts.json")
    good = beside.read_bytes()
    for i in range(8 * len(good)):
        flipped = bytearray(good)
        flipped[i // 8] ^= 1 << i % 8
        beside.write_bytes(flipped)
        assert read_index(path, GRID).facts in ({}, {"build_seconds": 1.5})


def test_facts_without_a_digest_are_of_an_earlier_version(path):
    beside = path.with_name(path.name + ".facts.json")
    about = json.loads(beside.read_text())
    beside.write_text(json.dumps({key: about[key] for key in ("checksum", "facts")}))
    assert read_index(path, GRID).facts == {"build_seconds": 1.5}


def test_a_write_that_fails_leaves_the_old_file(path, monkeypatch):
    old, beside = path.read_bytes(), sorted(os.listdir(path.parent))

    def no_space(_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", no_space)
    with pytest.raises(WaypostError, match=r"cannot write .*: No space left"):
        write(path, revision=4)
    assert path.read_bytes() == old
    assert sorted(os.listdir(path.parent)) == beside
    assert read_index(path, GRID).facts == {"build_seconds": 1.5}


def test_a_file_in_use_can_be_replaced(path):
    before = read_index(path, GRID).arrays["targets"]
    write(path, arrays={"targets": np.zeros(7, np.int32)})
    assert before.tolist() == list(range(7))


def test_a_device_gets_no_facts():
    write(os.devnull)
    assert not os.path.exists(os.devnull + ".facts.json")


@pytest.mark.parametrize(
    "array", [np.zeros(3, bool), np.array(["a"]), np.array([None]), np.zeros(2, "c8"), np.zeros(9 * [1])]
)
def test_arrays_that_cannot_be_stored(tmp_path, array):
    with pytest.raises(IndexFileError, match=r"array bad must be of float32, .* at most 8 dimensions, not"):
        write(tmp_path / "index", arrays={"bad": array})
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("name", ["", "A", "a b", "~a", "__metadata__", "a" * 65])
def test_names_that_cannot_be_stored(tmp_path, name):
    with pytest.raises(IndexFileError, match="an array's name is small letters"):
        write(tmp_path / "index", arrays={name: np.zeros(3)})


@pytest.mark.parametrize(
    "value", [float("nan"), float("inf"), [1], None, np.int64(3), 10**5000], ids=lambda value: type(value).__name__
)
def test_parameters_and_facts_that_cannot_be_stored(tmp_path, value):
    for what in ("params", "facts"):
        with pytest.raises(ParameterError, match="of an index must be plain numbers and texts by name"):
            write(tmp_path / "index", **{what: {"x": value}})
    assert os.listdir(tmp_path) == []


def test_what_is_an_index_file(path, tmp_path):
    renamed = path.rename(tmp_path / "renamed.map")
    assert is_index_file(renamed)
    assert open_index(renamed).planner == "trees"
    broken = tmp_path / "broken.waypost"
    broken.touch()
    assert is_index_file(broken)
    for other in (tmp_path, tmp_path / "missing.waypost", __file__, "caves"):
        assert not is_index_file(other)
    with pytest.raises(WaypostError, match="there is no Waypost index at"):
        open_index(tmp_path / "missing.waypost")
    with pytest.raises(WaypostError, match="is a directory; give a Waypost index"):
        open_index(tmp_path)
