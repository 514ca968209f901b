"""Judging a path by the independent rules of the tests, and measuring its length."""

from collections.abc import Sequence
from itertools import pairwise

from benchmarks.peers.library import DIAGONAL, Point
from tests.oracle import rules

LEGAL, CUTS, WRONG, REFUSED = "legal", "cuts corners", "wrong", "refused"


def judge(
    is_open: Sequence[Sequence[bool]], points: list[Point], start: Point, goal: Point, *, reachable: bool = True
) -> str:
    """Whether a walk is legal, legal but for cutting corners, or wrong; without a path, whether it was refused."""
    if not (points and reachable):
        return WRONG if points or reachable else REFUSED
    for rule, verdict in (("both-open", LEGAL), ("always", CUTS)):
        try:
            rules.check_walk(is_open, rule, points, start, goal)
        except AssertionError:
            continue
        return verdict
    return WRONG


def length(points: list[Point]) -> float:
    """The length of a walk in cells, a diagonal being sqrt 2."""
    moves = [(abs(u - x), abs(v - y)) for (x, y), (u, v) in pairwise(points)]
    diagonals = sum(1 for dx, dy in moves if dx and dy)
    return sum(1 for dx, dy in moves if dx or dy) + (DIAGONAL - 1) * diagonals
