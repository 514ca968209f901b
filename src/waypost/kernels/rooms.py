"""How large the state of a learning agent is: its settings, and the scratch arrays of its lookahead.

Sizes follow from the parameters, and are never beyond what the map can need.
"""

import numpy as np

from waypost.kernels import learned, nodes, plies, prioritised

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


def state_of(settings, looks, learns, size):
    """The state of an agent on a map of this width and height, by the names of its slots and of its rules."""
    settings = settings | {"lookahead": _LOOKAHEADS[looks], "learning": _LEARNING_RULES[learns]}
    rooms = _rooms(looks, learns, settings, size)
    state = np.zeros(learned.SCRATCH + rooms.pop("words"), np.int64)
    for name, value in (settings | rooms).items():
        state[getattr(learned, name.upper())] = value
    return state


def _rooms(looks, learns, settings, size):
    """Sizes of the scratch arrays, and their sum in words."""
    straight, diagonal, extent = settings["straight"], settings["diagonal"], settings["extent"]
    cells = settings["stride"] * (size[1] + 2)
    if looks == "neighbours":
        room = _power_of_two(extent)
        return {"node_room": room, "words": prioritised.WORDS_PER_ENTRY * room + 1}
    reach = min(extent if looks != "cost" else extent // straight, cells)
    # Wide enough that two nodes never fall on one place: by how far apart they can be, or by the map.
    window = _power_of_two(min(2 * reach + 1, max(size)))
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


def _power_of_two(least):
    return 1 << (least - 1).bit_length()
