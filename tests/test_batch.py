import threading
import time

import numpy as np
import pytest

import waypost as wp
from waypost.agents.many import Solved
from waypost.planners.exact.agent import PlanFirst


@pytest.fixture
def planner():
    return wp.build("jps", wp.grid_from_text("..#.\n..#."))


def no_paths(count):
    return Solved(np.zeros(count, np.int64), np.zeros(count, np.int64), np.empty(0, np.int32))


def test_nothing_to_solve(planner):
    batch = planner.batch(np.empty((0, 2), int), np.empty((0, 2), int), paths=True)
    assert len(batch) == 0
    assert batch.offsets.tolist() == [0]
    assert len(planner.batch([], [])) == 0


def test_a_batch_of_costs_has_no_paths(planner):
    batch = planner.batch([[0, 0]], [[1, 1]], threads=np.int64(1))
    with pytest.raises(wp.WaypostError, match="paths=True"):
        batch.path(0)
    with_paths = planner.batch([[0, 0], [0, 1]], [[1, 1], [0, 0]], paths=True)
    assert with_paths.path(-1).tolist() == with_paths.path(1).tolist() == [[0, 1], [0, 0]]
    assert with_paths.path(np.int32(0)).tolist() == with_paths.path(-2).tolist() == [[0, 0], [1, 1]]
    for bad in (2, -3, 99, 2**70, None, "0", 0.0, True, [0], (), np.array([0]), np.ma.array(0, mask=True)):
        with pytest.raises(wp.WaypostError, match="a path is named by its number, below 2 in this batch, not by"):
            with_paths.path(bad)
    with pytest.raises(wp.WaypostError, match="below 0 in this batch"):
        planner.batch([], [], paths=True).path(0)


def test_a_few_problems_use_all_threads(planner, monkeypatch):
    seen = set()

    def note_thread(_agent, starts, _goals, _max_moves, *, paths):
        assert not paths
        seen.add(threading.get_ident())
        time.sleep(0.02)
        return no_paths(starts.size)

    monkeypatch.setattr(PlanFirst, "solve_many", note_thread)
    few = np.zeros((8, 2), int)
    planner.batch(few, few, threads=4)
    assert len(seen) == 4


def test_an_error_in_one_thread_ends_the_others(planner, monkeypatch):
    calls = []

    def fail_later(_agent, starts, _goals, _max_moves, *, paths):
        calls.append(1)
        time.sleep(0.02)  # so that the next call is about no more problems
        if len(calls) == 20:
            raise RuntimeError("broken")
        return no_paths(starts.size)

    monkeypatch.setattr(PlanFirst, "solve_many", fail_later)
    many = np.zeros((20_000, 2), int)
    with pytest.raises(RuntimeError, match="broken"):
        planner.batch(many, many, threads=3)
    assert len(calls) < 40


@pytest.mark.parametrize(
    ("starts", "goals", "complaint"),
    [
        ([[0, 0]], [[2, 0]], r"goals\[0\] \(2, 0\) is on a wall"),
        ([[0, 0], [9, 9]], [[1, 0], [1, 1]], r"starts\[1\] \(9, 9\) is outside"),
        ([[0, -1]], [[1, 0]], "outside"),
        ([[0.0, 1.0]], [[1, 0]], r"starts must be an \(n, 2\) array of whole numbers"),
        ([0, 0], [[1, 0]], "starts must be"),
        ([[0, 0], [1]], [[1, 0]], "rows of equal length"),
        ([[0, 0], [1, 1]], [[1, 0]], "2 starts but 1 goals"),
    ],
)
def test_bad_batches(planner, starts, goals, complaint):
    with pytest.raises(wp.WaypostError, match=complaint):
        planner.batch(starts, goals)


@pytest.mark.parametrize("threads", [0, -1, 1.5, "2", True])
def test_bad_threads(planner, threads):
    with pytest.raises(wp.WaypostError, match="threads must be"):
        planner.batch([[0, 0]], [[1, 0]], threads=threads)


def test_an_interrupt_ends_all_threads(planner, monkeypatch):
    calls = []

    def interrupt(_agent, starts, _goals, _max_moves, *, paths):
        calls.append(1)
        time.sleep(0.02)
        if len(calls) == 30:
            raise KeyboardInterrupt
        return no_paths(starts.size)

    monkeypatch.setattr(PlanFirst, "solve_many", interrupt)
    many = np.zeros((20_000, 2), int)
    before = threading.active_count()
    with pytest.raises(KeyboardInterrupt):
        planner.batch(many, many, threads=3)
    assert threading.active_count() == before
    assert len(calls) < 40
