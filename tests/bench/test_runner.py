import os
import signal
import subprocess
import sys
import threading
import time
from dataclasses import replace
from multiprocessing import active_children, get_context

import numpy as np
import pytest

import waypost as wp
from tests.support.suites import TIMED, TINY, read, rows, run, untimed
from waypost import catalog
from waypost.bench import episodes, runner
from waypost.bench.results import Store
from waypost.bench.summary import summarise
from waypost.maps import generate
from waypost.runs.metrics import METRICS


def test_every_episode_is_one_row_with_every_metric(tmp_path):
    outcome = run(tmp_path)
    assert (outcome.episodes, outcome.fresh, outcome.complete) == (24, 24, True)
    found = rows(tmp_path)
    assert len(found) == 24
    assert set(METRICS) <= set(found[0])
    assert [row["episode"] for row in found] == [*range(6)] * 4
    for row in found:
        assert row["status"] == "arrived"
        assert row["arrived"]
        assert row["length_cells"] >= row["optimal_cells"] > 0
        assert 0 < row["move_us_mean"] <= row["move_us_max"]
        assert row["call_floor_us"] > 0
        assert "Numba" in row["machine"]
    assert {row["params"] for row in found} == {"{}", '{"gamma": 0.5}'}


def test_rows_say_by_which_rules(tmp_path):
    rules = ("diagonals", "costs", "max_moves", "episode_seconds", "timing")
    run(tmp_path)
    assert {tuple(row[name] for name in rules) for row in rows(tmp_path)} == {
        ("both-open", "sqrt2", 1_000_000, np.inf, "moves")
    }
    other = TINY.replace("planner", 'timing = "walk"\ncosts = "1.4"\ndiagonals = "always"\nplanner', 1)
    run(tmp_path, other + "[limits]\nmoves = 500\nepisode_seconds = 9\n")
    assert {tuple(row[name] for name in rules) for row in rows(tmp_path)} == {("always", "1.4", 500, 9.0, "walk")}


def test_rows_are_what_simulate_says(tmp_path):
    run(tmp_path)
    grid = wp.Grid(generate.caves(24, 20, 3))
    agent = wp.build("wastar", grid).agent()
    for row in rows(tmp_path):
        if row["setting"] == "wastar" and row["map"].startswith("caves"):
            start, goal = (grid.cell((row[f"{end}_x"], row[f"{end}_y"])) for end in ("start", "goal"))
            trace = wp.simulate(agent, wp.Problem(start, goal, round(row["optimal_cells"] * grid.costs.straight)))
            for name in METRICS.keys() - TIMED:
                assert row[name] == pytest.approx(METRICS[name].of(trace)), name


def test_what_is_present_is_not_run_again(tmp_path, monkeypatch):
    run(tmp_path)
    before = rows(tmp_path)
    assert run(tmp_path).fresh == 0
    assert rows(tmp_path) == before
    more = TINY.replace('"wastar"', '"wastar", "dijkstra"')
    assert run(tmp_path, more).fresh == 12
    assert run(tmp_path).fresh == 0
    assert rows(tmp_path) == before, "rows of other suites in the folder stay out"
    assert run(tmp_path, TINY + "[limits]\nmoves = 500\n").fresh == 24
    entry = replace(catalog.CATALOG["astar"], revision=2)
    monkeypatch.setitem(catalog.CATALOG, "astar", entry)
    assert run(tmp_path).fresh == 12, "a planner whose moves may have changed is run again"


def test_parts_that_do_not_follow_on_are_run_again(tmp_path, monkeypatch):
    monkeypatch.setattr(runner, "PART_SECONDS", 0)
    outcome = run(tmp_path)
    reference = untimed(tmp_path)
    (middle,) = (tmp_path / "results" / "runs" / outcome.runs[1].identity).glob("00000002-1.*.arrow")
    middle.unlink()
    (middle.parent / ".half.part").write_bytes(b"PAR1")
    assert run(tmp_path).fresh == 4
    assert untimed(tmp_path) == reference
    assert not list((tmp_path / "results").rglob(".*.part"))


def test_two_runs_cannot_write_at_once(tmp_path):
    pytest.importorskip("fcntl")
    with (
        Store(tmp_path / "results").locked(),
        pytest.raises(wp.WaypostError, match=r"another run is writing to .*results; wait"),
    ):
        run(tmp_path)


def test_a_folder_that_cannot_be_made(tmp_path):
    (tmp_path / "results").write_text("in the way")
    with pytest.raises(wp.WaypostError, match="cannot write results to"):
        run(tmp_path)


@pytest.mark.parametrize("workers", ["workers", "timing_workers"])
def test_workers_have_a_limit(tmp_path, workers):
    for bad in (1025, 10**12):
        with pytest.raises(wp.WaypostError, match="workers must be a whole number of at most 1,024, not"):
            run(tmp_path, **{workers: bad})
    assert not (tmp_path / "results").exists()


def test_workers_change_nothing_but_timings(tmp_path):
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
    run(tmp_path / "one")
    assert run(tmp_path / "two", workers=2, timing_workers=2).fresh == 24
    assert untimed(tmp_path / "one") == untimed(tmp_path / "two")
    assert {row["timing_workers"] for row in rows(tmp_path / "two")} == {2}


