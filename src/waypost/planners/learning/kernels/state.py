"""What the learning planners share: the state of an agent, its learned heuristic, and a look around a cell.

A table of tiles keeps by how much h was raised above the octile distance, so that 0 means nothing was learned.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from waypost.kernels.compiling import helper, inlined, record
from waypost.kernels.events import LEARNED, record_event
from waypost.kernels.moves import DX, DY, FIRST_DIAGONAL, octile
from waypost.kernels.numbers import COST_LIMIT, at
from waypost.kernels.tiles import PLANE, ROW, add_tile, slot_of, within

_NO_MOVE = 1 << 62

# Rule codes: how far a plan looks, and what it learns. walk.py has the table of the planners they make.
NEIGHBOURS, PLIES, COST, ASTAR = range(4)
BEST, SECOND_BEST, TRAIL, QUEUE, MAX_OF_MINS, INWARD, FROM_TARGET = range(7)


class Settings(NamedTuple):
    """What an agent was set to."""

    stride: int
    straight_cost: int
    diagonal_cost: int
    across: int
    """Tiles in a row of the map."""
    tile_count: int
    """Tiles of the map."""
    planes: int
    """Values that tables keep for each cell."""
    lookahead: int
    """A rule code, as the next one."""
    learning: int
    extent: int
    """How far a plan looks: cells, plies, a cost or expansions. A control may change it before a plan."""
    moves_per_plan: int
    """The most of them; 0: all."""
    gamma: int
    """Of LRTS, in hundredths."""
    quota: int
    """Of LRTS: how much it may learn before it goes back."""
    inward_shift: int
    """Bits of the width of a bucket of the inward search."""


class Rooms(NamedTuple):
    """How many rows the arrays of `Scratch` have; and the size of the window, as `nodes.place_of` needs it."""

    node_room: int = 0
    window_room: int = 0
    mark_room: int = 0
    heap_room: int = 0
    extra_room: int = 0
    ring_room: int = 0
    route_room: int = 0
    stack_room: int = 0
    queue_room: int = 0
    window_shifts: int = 0


class Scratch(NamedTuple):
    """Arrays of a lookahead; only the route, the stack and the queue mean anything from one plan to the next."""

    nodes: npt.NDArray[np.int64]
    window: npt.NDArray[np.int64]
    marks: npt.NDArray[np.int64]
    heap: npt.NDArray[np.int64]
    extra: npt.NDArray[np.int64]
    ring: npt.NDArray[np.int64]
    route: npt.NDArray[np.int64]
    stack: npt.NDArray[np.int64]
    queue: npt.NDArray[np.int64]


_CHANGING = (
    "cell", "goal", "stop", "events", "learned_states", "peak_open", "peak_closed", "too_far", "route_next",
    "route_end", "lookahead_number", "trial", "queued", "age", "raised", "stack_top", "stack_bottom",
)  # fmt: skip
_NAMES = (*Settings._fields, *Rooms._fields, *_CHANGING)
STATE = record([(name, np.int64) for name in _NAMES])
"""The state of an agent by name: what it was set to, and what changes."""
STATE_WORDS = len(_NAMES)
"""An agent has one array of words, of which these are the first; its scratch arrays are the others (sizes.py).

Settings and scratch as tuples of their own would be the better style, but a third of a step slower to call with."""


class Goal(NamedTuple):
    """The goal that h is about, and how cells are counted. Numbers only: arrays in tuples cost reference counting."""

    cell: int
    x: int
    y: int
    stride: int
    across: int
    straight: int
    diagonal: int


def by_name(words):
    """The state in an agent's words, for plain Python: a view, of which each field is read and set as an item."""
    return words[:STATE_WORDS].view(STATE)[0]


@inlined
def state_of(words):
    """The state in an agent's words."""
    return words[:STATE_WORDS].view(STATE)[0]


@helper
def goal_of(state):
    """The goal of an agent."""
    return target_at(state, state.goal)


@helper
def target_at(state, cell):
    """A cell as what h is about."""
    stride = state.stride
    return Goal(cell, cell % stride, cell // stride, stride, state.across, state.straight_cost, state.diagonal_cost)


@inlined
def distance(goal, x, y):
    """The heuristic before anything is learned."""
    return octile(x - goal.x, y - goal.y, goal.straight, goal.diagonal)


@inlined
def heuristic(table, goal, x, y):
    """The heuristic as learned so far."""
    place = table[at(slot_of(goal.across, x, y))] + within(x, y)
    return distance(goal, x, y) + table[at(place)]


@inlined
def move_cost(goal, move):
    """What a move costs."""
    return goal.straight if move < FIRST_DIAGONAL else goal.diagonal


@inlined
def own_place(table, state, goal, x, y):
    """Where a cell's value stands, in a tile that is added if there is none."""
    slot = slot_of(goal.across, x, y)
    if table[at(slot)] == 0:
        add_tile(table, state.tile_count, state.planes, slot)
    return table[at(slot)] + within(x, y)


@inlined
def raise_to(table, state, events, goal, cell, x, y, value):
    """Raise a cell's heuristic to a value, if that is higher; says whether it was."""
    before = heuristic(table, goal, x, y)
    if value <= before:
        return False
    place = own_place(table, state, goal, x, y)
    if table[at(place)] == 0:
        state.learned_states += 1
    if value >= COST_LIMIT and state.learning != SECOND_BEST:  # to RTA* it means infinity
        state.too_far = 1
    table[at(place)] = value - distance(goal, x, y)
    note(events, state, LEARNED, cell, cell, before, value)
    return True


@helper
def on_trail(table, state, goal, x, y):
    """Whether the agent has stood on a cell since its goal was set; tiles need a second plane."""
    place = table[slot_of(goal.across, x, y)] + within(x, y)
    return table[place + PLANE] == state.trial


@helper
def put_on_trail(table, state, goal, x, y):
    """Remember that the agent stands on a cell."""
    table[own_place(table, state, goal, x, y) + PLANE] = state.trial


@inlined
def look(mask, table, goal, cell, x, y):
    """The least c + h of a cell's neighbours, the second least, and the move to the best neighbour.

    Ties go to the larger c, then to the first in the order of moves. Without a branch for a move, which takes a fifth
    less time; and with one look into the directory where all are in one tile, which takes a tenth less.
    """
    legal = np.int64(mask[at(cell)])
    best = _NO_MOVE
    second = _NO_MOVE
    if (x + 1 & 7) > 1 and (y + 1 & 7) > 1:
        place = table[at(slot_of(goal.across, x, y))] + within(x, y)
        for move in range(8):
            raised = table[at(place + DY[move] * ROW + DX[move])]
            key = _key(goal, legal, move, distance(goal, x + DX[move], y + DY[move]) + raised)
            second = min(second, max(best, key))
            best = min(best, key)
    else:
        for move in range(8):
            key = _key(goal, legal, move, heuristic(table, goal, x + DX[move], y + DY[move]))
            second = min(second, max(best, key))
            best = min(best, key)
    return best >> 3, min(second >> 3, COST_LIMIT), (best & 7) + 4 & 7


@inlined
def _key(goal, legal, move, h):
    """The c + h of a move by which moves are compared. Its last bits put diagonal ones, which cost more, first."""
    total = min(move_cost(goal, move) + h, COST_LIMIT)
    return total << 3 | (move + 4 & 7) if legal >> move & 1 else _NO_MOVE


@inlined
def note(events, state, kind, cell, parent, g, f):
    """Record an event, if events are recorded and there is room."""
    if events.shape[0] > 0 and state.events < events.shape[0]:
        record_event(events, state.events, kind, cell, parent, g, f)
        state.events += 1
