"""What gates stores against the plain-Python model: places of gates, costs, ways, what is kept; and all costs."""

import math

import numpy as np
import pytest

import waypost as wp
from tests.oracle.gates import Gates
from tests.oracle.gates_tree import Tree
from tests.planners.gates.worlds import random_worlds
from waypost.planners.gates import tables
from waypost.planners.gates.kernels.arcs import GateSlot

PARAMS = {"fine": (1, 2, 4, 16), "thin": (0, 100, 300)}


def drawn_params(random):
    return {name: int(random.choice(values)) for name, values in PARAMS.items()}


def test_gates_stand_where_the_rules_say():
    for is_open, rule, costs, random in random_worlds(1, 60, 60):
        fine = drawn_params(random)["fine"]
        grid = wp.Grid(is_open, diagonals=rule, costs=costs)
        found = tables.sectors_of(grid, fine)
        oracle = Gates(is_open, rule, costs, fine)
        for border, gates in enumerate(oracle.borders.values()):
            here = range(found.firsts[border], found.firsts[border + 1])
            ends = [tuple(grid.xy(cell) for cell in found.ends[gate].tolist()) for gate in here]
            assert [(*pair,) for pair in zip(ends, map(tuple, found.halves[here].tolist()), strict=True)] == gates


def test_stored_arrays_are_those_of_the_rules():
    for is_open, rule, costs, random in random_worlds(2, 8, 110):
        params = drawn_params(random)
        index = wp.build("gates", wp.Grid(is_open, diagonals=rule, costs=costs), threads=1, **params).index
        expected = Tree(Gates(is_open, rule, costs, params["fine"]), params["thin"]).stored()
        kept = np.unpackbits(index.arrays["kept"], count=len(expected["kept"]))
        assert kept.tolist() == expected["kept"]
        for name in ("near_costs", "far_costs", "near_ways", "far_ways"):
            assert index.arrays[name].tolist() == expected[name], name


@pytest.mark.parametrize("shape", [(16, 70), (70, 16)])
def test_blocks_of_one_sector_and_lines_between_blocks_that_lie_below_each_other(shape):
    is_open = np.ones(shape, bool)
    is_open[5:9, 5:9] = False
    index = wp.build("gates", wp.Grid(is_open), threads=1, fine=4, thin=100).index
    expected = Tree(Gates(is_open, "both-open", "sqrt2", 4), 100).stored()
    for name in ("near_costs", "far_costs", "near_ways", "far_ways"):
        assert index.arrays[name].tolist() == expected[name], name


@pytest.mark.parametrize("fine", [4, 16])
def test_a_search_finds_the_least_cost_by_gates(fine):
    """Where a run has one gate, none is left out, and the tree knows what a search over all gates finds."""
    for is_open, rule, costs, random in random_worlds(fine, 16, 110):
        grid = wp.Grid(is_open, diagonals=rule, costs=costs)
        if grid.component_sizes.max() < 2:
            continue
        agent = wp.build("gates", grid, threads=1, fine=fine, thin=0, direct=0).agent()
        oracle = Gates(is_open, rule, costs, fine)
        graph = oracle.graph()
        for problem in wp.sample_problems(grid, 5, seed=int(random.integers(1000))):
            agent.reset(problem)
            agent.step()
            least = oracle.cost(grid.xy(problem.start), grid.xy(problem.goal), graph)
            found = int(agent.state[GateSlot.REST])
            assert least < math.inf
            assert found == least if fine == 16 else found >= least
