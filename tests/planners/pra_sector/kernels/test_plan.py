"""PRA* of Dragon Age against its twin, move by move."""

import numpy as np
import pytest

from tests.oracle import pra as oracle
from tests.oracle.rules import SHIFTS
from tests.planners.pra_sector.twins import random_settings
from tests.support.chance import seeded
from tests.support.worlds import WORLDS, cases, random_open, random_place
from waypost.agents.trace import Event
from waypost.errors import WaypostError
from waypost.indexes.building import Works
from waypost.maps import generate
from waypost.planners.pra_sector.agent import SectorPlanning
from waypost.planners.pra_sector.index import SectorGraph
from waypost.planners.pra_sector.kernels.route import find_route
from waypost.planners.pra_sector.kernels.state import Regions, Scratch
from waypost.runs.simulation import simulate
from waypost.world.grid import Grid
from waypost.world.problem import Problem, sample_problems

PLAIN = {"trim": 0, "skip_ends": 0, "hops": 1, "restricted": 0, "climbs": 0}
CAVES = generate.caves(31, 23, seed=5)


def index_of(grid, n):
    return SectorGraph.build(grid, {"sector": n}, Works(threads=1))


def compare(agent, world, problem, settings):
    """Agent and oracle: same moves and work, same route, targets and memory."""
    grid = agent.grid
    shift = SHIFTS[grid.costs.straight]
    moves, route, targets, most = oracle.walk(
        world, grid.xy(problem.start), grid.xy(problem.goal), shift=shift, **settings
    )
    trace = simulate(agent, problem)
    assert [grid.xy(cell) for cell in trace.cells[1:]] == [place for place, *_ in moves]
    assert trace.work[:, [0, 2, 3]].tolist() == [spent for _, *spent in moves]
    assert not trace.work[:, [1, 4]].any()
    assert agent.route == [world.reps[region] for region in route]
    assert trace.memory.closed == most
    if agent.record:
        events = trace.events
        assert [grid.xy(c) for c in events["cell"][events["kind"] == Event.TARGETED]] == targets
    return trace


def worlds(random, count, rule, costs, largest=14):
    for _ in range(cases(count)):
        is_open = random_open(random, largest)
        n = int(random.choice([2, 3, 4, 5, 7, 16]))
        yield Grid(is_open, diagonals=rule, costs=costs), n


@pytest.mark.parametrize(("rule", "costs"), WORLDS)
def test_moves_equal_the_oracle(rule, costs):
    random = seeded(31)
    for grid, n in worlds(random, 100, rule, costs):
        world, index = oracle.World(grid.is_open.tolist(), rule, costs, n), index_of(grid, n)
        start = grid.cell(random_place(random, grid.is_open))
        goals = np.flatnonzero(grid.component == grid.component[start])
        for record in (False, True):
            settings = random_settings(random)
            problem = Problem(start, int(random.choice(goals)))
            compare(SectorPlanning(grid, index=index, **settings, record=record), world, problem, settings)


@pytest.mark.parametrize("setting", [{"trim": 30}, {"skip_ends": 1}, {"hops": 2}, {"restricted": 1}, {"climbs": 1}])
def test_every_setting_changes_something_and_equals_the_oracle(setting):
    grid = Grid(CAVES)
    world, index = oracle.World(CAVES.tolist(), "both-open", "sqrt2", 5), index_of(grid, 5)
    changed = 0
    agents = [(SectorPlanning(grid, index=index, **settings), settings) for settings in (PLAIN, PLAIN | setting)]
    for problem in sample_problems(grid, max(15, cases(60)), 6):
        plain, other = (compare(agent, world, problem, settings) for agent, settings in agents)
        one = "work" if "climbs" in setting else "cells"  # a climb goes where this A* goes
        changed += getattr(plain, one).tolist() != getattr(other, one).tolist()
    assert changed


def test_a_segment_is_planned_only_when_it_is_needed():
    grid = Grid(np.ones((1, 300), bool))
    agent = SectorPlanning(grid, index=index_of(grid, 10), climbs=0)
    agent.reset(Problem(grid.cell((4, 0)), grid.cell((299, 0))))
    work = [agent.step().work for _ in range(295)]
    assert [i for i, spent in enumerate(work) if spent] == [*range(0, 291, 10)]
    assert work[10] == 11, "ten cells on the way, and the target with its bucket"


def test_bounded_work_of_restricted_segments():
    grid = Grid(generate.maze(40, 40, seed=3))
    agent = SectorPlanning(grid, index=index_of(grid, 8), restricted=1)
    for problem in sample_problems(grid, 20 if cases(4) < 4 else 100, 1):
        trace = simulate(agent, problem)
        assert trace.work[1:, 0].max() <= 2 * 8 * 8


