"""Damage to stored results: whatever happens to their bytes is noticed, said in one line, and run again."""

import os
import re
import shutil

import numpy as np
import pyarrow as pa
import pyarrow.ipc as ipc
import pytest

import waypost as wp
from tests.support.suites import TINY, run, untimed
from waypost.bench import runner
from waypost.bench.results import Store

ROWS = np.arange(12, dtype=np.int64).reshape(3, 4)
COLUMNS = {"episode": np.arange(3), "moves": np.array([5.0, 6.0, 7.0]), "status": np.array(["arrived"] * 3)}


@pytest.fixture
def store(tmp_path):
    """A store that holds one small part of each kind."""
    store = Store(tmp_path)
    with store.locked():
        store.add("a" * 24, 0, COLUMNS, {"map": "caves", "revision": 1})
        store.save_problems("b" * 24, ROWS)
    return store


def only(folder, pattern):
    (path,) = folder.rglob(pattern)
    return path


def damaged(content):
    """One flipped bit in each byte, then the file cut short or grown."""
    for i in range(len(content)):
        flipped = bytearray(content)
        flipped[i] ^= 1 << i % 8
        yield bytes(flipped)
    yield from (content[:length] for length in range(0, len(content), 7))
    yield from (content + more for more in (b"\0", b"\n", b"ARROW1", content))


def test_no_damage_to_a_part_of_a_run_goes_unnoticed(store):
    path = only(store.folder, "runs/*/*.arrow")
    content = path.read_bytes()
    for bad in damaged(content):
        path.write_bytes(bad)
        for read in (
            lambda: store.read(["a" * 24], ["moves"]),
            lambda: store.distinct(["a" * 24], "map"),
        ):
            with pytest.raises(wp.WaypostError, match=r"\.arrow is damaged; run the suite again, and what it held"):
                read()
    path.write_bytes(content)
    assert store.read(["a" * 24], ["moves"])["moves"].tolist() == [5, 6, 7]
    assert store.done("a" * 24) == 3
    assert not list(store.lost())


def test_no_damage_to_problems_goes_unnoticed(store):
    path = only(store.folder, "problems/*.arrow")
    content = path.read_bytes()
    for bad in damaged(content):
        path.write_bytes(bad)
        assert store.load_problems("b" * 24) is None
        assert not path.exists()
    path.write_bytes(content)
    assert np.array_equal(store.load_problems("b" * 24), ROWS)


def test_a_part_at_the_place_of_another_is_damage(store):
    path = only(store.folder, "runs/*/*.arrow")
    path.rename(path.with_name(path.name.replace("00000000-3", "00000000-2")))
    assert store.done("a" * 24) == 0


def test_other_files_in_a_folder_of_results_are_left_alone(store):
    beside = only(store.folder, "runs/*/*.arrow").with_name("00000000-3 (copy).arrow")
    beside.write_bytes(b"mine")
    assert store.done("a" * 24) == 3
    assert beside.read_bytes() == b"mine"


def test_parts_stay_files_that_arrow_opens(store):
    for path in store.folder.rglob("*.arrow"):
        assert ipc.open_file(pa.memory_map(str(path))).read_all().num_rows == 3


def unreadable(path, how):
    """Put at the place of a part what cannot be read as one."""
    path.unlink()
    if how == "dangling link":
        path.symlink_to(path.parent / "nowhere")
    elif how == "link in a circle":
        path.symlink_to(path.name)
    elif how == "pipe":
        os.mkfifo(path)
    else:
        path.mkdir()
        (path / "something").touch()


@pytest.mark.parametrize("how", ["dangling link", "link in a circle", "pipe", "folder"])
def test_what_cannot_be_read_is_damage(tmp_path, capsys, how):
    outcome = run(tmp_path)
    reference = untimed(tmp_path)
    part = only(tmp_path / "results" / "runs" / outcome.runs[1].identity, "*.arrow")
    problems = sorted((tmp_path / "results" / "problems").iterdir())[0]
    for path in (part, problems):
        unreadable(path, how)
    leftover = tmp_path / "results" / "runs" / ".left.part"
    leftover.mkdir()
    capsys.readouterr()
    assert run(tmp_path).fresh == len(outcome.runs[1])
    assert capsys.readouterr().err.splitlines() == [
        f"1 part of the results ({problems}) is damaged: problems are chosen again.",
        f"1 part of the results ({part}) is damaged: run again, with what followed in the same run.",
    ]
    assert untimed(tmp_path) == reference
    assert not leftover.exists()
    assert run(tmp_path).fresh == 0
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("how", ["file", "dangling link"])
def test_a_file_in_place_of_a_run_is_damage(tmp_path, capsys, how):
    outcome = run(tmp_path)
    reference = untimed(tmp_path)
    folder = tmp_path / "results" / "runs" / outcome.runs[1].identity
    shutil.rmtree(folder)
    folder.touch()
    if how != "file":
        unreadable(folder, how)
    capsys.readouterr()
    assert run(tmp_path).fresh == len(outcome.runs[1])
    assert f"({folder}) is damaged: run again" in capsys.readouterr().err
    assert untimed(tmp_path) == reference


