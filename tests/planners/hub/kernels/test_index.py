"""Hub labels that are forged are refused in one sentence, or harmless; maps beyond the budget are refused."""

import numpy as np
import pytest

import waypost as wp
from tests.oracle import rules
from tests.planners.hub.worlds import built, comb
from tests.support.chance import seeded
from tests.support.worlds import JIT_IS_OFF, cases
from waypost.errors import IndexFileError
from waypost.indexes.base import read_only, smallest
from waypost.maps import generate
from waypost.planners.hub import building
from waypost.planners.hub.kernels import contract
from waypost.planners.hub.kernels import graph as graphs
from waypost.planners.hub.kernels.graph import Edges
from waypost.planners.hub.kernels.search import new_search
from waypost.planners.hub.stored import stored
from waypost.planners.hub.tables import lines_of

SIDE = 32 if JIT_IS_OFF else 40
CAVES = wp.Grid(generate.GENERATORS["caves"](SIDE, SIDE, seed=2))


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
    planner = comb()
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
    (problem,) = wp.sample_problems(CAVES, 1, 3, min_length=SIDE // 2)
    ends = CAVES.xy(problem.start), CAVES.xy(problem.goal)
    with pytest.raises(wp.WaypostError, match="leads no way"):
        other.path(*ends)
    fleet = other.fleet([ends[0]], ends[1])
    fleet.tick()
    assert fleet.status.tolist() == [wp.MemberStatus.LOST]
    with pytest.raises(wp.WaypostError, match="leads no way"):
        other.cost([ends[0]], [ends[1]])


def test_beyond_the_budget():
    """By an estimate, before labels are made."""
    side, budget = (60, 500) if JIT_IS_OFF else (400, 100_000)
    lines = lines_of(wp.Grid(np.random.default_rng(1).random((side, side)) < 0.85))
    graph, works = building.graph_of(lines, with_finds=True), building.Works(1, show_progress=False)
    with pytest.raises(wp.WaypostError, match=rf"have about [\d,]+ entries, .* is {budget:,}; take jps"):
        building.labels_of(lines, graph, {"trees": 4, "budget": budget}, works)


@pytest.mark.parametrize("rule", ["one-open", "always", "never"])
def test_beyond_the_budget_where_every_cell_is_a_subgoal(rule):
    """It says why there are so many."""
    side, budget = (25, 500) if JIT_IS_OFF else (100, 100_000)
    grid = wp.Grid(np.ones((side, side), bool), diagonals=rule)
    lines = lines_of(grid)
    graph, works = building.graph_of(lines, with_finds=True), building.Works(1, show_progress=False)
    with pytest.raises(wp.WaypostError, match=r"entries, as every cell is a subgoal under its diagonal rule, and the"):
        building.labels_of(lines, graph, {"trees": 4, "budget": budget}, works)


@pytest.mark.parametrize("plain_part", [3, 10**6])
def test_what_the_estimate_lets_pass_is_counted(planner, monkeypatch, plain_part):
    """While plain labels are made, and while the final ones are."""
    monkeypatch.setattr(building, "UNSURE", 10**9)
    monkeypatch.setattr(building, "PLAIN_PART", plain_part)
    lines = planner.index.lines
    graph, works = building.graph_of(lines, with_finds=True), building.Works(1, show_progress=False)
    with pytest.raises(wp.WaypostError, match="more than 9 entries"):
        building.labels_of(lines, graph, {"trees": 4, "budget": 9}, works)


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


def test_nodes_of_very_many_pairs_stay_in_the_core(monkeypatch):
    """Where every node is joined to all others, by any side."""
    size = 146
    if JIT_IS_OFF:
        monkeypatch.setattr(contract, "MOST_PAIRS", 50)
        size = 12
    firsts = np.arange(size + 1) * (size - 1)
    there = np.array([other for node in range(size) for other in range(size) if other != node])
    edges = Edges(firsts[:-1], firsts[1:], np.int64(10) << 32 | there, np.full(there.size, 3 << 8 | 3, np.uint16))
    search = tuple(new_search(size, there.size))
    (corners,) = read_only(np.ones(size, np.uint8))
    _, core, *_ = contract.contract(tuple(edges), corners, search, 0)
    assert core.tolist() == list(range(size))


def test_what_leaning_has_for_less_takes_the_place_of_what_is_stored(planner):
    """A list stores the node of the list on which it leans once more, at a cost that no way has."""
    arrays, lines = planner.index.arrays, planner.index.lines
    graph = building.graph_of(lines, with_finds=False)
    lists = [
        which
        for which in range(2 * lines.cells.size)
        if not which & 1 or lines.corners[which >> 1].item().bit_count() == 1
    ]
    place = int(np.flatnonzero(arrays["leans"])[0])
    which = lists[place]
    step = graph.list_steps[graph.list_firsts[which] + int(arrays["leans"][place]) - 1]
    before = slice(place + 1)
    at_hub = int(arrays["direct"][before].sum(dtype=int) + arrays["detours"][before].sum(dtype=int))
    at_code = int(arrays["detours"][before].sum(dtype=int))
    other = changed(
        planner,
        detours=with_value(arrays["detours"], place, int(arrays["detours"][place]) + 1),
        hubs=smallest(np.insert(arrays["hubs"].astype(int), at_hub, int(step & graphs.NODE) >> 1)),
        codes=smallest(np.insert(arrays["codes"].astype(int), at_code, int(arrays["codes"].max()))),
    )
    spans = other.index.labels.spans[which]
    assert np.array_equal(spans, planner.index.labels.spans[which])


def test_parts_of_a_forged_journal_are_made_again(monkeypatch, planner):
    """Those that trees could not be made of."""
    seen = []

    def parts(title, total, make, *, fits):
        (settled, above) = make(0, total)
        size = settled.shape[1]
        wrong = (settled + size, above), (settled - 2, above), (settled, above + size), (settled[:, :-1], above)
        seen.extend(fits(0, total, forged) for forged in wrong)
        assert fits(0, total, (settled, above))
        return [(settled, above)]

    works = building.Works(1, show_progress=False)
    monkeypatch.setattr(works, "parts", parts)
    lines = planner.index.lines
    building.labels_of(lines, building.graph_of(lines, with_finds=True), {"trees": 5, "budget": 10**6}, works)
    assert seen == [False] * 4
