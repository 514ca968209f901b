"""TBA*: one A* from the start, worked on by a bounded slice per move, while the agent walks (algorithms 8).

*Paths.* A path is traced from its far end back along the parents and followed from its near end. Nothing is reversed:
whoever traces from a cell back to its parent p stamps p with the trace's number and the move that leads on. To follow
the path is to read the stamp of the cell one stands on; a stamp of another number means that one is not on the path.
Costs fall along a trace, also while the search lowers them between two slices, so no cell is met twice. A trace begins
only when the one before is done and is then followed, so two planes of stamps, taken in turn, are enough. Numbers go
on from problem to problem and are never used again, so that no stamp is ever reset.

*Work of a move* is bounded by its parameters alone: expansions by the search share, steps of the trace together with
superseded entries dropped off the open list by the trace share, and looks for a shortcut by eight. Between two entries
the search also skips empty buckets, but the heuristic is consistent: a cell's key lies at most two diagonal moves above
that of its parent, so all keys on the open list are within 9 buckets (15 with the small costs).
"""

import numpy as np
import numpy.typing as npt

from waypost.kernels.best_first import (
    DIAGONAL,
    DROPS,
    EVENTS,
    EXPANSIONS,
    GOAL,
    OPEN,
    START,
    STRAIGHT,
    STRIDE,
    advance,
    came_by,
    cost_of,
    peek,
)
from waypost.kernels.compiling import helper, kernel
from waypost.kernels.events import MOST_EVENTS, TARGETED, record
from waypost.kernels.moves import octile, offset
from waypost.kernels.outcomes import EVENTS_FULL, EXHAUSTED, FOUND, RUNNING

NOWHERE = -1

# Slots of the state array: settings; the number of the last trace begun, which goes on forever; the present problem;
# and how many moves the running call has made.
(
    SEARCH_SHARE, TRACE_SHARE, WAIT, SHORTCUT, DROP_TRACE,
    TRACE,
    CELL, LAST, GOAL_FOUND, TIP, CURSOR, FOLLOWED, END, GOAL_TRACED,
    MOVES,
) = range(15)  # fmt: skip
STATE_SIZE = MOVES + 1

# Columns of the work of a move.
EXPANDED, PROBED = range(2)


def new_state(
    *, search_share: int, trace_share: int, wait: int, shortcut: int, drop_trace: int
) -> npt.NDArray[np.int64]:
    """The state of an agent with these settings."""
    state = np.zeros(STATE_SIZE, np.int64)
    state[SEARCH_SHARE] = search_share
    state[TRACE_SHARE] = trace_share
    state[WAIT] = wait
    state[SHORTCUT] = shortcut
    state[DROP_TRACE] = drop_trace
    return state


@kernel
def begin(state, cell):
    """Put the agent on the first cell of a new problem, without a path."""
    state[CELL] = cell
    state[LAST] = state[TIP] = state[CURSOR] = state[FOLLOWED] = state[END] = NOWHERE
    state[GOAL_FOUND] = state[GOAL_TRACED] = 0


@kernel
def walk(mask, node, ring, pool, control, events, stamps, state, cells, work):
    """Move until the goal or until `cells` is full; returns RUNNING, or what needs room before the call goes on.

    `work` is all 0 at first. Asked for room in the midst of a move, it knows what that move has already cost.
    """
    while state[MOVES] < cells.size and state[CELL] != control[GOAL]:
        if events.shape[0] > 0 and control[EVENTS] + MOST_EVENTS > events.shape[0]:
            return EVENTS_FULL  # the search leaves a row of these free, for the tip
        spent = work[state[MOVES]]
        if not state[GOAL_FOUND]:
            status = _search(mask, node, ring, pool, control, events, state, spent)
            if status > EXHAUSTED:
                return status
        if not (state[GOAL_FOUND] and state[GOAL_TRACED]):
            left = state[TRACE_SHARE] - spent[PROBED]
            spent[PROBED] += _trace(node, ring, pool, control, events, stamps, state, left)
        spent[PROBED] += _move(mask, node, control, stamps, state)
        cells[state[MOVES]] = state[CELL]
        state[MOVES] += 1
    return RUNNING


