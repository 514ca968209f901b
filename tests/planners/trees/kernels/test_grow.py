"""Subgoal trees: the compiled search against the plain-Python one, what trees promise, and what is no tree."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.oracle import rules
from tests.oracle.climb import climb
from tests.oracle.dijkstra import all_costs
from tests.oracle.trees import tree
from tests.support.chance import seeded
from tests.support.learning_worlds import KINDS
from tests.support.worlds import WORLDS, cases, random_open, random_place, small_worlds
from waypost.planners.trees.kernels import grow
from waypost.planners.trees.kernels.forest import Scratch
from waypost.planners.walking.ground import ground_of
from waypost.world.grid import Grid

each_rule = pytest.mark.parametrize(("rule", "costs"), WORLDS)
each_exit_test = pytest.mark.parametrize("climb_exits", [0, 1])


class Grower:
    """Calls the kernel on one grid, in scratch arrays that are used again."""

    def __init__(self, is_open, rule, costs):
        self.grid = Grid(is_open, diagonals=rule, costs=costs)
        size, most = self.grid.mask.size, 8 * int(self.grid.component_sizes.max()) + 1
        self.scratch = Scratch(
            costs=np.zeros(size, np.int32),
            vectors=np.zeros(size, np.int64),
            ring=np.full(16, -1, np.int64),
            pool=np.zeros((most, 2), np.int64),
        )

    def grow(self, climb_exits, goals):
        """Sizes, nodes and parents of the trees of some places."""
        grid = self.grid
        cells = np.array([grid.cell(goal) for goal in goals], np.int32)
        grown = grow.grow(tuple(ground_of(grid)), grid.costs.shift, climb_exits, cells, tuple(self.scratch))
        assert [array.dtype for array in grown] == [np.int32] * 3
        assert (self.scratch.ring == -1).all()
        return grown

    def trees(self, climb_exits, goals):
        """A dictionary of parents for each goal, in the order of its nodes."""
        sizes, cells, parents = self.grow(climb_exits, goals)
        assert sizes.sum() == cells.size == parents.size
        ends = np.cumsum(sizes)
        for first, end in zip(ends - sizes, ends, strict=True):
            nodes = [self.grid.xy(cell) for cell in cells[first:end].tolist()]
            yield {node: nodes[parent] for node, parent in zip(nodes, parents[first:end].tolist(), strict=True)}

    def per_cell(self):
        """g and subgoal of every place that the last tree is for, as the scratch arrays say."""
        cells = np.flatnonzero(self.scratch.costs != np.iinfo(np.int32).max)
        dx = self.scratch.vectors.astype(np.int32)
        subgoals = np.arange(dx.size) - (self.scratch.vectors - dx >> 32) * self.grid.stride - dx
        g = {self.grid.xy(cell): int(self.scratch.costs[cell]) for cell in cells.tolist()}
        return g, {self.grid.xy(cell): self.grid.xy(int(subgoals[cell])) for cell in cells.tolist()}


def compare(is_open, rule, costs, goals, climb_exits):
    """Same nodes in the same order, same parents; and same costs and subgoals of all cells, for the last goal."""
    grower = Grower(is_open, rule, costs)
    expected = [tree(is_open, rule, costs, goal, climb_exits) for goal in goals]
    for found, one in zip(grower.trees(climb_exits, goals), expected, strict=True):
        assert list(found.items()) == list(one.parent.items())
    assert grower.per_cell() == (expected[-1].g, expected[-1].subgoal)


@each_exit_test
@each_rule
def test_trees_equal_the_oracle(rule, costs, climb_exits):
    random = seeded(1)
    for case in range(cases(60)):
        is_open = random_open(random, largest=14) if case % 2 else KINDS[random.integers(len(KINDS))](random)
        compare(is_open, rule, costs, [random_place(random, is_open) for _ in range(3)], climb_exits)


@settings(max_examples=cases(400), deadline=None)
@given(small_worlds(), st.integers(0, 1))
def test_trees_in_small_worlds(world, climb_exits):
    is_open, rule, costs, start, goal = world
    compare(is_open, rule, costs, [start, goal], climb_exits)


@each_exit_test
@each_rule
def test_subgoals_keep_their_promise(rule, costs, climb_exits):
    """Every cell and every node is as far from its subgoal as it seems, or climbs there; costs are exact."""
    random = seeded(2)
    for _ in range(cases(40)):
        is_open = random_open(random, largest=12)
        goal = random_place(random, is_open)
        grower = Grower(is_open, rule, costs)
        (parent,) = grower.trees(climb_exits, [goal])
        g, subgoal = grower.per_cell()
        assert g == all_costs(is_open, rule, costs, goal)
        assert [node for node in parent if node == parent[node]] == [goal]
        assert set(subgoal.values()) <= set(parent)
        distance = {node: all_costs(is_open, rule, costs, node) for node in parent}
        for place, above in [*subgoal.items(), *parent.items()]:
            if climb_exits:
                assert climb(is_open, rule, costs, place, above)[0]
            else:
                octile = rules.heuristic(rule, costs, place, above)
                assert g[place] - g[above] == octile == distance[above][place]
        assert all(g[above] < g[node] for node, above in parent.items() if node != goal)


def test_open_ground_needs_the_goal_alone():
    is_open = np.ones((9, 7), bool)
    for climb_exits in (0, 1):
        assert list(Grower(is_open, "both-open", "sqrt2").trees(climb_exits, [(3, 4)])) == [{(3, 4): (3, 4)}]


def test_more_nodes_than_there_was_room_for():
    """The room doubles: between trees, which are of one node each here, and within one."""
    is_open = np.array([[symbol != "#" for symbol in row] for row in ("..#.", ".###", "....")])
    grower = Grower(is_open, "both-open", "sqrt2")
    isolated, goal = (3, 0), (1, 0)
    (expected,) = grower.trees(0, [goal])
    assert len(expected) > 2
    assert list(grower.trees(0, [isolated] * 2050)) == [{isolated: isolated}] * 2050
    for ahead in range(1024 - len(expected), 1026):
        assert list(grower.trees(0, [isolated] * ahead + [goal]))[-1] == expected


def test_no_goals_no_trees():
    assert [array.size for array in Grower(np.ones((2, 2), bool), "never", "1.4").grow(0, [])] == [0, 0, 0]


ISLANDS = np.array([[symbol != "#" for symbol in row] for row in ("..#.", "..#.", "####", "....")])
SHIFT = 2


def is_tree(goal, nodes, shift=SHIFT, ahead=0, behind=0):
    """What the checker says of nodes, each a place and the index of its parent, with other words around them."""
    grid = Grid(ISLANDS)
    words = [grid.cell(place) << shift | parent for place, parent in nodes]
    words = np.array([1] * ahead + words + [1] * behind, np.uint32)
    words.setflags(write=False)
    return grow.is_tree(grid.component, grid.cell(goal), words, ahead, words.size - behind, shift)


GOOD = (0, 0), [((0, 0), 0), ((1, 0), 0), ((0, 1), 1)]


def test_trees_are_accepted():
    assert is_tree(*GOOD)
    assert is_tree(*GOOD, ahead=3, behind=2)
    assert is_tree((3, 0), [((3, 0), 0), ((3, 1), 0)])
    assert is_tree((3, 3), [((3, 3), 0)])
    assert is_tree((0, 1), [((0, 0), 1), ((1, 0), 2), ((0, 1), 2), ((1, 1), 0)])


@pytest.mark.parametrize(
    ("goal", "nodes"),
    [
        ((0, 0), []),
        ((0, 0), [((0, 0), 0), ((1, 0), 2), ((0, 1), 1)]),
        ((0, 0), [((0, 0), 0), ((1, 0), 2), ((0, 1), 3), ((1, 1), 1)]),
        ((0, 0), [((0, 0), 1), ((1, 0), 0)]),
        ((0, 0), [((0, 0), 0), ((1, 0), 1)]),
        ((0, 0), [((1, 0), 0), ((0, 1), 0)]),
        ((1, 0), [((0, 0), 1), ((0, 1), 0)]),
        ((0, 0), [((0, 0), 0), ((1, 0), 3)]),
        ((0, 0), [((0, 0), 0), ((0, 1), 0), ((1, 0), 0)]),
        ((0, 0), [((0, 0), 0), ((1, 0), 0), ((1, 0), 0)]),
        ((0, 0), [((0, 0), 0), ((3, 0), 0)]),
        ((0, 0), [((0, 0), 0), ((2, 0), 0)]),
    ],
    ids=[
        "no nodes", "a circle of two", "a circle of three", "a circle without a root", "two roots", "a wrong root",
        "a root that is not there", "a parent out of range", "not in order", "twice the same", "another component",
        "a wall",
    ],
)  # fmt: skip
def test_what_is_no_tree_is_refused(goal, nodes):
    assert not is_tree(goal, nodes)
    assert not is_tree(goal, nodes, ahead=1, behind=1)


def test_cells_out_of_range_are_refused():
    grid = Grid(ISLANDS)
    for cell in (grid.mask.size, (1 << 30) - 1):
        nodes = np.array([grid.cell((0, 0)) << SHIFT, cell << SHIFT], np.uint32)
        nodes.setflags(write=False)
        assert not grow.is_tree(grid.component, grid.cell((0, 0)), nodes, 0, 2, SHIFT)


def test_trees_too_large_for_their_indices_are_refused():
    assert not is_tree(*GOOD, shift=1)
    assert is_tree((0, 0), GOOD[1][:2], shift=1)
