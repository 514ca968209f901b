"""The journal: whatever happens to the file, its good beginning is used and the rest made again, or it is refused."""

import signal
from contextlib import closing
from unittest.mock import Mock

import numpy as np
import pytest

import waypost as wp
from tests.support.worlds import IS_DEEP
from waypost.errors import IndexFileError, WaypostError
from waypost.indexes.building import Works, are_just
from waypost.indexes.journal import Journal

IDENTITY = {"planner": "p", "parameters": {"cap": 3}}


def make(first, last):
    items = np.arange(first, last, dtype=np.int32)
    return items * items, np.full((last - first, 2), 0.5, np.float64)


def build(path, *, chunk=3, total=20, threads=1, identity=IDENTITY, make=make):
    with closing(Works(threads, path, identity, show_progress=False)) as works:
        parts = works.parts("squares", total, make, chunk=chunk)
    return [np.concatenate(arrays) for arrays in zip(*parts, strict=True)]


def assert_whole(result, total=20):
    squares, halves = result
    assert squares.dtype == np.int32
    assert squares.tolist() == [i * i for i in range(total)]
    assert halves.shape == (total, 2)


@pytest.fixture
def journal(tmp_path):
    path = tmp_path / "j.partial"
    assert_whole(build(path))
    return path


class Asked:
    """Counts what is made again."""

    def __init__(self):
        self.items = []

    def __call__(self, first, last):
        self.items += range(first, last)
        return make(first, last)


def test_what_is_there_is_not_made_again(journal):
    asked = Asked()
    assert_whole(build(journal, make=asked))
    assert asked.items == []


def test_parts_that_do_not_fit_are_made_again(journal):
    asked, seen = Asked(), []

    def fits(first, last, arrays):
        seen.append(are_just(arrays, (np.int32, (last - first,)), (float, (last - first, 2))))
        return not first <= 7 < last

    with closing(Works(1, journal, IDENTITY, show_progress=False)) as works:
        assert not works.goes_on
        parts = works.parts("squares", 20, asked, chunk=3, fits=fits)
        assert works.goes_on
    assert_whole([np.concatenate(arrays) for arrays in zip(*parts, strict=True)])
    assert asked.items == [6, 7, 8]
    assert all(seen)
    assert not are_just((np.empty(3, np.int32),), (np.int64, (3,)))
    assert not are_just((np.empty(3, np.int32),), (np.int32, (3,)), (np.int32, (3,)))


@pytest.mark.parametrize("name", ["dlrta", "lrta-pdb-g", "dba"])
def test_a_journal_of_which_no_index_comes_is_refused(name, tmp_path, monkeypatch):
    """Damage has digests against it; this one would have to be forged."""
    path, grid, found = tmp_path / "j", wp.grid_from_text("....\n...."), Journal.parts
    made = wp.build(name, grid, threads=1, checkpoint=path, **({"level": 1} if name != "dba" else {"sector": 2}))
    again = {"threads": 1, "checkpoint": path, **made.entry.offline(made.params)}
    for zeroed in (True, False):
        wrong = np.zeros_like if zeroed else lambda array: array[:-1]
        monkeypatch.setattr(Journal, "parts", lambda *about, wrong=wrong: with_all(wrong, found(*about)))
        try:
            assert wp.build(name, grid, **again).path((0, 0), (3, 1)).size, "they did not fit and were made again"
        except IndexFileError as refusal:
            said = str(refusal)
            assert said == f"{path} holds no parts of this index; delete it and build again"
    monkeypatch.setattr(type(made.index), "build", Mock(side_effect=ValueError("a fault")))
    with pytest.raises(ValueError, match=r"^a fault$"):  # nothing was found: no fault of a journal
        wp.build(name, grid, **again | {"checkpoint": tmp_path / "new"})


def with_all(wrong, found):
    return {piece: tuple(map(wrong, arrays)) for piece, arrays in found.items()}


@pytest.mark.parametrize("chunk", [1, 2, 7, None])
def test_a_cut_journal_is_used_up_to_the_cut_with_any_chunks(journal, chunk):
    content = journal.read_bytes()
    made_again = set()
    for length in range(0, len(content), 1 if IS_DEEP else 3):
        journal.write_bytes(content[:length])
        asked = Asked()
        assert_whole(build(journal, chunk=chunk, make=asked))
        assert asked.items == sorted(set(asked.items))
        made_again.add(len(asked.items))
        done = Asked()
        assert_whole(build(journal, make=done))
        assert done.items == []
    assert max(made_again) == 20
    assert min(made_again) <= 3