def test_room_is_made_for_long_paths():
    grid = Grid(np.ones((1, 5000), bool))
    problem = Problem(grid.cell((0, 0)), grid.cell((4999, 0)))
    for climbs in (0, 1):
        agent = SectorPlanning(grid, index=index_of(grid, 256), hops=100, climbs=climbs)
        agent.reset(problem)
        assert agent.path().tolist() == list(range(problem.start, problem.goal + 1))
    recorded = SectorPlanning(grid, index=index_of(grid, 2), climbs=0, record=True)
    recorded.reset(problem)
    walk = recorded.walk()
    assert len(walk.cells) == 5000
    kinds = recorded.take_events()["kind"]
    assert np.count_nonzero(kinds == Event.EXPANDED) == walk.work[:, 0].sum()
    assert np.count_nonzero(kinds == Event.TARGETED) == np.count_nonzero(walk.work[:, 0])


def test_stamps_begin_anew():
    grid = Grid(CAVES)
    fresh, worn = (SectorPlanning(grid, index=index_of(grid, 5), restricted=1, trim=20, climbs=0) for _ in range(2))
    worn.state["route_stamp"] = worn.state["cell_stamp"] = (1 << 31) - 3
    for problem in sample_problems(grid, 4, 2):
        assert np.array_equal(simulate(fresh, problem).cells, simulate(worn, problem).cells)
    assert 0 < worn.state["route_stamp"][0] < 10


def regions_that_touch(places, touching):
    """What a search over regions reads and writes, for regions with these representatives and neighbours."""
    starts = np.cumsum([0, *map(len, touching)])
    neighbours = np.array([there for each in touching for there in each], np.int32)
    points = np.array(places, np.int32)
    for array in (starts, neighbours, points):
        array.setflags(write=False)
    unused = np.empty(0, np.int32)
    regions = Regions(firsts=unused, reps=unused, points=points, starts=starts, neighbours=neighbours)
    scratch = Scratch(
        marks=np.zeros(len(places), np.int64),
        parents=np.zeros(len(places), np.int32),
        heap=np.empty(neighbours.size + 1, np.int64),
        route=np.empty(len(places), np.int32),
        sector=np.empty(0, np.int64),
        stamps=unused,
        members=unused,
    )
    return regions, scratch


@pytest.mark.parametrize("straight", [1 << 30, 1 << 31])
def test_a_way_whose_cost_does_not_fit_is_none(straight):
    regions, scratch = regions_that_touch([[0, 0], [1, 0], [2, 0]], [[1], [0, 2], [1]])
    for cost, expected in ((straight, 0), (1000, 3)):
        length, *_ = find_route(regions, cost, 2 * cost, 0, 2, 5, scratch)
        assert length == expected
    assert scratch.route.tolist() == [0, 1, 2]


def test_as_many_regions_are_held_as_wait_at_once():
    """Those around the start are put off together, and all but one still wait when the goal is found."""
    around = [[9, 10], [10, 9], [11, 10], [10, 11]]
    regions, scratch = regions_that_touch([[10, 10], *around, [30, 10]], [[1, 2, 3, 4], [0], [0], [0, 5], [0], [3]])
    length, expanded, most_waiting, _ = find_route(regions, 5741, 8119, 0, 5, 1, scratch)
    assert (length, expanded, most_waiting) == (3, 2, 4)


def forged(grid, n, **changed):
    arrays = index_of(grid, n).arrays
    for name, values in changed.items():
        arrays[name] = np.array(values, arrays[name].dtype)
    return SectorGraph.from_arrays(grid, {"sector": n}, arrays)


def test_an_index_that_does_not_lead_there_is_said():
    row, room, fork = np.ones((1, 9), bool), np.ones((3, 4), bool), np.ones((4, 3), bool)
    room[0, 1] = room[1, 1:3] = fork[:3, 1] = False
    grids = [Grid(is_open) for is_open in (row, room, fork)]
    indexes = [
        forged(grids[0], 3, edge_counts=[0, 0, 0], edges=[]),  # no edges
        forged(grids[1], 2, edge_counts=[2, 1, 1, 0], edges=[0 << 6, 2 << 6, 2 << 6, 0 << 6]),  # one too many
        forged(grids[2], 3, places=[3, 3, 1]),  # a region without a representative
    ]
    for grid, index, goal in zip(grids, indexes, [(8, 0), (3, 0), (2, 0)], strict=True):
        agent = SectorPlanning(grid, index=index, restricted=1)
        agent.reset(Problem(grid.cell((0, 0)), grid.cell(goal)))
        with pytest.raises(WaypostError, match="the index leads no way from"):
            agent.path()
