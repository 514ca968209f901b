"""What a move is: the rules of the world, and an independent validator of walks. `is_open[y][x]` is a plain table."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

__all__ = [
    "COSTS",
    "DIAGONALS",
    "ORDER",
    "SHIFTS",
    "check_walk",
    "heuristic",
    "may_move",
    "move_costs",
    "neighbours",
    "standing",
    "walk_cost",
]

Place = tuple[int, int]

ORDER = {
    "N": (0, -1),
    "E": (1, 0),
    "S": (0, 1),
    "W": (-1, 0),
    "NE": (1, -1),
    "SE": (1, 1),
    "SW": (-1, 1),
    "NW": (-1, -1),
}
COSTS = {"sqrt2": (5741, 8119), "1.4": (5, 7)}
SHIFTS = {5741: 11, 5: 0, 1: 0}
"""Of costs to buckets of a search, by the cost of a straight move."""
DIAGONALS = ("both-open", "one-open", "always", "never")


def standing(is_open: Any, x: int, y: int) -> bool:
    """Whether there is a cell to stand on."""
    return 0 <= y < len(is_open) and 0 <= x < len(is_open[0]) and bool(is_open[y][x])


def may_move(is_open: Any, rule: str, x: int, y: int, dx: int, dy: int) -> bool:
    """Whether a move is legal."""
    if not (standing(is_open, x, y) and standing(is_open, x + dx, y + dy)):
        return False
    if dx == 0 or dy == 0:
        return True
    beside = standing(is_open, x + dx, y) + standing(is_open, x, y + dy)
    return {"both-open": beside == 2, "one-open": beside >= 1, "always": True, "never": False}[rule]


def move_costs(rule: str, costs: str) -> tuple[int, int]:
    """Integer cost of a straight and a diagonal move; without diagonals every move costs 1."""
    return (1, 2) if rule == "never" else COSTS[costs]


def neighbours(is_open: Any, rule: str, costs: str, x: int, y: int) -> Iterator[tuple[Place, int]]:
    """Where legal moves lead, and what they cost."""
    straight, diagonal = move_costs(rule, costs)
    for dx, dy in ORDER.values():
        if may_move(is_open, rule, x, y, dx, dy):
            yield (x + dx, y + dy), diagonal if dx and dy else straight


def heuristic(rule: str, costs: str, a: Place, b: Place) -> int:
    """Octile distance, or Manhattan distance where there are no diagonals."""
    straight, diagonal = move_costs(rule, costs)
    dx, dy = abs(a[0] - b[0]), abs(a[1] - b[1])
    if rule == "never":
        return dx + dy
    return straight * abs(dx - dy) + diagonal * min(dx, dy)


def check_walk(is_open: Any, rule: str, points: Sequence[Any], start: Any, goal: Any) -> None:
    """Complain about the first thing wrong with a walk; standing still is allowed."""
    assert tuple(points[0]) == tuple(start), f"starts at {points[0]}, not {start}"
    assert tuple(points[-1]) == tuple(goal), f"ends at {points[-1]}, not {goal}"
    for (x, y), (u, v) in pairwise(points):
        dx, dy = int(u) - int(x), int(v) - int(y)
        assert max(abs(dx), abs(dy)) <= 1, f"jumps from {(x, y)} to {(u, v)}"
        if dx or dy:
            assert may_move(is_open, rule, x, y, dx, dy), f"illegal move from {(x, y)} to {(u, v)}"


def walk_cost(rule: str, costs: str, points: Sequence[Any]) -> int:
    """Integer cost of a walk."""
    straight, diagonal = move_costs(rule, costs)
    moves = [(abs(u - x), abs(v - y)) for (x, y), (u, v) in pairwise(points)]
    return sum(diagonal if dx and dy else straight for dx, dy in moves if dx or dy)