def test_each_damaged_byte_costs_what_follows_or_is_refused(journal):
    content = journal.read_bytes()
    Journal(journal.with_name("empty"), IDENTITY).close()
    head = journal.with_name("empty").stat().st_size
    for at in range(len(content)):
        damaged = bytearray(content)
        damaged[at] ^= 1 << at % 8
        journal.write_bytes(damaged)
        if at < head:
            with pytest.raises(WaypostError, match=r"j\.partial is .*; delete it, or keep it and name another file"):
                build(journal)
            assert journal.read_bytes() == damaged, "what is refused is left alone"
        else:
            assert_whole(build(journal))


def test_other_builds_and_other_files_are_refused_and_kept(journal):
    before = journal.read_bytes()
    with pytest.raises(WaypostError, match=r"j\.partial is of another build; delete it, or keep it and name another"):
        build(journal, identity=IDENTITY | {"planner": "q"})
    assert journal.read_bytes() == before
    journal.write_text("my notes")
    with pytest.raises(WaypostError, match="is not a journal of Waypost"):
        build(journal)
    assert journal.read_text() == "my notes"


def test_parts_of_another_size_are_made_anew(journal):
    assert_whole(build(journal, total=30), 30)


def test_a_forged_length_takes_no_memory(journal):
    good = journal.stat().st_size
    with open(journal, "ab") as file:
        file.write((1 << 62).to_bytes(8, "little") + b"{}")
    assert_whole(build(journal))
    assert journal.stat().st_size == good


@pytest.mark.parametrize(
    "header",
    [
        '["squares",20,0,3,0.5,[{"dtype":"I32","shape":[1152921504606846976]}]]',
        '["squares",20,0,3,0.5,[{"dtype":"O","shape":[3]}]]',
        '["squares",20,3,3,0.5,[]]',
        '["squares",2,0,3,0.5,[]]',
        '["squares",true,0,3,0.5,[]]',
        '["squares",20,0,3,1,[]]',
        "[7,20,0,3,0.5,[]]",
        '["squares",20,0,3]',
        "{}",
        "0" * 40,
        "\xff",
    ],
)
def test_forged_headers_are_dropped(tmp_path, header):
    path = tmp_path / "j"
    Journal(path, IDENTITY).close()
    good = path.stat().st_size
    text = header.encode("latin-1")
    with open(path, "ab") as file:
        file.write(len(text).to_bytes(8, "little") + text + b"\0" * 64)
    with closing(Journal(path, IDENTITY)) as journal:
        assert journal.parts("squares", 20) == {}
    assert path.stat().st_size == good


def test_one_process_at_a_time(journal):
    pytest.importorskip("fcntl")
    holder = Journal(journal, IDENTITY)
    with pytest.raises(WaypostError, match="another process is building into"):
        build(journal)
    holder.discard()
    assert not journal.exists()
    holder.discard()


def test_places_that_cannot_be_written(tmp_path):
    for place in (tmp_path, tmp_path / "nowhere" / "j"):
        with pytest.raises(WaypostError, match="cannot write"):
            build(place)


def test_a_full_disk_is_one_sentence_and_loses_nothing(tmp_path):
    resource = pytest.importorskip("resource")
    path = tmp_path / "j"
    build(path, total=3)
    room, before = path.stat().st_size + 300, resource.getrlimit(resource.RLIMIT_FSIZE)
    handled = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, before[1]))
    try:
        with pytest.raises(WaypostError, match=r"cannot write .*j: File too large"), closing(works_of(path)) as works:
            works.parts("others", 300, make, chunk=3)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handled)
    asked = Asked()
    with closing(works_of(path)) as works:
        works.parts("others", 300, asked)
    assert 0 < len(asked.items) < 300


def works_of(path):
    return Works(1, path, IDENTITY, show_progress=False)


def test_time_of_earlier_runs_counts(tmp_path):
    path = tmp_path / "j"
    journal = Journal(path, IDENTITY)
    journal.add("squares", 20, (0, 2), make(0, 2), 1234.5)
    journal.close()
    works = Works(1, path, IDENTITY, show_progress=False)
    assert works.seconds > 1234.5
    works.discard()
    assert not path.exists()
