"""Checks that distances are what ways cost: of pairs, in a matrix, and to the closest goal."""

import numpy as np

from waypost.maps.text import grid_from_text
from waypost.testing.oracle.dijkstra import all_costs
from waypost.testing.subject import Subject, refused
from waypost.testing.worlds import RULES, drawn
from waypost.world.grid import Grid

__all__ = ["CHECKS"]

_PAIRS, _SOURCES, _TARGETS = 60, 9, 12


def says_what_its_ways_cost(subject: Subject) -> None:
    """As its walks cost, on one thread or three; the least cost if it is optimal."""
    random = np.random.default_rng(4)
    worlds = [(drawn("islands"), *RULES[0]), *((subject.is_open, *rules) for rules in subject.some_of(RULES[1:]))]
    for is_open, rule, costs in worlds:
        grid = Grid(is_open, diagonals=rule, costs=costs)
        planner = subject.build(grid)
        places = grid.xys(np.flatnonzero(grid.component))
        starts, goals = (places[random.integers(len(places), size=_PAIRS)] for _ in range(2))
        walked = planner.batch(starts, goals, paths=True).costs
        for threads in (1, 3):
            assert planner.cost(starts, goals, threads=threads).tolist() == walked.tolist(), (
                "cost() is not that of ways"
            )
        if subject.entry.optimal:
            of_least = zip(starts[:_SOURCES].tolist(), goals.tolist(), walked.tolist(), strict=False)
            for (x, y), goal, cost in of_least:
                assert cost == all_costs(is_open, rule, costs, (x, y)).get(tuple(goal), -1), "cost() is not the least"
        sources, targets = starts[:_SOURCES], goals[:_TARGETS]
        every = np.repeat(sources, _TARGETS, axis=0), np.tile(targets, (_SOURCES, 1))
        matrix = planner.batch(*every, paths=True).costs.reshape(_SOURCES, _TARGETS)
        reached = np.where(matrix < 0, np.iinfo(np.int64).max, matrix)
        nearest = np.where((matrix < 0).all(axis=1), -1, reached.argmin(axis=1))
        for threads in (1, 3):
            assert planner.costs(sources, targets, threads=threads).tolist() == matrix.tolist(), "costs() is not cost()"
            closest = planner.closest(sources, targets, threads=threads)
            assert closest.goals.tolist() == nearest.tolist(), "closest() is not the least of costs()"
            assert closest.costs.tolist() == np.where(nearest < 0, -1, reached.min(axis=1)).tolist()


def refuses_odd_distances(subject: Subject) -> None:
    """Pairs that are none, walls, and points that are no points; takes none at all."""
    planner = subject.build(grid_from_text("..#."))
    assert planner.cost([], []).size == 0
    assert planner.costs([], [(0, 0)]).shape == (0, 1)
    assert planner.costs([(0, 0)], []).shape == (1, 0)
    assert planner.closest([(0, 0), (3, 0)], []).goals.tolist() == [-1, -1]
    assert planner.closest([(0, 0)], [(3, 0)]).costs.tolist() == [-1]
    with refused("1 starts but 2 goals"):
        planner.cost([(0, 0)], [(0, 0), (1, 0)])
    for ask in (planner.cost, planner.costs, planner.closest):
        with refused(r"\[0\] \(2, 0\) is on a wall"):
            ask([(0, 0)], [(2, 0)])
        with refused(r"must be an \(n, 2\) array"):
            ask((0, 0), [(1, 0)])
        with refused("threads must be"):
            ask([(0, 0)], [(1, 0)], threads=0)
        with refused("sizes? "):
            ask([(0, 0)], [(1, 0)], size=7)


CHECKS = (says_what_its_ways_cost, refuses_odd_distances)
