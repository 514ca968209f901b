"""Hub labels that are forged are refused in one sentence, or harmless; maps beyond the budget are refused."""

import numpy as np
import pytest

import waypost as wp
from tests.oracle import rules
from tests.planners.hub.worlds import COMB, built
from tests.support.chance import seeded
from tests.support.worlds import cases
from waypost.errors import IndexFileError
from waypost.indexes.base import smallest
from waypost.maps import generate
from waypost.planners.hub import building
from waypost.planners.hub.stored import stored

CAVES = wp.Grid(generate.GENERATORS["caves"](40, 40, seed=2))


@pytest.fixture(scope="module")
def planner():
    return built(CAVES)


def changed(planner, **arrays):
    entry = planner.entry
    index = entry.index.from_arrays(planner.grid, entry.offline(planner.params), planner.index.arrays | arrays)
    return wp.Planner(entry, planner.grid, planner.params, index)


def refused(planner, **arrays):
    with pytest.raises(IndexFileError) as error:
        changed(planner, **arrays)
    assert str(error.value).isprintable()
    return str(error.value)


def with_value(array, place, value):
    numbers = array.astype(np.int64)
    numbers[place] = value
    return smallest(numbers)


def test_sizes_and_types(planner):
    for name, array in planner.index.arrays.items():
        for wrong in (array[:-1], array[:0], np.append(array, array[-1:])):
            refused(planner, **{name: smallest(wrong)})
        for wrong in (array.astype(np.float32), array.astype(np.int64), array[None], array.astype(np.uint64)):
            assert name in refused(planner, **{name: wrong})


def test_numbers_that_lead_nowhere(planner):
    arrays = planner.index.arrays
    assert "leans" in refused(planner, leans=with_value(arrays["leans"], 0, 250))
    assert "hubs" in refused(planner, hubs=with_value(arrays["hubs"], 3, planner.index.lines.cells.size))
    assert "codes" in refused(planner, codes=with_value(arrays["codes"], 0, arrays["gaps"].size))
    assert "gaps" in refused(planner, gaps=with_value(arrays["gaps"], 0, 2**31))
    code = with_value(arrays["codes"], 0, (int(arrays["codes"][0]) + 1) % (arrays["gaps"].size - 1))
    assert "not what its way costs" in refused(planner, codes=code)


def test_lists_that_lean_on_each_other():
    """Each by its first edge: soon one comes back to itself."""
    planner = built(COMB)
    edges = np.diff(building.graph_of(planner.index.lines, with_finds=False).list_firsts)
    is_list = np.ones(edges.size, bool)
    corners = planner.index.lines.corners
    is_list[1::2] = corners & (corners - 1) == 0
    leans = (edges[is_list] > 0).astype(np.uint8)
    assert "lean on each other" in refused(planner, leans=leans)


def test_more_entries_than_the_budget_allows(planner):
    entry = planner.entry
    with pytest.raises(IndexFileError, match="more entries than the budget"):
        entry.index.from_arrays(CAVES, {"budget": -4 * planner.index.lines.cells.size}, planner.index.arrays)


def test_whatever_is_taken_is_what_ways_cost(planner):
    """A forged file is refused, or its walks are legal and cost what it says."""
    random = seeded(1)
    names = list(planner.index.arrays)
    taken = 0
    for _ in range(cases(800)):
        name = names[random.integers(len(names))]
        array = planner.index.arrays[name].astype(np.int64)
        some = random.integers(array.size, size=random.integers(1, 4))
        array[some] = random.integers(0, array.max() + 1, size=some.size)
        try:
            other = changed(planner, **{name: smallest(array)})
        except IndexFileError:
            continue
        taken += 1
        for problem in wp.sample_problems(CAVES, 3, 1):
            start, goal = CAVES.xy(problem.start), CAVES.xy(problem.goal)
            try:
                path = other.path(start, goal)
            except wp.WaypostError:
                with pytest.raises(wp.WaypostError, match="leads no way"):
                    other.cost([start], [goal])
                continue
            rules.check_walk(CAVES.is_open, "both-open", path.tolist(), start, goal)
            assert other.cost([start], [goal])[0] == CAVES.path_cost(CAVES.cells(path))
    assert taken


def test_a_fleet_that_is_led_no_way_is_lost(planner):
    """Lists with nothing but their own nodes."""
    arrays = planner.index.arrays
    none = {name: np.zeros(arrays[name].size, np.uint8) for name in ("leans", "direct", "detours")}
    other = changed(planner, **none, **{name: np.empty(0, np.uint8) for name in ("hubs", "codes", "gaps")})
    (problem,) = wp.sample_problems(CAVES, 1, 3, min_length=30)
    ends = CAVES.xy(problem.start), CAVES.xy(problem.goal)
    with pytest.raises(wp.WaypostError, match="leads no way"):
        other.path(*ends)
    fleet = other.fleet([ends[0]], ends[1])
    fleet.tick()
    assert fleet.status.tolist() == [wp.MemberStatus.LOST]


def test_beyond_the_budget():
    """By an estimate before anything is made, and by counting what the estimate lets pass."""
    is_open = np.random.default_rng(1).random((400, 400)) < 0.85
    with pytest.raises(wp.WaypostError, match=r"have about [\d,]+ entries, .* is 100,000; take jps"):
        built(wp.Grid(is_open), budget=100_000)
    caves = wp.Grid(generate.GENERATORS["caves"](200, 200, seed=3))
    lines = built(caves).index.lines
    graph = building.graph_of(lines, with_finds=True)
    for budget in (40_000, 70_000):
        with pytest.raises(wp.WaypostError, match=f"more than {budget:,} entries"):
            building.labels_of(lines, graph, {"trees": 64, "budget": budget}, building.Works(1, show_progress=False))


def test_gaps_beyond_two_bytes_are_several():
    """A detour of thousands of cells."""
    grid = wp.grid_from_text(
        "\n".join("." * 40 if y % 2 == 0 else ("#" * 39 + "." if y % 4 == 1 else "." + "#" * 39) for y in range(9))
    )
    planner = built(grid)
    assert planner.index.arrays["gaps"].dtype == np.uint16
    assert planner.cost([(0, 0)], [(0, 8)])[0] == grid.path_cost(grid.cells(planner.path((0, 0), (0, 8))))
    assert planner.index.table_bytes > planner.index_bytes


def test_stored_again_it_is_the_same(planner):
    lines = planner.index.lines
    graph = building.graph_of(lines, with_finds=True)
    found = building.labels_of(lines, graph, planner.params, building.Works(1, show_progress=False))
    for name, array in stored(lines, graph, found).items():
        assert np.array_equal(array, planner.index.arrays[name])


def test_pictures(planner):
    """From every subgoal a way leads to the goal, and what is found from a cell is seen from it."""
    (problem,) = wp.sample_problems(CAVES, 1, 3)
    onward = dict(planner.index.arcs(problem.goal).tolist())
    subgoals = planner.index.lines.cells.tolist()
    assert set(onward) == {cell for cell in subgoals if CAVES.connected(cell, problem.goal)} - {problem.goal}
    for cell in onward:
        here = cell
        for _ in range(len(onward)):
            here = onward.get(here, here)
        assert here == problem.goal
    arcs = planner.index.arcs_from(problem.start)
    assert problem.start in arcs[:, 0]
    assert set(arcs.ravel().tolist()) <= {problem.start, *subgoals}
