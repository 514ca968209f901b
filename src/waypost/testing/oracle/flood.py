"""Components by breadth-first search, and the nearest cell by looking at all of them."""

from typing import Any

from waypost.testing.oracle.rules import Place, heuristic, neighbours

__all__ = ["components", "nearest"]


def components(is_open: Any, rule: str) -> tuple[dict[Place, int], int]:
    """Label of each open (x, y), from 1, in the order of rows and then columns."""
    label: dict[Place, int] = {}
    count = 0
    for y, row in enumerate(is_open):
        for x, free in enumerate(row):
            if not free or (x, y) in label:
                continue
            count += 1
            label[x, y] = count
            frontier = [(x, y)]
            while frontier:
                for there, _ in neighbours(is_open, rule, "sqrt2", *frontier.pop()):
                    if there not in label:
                        label[there] = count
                        frontier.append(there)
    return label, count


def nearest(label: dict[Place, int], rule: str, costs: str, wanted: int, target: Place) -> Place:
    """The place with this label nearest to the target, ties to the upper, then the left one."""
    places = [place for place, found in label.items() if found == wanted]
    return min(places, key=lambda p: (heuristic(rule, costs, p, target), p[1], p[0]))
