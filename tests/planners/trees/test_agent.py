"""Agents on subgoal trees as users meet them: drawn traps, traces, indices on demand, and indices that are none."""

import math
from threading import Barrier, Thread

import numpy as np
import pytest

import waypost as wp
from tests.oracle import rules
from tests.oracle.dijkstra import all_costs
from tests.oracle.trees import tree
from tests.planners.trees.twins import Pair, random_params, tree_of
from tests.support.worlds import DRAWINGS, IS_DEEP, random_open, random_place
from waypost.agents.trace import Event
from waypost.errors import IndexFileError, WaypostError
from waypost.kernels.numbers import COST_LIMIT
from waypost.maps.text import read_drawing
from waypost.planners.trees.index import SubgoalTrees
from waypost.planners.walking.kernels import blocks
from waypost.planners.walking.kernels.walker import Slot
from waypost.runs.metrics import index_facts

EVERY_WAY = [(climb_exits, tries, limit) for climb_exits in (0, 1) for tries in (0, 1, 10) for limit in (2, 250)]


def drawn(name):
    """is_open of a drawing, and all its marked places."""
    is_open, places = read_drawing(DRAWINGS[name])
    return is_open, list(places.values())


@pytest.mark.parametrize("rule", rules.DIAGONALS)
@pytest.mark.parametrize("name", DRAWINGS)
def test_traces_through_drawn_traps(name, rule):
    """There and back, with everything recorded: the targets set and the cells looked around are the oracle's."""
    is_open, places = drawn(name)
    for climb_exits, tries, limit in EVERY_WAY[:: 1 if IS_DEEP else 5]:
        for goals_kept in (0, 3):
            for start in places:
                for goal in all_costs(is_open, rule, "sqrt2", start).keys() & set(places):
                    params = {"climb_exits": climb_exits, "goals_kept": goals_kept, "tries": tries, "limit": limit}
                    follow_recorded(Pair("trees", (is_open, rule, "sqrt2"), start, goal, record=True, **params))


def follow_recorded(pair):
    """Walk to the goal, comparing the events of each move."""
    passed = [pair.walker.here]
    while not pair.arrived:
        before = pair.walker.target
        pair.step()
        pair.check_learned()
        events = pair.agent.take_events()
        cells = {kind: [pair.grid.xy(c) for c in events["cell"][events["kind"] == kind].tolist()] for kind in Event}
        target = pair.walker.target
        assert cells[Event.TARGETED] == ([target] if target != before else [])
        assert cells[Event.EXPANDED] == passed[-1:] * pair.walker.work["expansions"]
        assert len(events) == len(cells[Event.TARGETED]) + len(cells[Event.EXPANDED])
        passed.append(pair.walker.here)
        assert len(passed) < 2000
    is_open, rule, _ = pair.world
    rules.check_walk(is_open, rule, passed, passed[0], pair.walker.goal)


def test_a_dead_end_is_never_entered_with_a_tree():
    """What an agent without a database would learn its way out of."""
    is_open, (start, goal) = drawn("dead end")
    pair = Pair("trees", (is_open, "both-open", "sqrt2"), start, goal, tries=10, limit=250)
    pair.follow()
    assert pair.arrived
    assert pair.walker.ever_learned == 0


def test_trees_on_demand_are_the_same_trees():
    """Also those that were forgotten in between and are made again, and by many threads at once."""
    random = np.random.default_rng(1)
    for _ in range(20):
        is_open = random_open(random)
        grid = wp.Grid(is_open)
        climb_exits = int(random.integers(2))
        offline = wp.build("trees", grid, climb_exits=climb_exits)
        on_demand = wp.build("trees", grid, climb_exits=climb_exits, goals_kept=3)
        goals = [random_place(random, is_open) for _ in range(8)]
        expected = {goal: tree(is_open, "both-open", "sqrt2", goal, climb_exits).parent for goal in goals}
        for goal in [*goals, *goals[::-1]]:
            assert tree_of(offline.index, grid, goal) == tree_of(on_demand.index, grid, goal) == expected[goal]
            assert len(on_demand.index.made) <= 3
        assert offline.index.largest == max(
            len(tree_of(offline.index, grid, place)) for place in map(grid.xy, np.flatnonzero(grid.component).tolist())
        )
        assert on_demand.index.largest is None
        assert on_demand.index.states == 0
        in_threads(lambda: [tree_of(on_demand.index, grid, goal) == expected[goal] for goal in goals])  # noqa: B023