@helper
def _search(mask, node, ring, pool, control, events, state, spent):
    """Let A* use up the search share, and of the trace share what it drops; returns how that ended."""
    expansions = control[EXPANSIONS]
    control[DROPS] = state[TRACE_SHARE] - spent[PROBED]
    status = advance(mask, node, ring, pool, control, events, state[SEARCH_SHARE] - spent[EXPANDED])
    spent[EXPANDED] += control[EXPANSIONS] - expansions
    spent[PROBED] = state[TRACE_SHARE] - control[DROPS]
    if status == RUNNING:
        status, _ = peek(node, ring, pool, control, 0)  # the last entry taken may have finished the goal's bucket
    state[GOAL_FOUND] = status == FOUND
    return status


@helper
def _trace(node, ring, pool, control, events, stamps, state, budget):
    """Trace on towards the start, from a new tip if the last trace is done; returns the steps that took."""
    left = budget
    if state[GOAL_FOUND] and state[DROP_TRACE] and state[CURSOR] != NOWHERE and state[TIP] != control[GOAL]:
        state[CURSOR] = NOWHERE
        state[TRACE] += 1  # and one more below: the other plane is still being followed
    if state[CURSOR] == NOWHERE:
        left -= _choose_tip(node, ring, pool, control, state, left)
        if state[TIP] == NOWHERE:
            return budget - left
        state[TRACE] += 1
        state[CURSOR] = state[TIP]
        if events.shape[0] > 0:
            _record_tip(node, control, events, state[TIP])
    trace = state[TRACE]
    cursor = state[CURSOR]
    stride = control[STRIDE]
    while left > 0:
        left -= 1
        if cursor == state[CELL] or cursor == control[START]:
            state[FOLLOWED] = trace
            state[END] = state[TIP]
            state[GOAL_TRACED] = state[TIP] == control[GOAL]
            cursor = NOWHERE
            break
        move = came_by(node, cursor)
        cursor -= offset(move, stride)
        stamps[cursor, trace & 1] = trace << 3 | move
    state[CURSOR] = cursor
    return budget - left


@helper
def _choose_tip(node, ring, pool, control, state, budget):
    """Take the goal if it is found, else the cell that A* would expand next; returns the entries dropped to find it."""
    if state[GOAL_FOUND]:
        state[TIP] = control[GOAL]
        return 0
    before = control[OPEN]
    status, state[TIP] = peek(node, ring, pool, control, budget)
    if status == FOUND:
        state[GOAL_FOUND] = 1
        state[TIP] = control[GOAL]
    return before - control[OPEN]


@helper
def _record_tip(node, control, events, tip):
    stride = control[STRIDE]
    goal = control[GOAL]
    g = cost_of(node[tip])
    h = octile(tip % stride - goal % stride, tip // stride - goal // stride, control[STRAIGHT], control[DIAGONAL])
    record(events, control[EVENTS], TARGETED, tip, tip, g, g + h)
    control[EVENTS] += 1


@helper
def _move(mask, node, control, stamps, state):
    """Go on along the path, else back to the start, else to where one came there from; returns the looks taken."""
    cell = state[CELL]
    stride = control[STRIDE]
    if cell == state[END]:  # the path is used up; or else the agent would go back and forth at its end
        state[FOLLOWED] = NOWHERE
    stamp = stamps[cell, state[FOLLOWED] & 1]
    looks = 0
    if stamp >> 3 == state[FOLLOWED]:
        state[CELL] = cell + offset(stamp & 7, stride)
    elif cell == control[START]:
        if state[LAST] != NOWHERE and not state[WAIT]:
            state[CELL] = state[LAST]
        return 0
    else:
        ahead = NOWHERE
        if state[SHORTCUT] and state[GOAL_FOUND] and state[GOAL_TRACED]:
            ahead, looks = _look_for_path(mask, node, control, stamps, state)
        state[CELL] = cell - offset(came_by(node, cell), stride) if ahead == NOWHERE else ahead
    state[LAST] = cell
    return looks


@helper
def _look_for_path(mask, node, control, stamps, state):
    """The neighbour on the path to the goal that is farthest along it, or NOWHERE; and how many were looked at."""
    followed = state[FOLLOWED]
    best = NOWHERE
    farthest = -1
    looks = 0
    for move in range(8):
        if not mask[state[CELL]] >> move & 1:
            continue
        looks += 1
        cell = state[CELL] + offset(move, control[STRIDE])
        if stamps[cell, followed & 1] >> 3 == followed or cell == control[GOAL]:
            g = cost_of(node[cell])
            if g > farthest:
                best = cell
                farthest = g
    return best, looks
