"""What the kernels of learning agents work on: an agent's state with its scratch arrays, and tables of learned values.

Agents own them, and so do builds of indexes that look ahead as agents do.
"""

from mmap import mmap

import numpy as np
import numpy.typing as npt

from waypost.grid import Grid
from waypost.kernels import learned, nodes, plies, prioritised, tiles

__all__ = ["new_state", "new_table", "tiles_of"]

_LOOKAHEADS = {
    "neighbours": learned.NEIGHBOURS,
    "plies": learned.PLIES,
    "cost": learned.COST,
    "astar": learned.ASTAR,
}
_LEARNING_RULES = {
    "best": learned.BEST,
    "second best": learned.SECOND_BEST,
    "trail": learned.TRAIL,
    "queue": learned.QUEUE,
    "max of mins": learned.MAX_OF_MINS,
    "inward": learned.INWARD,
    "from target": learned.FROM_TARGET,
}

_REMEMBERED_MOVES = 1 << 16  # of LRTS's decisions; a power of two


def new_state(
    grid: Grid, looks: str, learns: str, extent: int, *, planes: int = 1, **settings: int
) -> npt.NDArray[np.int64]:
    """The state of an agent that looks so far, with room for its lookaheads; settings are slots of kernels.learned."""
    straight, diagonal, _ = grid.costs
    across, tile_count = tiles_of(grid)
    rooms = _rooms(looks, learns, extent, grid)
    state = np.zeros(learned.SCRATCH + rooms.pop("words"), np.int64)
    values = {
        "stride": grid.stride,
        "straight": straight,
        "diagonal": diagonal,
        "across": across,
        "tile_count": tile_count,
        "planes": planes,
        "lookahead": _LOOKAHEADS[looks],
        "learning": _LEARNING_RULES[learns],
        "extent": extent,
        "inward_shift": straight.bit_length() - 1,  # buckets no wider than a straight move
    }
    for name, value in (values | settings | rooms).items():
        state[getattr(learned, name.upper())] = value
    return state


def tiles_of(grid: Grid) -> tuple[int, int]:
    """Tiles in a row of the padded map, and in all."""
    across = tiles.tiles_across(grid.stride)
    return across, across * tiles.tiles_across(grid.height + 2)


def new_table(grid: Grid, planes: int) -> npt.NDArray[np.int32]:
    """A table for one goal: as large as the map, but only what is stored to ever becomes real memory.

    NumPy's zeros can be old memory cleared, or come in pages of 2 MB; these come from the system page by page.
    """
    size = tiles.table_size(tiles_of(grid)[1], planes)
    return np.frombuffer(mmap(-1, size * np.dtype(np.int32).itemsize), np.int32)


def _rooms(looks: str, learns: str, extent: int, grid: Grid) -> dict[str, int]:
    """Sizes of the scratch arrays, by parameters and never beyond what the map can need; and their sum in words."""
    straight, diagonal, _ = grid.costs
    cells = grid.component.size
    if looks == "neighbours":
        room = _power_of_two(extent)
        return {"node_room": room, "words": prioritised.WORDS_PER_ENTRY * room + 1}
    reach = min(extent if looks != "cost" else extent // straight, cells)
    # Wide enough that two nodes never fall on one place: by how far apart they can be, or by the map.
    window = _power_of_two(min(2 * reach + 1, max(grid.width, grid.height)))
    rooms = {"window_shift": window.bit_length() - 1}
    if looks == "astar":
        most_nodes = 8 * reach + 1
        furthest = (2 * reach + 2) * diagonal  # two open nodes differ by no more in h
        rooms |= {
            "mark_room": window**2,
            # The inward search puts a node in whenever its value falls, two words each time.
            "heap_room": 2 * (most_nodes + 8 * reach),
            "ring_room": _power_of_two((furthest >> straight.bit_length() - 1) + 2),
        }
    else:
        most_nodes = (2 * reach + 1) ** 2
        rooms |= {"extra_room": min(most_nodes, cells) + 1}
        if looks == "cost":
            rooms |= {"heap_room": 8 * min(most_nodes, cells) + 1}
    room = min(most_nodes, cells)
    rooms |= {"node_room": room, "route_room": room}
    if learns == "max of mins":
        rooms |= {"stack_room": _REMEMBERED_MOVES}
    columns = {"node_room": nodes.COLUMNS, "extra_room": plies.EXTRA_COLUMNS, "window_shift": 0}
    rooms["words"] = window**2 + sum(columns.get(name, 1) * size for name, size in rooms.items())
    return rooms


def _power_of_two(least: int) -> int:
    return 1 << (least - 1).bit_length()
