"""What the learning planners share: the state of an agent, its learned heuristic, and a look around a cell.

A table of tiles keeps by how much h was raised above the octile distance, so that 0 means nothing was learned.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from waypost.kernels.compiling import helper, inlined, record
from waypost.kernels.events import LEARNED, record_event
from waypost.kernels.moves import DX, DY, FIRST_DIAGONAL, NE, NW, SE, SW, E, N, S, W
from waypost.kernels.numbers import COST_LIMIT, at
from waypost.kernels.tiles import PLANE, ROW, add_tile, slot_of, within

_NO_MOVE = 1 << 62
_KEY_BITS = 7  # of a move's key, below c + h

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
    return _octile(_part(goal, x - goal.x), _part(goal, y - goal.y))


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


class Look(NamedTuple):
    """What a look around a cell finds."""

    value: int
    """The least c + h of its neighbours."""
    second: int
    """The second least."""
    move: int
    """To the best neighbour."""
    dx: int
    dy: int


@inlined
def look(mask, table, goal, cell, x, y):
    """Look at a cell's neighbours. Ties go to the larger c, then to the first in the order of moves.

    Without a branch for a move, which takes a fifth less time; with one look into the directory where all are in one
    tile, a tenth less; with distances made of parts that neighbours share, a fifth less; and with a least key that
    says itself where it leads, some per cent less, since all that the next look needs waits for it.
    """
    legal = np.int64(mask[at(cell)])
    west, here_x, east = _part(goal, x - 1 - goal.x), _part(goal, x - goal.x), _part(goal, x + 1 - goal.x)
    north, here_y, south = _part(goal, y - 1 - goal.y), _part(goal, y - goal.y), _part(goal, y + 1 - goal.y)
    if (x + 1 & 7) > 1 and (y + 1 & 7) > 1:
        place = table[at(slot_of(goal.across, x, y))] + within(x, y)
        n = _key(goal, legal, N, here_x, north, table[at(place - ROW)])
        e = _key(goal, legal, E, east, here_y, table[at(place + 1)])
        s = _key(goal, legal, S, here_x, south, table[at(place + ROW)])
        w = _key(goal, legal, W, west, here_y, table[at(place - 1)])
        ne = _key(goal, legal, NE, east, north, table[at(place - ROW + 1)])
        se = _key(goal, legal, SE, east, south, table[at(place + ROW + 1)])
        sw = _key(goal, legal, SW, west, south, table[at(place + ROW - 1)])
        nw = _key(goal, legal, NW, west, north, table[at(place - ROW - 1)])
    else:
        n = _key(goal, legal, N, here_x, north, _raised(table, goal, x, y - 1))
        e = _key(goal, legal, E, east, here_y, _raised(table, goal, x + 1, y))
        s = _key(goal, legal, S, here_x, south, _raised(table, goal, x, y + 1))
        w = _key(goal, legal, W, west, here_y, _raised(table, goal, x - 1, y))
        ne = _key(goal, legal, NE, east, north, _raised(table, goal, x + 1, y - 1))
        se = _key(goal, legal, SE, east, south, _raised(table, goal, x + 1, y + 1))
        sw = _key(goal, legal, SW, west, south, _raised(table, goal, x - 1, y + 1))
        nw = _key(goal, legal, NW, west, north, _raised(table, goal, x - 1, y - 1))
    best = min(min(min(n, e), min(s, w)), min(min(ne, se), min(sw, nw)))  # noqa: PLW3301 - a chain would be as long
    second = _NO_MOVE
    for key in (n, e, s, w, ne, se, sw, nw):
        second = min(second, key if key > best else _NO_MOVE)
    rank = best >> 4 & 7
    value, second = min(best >> _KEY_BITS, COST_LIMIT), min(second >> _KEY_BITS, COST_LIMIT)
    return Look(value, second, rank + 4 & 7, (best >> 2 & 3) - 1, (best & 3) - 1)


@inlined
def _raised(table, goal, x, y):
    """By how much the heuristic of a cell was raised."""
    return table[at(table[at(slot_of(goal.across, x, y))] + within(x, y))]


@inlined
def _part(goal, along):
    """What a distance along one axis adds to an octile distance: as the longer part of the way, and as the shorter."""
    cells = abs(along)
    return goal.straight * cells, (goal.diagonal - goal.straight) * cells


@inlined
def _key(goal, legal, move, part_x, part_y, raised):
    """By what moves are compared: c + h, a rank that puts diagonal ones, which cost more, first; then dx and dy."""
    h = _octile(part_x, part_y) + np.int64(raised)
    rank_and_way = (move + 4 & 7) << 4 | (DX[move] + 1) << 2 | DY[move] + 1
    return (h << _KEY_BITS) + (move_cost(goal, move) << _KEY_BITS | rank_and_way) if legal >> move & 1 else _NO_MOVE


@inlined
def _octile(part_x, part_y):
    """The octile distance of which these are the parts: the larger sum is that in which the longer part is longer."""
    return max(part_x[0] + part_y[1], part_x[1] + part_y[0])


@inlined
def note(events, state, kind, cell, parent, g, f):
    """Record an event, if events are recorded and there is room."""
    if events.shape[0] > 0 and state.events < events.shape[0]:
        record_event(events, state.events, kind, cell, parent, g, f)
        state.events += 1
