from itertools import pairwise

import numpy as np
import pytest

from tests.planners.time_sliced.twins import random_params, told
from tests.support.chance import seeded
from tests.support.worlds import WORLDS, cases, random_open, random_place
from waypost.agents.step import Memory, RunStatus
from waypost.agents.trace import Event
from waypost.catalog import CATALOG, check_params
from waypost.errors import WaypostError
from waypost.maps import generate
from waypost.planners.time_sliced.agent import TimeSliced
from waypost.runs.simulation import simulate
from waypost.world.grid import Grid
from waypost.world.problem import Problem, sample_problems
from waypost.world.search import Search, SearchState

MOST_MOVES = 100_000


def compare(agent, problem, settings):
    """Agent and oracle: same cells, same work of every move, same search, same tips, same memory."""
    grid = agent.grid
    moves, tips, search = told(grid, grid.xy(problem.start), grid.xy(problem.goal), settings)
    trace = simulate(agent, problem, max_moves=MOST_MOVES)
    points = [grid.xy(cell) for cell in trace.cells]
    assert points[1:] == [place for place, _, _ in moves]
    assert trace.work[:, [0, 3]].tolist() == [[expansions, probes] for _, expansions, probes in moves]
    events = trace.events
    assert [grid.xy(c) for c in events["cell"][events["kind"] == Event.TARGETED]] == tips
    assert [grid.xy(c) for c in events["cell"][events["kind"] == Event.EXPANDED]] == search.expansions
    assert trace.memory == Memory(search.peak_open if moves else 1, len(search.expansions))
    return trace


def worlds(random, count, rule, costs, largest=10):
    """Random grids with a problem that has a path."""
    for _ in range(cases(count)):
        is_open = random_open(random, largest)
        grid = Grid(is_open, diagonals=rule, costs=costs)
        start = grid.cell(random_place(random, is_open))
        yield grid, Problem(start, int(random.choice(np.flatnonzero(grid.component == grid.component[start]))))


@pytest.mark.parametrize(("rule", "costs"), WORLDS)
def test_moves_equal_the_oracle(rule, costs):
    random = seeded(20)
    for grid, problem in worlds(random, 150, rule, costs, largest=14):
        settings = random_params(random)
        compare(TimeSliced(grid, **settings, record=True), problem, settings)


HIDDEN = """
    #.....  #.###.  .#..#.  .###..  ..##..  .#.#.#  #...#.  #...##  #..#.#  ###.##
    ##.##.  ..#.#.  .##..#  ###..#  #.##.#  .#.##.  ##....  .....#  .#..#.  #..#..
"""


def test_the_goal_may_be_found_where_a_tip_is_chosen():
    """Where only entries that are no longer of use hid that its bucket is finished, which is rare."""
    grid = Grid(
        np.array([[symbol == "." for symbol in row] for row in HIDDEN.split()]), diagonals="always", costs="1.4"
    )
    settings = {"drop_trace": 0, "ratio": 2, "share": 0.0, "shortcut": 1, "slice": 7, "wait": 1}
    problem = Problem(grid.cell((4, 17)), grid.cell((0, 5)))
    compare(TimeSliced(grid, **settings, record=True), problem, settings)


CAVES = generate.caves(31, 23, seed=5)
CORRIDOR = np.ones((1, 300), bool)  # here the search runs far ahead of a slow trace


@pytest.mark.parametrize(
    ("switch", "is_open", "slice"), [("wait", CORRIDOR, 20), ("shortcut", CAVES, 2), ("drop_trace", CAVES, 2)]
)
def test_every_switch_changes_some_walk_and_equals_the_oracle(switch, is_open, slice):  # noqa: A002
    grid = Grid(is_open)
    changed = 0
    for problem in sample_problems(grid, max(10, cases(40)), 6):
        walks = []
        for value in (0, 1):
            settings = check_params(CATALOG["tba"], {"slice": slice, "ratio": 1, switch: value})
            walks.append(compare(TimeSliced(grid, **settings, record=True), problem, settings).cells.tolist())
        changed += walks[0] != walks[1]
    assert changed


def test_waiting_replaces_going_to_and_fro_at_the_start():
    grid = Grid(CORRIDOR)
    problem = Problem(grid.cell((2, 0)), grid.cell((299, 0)))
    walks = [simulate(TimeSliced(grid, slice=20, ratio=1, wait=wait), problem).cells for wait in (0, 1)]
    steps = [np.flatnonzero(np.diff(cells)) for cells in walks]
    assert (np.diff(steps[0]) == 1).all(), "the original rule stands still before its first move only"
    assert (np.diff(steps[1]) > 1).any()
    assert len(steps[1]) < len(steps[0])


@pytest.mark.parametrize(
    ("slice", "share", "ratio", "expected"),
    [
        (5, 0.9, 10, (4, 10)),
        (10, 0.9, 10, (9, 10)),
        (50, 0.9, 10, (45, 50)),
        (100, 0.29, 1, (29, 71)),  # 0.29 * 100 is less than 29 in floating point
        (10, 0.7, 3, (7, 9)),
        (2, 0.0, 1, (1, 1)),
        (2, 1.0, 7, (1, 7)),
    ],
)
def test_a_slice_is_split_exactly(slice, share, ratio, expected):  # noqa: A002
    agent = TimeSliced(Grid(np.ones((1, 2), bool)), slice=slice, share=share, ratio=ratio)
    assert (agent.state["search_share"], agent.state["trace_share"]) == expected
    params = check_params(CATALOG["tba"], {"slice": slice, "share": share, "ratio": ratio})
    assert TimeSliced.work_bound(params) == sum(expected)
    assert TimeSliced.work_bound(params | {"shortcut": 1}) == sum(expected) + 8


