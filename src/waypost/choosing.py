"""What `build("auto", grid)` takes: a planner by the size of the map, by a small table with its evidence."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from waypost.world.grid import Grid

__all__ = ["RULES", "Rule", "choose"]

_ANY_SIZE = float("inf")


class Rule(NamedTuple):
    """A planner for maps of one kind; the first rule that a map meets counts."""

    most_cells: float
    """Of the whole map, walls included."""
    diagonals: tuple[str, ...]
    """The rules of diagonal moves that it is for; none: all."""
    planner: str
    params: Mapping[str, Any]
    evidence: str


RULES = (
    Rule(
        1_000_000,
        ("both-open",),
        "hub",
        MappingProxyType({}),
        "Shortest walks in real time: of 13 maps of up to 982,394 cells it was built for all, in 0.2 s of one core at "
        "most, and took 2.5 MB at most; a map of very many lone walls has too many labels, and gets the next rule.",
    ),
    Rule(
        1_000_000,
        (),
        "dba",
        MappingProxyType({}),
        "Walks 0.4 % longer than the shortest on ten Dragon Age maps, by an index of some 90 KB each; "
        "build and index grow with the square of the map, so not for larger ones.",
    ),
    Rule(
        _ANY_SIZE,
        (),
        "gates",
        MappingProxyType({}),
        "Walks 1 % longer than the shortest on caves of 4096 x 4096 cells, studied in 2.1 s of one core; "
        "build and index grow with the map, as measured from 10^5 to 10^7 cells (make bench-growth).",
    ),
)
"""The table: what comes first is better, and for fewer maps."""


def choose(grid: Grid) -> tuple[Rule, ...]:
    """The rules that a map meets, the best first, in constant time; one that cannot be built gives way to the next."""
    return tuple(
        rule
        for rule in RULES
        if grid.cell_count <= rule.most_cells and (not rule.diagonals or grid.diagonals in rule.diagonals)
    )
