"""How large the words of a learning agent are, and where its scratch arrays lie in them, behind its state.

Sizes follow from the parameters, and are never beyond what the map can need.
"""

import numpy as np

from waypost.kernels.compiling import helper
from waypost.planners.learning.kernels.nodes import COLUMNS, window_shifts
from waypost.planners.learning.kernels.plies import EXTRA_COLUMNS
from waypost.planners.learning.kernels.queue import WORDS_PER_ENTRY
from waypost.planners.learning.kernels.state import (
    ASTAR,
    COST,
    MAX_OF_MINS,
    NEIGHBOURS,
    STATE_WORDS,
    Rooms,
    Scratch,
)

REMEMBERED_MOVES = 1 << 16  # of LRTS's decisions; a power of two


def new_words(settings, width, height):
    """The words of an agent with such settings, on a map of this width and height."""
    rooms = _rooms(settings, width, height)
    words = np.zeros(STATE_WORDS + _scratch_words(rooms), np.int64)
    words[: len(settings) + len(rooms)] = *settings, *rooms  # the first fields of the state
    return words


def _rooms(settings, width, height):
    """Sizes of the scratch arrays."""
    looks = settings.lookahead
    cells = settings.stride * (height + 2)
    if looks == NEIGHBOURS:
        return Rooms(queue_room=_power_of_two(settings.extent))
    reach = min(settings.extent // settings.straight_cost if looks == COST else settings.extent, cells)
    # Wide enough that two nodes never fall on one place: by how far apart they can be, or by the map.
    wide, high = (_power_of_two(min(2 * reach + 1, side)) for side in (width, height))
    rooms = Rooms(window_room=wide * high, window_shifts=window_shifts(wide, high))
    if looks == ASTAR:
        most_nodes = 8 * reach + 1
        furthest = (2 * reach + 2) * settings.diagonal_cost  # two open nodes differ by no more in h
        rooms = rooms._replace(
            mark_room=wide * high,
            # The inward search puts a node in whenever its value falls, two words each time.
            heap_room=2 * (most_nodes + 8 * reach),
            ring_room=_power_of_two((furthest >> settings.straight_cost.bit_length() - 1) + 2),
        )
    else:
        most_nodes = (2 * reach + 1) ** 2
        rooms = rooms._replace(
            extra_room=min(most_nodes, cells) + 1,
            heap_room=8 * min(most_nodes, cells) + 1 if looks == COST else 0,
        )
    room = min(most_nodes, cells)
    stack_room = REMEMBERED_MOVES if settings.learning == MAX_OF_MINS else 0
    return rooms._replace(node_room=room, route_room=room, stack_room=stack_room)


def _scratch_words(rooms):
    """Words of all scratch arrays, as `scratch_of` lays them out."""
    rows = {"node_room": COLUMNS, "extra_room": EXTRA_COLUMNS, "queue_room": WORDS_PER_ENTRY, "window_shifts": 0}
    return sum(rows.get(name, 1) * room for name, room in rooms._asdict().items())


@helper
def scratch_of(words, state):
    """The scratch arrays, as they lie one behind another in an agent's words."""
    window = STATE_WORDS + COLUMNS * state.node_room
    marks = window + state.window_room
    heap = marks + state.mark_room
    extra = heap + state.heap_room
    ring = extra + EXTRA_COLUMNS * state.extra_room
    route = ring + state.ring_room
    stack = route + state.route_room
    queue = stack + state.stack_room
    return Scratch(
        words[STATE_WORDS:window].reshape((state.node_room, COLUMNS)),
        words[window:marks],
        words[marks:heap],
        words[heap:extra],
        words[extra:ring].reshape((state.extra_room, EXTRA_COLUMNS)),
        words[ring:route],
        words[route:stack],
        words[stack:queue],
        words[queue : queue + WORDS_PER_ENTRY * state.queue_room],
    )


def _power_of_two(least):
    return 1 << (least - 1).bit_length()
