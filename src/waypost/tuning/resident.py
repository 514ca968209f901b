"""How many bytes a planner keeps in memory: its index, and the tables derived from it and from the map."""

import threading
from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from waypost.indexes.base import Index
from waypost.planner import Planner
from waypost.world.grid import Grid

__all__ = ["resident_bytes"]


def resident_bytes(planner: Planner) -> int:
    """Bytes of all arrays that the agents of a planner share, made when it is built, loaded or first used.

    The map itself, which all planners have, does not count, but tables do that are derived from it for this planner.
    """
    agent = planner.agent()
    grid = vars(planner.grid)
    own = {id(_root(grid[name])) for name in ("mask", "component")}
    derived = {
        id(array) for array in _arrays(value for name, value in grid.items() if name not in {"mask", "component"})
    }
    of_index = {id(array): array for array in _arrays([planner.index])}
    of_map = {id(array): array for array in _arrays([agent]) if id(array) in derived}
    return sum(array.nbytes for key, array in (of_index | of_map).items() if key not in own)


def _arrays(values: Iterable[Any]) -> Iterator[npt.NDArray[Any]]:
    """Each array that these lead to, whole; not those of maps, nor the scratch of threads."""
    seen: dict[int, Any] = {}
    waiting = list(values)
    while waiting:
        value = waiting.pop()
        if id(value) in seen or isinstance(value, (Grid, Planner, threading.local, type)):
            continue
        seen[id(value)] = value
        if isinstance(value, np.ndarray):
            root = _root(value)
            if id(root) not in seen or root is value:
                seen[id(root)] = root
                yield root
        elif isinstance(value, dict):
            waiting += value.values()
        elif isinstance(value, (list, tuple)):
            waiting += value
        elif isinstance(value, partial):
            waiting += [value.func, *value.args, *value.keywords.values()]
        elif isinstance(value, Index) or type(value).__module__.startswith("waypost."):
            waiting += list(getattr(value, "__dict__", {}).values())


def _root(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The array that a view is of."""
    while isinstance(array.base, np.ndarray):
        array = array.base
    return array
