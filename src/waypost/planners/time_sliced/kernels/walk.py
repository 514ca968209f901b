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

from typing import NamedTuple

import numpy as np

from waypost.kernels.best_first import SearchArrays, advance, came_by, cost_of, peek
from waypost.kernels.compiling import helper, kernel, record
from waypost.kernels.events import MOST_EVENTS, TARGETED, record_event
from waypost.kernels.move_log import log_move, room_in
from waypost.kernels.moves import octile, offset
from waypost.kernels.outcomes import EVENTS_FULL, EXHAUSTED, FOUND, RUNNING

NOWHERE = -1


class Settings(NamedTuple):
    """What an agent was set to."""

    search_share: int
    """Expansions of a move."""
    trace_share: int
    """Steps of a trace in a move, and superseded entries dropped."""
    wait: int
    shortcut: int
    drop_trace: int


_CHANGING = (
    # the number of the last trace begun, which goes on forever
    "last_trace",
    # the present problem
    "cell", "last", "goal_found", "tip", "cursor", "followed", "end", "goal_traced",
    # the work of the present move: asked for room in its midst, one goes on with what is left of it
    "expanded", "probed",
)  # fmt: skip
STATE = record([(name, np.int64) for name in (*Settings._fields, *_CHANGING)])
"""An agent by name: its settings, and what changes."""


@kernel
def begin(state, cell):
    """Put the agent on the first cell of a new problem, without a path."""
    now = state[0]
    now.cell = cell
    now.last = now.tip = now.cursor = now.followed = now.end = NOWHERE
    now.goal_found = now.goal_traced = now.expanded = now.probed = 0


@kernel
def walk(mask, search, stamps, state, log, made):
    """Move until the goal or until the log is full; returns RUNNING, or what needs room, and how many moves were made.

    The next call goes on from so many.
    """
    search, now = SearchArrays(*search), state[0]
    control, events = search.control[0], search.events
    room = room_in(log)
    while made < room and now.cell != control.goal:
        if events.shape[0] > 0 and control.events + MOST_EVENTS > events.shape[0]:
            return EVENTS_FULL, made  # the search leaves a row of these free, for the tip
        if not now.goal_found:
            status = _search(mask, search, now)
            if status > EXHAUSTED:
                return status, made
        if not (now.goal_found and now.goal_traced):
            now.probed += _trace(search, stamps, now, now.trace_share - now.probed)
        looks = _move(mask, search.node, control, stamps, now)
        made = log_move(log, made, now.cell, now.expanded, 0, 0, now.probed + looks, 0)
        now.expanded = now.probed = 0
    return RUNNING, made


@helper
def _search(mask, search, now):
    """Let A* use up the search share, and of the trace share what it drops; returns how that ended."""
    node, ring, pool = search.node, search.ring, search.pool
    control = search.control[0]
    expansions = control.expansions
    control.drops = now.trace_share - now.probed
    status = advance(mask, node, ring, pool, search.control, search.events, now.search_share - now.expanded)
    now.expanded += control.expansions - expansions
    now.probed = now.trace_share - control.drops
    if status == RUNNING:
        status, _ = peek(node, ring, pool, control, 0)  # the last entry taken may have finished the goal's bucket
    now.goal_found = status == FOUND
    return status


@helper
def _trace(search, stamps, now, budget):
    """Trace on towards the start, from a new tip if the last trace is done; returns the steps that took."""
    node, control, events = search.node, search.control[0], search.events
    left = budget
    if now.goal_found and now.drop_trace and now.cursor != NOWHERE and now.tip != control.goal:
        now.cursor = NOWHERE
        now.last_trace += 1  # and one more below: the other plane is still being followed
    if now.cursor == NOWHERE:
        left -= _choose_tip(search, now, left)
        if now.tip == NOWHERE:
            return budget - left
        now.last_trace += 1
        now.cursor = now.tip
        if events.shape[0] > 0:
            _record_tip(node, control, events, now.tip)
    trace = now.last_trace
    cursor = now.cursor
    stride = control.stride
    while left > 0:
        left -= 1
        if cursor == now.cell or cursor == control.start:
            now.followed = trace
            now.end = now.tip
            now.goal_traced = now.tip == control.goal
            cursor = NOWHERE
            break
        move = came_by(node, cursor)
        cursor -= offset(move, stride)
        stamps[cursor, trace & 1] = trace << 3 | move
    now.cursor = cursor
    return budget - left


@helper
def _choose_tip(search, now, budget):
    """Take the goal if it is found, else the cell that A* would expand next; returns the entries dropped to find it."""
    control = search.control[0]
    if now.goal_found:
        now.tip = control.goal
        return 0
    before = control.open_count
    status, now.tip = peek(search.node, search.ring, search.pool, control, budget)
    if status == FOUND:
        now.goal_found = 1
        now.tip = control.goal
    return before - control.open_count


@helper
def _record_tip(node, control, events, tip):
    stride = control.stride
    goal = control.goal
    g = cost_of(node[tip])
    dx = tip % stride - goal % stride
    dy = tip // stride - goal // stride
    h = octile(dx, dy, control.straight_cost, control.diagonal_cost)
    record_event(events, control.events, TARGETED, tip, tip, g, g + h)
    control.events += 1


@helper
def _move(mask, node, control, stamps, now):
    """Go on along the path, else back to the start, else to where one came there from; returns the looks taken."""
    cell = now.cell
    stride = control.stride
    if cell == now.end:  # the path is used up; or else the agent would go back and forth at its end
        now.followed = NOWHERE
    stamp = stamps[cell, now.followed & 1]
    looks = 0
    if stamp >> 3 == now.followed:
        now.cell = cell + offset(stamp & 7, stride)
    elif cell == control.start:
        if now.last != NOWHERE and not now.wait:
            now.cell = now.last
        return 0
    else:
        ahead = NOWHERE
        if now.shortcut and now.goal_found and now.goal_traced:
            ahead, looks = _look_for_path(mask, node, control, stamps, now)
        now.cell = cell - offset(came_by(node, cell), stride) if ahead == NOWHERE else ahead
    now.last = cell
    return looks


@helper
def _look_for_path(mask, node, control, stamps, now):
    """The neighbour on the path to the goal that is farthest along it, or NOWHERE; and how many were looked at."""
    followed = now.followed
    best = NOWHERE
    farthest = -1
    looks = 0
    for move in range(8):
        if not mask[now.cell] >> move & 1:
            continue
        looks += 1
        cell = now.cell + offset(move, control.stride)
        if stamps[cell, followed & 1] >> 3 == followed or cell == control.goal:
            g = cost_of(node[cell])
            if g > farthest:
                best = cell
                farthest = g
    return best, looks