KILLED = """
import sys
from pathlib import Path
from tests.support.suites import run
from tests.bench.test_runner import MANY
from waypost.bench import runner
runner.PART_SECONDS = 0.01
run(Path(sys.argv[1]), MANY)
"""

MANY = TINY.replace("random = 6", "random = 3000")


def test_a_killed_run_goes_on_where_it_stopped(tmp_path):
    killed, whole = tmp_path / "killed", tmp_path / "whole"
    killed.mkdir()
    whole.mkdir()
    run(whole, MANY)
    for enough in (3, 9):
        child = subprocess.Popen([sys.executable, "-c", KILLED, killed])
        until = time.monotonic() + 60
        while len(list(killed.rglob("*-*.arrow"))) < enough and child.poll() is None and time.monotonic() < until:
            time.sleep(0.005)
        os.kill(child.pid, signal.SIGKILL)
        assert child.wait() == -signal.SIGKILL, "it was to be killed while it ran"
    outcome = run(killed, MANY)
    assert 0 < outcome.fresh < outcome.episodes == 12_000
    assert untimed(killed) == untimed(whole)


def test_workers_leave_with_a_parent_that_is_killed():
    with get_context("spawn").Pool(1, runner.leave_with_parent) as pool:
        assert pool.apply(os.getpid) > 0, "and stay while it lives"


def test_a_killed_worker_is_reported_and_the_suite_goes_on_the_next_time(tmp_path):
    def kill_one():
        until = time.monotonic() + 60
        while not list(tmp_path.rglob("*-*.arrow")) and time.monotonic() < until:
            time.sleep(0.005)
        os.kill(active_children()[0].pid, signal.SIGKILL)

    text = TINY.replace("random = 6", "random = 20000")
    killer = threading.Thread(target=kill_one)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(runner, "PART_SECONDS", 0.01)
        killer.start()
        with pytest.raises(wp.WaypostError, match="a process that ran episodes was killed"):
            run(tmp_path, text, timing_workers=2)
    killer.join()
    outcome = run(tmp_path, text + "[limits]\nsuite_seconds = 0\n")
    assert 0 < outcome.episodes < 80_000


def test_a_suite_out_of_time_goes_on_the_next_time(tmp_path):
    outcome = run(tmp_path, TINY + "[limits]\nsuite_seconds = 0\n")
    assert (outcome.episodes, outcome.complete) == (0, False)
    assert [summary.episodes for summary in summarise(outcome)] == [0, 0]
    assert run(tmp_path).complete


def test_episodes_out_of_moves_or_time_have_not_arrived(tmp_path):
    far = TINY.replace("random = 6", "random = 6\nlength = [5, 20]")
    outcome = run(tmp_path, far + "[limits]\nmoves = 2\n")
    assert {(row["status"], row["arrived"], row["moves"]) for row in rows(tmp_path)} == {("out of moves", False, 2)}
    assert [summary.arrived for summary in summarise(outcome)] == [0, 0]
    assert run(tmp_path, far + "[limits]\nepisode_seconds = 1e300\n").complete
    assert {row["status"] for row in rows(tmp_path)} == {"arrived"}
    run(tmp_path, far + "[limits]\nepisode_seconds = 0\n")
    assert {(row["status"], row["arrived"], row["moves"]) for row in rows(tmp_path)} == {("out of time", False, 1)}


def test_settings_beyond_the_cut_off_are_disqualified(tmp_path):
    text = TINY.replace('"astar", "wastar"', '"lrta", "tba"')
    outcome = run(tmp_path, text + "[limits]\nwork_per_move = 1\n")
    assert all(summary.disqualified for summary in summarise(outcome))
    outcome = run(tmp_path, text + "[limits]\nwork_per_move = 100_000\n")
    assert outcome.fresh == 0, "the cut-off judges results and does not change them"
    assert not any(summary.disqualified for summary in summarise(outcome))


def test_walks_timed_as_a_whole(tmp_path):
    run(tmp_path, TINY.replace("planner", 'timing = "walk"\nplanner', 1))
    walked = rows(tmp_path)
    assert all(np.isnan(row["move_us_max"]) and row["move_us_mean"] > 0 for row in walked)
    run(tmp_path)
    same = [name for name in METRICS if name not in TIMED]
    assert [[row[name] for name in same] for row in walked] == [[row[name] for name in same] for row in rows(tmp_path)]


def test_small_parts_give_the_same_rows(tmp_path, monkeypatch):
    monkeypatch.setattr(episodes, "BATCH_EPISODES", 1)
    monkeypatch.setattr(episodes, "MOST_ROWS", 2)
    run(tmp_path)
    small = untimed(tmp_path)
    (tmp_path / "other").mkdir()
    monkeypatch.undo()
    run(tmp_path / "other")
    assert small == untimed(tmp_path / "other")


def test_map_contents_decide_and_names_tell_apart(tmp_path):
    suite = read(tmp_path, TINY)
    store = Store(tmp_path / "results")
    with store.locked():
        runs = runner.planned_runs(suite, store, None, 1)
    assert len({run.identity for run in runs}) == len(runs)
    assert runs[0].identity == replace(runs[0]).identity
    assert replace(runs[0], fingerprint="other").identity != runs[0].identity
    assert replace(runs[0], each_move=False).identity != runs[0].identity
    assert replace(runs[0], rounds=2).identity != runs[0].identity