def test_memory_is_that_of_a_star_whatever_the_slice():
    grid = Grid(generate.rooms(40, 40, seed=3))
    search, arrived_early = Search(grid), 0
    agents = [TimeSliced(grid, slice=slice) for slice in (2, 5, 50, 1000, 1_000_000)]  # noqa: A001
    for problem in sample_problems(grid, cases(40), 8, min_length=8):
        search.solve(problem.start, problem.goal)
        whole = Memory(search.peak_open, search.expansions)
        for agent in agents:
            memory = simulate(agent, problem, each_move=False).memory
            if agent.state["goal_found"]:
                assert memory == whole
            else:  # it walked into the goal while the goal's bucket was not yet finished
                assert memory.closed < whole.closed
                assert memory.open <= whole.open
                arrived_early += 1
    assert arrived_early < len(agents)


def test_no_move_works_more_on_a_larger_map():
    settings = check_params(CATALOG["tba"], {"slice": 20, "shortcut": 1})
    most = []
    for size in (20, 40, 80) if cases(4) == 1 else (50, 200, 800):
        grid = Grid(generate.blobs(size, size, seed=2))
        agent = TimeSliced(grid, **settings)
        pool, ring = agent.search.pool, agent.search.ring
        works = [simulate(agent, problem, each_move=False).work for problem in sample_problems(grid, 5, 9)]
        most.append(np.concatenate(works).sum(axis=1).max())
        assert agent.search.pool is pool, "the open list was copied"
        assert agent.search.ring is ring
    assert max(most) <= TimeSliced.work_bound(settings)


@pytest.mark.parametrize(("rule", "costs"), WORLDS)
def test_open_entries_are_fewer_than_reserved_and_their_keys_close_together(rule, costs):
    random = seeded(21)
    for grid, problem in worlds(random, 50, rule, costs, largest=30):
        search = Search(grid)
        search.begin(problem.start, problem.goal)
        while search.advance(1) is SearchState.RUNNING:
            low, high = search.control["bucket"].item(), search.control["highest"].item()
            assert high - low <= (2 * grid.costs.diagonal >> grid.costs.shift) + 1
        assert search.peak_open <= 4 * grid.component_sizes.max()


def test_small_buffers_grow_and_change_nothing(monkeypatch):
    grid = Grid(CAVES)
    settings = check_params(CATALOG["tba"], {"slice": 12})
    monkeypatch.setattr("waypost.planners.time_sliced.agent.ENTRIES_PER_CELL", 0)
    monkeypatch.setattr("waypost.world.search.FIRST_POOL", 8)
    monkeypatch.setattr("waypost.world.search.FIRST_EVENTS", 9)
    for problem in sample_problems(grid, cases(20), 10):
        compare(TimeSliced(grid, **settings, record=True), problem, settings)


def test_a_tip_is_recorded_where_the_search_has_just_filled_the_events(monkeypatch):
    monkeypatch.setattr("waypost.world.search.FIRST_EVENTS", 9)  # an expansion and its eight neighbours
    grid = Grid(np.ones((5, 9), bool))
    settings = check_params(CATALOG["tba"], {"slice": 2})
    compare(TimeSliced(grid, **settings, record=True), Problem(grid.cell((2, 2)), grid.cell((8, 2))), settings)


def test_one_scratch_for_many_problems_and_goals():
    """Stamps are never reset; a new goal on the way is a new problem from there."""
    grid = Grid(generate.rooms(20, 16, seed=4))
    settings = check_params(CATALOG["tba"], {"slice": 5, "drop_trace": 1, "shortcut": 1})
    agent = TimeSliced(grid, **settings, record=True)
    problems = sample_problems(grid, cases(60), 11)
    for problem, other in pairwise(problems):
        compare(agent, problem, settings)
        agent.reset(problem)
        agent.walk(7)
        held = agent.memory
        here = agent.cell
        agent.retarget(grid.xy(other.goal))
        assert agent.memory == held
        assert agent.take_events().size > 0
        moves, _, search = told(grid, grid.xy(here), grid.xy(other.goal), settings)
        assert [grid.xy(cell) for cell in agent.walk().cells[1:]] == [place for place, _, _ in moves]
        if moves:
            both = zip(held, (search.peak_open, len(search.expansions), 0), strict=True)
            assert agent.memory == Memory(*map(max, both))
        assert np.count_nonzero(agent.take_events()["kind"] == Event.EXPANDED) == len(search.expansions)


def test_long_walks_are_made_in_pieces(monkeypatch):
    grid = Grid(CAVES)
    whole, pieces = TimeSliced(grid, slice=2), TimeSliced(grid, slice=2)
    for problem in sample_problems(grid, cases(12), 12):
        expected = simulate(whole, problem, each_move=False)
        with monkeypatch.context() as patch:
            patch.setattr("waypost.agents.logged.MOVES_AT_ONCE", 3)
            walked = simulate(pieces, problem, each_move=False)
        assert walked.status is expected.status is RunStatus.ARRIVED
        assert np.array_equal(walked.cells, expected.cells)
        assert np.array_equal(walked.work, expected.work)


def test_a_path_too_long_for_the_cost_type_is_refused():
    grid = Grid(np.ones((1, 30), bool))
    agent = TimeSliced(grid)
    agent.search.control["diagonal_cost"] = 2**30
    agent.search.control["straight_cost"] = 2**29
    agent.reset(Problem(grid.cell((0, 0)), grid.cell((29, 0))))
    with pytest.raises(WaypostError, match="longest path"):
        agent.walk()