def in_threads(ask, count=4):
    """Ask in some threads at once; all answers must be yes."""
    start, answers = Barrier(count), []

    def run():
        start.wait()
        answers.extend(ask())

    threads = [Thread(target=run) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers
    assert all(answers)


def test_a_tree_kept_no_longer_still_leads_its_agents():
    random = np.random.default_rng(2)
    for _ in range(20):
        is_open = random_open(random)
        start = random_place(random, is_open)
        places = list(all_costs(is_open, "both-open", "1.4", start))
        goals = [places[i] for i in random.integers(len(places), size=4)]
        params = random_params(random)
        pair = Pair("trees", (is_open, "both-open", "1.4"), start, goals[0], goals_kept=1, **params)
        for goal in goals[1:]:
            tree_of(pair.index, pair.grid, goal)
        assert len(pair.index.made) == 1
        pair.follow()


def arrays_of(grid, **params):
    index = wp.build("trees", grid, **params).index
    return {name: array.copy() for name, array in index.arrays.items()}


def made_from(grid, arrays, goals_kept=0):
    return SubgoalTrees.from_arrays(grid, {"climb_exits": 0, "goals_kept": goals_kept}, arrays)


def test_an_index_is_what_its_arrays_are():
    is_open, _ = drawn("spiral")
    grid = wp.Grid(is_open)
    arrays = arrays_of(grid)
    for goal in np.flatnonzero(grid.component).tolist():
        place = grid.xy(goal)
        expected = tree(is_open, "both-open", "sqrt2", place, 0).parent
        assert tree_of(made_from(grid, arrays), grid, place) == expected
    assert all(not array.flags.writeable for array in made_from(grid, arrays).arrays.values())


def spoilt(arrays, name, change):
    array = arrays[name].copy()
    return {**arrays, name: change(array)}


def changed(index, by):
    """A change of one entry."""

    def change(array):
        array[index] += by
        return array

    return change


def test_arrays_that_are_no_trees_are_refused():
    """A random change of an entry is refused, or it is another tree, but nothing that leads astray."""
    is_open, _ = drawn("dead end")
    grid = wp.Grid(is_open)
    arrays = arrays_of(grid)
    random = np.random.default_rng(3)
    refused = 0
    for _ in range(300):
        word = int(random.integers(arrays["nodes"].size))
        bit = int(random.integers(32))
        wrong = spoilt(arrays, "nodes", lambda a: a ^ (np.arange(a.size) == word).astype(np.uint32) << np.uint32(bit))  # noqa: B023
        index = made_from(grid, wrong)
        goal = grid.xy(int(index.goals[np.searchsorted(arrays["firsts"], word, side="right") - 1]))
        try:
            parent = tree_of(index, grid, goal)
        except IndexFileError:
            refused += 1
            continue
        for node in parent:
            way = [node]
            while way[-1] != goal:
                way.append(parent[way[-1]])
                assert len(way) <= len(parent)
    assert refused > 150


@pytest.mark.parametrize(
    ("name", "change", "says"),
    [
        ("firsts", lambda a: a[:-1], "one more than there are goals"),
        ("firsts", changed(1, 1000), "firsts"),
        ("firsts", changed(0, 1), "firsts"),
        ("firsts", lambda a: a.astype(np.int32), "firsts must be 1-dimensional int64"),
        ("nodes", lambda a: a[:-1], "firsts"),
        ("nodes", lambda a: a.astype(np.int64), "nodes must be 1-dimensional uint32"),
        ("shift", lambda a: a * 0 + 32, "shift must be less than 32, not 32"),
        ("shift", lambda a: a * 0 + 255, "shift must be less than 32, not 255"),
        ("shift", lambda a: a[:0], "shift"),
        ("shift", lambda a: np.concatenate([a, a]), "shift"),
    ],
)
def test_arrays_of_a_wrong_shape_are_refused(name, change, says):
    is_open, _ = drawn("dead end")
    grid = wp.Grid(is_open)
    with pytest.raises(IndexFileError, match=says):
        made_from(grid, spoilt(arrays_of(grid), name, change))


@pytest.mark.parametrize("name", ["nodes", "shift"])
def test_a_tree_is_checked_when_its_goal_is_first_asked_for(name):
    is_open, places = drawn("dead end")
    grid = wp.Grid(is_open)
    planner = wp.build("trees", grid)
    index = made_from(grid, spoilt(planner.index.arrays, name, lambda a: a * 0))
    agent = wp.Planner(planner.entry, grid, planner.params, index).agent()
    problem = wp.Problem(grid.cell(places[0]), grid.cell(places[1]))
    for _ in range(2):
        with pytest.raises(IndexFileError, match="is not a tree; build the index again"):
            agent.reset(problem)
        with pytest.raises(wp.WaypostError, match="no problem yet"):
            agent.walk()


def test_stored_trees_are_refused_where_none_are_stored():
    is_open, _ = drawn("dead end")
    grid = wp.Grid(is_open)
    with pytest.raises(IndexFileError, match="made on demand are not stored"):
        made_from(grid, arrays_of(grid), goals_kept=3)
    with pytest.raises(IndexFileError, match="one more than there are goals"):
        made_from(grid, arrays_of(grid, goals_kept=3))
    assert made_from(grid, arrays_of(grid, goals_kept=3), goals_kept=3).states == 0


def test_a_learned_distance_beyond_the_longest_path_is_an_error():
    is_open, places = read_drawing("a#b\n.#.\n...")
    agent = wp.build("trees", wp.Grid(is_open), tries=0).agent(places["a"], places["b"])
    assert agent.step().growth == 1  # the nearest node is behind the wall
    values = int(agent.state[Slot.FIRST_BLOCK]) + blocks.VALUES
    agent.pool[values : values + 64] = COST_LIMIT - 3000
    for move in (agent.walk, agent.step):
        with pytest.raises(WaypostError, match="beyond the longest path supported"):
            move()
    agent.reset(wp.Problem(agent.cell, agent.goal))
    assert agent.walk().status is wp.RunStatus.ARRIVED


def test_the_size_of_trees_made_on_demand_is_not_known():
    grid = wp.grid_from_text("...\n.#.\n...")
    assert math.isnan(index_facts(wp.build("trees", grid, goals_kept=2)).bytes)
    assert index_facts(wp.build("trees", grid)).bytes > 0