def test_a_run_that_cannot_be_written_is_said_in_one_sentence(store):
    (store.folder / "runs" / ("c" * 24)).touch()
    with pytest.raises(wp.WaypostError, match=r"cannot write .*c: File exists"):
        store.add("c" * 24, 0, COLUMNS, {"map": "caves", "revision": 1})


@pytest.mark.parametrize("digest", ["0" * 32, "f" * 32])
def test_a_damaged_double_is_removed_and_nothing_is_run_again(store, digest):
    doubles = []
    for pattern in ("runs/*/*.arrow", "problems/*.arrow"):
        path = only(store.folder, pattern)
        doubles.append(path.with_name(re.sub(r"\.[0-9a-f]{32}", f".{digest}", path.name)))
        doubles[-1].write_bytes(path.read_bytes())
    assert store.done("a" * 24) == 3
    assert np.array_equal(store.load_problems("b" * 24), ROWS)
    assert not any(path.exists() for path in doubles)
    assert all(line.endswith("damaged: removed, as another part holds the same.") for line in store.lost())
    assert store.read(["a" * 24], ["moves"])["moves"].tolist() == [5, 6, 7]


def test_a_damaged_part_is_run_again(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(runner, "PART_SECONDS", 0)
    outcome = run(tmp_path)
    reference = untimed(tmp_path)
    folder = tmp_path / "results" / "runs"
    flip(only(folder / outcome.runs[1].identity, "00000002-1.*.arrow"))
    flip(only(folder / outcome.runs[2].identity, "00000005-1.*.arrow"))
    capsys.readouterr()
    assert run(tmp_path).fresh == 4 + 1
    assert untimed(tmp_path) == reference
    said = capsys.readouterr().err.splitlines()
    assert len(said) == 1
    assert re.fullmatch(
        r"2 parts of the results \(.*\.arrow and others\) are damaged: run again, with what followed in the same run\.",
        said[0],
    )
    assert run(tmp_path).fresh == 0
    assert capsys.readouterr().err == ""


def test_damaged_problems_are_chosen_again(tmp_path, capsys):
    run(tmp_path)
    reference = untimed(tmp_path)
    path = sorted((tmp_path / "results" / "problems").iterdir())[0]
    flip(path)
    capsys.readouterr()
    assert run(tmp_path).fresh == 0, "they are the same again"
    assert f"1 part of the results ({path}) is damaged: problems are chosen again." in capsys.readouterr().err
    assert untimed(tmp_path) == reference


def test_damage_after_the_run_is_refused_where_it_is_read(tmp_path):
    outcome = run(tmp_path, TINY)
    flip(only(tmp_path / "results" / "runs" / outcome.runs[0].identity, "*.arrow"))
    with pytest.raises(wp.WaypostError, match=r"is damaged; run the suite again"):
        outcome.store.merge([outcome.runs[0].identity])


def test_results_without_digests_are_run_again_and_stay(tmp_path, capsys):
    run(tmp_path)
    reference = untimed(tmp_path)
    parts = list((tmp_path / "results").rglob("*.arrow"))
    old = [path.rename(path.with_name(re.sub(r"\.[0-9a-f]{32}", "", path.name))) for path in parts]
    capsys.readouterr()
    assert run(tmp_path).fresh == 24
    said = capsys.readouterr().err
    problems, episodes = said.splitlines()
    assert re.fullmatch(r"\d parts? .* of an earlier Waypost, with no digest .*: problems are chosen again\.", problems)
    assert re.fullmatch(r"\d parts .* of an earlier Waypost, with no digest to tell damage by: run again\.", episodes)
    assert int(problems[0]) + int(episodes[0]) == 6
    assert untimed(tmp_path) == reference
    assert all(path.exists() for path in old)
    assert run(tmp_path).fresh == 0
    assert capsys.readouterr().err == ""


def flip(path):
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 4
    path.write_bytes(content)
