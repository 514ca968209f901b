"""Fleets from the user's side: what they refuse, how they grow, what a crowd counts."""

from collections import UserList, deque

import numpy as np
import pytest

import waypost as wp
from waypost.runs.crowd import Crowd

GRID = wp.grid_from_text("....#\n..#..\n.....")


@pytest.fixture(scope="module")
def planner():
    return wp.build("dba", GRID)


def test_refused_calls_say_why_and_change_nothing(planner):
    fleet = planner.fleet([(0, 0), (1, 1)], [(3, 2), (0, 2)])
    before = fleet.cells.tolist(), fleet.goals.tolist(), fleet.status.tolist()
    for ask, complaint in (
        (lambda: fleet.add([(0, 0), (2, 1)], (0, 1)), r"starts\[1\] \(2, 1\) is on a wall"),
        (lambda: fleet.add([(0, 0)], [(1, 0), (2, 0)]), "2 goals for 1 agents; give one for each, or one for all"),
        (lambda: fleet.add([(0.5, 0)], (0, 1)), r"starts must be an \(n, 2\) array of whole numbers"),
        (lambda: fleet.add([(0, 0), (1,)], (0, 1)), "rows of equal length"),
        (lambda: fleet.retarget([0, 1], [(1, 0), (9, 9)]), r"goals\[1\] \(9, 9\) is outside the map"),
        (lambda: fleet.retarget([0], [(1, 0, 2)]), r"goals must be an \(n, 2\) array"),
        (lambda: fleet.retarget([0], "here"), r"goals must be an \(n, 2\) array"),
        (lambda: fleet.retarget([[0]], (1, 0)), "ids must be whole numbers"),
        (lambda: fleet.retarget([0.0], (1, 0)), "ids must be whole numbers"),
        (lambda: fleet.retarget([[0], [1, 2]], (1, 0)), "ids must be whole numbers"),
        (lambda: fleet.retarget([0, 2], (1, 0)), "no agent of the id 2"),
        (lambda: fleet.teleport([0], (4, 0)), "is on a wall"),
        (lambda: fleet.teleport([0, 1], [(0, 0)] * 3), "3 places for 2 agents"),
        (lambda: fleet.remove(7), "no agent of the id 7"),
        (lambda: fleet.remove([np.ma.array(0, mask=True)]), "ids must be whole numbers"),
        (lambda: fleet.remove([np.ma.masked]), "ids must be whole numbers"),
        (lambda: fleet.remove(deque([True, 0])), "ids must be whole numbers"),
        (lambda: fleet.remove(UserList([True, 0])), "ids must be whole numbers"),
        (lambda: fleet.remove(np.array([True], object)), "ids must be whole numbers"),
        (lambda: fleet.teleport([0], [(np.ma.array(0, mask=True), 0)]), r"places must be an \(n, 2\) array"),
        (lambda: fleet.teleport([0], (np.ma.array(0, mask=True), 0)), r"places must be an \(n, 2\) array"),
        (lambda: fleet.teleport([0], deque([bytearray(2)])), r"places must be an \(n, 2\) array"),
        (lambda: fleet.add(UserList([True, 0]), (0, 1)), r"starts must be an \(n, 2\) array"),
        (lambda: fleet.add([(0, 0)], (0, 1), nearest=np.arange(2)), "nearest must be True or False"),
        (lambda: fleet.retarget([0], (0, 1), nearest=0), "nearest must be True or False"),
        (lambda: fleet.tick(-1), "budget_us must be from 0"),
        (lambda: fleet.tick(float("nan")), "budget_us must be"),
        (lambda: planner.fleet([(0, 0)], (1, 1), threads=0), "threads must be a whole number"),
    ):
        with pytest.raises(wp.WaypostError, match=complaint):
            ask()
        assert (fleet.cells.tolist(), fleet.goals.tolist(), fleet.status.tolist()) == before
    with pytest.raises(ValueError, match="read-only"):
        fleet.cells[0] = 1


def test_an_empty_fleet_can_be_ticked_and_filled(planner):
    fleet = planner.fleet()
    assert len(fleet) == fleet.cells.size == fleet.waiting.size == fleet.bytes == 0
    assert fleet.tick()[:5] == fleet.tick(10)[:5] == (0, 0, 0, 0, 0)
    fleet.retarget([], [])
    fleet.remove([])
    assert fleet.add([], []).size == 0
    assert fleet.add((0, 0), (1, 0)).tolist() == [0]
    assert fleet.tick().arrived == 1


def test_a_fleet_grows_while_its_agents_walk(planner):
    random = np.random.default_rng(1)
    places = GRID.xys(np.flatnonzero(GRID.component))
    fleet, singles = planner.fleet(threads=1), []
    for _ in range(60):
        start, goal = random.choice(places, 2)
        fleet.add(start, goal)
        singles.append(planner.agent(start, goal, nearest=True))
        fleet.tick()
        for single in singles:
            single.step()
        assert np.array_equal(fleet.cells, [single.cell for single in singles])


def test_fleets_learn_in_a_pool_that_grows():
    """Hundreds of walkers without a record that helps, on a map of dead ends; each learns by itself."""
    grid = wp.load_map("maze")
    planner = wp.build("knn", grid, records=5)
    problems = wp.sample_problems(grid, 1500, 2)
    fleet = planner.fleet(*([grid.xy(getattr(p, end)) for p in problems] for end in ("start", "goal")), threads=1)
    agents = [planner.agent() for _ in range(40)]
    for agent, problem in zip(agents, problems[::37], strict=False):
        agent.reset(problem)
    small = fleet.troops[0].lists.pool.size
    for _ in range(80):
        fleet.tick()
        for agent in agents:
            agent.step()
    assert np.array_equal(fleet.cells[::37][:40], [agent.cell for agent in agents])
    assert fleet.troops[0].lists.pool.size > small


def test_a_crowd_never_rests(planner):
    crowd = Crowd(planner, 50, seed=1, threads=1)
    for _ in range(40):
        assert crowd.tick(10_000).moved >= 40  # some are sent to where they are
        crowd.watch()
    assert crowd.traffic.sum() == 40 * 50
    assert crowd.arrived > 50
    assert 40 * 40 <= crowd.moved <= 40 * 50
    assert len(crowd.tick_us) == len(crowd.thread_us) == 40
    with pytest.raises(wp.WaypostError, match="nobody can go anywhere"):
        Crowd(wp.build("dba", wp.grid_from_text(".#.")), 5)
