"""What hub computes offline against its plain-Python twin: subgoals, finds, edges, order, lists and what is stored."""

import numpy as np
import pytest

import waypost as wp
from tests.oracle import hub_labels, hub_order
from tests.oracle.dijkstra import all_costs
from tests.oracle.hub import Ground
from tests.oracle.hub_walk import Lists
from tests.planners.hub.twin_maps import some_map, zigzag
from tests.support.chance import seeded
from tests.support.worlds import WORLDS, cases, draw
from waypost.indexes.building import Works
from waypost.planners.hub import building
from waypost.planners.hub.kernels import graph as edges

COUNT = 16

each_world = pytest.mark.parametrize(("rule", "costs"), WORLDS)


class Both:
    """A planner with its index, and what the twin makes of the same map."""

    def __init__(self, is_open, rule, costs, trees):
        self.is_open = is_open.tolist()
        self.grid = wp.Grid(is_open, diagonals=rule, costs=costs)
        self.trees = trees
        self.planner = wp.build("hub", self.grid, threads=1, trees=trees)
        self.index = self.planner.index
        self.ground = Ground(self.is_open, rule, costs)

    @property
    def arrays(self):
        return {name: array.tolist() for name, array in self.index.arrays.items()}

    def graph(self):
        return building.graph_of(self.index.lines, with_finds=True)

    def check_arrays(self):
        expected = hub_labels.build(self.ground, self.trees)
        assert self.arrays == expected
        for name, array in self.index.arrays.items():
            assert array.dtype == smallest_dtype(expected[name])


def smallest_dtype(numbers):
    return np.min_scalar_type(max(numbers, default=0))


def both(seed, rule, costs):
    """On small maps of all kinds, by few trees and by many."""
    random = seeded(seed)
    for _ in range(cases(COUNT)):
        yield Both(some_map(random, rule, costs), rule, costs, draw(random, (1, 2, 5, 30, 512)))


@each_world
def test_subgoals_finds_and_edges(rule, costs):
    for each in both(11, rule, costs):
        ground, graph = each.ground, each.graph()
        assert [each.grid.xy(cell) for cell in each.index.lines.cells.tolist()] == ground.nodes
        firsts, _, steps, sides = graph.edges
        for node, expected in enumerate(ground.edges):
            places = range(firsts[node], firsts[node] + len(expected))
            assert node + 1 == len(firsts) or places.stop == firsts[node + 1]
            assert expected == [
                (edges.node_of(step), edges.cost_of(step), bits(edges.tail_of(both)), bits(edges.head_of(both)))
                for step, both in ((steps[place], sides[place]) for place in places)
            ]
            finds = graph.finds[graph.find_firsts[node] : graph.find_firsts[node + 1]]
            assert [(edges.node_of(find), edges.cost_of(find)) for find in finds] == [
                (ground.number[find.node], find.cost) for find in ground.finds[node]
            ]


def bits(mask):
    return frozenset(bit for bit in range(8) if int(mask) >> bit & 1)


@each_world
def test_edges_lead_both_ways(rule, costs):
    """As the proof on the page of rules says."""
    for each in both(12, rule, costs):
        there_and_back = {
            (node, edge.head, edge.cost, edge.tail_sides, edge.head_sides)
            for node, of_node in enumerate(each.ground.edges)
            for edge in of_node
        }
        assert there_and_back == {(b, a, cost, head, tail) for a, b, cost, tail, head in there_and_back}
        assert len(there_and_back) == sum(map(len, each.ground.edges)), "a node was found twice"


@each_world
def test_the_order_of_the_nodes(rule, costs):
    for each in both(13, rule, costs):
        assert order_of(each) == hub_order.order(each.ground, each.trees)


def order_of(each):
    found = building.labels_of(each.index.lines, each.graph(), each.planner.params, Works(1, show_progress=False))
    return found.order.tolist()


def test_an_equal_way_needs_no_shortcut_where_every_cell_is_a_node():
    """When the first cell is contracted, its neighbours are still as near by the cell in the middle below."""
    each = Both(np.ones((2, 3), bool), "never", "1.4", 512)
    assert hub_order.Contraction(each.ground.edges).contracted == [0, 2, 1, 3, 5]
    assert order_of(each) == [4, 5, 3, 1, 2, 0]


@each_world
def test_lists_by_the_same_order(rule, costs):
    """Labels, what leans, and what is stored, whatever the order is."""
    for each in both(14, rule, costs):
        order = order_of(each)
        leaning = hub_labels.Leaning(each.ground, order, hub_labels.Labelling(each.ground, order).lists)
        assert each.arrays == hub_labels.stored_arrays(each.ground, leaning)
        read = Lists(each.ground, each.arrays)
        for which, expected in leaning.whole.items():
            assert read.costs(which) == expected | {which // 2: 0}


@each_world
def test_arrays_to_the_last_number(rule, costs):
    for each in both(15, rule, costs):
        each.check_arrays()


@each_world
def test_no_entry_costs_less_than_the_shortest_way(rule, costs):
    for each in both(16, rule, costs):
        ground, lists = each.ground, Lists(each.ground, each.arrays)
        for node in range(0, len(ground.nodes), 5):
            exact = all_costs(each.is_open, rule, costs, ground.nodes[node])
            for which in ground.lists_of(node):
                assert all(cost >= exact[ground.nodes[hub]] for hub, cost, _ in lists.entries(which))


@each_world
def test_no_move_takes_more_work_than_the_most_of_any(rule, costs):
    """The bound that a planner tells is the one of the page of rules, to the last probe."""
    for each in both(17, rule, costs):
        assert each.planner.work_bound == Lists(each.ground, each.arrays).most()


@pytest.mark.parametrize("trees", [1, 512])
def test_a_gap_between_excesses_may_be_too_long_for_one_number(trees):
    """There and back, farther than 65,535 beyond the octile cost at once."""
    each = Both(zigzag(20, 5), "both-open", "sqrt2", trees)
    assert 65_535 in each.arrays["gaps"]
    each.check_arrays()


def test_a_map_without_subgoals_has_empty_lists():
    for is_open in (np.ones((3, 4), bool), np.array([[True, False, True]])):
        each = Both(is_open, "both-open", "sqrt2", 512)
        assert each.ground.nodes == []
        each.check_arrays()
        assert each.planner.work_bound == Lists(each.ground, each.arrays).most()
