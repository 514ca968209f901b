"""What the learning planners share: the state of an agent, its learned heuristic, and a look around a cell.

A table of tiles keeps by how much h was raised above the octile distance, so that 0 means nothing was learned.
"""

from collections import namedtuple

import numpy as np

from waypost.kernels.best_first import COST_LIMIT, LEARNED, record
from waypost.kernels.compiling import helper, inlined
from waypost.kernels.moves import DX, DY, FIRST_DIAGONAL, octile
from waypost.kernels.tiles import PLANE, add_tile, slot_of, within

_at = np.uintp  # an unsigned index spares the test for a negative one
_NO_MOVE = 1 << 62

# Rule codes: how far a plan looks, and what it learns. kernels/learning.py has the table of the planners they make.
NEIGHBOURS, PLIES, COST, ASTAR = range(4)
BEST, SECOND_BEST, TRAIL, QUEUE, MAX_OF_MINS, INWARD, FROM_TARGET = range(7)

# Slots of an agent's state, ahead of the scratch arrays: what it was set to, then what changes.
(
    STRIDE, STRAIGHT, DIAGONAL, ACROSS, TILE_COUNT, PLANES, LOOKAHEAD, LEARNING, EXTENT, MOVES_PER_PLAN, GAMMA, QUOTA,
    INWARD_SHIFT, WINDOW_SHIFT, NODE_ROOM, MARK_ROOM, HEAP_ROOM, EXTRA_ROOM, RING_ROOM, ROUTE_ROOM, STACK_ROOM,
    CELL, GOAL, EVENTS, LEARNED_STATES, PEAK_OPEN, PEAK_CLOSED, TOO_FAR, ROUTE_NEXT, ROUTE_END, LOOKAHEAD_NUMBER,
    TRIAL, QUEUED, AGE, RAISED, STACK_TOP, STACK_BOTTOM, GOAL_REGION, REGION, SUBGOAL, SUBGOAL_NUMBER,
    AIM, PROGRESS, DEPTH, DEEPEST, CAP, REGIONS, HEADS, NEAR_DEPTH,
) = range(49)  # fmt: skip
SCRATCH = 56  # where the scratch arrays begin

Goal = namedtuple("Goal", "cell x y stride across straight diagonal")
"""The goal that h is about, and how cells are counted. Numbers only: arrays in tuples cost reference counting."""


@helper
def goal_of(state):
    """The goal of an agent."""
    return target_at(state, state[GOAL])


@helper
def target_at(state, cell):
    """A cell as what h is about."""
    stride = state[STRIDE]
    return Goal(cell, cell % stride, cell // stride, stride, state[ACROSS], state[STRAIGHT], state[DIAGONAL])


@inlined
def distance(goal, x, y):
    """The heuristic before anything is learned."""
    return octile(x - goal.x, y - goal.y, goal.straight, goal.diagonal)


@inlined
def heuristic(table, goal, x, y):
    """The heuristic as learned so far."""
    place = table[_at(slot_of(goal.across, x, y))] + within(x, y)
    return distance(goal, x, y) + table[_at(place)]


@inlined
def move_cost(goal, move):
    """What a move costs."""
    return goal.straight if move < FIRST_DIAGONAL else goal.diagonal


@inlined
def own_place(table, state, goal, x, y):
    """Where a cell's value stands, in a tile that is added if there is none."""
    slot = slot_of(goal.across, x, y)
    if table[_at(slot)] == 0:
        add_tile(table, state[TILE_COUNT], state[PLANES], slot)
    return table[_at(slot)] + within(x, y)


@inlined
def raise_to(table, state, events, goal, cell, x, y, value):
    """Raise a cell's heuristic to a value, if that is higher; says whether it was."""
    before = heuristic(table, goal, x, y)
    if value <= before:
        return False
    place = own_place(table, state, goal, x, y)
    if table[_at(place)] == 0:
        state[LEARNED_STATES] += 1
    if value >= COST_LIMIT and state[LEARNING] != SECOND_BEST:  # to RTA* it means infinity
        state[TOO_FAR] = 1
    table[_at(place)] = value - distance(goal, x, y)
    note(events, state, LEARNED, cell, cell, before, value)
    return True


@helper
def on_trail(table, state, goal, x, y):
    """Whether the agent has stood on a cell since its goal was set; tiles need a second plane."""
    place = table[slot_of(goal.across, x, y)] + within(x, y)
    return table[place + PLANE] == state[TRIAL]


@helper
def put_on_trail(table, state, goal, x, y):
    """Remember that the agent stands on a cell."""
    table[own_place(table, state, goal, x, y) + PLANE] = state[TRIAL]


@inlined
def look(mask, table, goal, cell, x, y):
    """The least c + h of a cell's neighbours, the second least, and the move to the best neighbour.

    Ties go to the larger c, then to the first in the order of moves. Without a branch, which takes a fifth less time.
    """
    legal = np.int64(mask[_at(cell)])
    best = _NO_MOVE
    second = _NO_MOVE
    for move in range(8):
        total = min(move_cost(goal, move) + heuristic(table, goal, x + DX[move], y + DY[move]), COST_LIMIT)
        # The key's last three bits put diagonal moves, which cost more, before straight ones.
        key = total << 3 | (move + 4 & 7) if legal >> move & 1 else _NO_MOVE
        second = min(second, max(best, key))
        best = min(best, key)
    return best >> 3, min(second >> 3, COST_LIMIT), (best & 7) + 4 & 7


@inlined
def note(events, state, kind, cell, parent, g, f):
    """Record an event, if events are recorded."""
    if events.shape[0] > 0:
        record(events, state[EVENTS], kind, cell, parent, g, f)
        state[EVENTS] += 1
