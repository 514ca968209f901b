import numpy as np
import pytest

from tests.oracle import jump as oracle
from tests.oracle import rules
from tests.oracle.dijkstra import all_costs
from tests.support.chance import seeded
from tests.support.worlds import DRAWINGS, cases, random_open, random_place
from waypost.kernels import jump, jump_graph
from waypost.kernels.numbers import COST_LIMIT
from waypost.world.grid import Grid
from waypost.world.jump_search import jump_settings

SHIFTS = {"sqrt2": 11, "1.4": 0}


class Solver:
    """What a search over known jumps needs, with as little room as there can be at first."""

    def __init__(self, grid, straight=None):
        self.grid = grid
        self.rows, self.columns, self.cells = grid.jump_tables
        settings = jump_settings(grid, self.rows, self.columns)
        if straight:
            settings = settings._replace(straight_cost=straight, shift=24)
        self.control = jump.new_control(settings)
        self.tables = self.cells, self.rows, self.columns
        self.graph = jump_graph.graph(*self.tables, self.control)
        for array in self.graph:
            array.setflags(write=False)
        size = self.graph[0].size + 2
        self.spots = np.concatenate([self.graph[0], [0, 0]]).astype(np.int32)
        self.node, self.parent = np.zeros(size, np.int64), np.empty(size, np.int32)
        self.room = np.full(2, -1), np.empty((2, 2), np.int64), np.empty((6, 4), np.int64)

    def path(self, start, goal):
        scratch = self.spots, self.node, self.parent
        goal_at, self.room = jump_graph.search(
            *self.tables, *self.graph, self.control, *scratch, self.room, start, goal
        )
        assert (self.room[0] == -1).all()
        if goal_at < 0:
            return None
        path = jump_graph.path_to(self.control, self.spots, self.parent, start, goal_at)
        return [self.grid.xy(cell) for cell in path]


def compare(solver, is_open, costs, start, goal):
    """The path of plain jump point search, cell by cell, at the optimal cost."""
    exact = all_costs(is_open, "both-open", costs, start).get(goal)
    path = solver.path(solver.grid.cell(start), solver.grid.cell(goal))
    assert (path is None) == (exact is None)
    if path:
        _, _, parent = oracle.search(is_open, costs, start, goal, SHIFTS[costs])
        assert path == oracle.path(parent, goal)
        assert rules.walk_cost("both-open", costs, path) == exact


@pytest.mark.parametrize("costs", rules.COSTS)
def test_paths_equal_the_oracle(costs):
    random = seeded(1)
    for _ in range(cases(200)):
        is_open = random_open(random, largest=18)
        solver = Solver(Grid(is_open, costs=costs))
        for _ in range(4):
            start, goal = random_place(random, is_open), random_place(random, is_open)
            if start != goal:
                compare(solver, is_open, costs, start, goal)


@pytest.mark.parametrize("costs", rules.COSTS)
@pytest.mark.parametrize("name", DRAWINGS)
def test_paths_between_all_cells_of_traps(name, costs):
    is_open = np.array([[symbol != "#" for symbol in row] for row in DRAWINGS[name].split()])
    solver = Solver(Grid(is_open, costs=costs))
    places = [(int(x), int(y)) for y, x in np.argwhere(is_open)][:: 1 if cases(4) == 4 else 4]
    for start in places[::7]:
        for goal in places:
            if start != goal:
                compare(solver, is_open, costs, start, goal)


def test_points_are_few_and_jumps_lead_to_points():
    is_open = np.ones((40, 40), bool)
    is_open[10:20, 10:20] = False
    points, firsts, jumps, reach = Solver(Grid(is_open)).graph
    assert points.size == 4  # beside the corners of the block
    assert (firsts[0], firsts[-1]) == (0, len(jumps))
    assert (jumps[:, 0] >> 2 < points.size).all()
    assert (jumps[:, 1] > 0).all()
    assert reach.shape == (4, 4)


def test_many_points_outgrow_the_first_room():
    is_open = np.ones((36, 36), bool)
    is_open[1::3, 1::3] = False
    solver = Solver(Grid(is_open))
    assert solver.graph[0].size > jump_graph.FIRST_ROOM
    compare(solver, is_open, "sqrt2", (0, 0), (35, 33))


def test_a_way_with_many_jumps_outgrows_the_list():
    """A long diagonal that has a jump point on both sides of every cell."""
    is_open = np.ones((60, 60), bool)
    is_open[5::2, 0] = is_open[0, 5::2] = False
    compare_cost(is_open, (2, 2), (50, 59))


def compare_cost(is_open, start, goal):
    grid = Grid(is_open)
    path = Solver(grid).path(grid.cell(start), grid.cell(goal))
    assert rules.walk_cost("both-open", "sqrt2", path) == rules.heuristic("both-open", "sqrt2", start, goal)


def test_costs_beyond_the_limit_lead_nowhere():
    """A corridor with a bend, where a cell costs so much that only part of it can be walked."""
    is_open = np.zeros((12, 12), bool)
    is_open[0] = is_open[:, 11] = is_open[11] = True
    grid = Grid(is_open)
    for length, arrives in ((24, True), (12, False), (8, False)):
        solver = Solver(grid, straight=COST_LIMIT // length)
        path = solver.path(grid.cell((0, 0)), grid.cell((11, 11)))
        assert (path is not None) == arrives
