"""Commands that build and use indexes."""

import os
import signal
import subprocess
import sys
import time

import pytest

import waypost as wp
from tests.support import neighbour_index
from waypost.indexes.building import Works

NAME = neighbour_index.ENTRY.name


@pytest.fixture(autouse=True)
def _entered(monkeypatch):
    neighbour_index.enter(monkeypatch.setitem)


@pytest.fixture
def file(waypost, tmp_path):
    path = tmp_path / "rooms.waypost"
    status, out, _ = waypost("build", "rooms", "--planner", NAME, "-o", path, "--threads", 2)
    assert status == 0
    assert f"Wrote {path}: " in out
    assert "on 2 threads" in out
    return path


def test_build_writes_what_the_library_writes(file, waypost, tmp_path):
    wp.build(NAME, wp.load_map("rooms")).save(tmp_path / "other")
    assert file.read_bytes() == (tmp_path / "other").read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "other", "other.facts.json", "rooms.waypost", "rooms.waypost.facts.json",
    ]  # fmt: skip
    status, out, _ = waypost("info", file)
    assert status == 0
    for words in (f"{NAME}, revision 3", "parameter backwards", "build_seconds", "threads", "Numba"):
        assert words in out


def test_an_index_without_subgoals_is_not_drawn(file, refused, tmp_path):
    complaint = refused("draw", "rooms", "--index", file, "--goal", "10,10", "--out", tmp_path / "a.png")
    assert "an index without subgoals has no picture" in complaint


def test_run_and_solve_with_an_index(file, waypost):
    for command in (("run", "rooms", "--problems", 3), ("solve", "rooms", "--from", "10,10", "--to", "90,60")):
        for more in ((), ("--planner", NAME), ("-p", "last_first=1"), ("-p", "backwards=0")):
            status, out, _ = waypost(*command, "--index", file, *more)
            assert status == 0
            assert "Breadth first over stored neighbours" in out
            assert "Index (bytes)" in out
            assert "Building the index (s)" in out


def test_run_without_an_index_file_builds(waypost):
    status, out, _ = waypost("run", "rooms", "--problems", 2, "--planner", NAME, "-p", "backwards=1")
    assert status == 0
    assert "Index (bytes)" in out


@pytest.mark.parametrize(
    ("more", "complaint"),
    [
        (("rooms", "--planner", "lss"), f"rooms.waypost is an index of {NAME}, not of lss; leave --planner out"),
        (("rooms", "--planner", "nonsense"), "there is no planner called 'nonsense'"),
        (("rooms", "-p", "backwards=1"), "was built with backwards=0, not 1"),
        (("rooms", "-p", "gamma=1"), "has no parameter called 'gamma'"),
        (("rooms", "-p", "last_first=7"), "last_first of neighbours must be from 0 to 1, not 7"),
        (("caves",), "was built for another map: height 69 there and 100 here"),
        (("rooms", "--diagonals", "never"), "was built for another map: "),
    ],
)
def test_refusals_of_an_index(file, refused, more, complaint):
    assert complaint in refused("run", *more, "--index", file)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["rooms", "-P", "astar", "-o", "a.waypost"], f"astar has no index to build; planners that have one: {NAME}"),
        (["rooms", "-P", NAME, "-o", "/no/such/place"], "there is no directory"),
        (["rooms", "-P", NAME, "-o", "a.waypost", "-p", "depth=2"], "has no parameter called 'depth'"),
        (["rooms", "-P", NAME, "-o", "a.waypost", "--threads", "0"], "--threads"),
        (["rooms", "-P", NAME], "--out"),
        (["no-such-map", "-P", NAME, "-o", "a.waypost"], "there is no map file at"),
    ],
)
def test_refusals_of_a_build(refused, arguments, complaint, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    message = refused("build", *arguments)
    if "planners that have one" in complaint:
        assert "astar has no index to build; planners that have one: " in message
        assert NAME in message
    else:
        assert complaint in message
    assert not list(tmp_path.iterdir())


def test_a_journal_of_another_build_is_kept(waypost, refused, tmp_path, monkeypatch):
    file = tmp_path / "a.waypost"
    interrupt_after(monkeypatch, 500)
    assert waypost("build", "rooms", "-P", NAME, "-o", file)[0] == 130
    before = (tmp_path / "a.waypost.partial").read_bytes()
    complaint = refused("build", "rooms", "-P", NAME, "-o", file, "-p", "backwards=1")
    assert "a.waypost.partial is of another build; delete it, or keep it and name another file" in complaint
    assert (tmp_path / "a.waypost.partial").read_bytes() == before


def interrupt_after(monkeypatch, items):
    parts = Works.parts

    def cut_short(self, title, total, make, *, chunk=None):
        def until(first, last):
            if last > items:
                raise KeyboardInterrupt
            return make(first, last)

        return parts(self, title, total, until, chunk=20)

    monkeypatch.setattr(Works, "parts", cut_short)


def test_ctrl_c_says_that_the_same_command_goes_on(waypost, tmp_path, monkeypatch):
    command = ("build", "rooms", "-P", NAME, "-o", tmp_path / "a.waypost", "--threads", 1)
    with monkeypatch.context() as patch:
        interrupt_after(patch, 1000)
        status, out, err = waypost(*command)
    assert (status, out) == (130, "")
    assert "a.waypost.partial holds what is done so far; the same command goes on from there.\n" in err
    assert (tmp_path / "a.waypost.partial").exists()
    status, out, err = waypost(*command)
    assert status == 0
    assert "neighbours: going on from 17 %" in err
    wp.build(NAME, wp.load_map("rooms")).save(tmp_path / "other")
    assert (tmp_path / "a.waypost").read_bytes() == (tmp_path / "other").read_bytes()
    assert not (tmp_path / "a.waypost.partial").exists()


def test_a_real_ctrl_c_stops_soon(tmp_path):
    file = tmp_path / "a.waypost"
    command = [sys.executable, "-m", "tests.support.slow_build", NAME, "rooms", str(file), "0.5"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    journal = tmp_path / "a.waypost.partial"
    until = time.monotonic() + 60
    while not (journal.exists() and journal.stat().st_size > 1000) and time.monotonic() < until:
        time.sleep(0.01)
    begin = time.monotonic()
    os.kill(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert time.monotonic() - begin < 20  # it would go on for most of a minute
    assert process.returncode != 0
    assert "KeyboardInterrupt" in err
    assert journal.exists()


def test_list_says_which_planners_have_an_index(waypost):
    _, out, _ = waypost("list")
    promises = {
        line.split("\u2502")[1].strip(): line.split("\u2502")[3] for line in out.splitlines() if line[0] == "\u2502"
    }
    assert "index" in promises[NAME]
    assert "index" not in promises["lss"]


def test_the_default_planner_is_built_and_found_again(waypost, tmp_path):
    file = tmp_path / "rooms.waypost"
    status, out, _ = waypost("build", "rooms", "-o", file)
    assert status == 0
    assert "states, in" in out
    assert "dba, revision" in waypost("info", file)[1]
    status, out, _ = waypost(
        "solve", "rooms", "--from", "8,8", "--to", "60,40", "--index", file, "-p", "preset=published"
    )
    assert status == 0
    assert "DBA* on rooms" in out


def test_planners_are_shown_with_their_presets(waypost):
    assert "preset=published" in waypost("list", "dba")[1]
