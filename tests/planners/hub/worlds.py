"""Worlds for hub labels, and what their planner is asked there."""

import functools

import numpy as np

import waypost as wp
from tests.oracle import rules
from tests.oracle.dijkstra import all_costs
from tests.support.worlds import JIT_IS_OFF
from waypost.runs.simulation import simulate
from waypost.world.problem import Problem

BOTH = (("both-open", "sqrt2"), ("both-open", "1.4"))

TEETH = 20 if JIT_IS_OFF else 31
COMB = wp.grid_from_text("\n".join(["." * (2 * TEETH + 1), *[".#" * TEETH + "."] * 2, "." * (2 * TEETH + 1)]))
"""Teeth of walls: many subgoals."""

ZIGZAG = wp.grid_from_text("\n".join("...." if y % 2 == 0 else "###." if y % 4 == 1 else ".###" for y in range(120)))
"""One way, with many turns."""


def built(grid, **params):
    return wp.build("hub", grid, threads=1, progress=False, **params)


@functools.cache
def comb():
    """The planner of the comb, made once."""
    return built(COMB)


def check_exact(is_open, rule, costs, random, sources=4):
    """Costs and walks are those of Dijkstra, walks are legal, and no move works beyond the bound."""
    grid = wp.Grid(is_open, diagonals=rule, costs=costs)
    planner = built(grid)
    places = grid.xys(np.flatnonzero(grid.component))
    bound, agent = planner.work_bound, planner.agent()
    for start in places[random.integers(len(places), size=sources)].tolist():
        optima = all_costs(is_open.tolist(), rule, costs, tuple(start))
        goals = places[random.integers(len(places), size=8)]
        wanted = [optima.get(tuple(goal), -1) for goal in goals.tolist()]
        starts = np.tile(start, (len(goals), 1))
        assert planner.cost(starts, goals, threads=1).tolist() == wanted
        assert planner.costs([start], goals, threads=1)[0].tolist() == wanted
        for goal, cost in zip(goals.tolist(), wanted, strict=True):
            if cost >= 0:
                trace = simulate(agent, Problem(grid.cell(start), grid.cell(goal)))
                points = grid.xys(trace.cells).tolist()
                rules.check_walk(is_open, rule, points, tuple(start), tuple(goal))
                assert trace.cost == cost
                assert trace.work.sum(axis=1).max(initial=0) <= bound
                assert planner.path(start, goal).tolist() == points
