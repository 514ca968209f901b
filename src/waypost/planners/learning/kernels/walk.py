"""The skeleton of all learning real-time planners: plan where the last plan has ended, learn, move (algorithms 3).

The planners differ in two rule codes, how far a plan looks and what it learns:

| lookahead  | learning      | planner                                     | moves of a plan      |
|------------|---------------|---------------------------------------------|----------------------|
| NEIGHBOURS | BEST          | LRTA*, one step                             | 1                    |
| NEIGHBOURS | SECOND_BEST   | RTA*                                        | 1                    |
| NEIGHBOURS | TRAIL         | LRTA*(k): also cells walked on, up to k     | 1                    |
| NEIGHBOURS | QUEUE         | P LRTA*: also cells near the largest change | 1                    |
| PLIES      | BEST          | LRTA* to a depth (2008)                     | 1                    |
| COST       | BEST          | LRTA* to a cost (2010)                      | 1                    |
| PLIES      | MAX_OF_MINS   | LRTS                                        | all, or back         |
| ASTAR      | INWARD        | LSS-LRTA* = K LRTA*                         | all, or as many asked |
| ASTAR      | FROM_TARGET   | RTAA*                                       | all, or as many asked |
"""

from waypost.kernels.compiling import helper, kernel
from waypost.kernels.events import EXPANDED, GENERATED_NEW, TARGETED
from waypost.kernels.move_log import log_move, room_in
from waypost.kernels.moves import DX, DY, FIRST_MOVE, offset
from waypost.kernels.tiles import count
from waypost.planners.learning.kernels.astar import plan_local
from waypost.planners.learning.kernels.nodes import F, G, add, place_of
from waypost.planners.learning.kernels.plies import plan_plies, plan_within_cost
from waypost.planners.learning.kernels.queue import empty, offer, queue_of, take_first
from waypost.planners.learning.kernels.sizes import scratch_of
from waypost.planners.learning.kernels.state import (
    BEST,
    COST,
    INWARD,
    MAX_OF_MINS,
    NEIGHBOURS,
    PLIES,
    QUEUE,
    SECOND_BEST,
    TRAIL,
    goal_of,
    heuristic,
    look,
    move_cost,
    note,
    on_trail,
    put_on_trail,
    raise_to,
    state_of,
)


@kernel
def begin(words, cell, goal):
    """Set the agent on a cell and give it a goal, with no plan, trail, queue or decision to go back to."""
    state = state_of(words)
    state.cell = cell
    state.goal = goal
    state.route_next = state.route_end = 0
    state.trial += 1
    state.queued = state.age = state.raised = state.too_far = 0
    state.stack_top = state.stack_bottom = 0
    if state.learning == QUEUE:
        empty(queue_of(scratch_of(words, state).queue, state.queue_room), state.extent)


@kernel
def walk(mask, table, words, events, log):
    """Make as many moves as the log has room for, at most; returns how many. Stops short at the limit of costs.

    It ends on the goal of the state, which may be one of several on a trip, and where the trip is to stop.
    """
    state = state_of(words)
    room = room_in(log)
    goal = goal_of(state)
    stop = state.stop
    one_step = state.lookahead == NEIGHBOURS
    plain = one_step and state.learning == BEST and events.shape[0] == 0
    scratch = scratch_of(words, state)
    cell = state.cell
    y = cell // goal.stride
    x = cell - y * goal.stride
    made = 0
    while made < room and cell != goal.cell and cell != stop:
        tiles = count(table)
        expansions = 1
        updates = 0
        if plain:  # LRTA* of one step is the yardstick of all others: it has a short way of its own
            best = look(mask, table, goal, cell, x, y)
            raise_to(table, state, events, goal, cell, x, y, best.value)
            dx, dy = best.dx, best.dy
        elif one_step:
            move, expansions = plan_one_step(mask, table, state, events, goal, scratch.queue, cell, x, y)
            dx, dy = DX[move], DY[move]
        else:
            expansions = 0
            if state.route_next == state.route_end:
                expansions, updates = plan(mask, table, state, events, goal, scratch, cell, x, y)
            move = scratch.route[state.route_next]
            state.route_next += 1
            dx, dy = DX[move], DY[move]
        if state.too_far:
            break
        x += dx
        y += dy
        cell += dy * goal.stride + dx
        made = log_move(log, made, cell, expansions, updates, 0, 0, count(table) - tiles)
    state.cell = cell
    return made


@helper
def plan_one_step(mask, table, state, events, goal, queue, cell, x, y):
    """Look at the neighbours, learn, and choose a move; returns it and the number of expansions."""
    learning = state.learning
    best = look(mask, table, goal, cell, x, y)
    _note_look(mask, table, state, events, goal, cell, x, y)
    expansions = 1
    if learning == BEST:
        raise_to(table, state, events, goal, cell, x, y, best.value)
    elif learning == SECOND_BEST:
        raise_to(table, state, events, goal, cell, x, y, best.second)
    else:
        if learning == TRAIL:
            expansions, look_again = _learn_along_trail(mask, table, state, events, goal, queue, cell, x, y, best.value)
        else:
            expansions, look_again = _learn_by_priority(mask, table, state, events, goal, queue, cell, x, y, best.value)
        if look_again:
            best = look(mask, table, goal, cell, x, y)
            _note_look(mask, table, state, events, goal, cell, x, y)
            expansions += 1
    note(events, state, TARGETED, cell + offset(best.move, goal.stride), cell, move_cost(goal, best.move), best.value)
    return best.move, expansions


@helper
def _learn_along_trail(mask, table, state, events, goal, queue, cell, x, y, value):
    """LRTA*(k): pass a rise on to neighbours that the agent has stood on; returns expansions and whether to look again.

    The queue never holds more than k cells in all, so that is how many looks there are at most.
    """
    put_on_trail(table, state, goal, x, y)
    taken = 1
    length = 1
    while True:
        if raise_to(table, state, events, goal, cell, x, y, value):
            legal = mask[cell]
            while legal and length < state.extent:
                move = FIRST_MOVE[legal]
                legal &= legal - 1
                if on_trail(table, state, goal, x + DX[move], y + DY[move]):
                    queue[length] = cell + offset(move, goal.stride)
                    length += 1
        state.peak_open = max(state.peak_open, 8 + length - taken)
        if taken == length:
            break
        cell = queue[taken]
        taken += 1
        y = cell // goal.stride
        x = cell - y * goal.stride
        value = look(mask, table, goal, cell, x, y).value
        _note_look(mask, table, state, events, goal, cell, x, y)
    return taken, taken > 1


@helper
def _learn_by_priority(mask, table, state, events, goal, queue, cell, x, y, value):
    """P LRTA*: learn where neighbours have changed most; returns expansions and whether to look at the cell again."""
    waiting = queue_of(queue, state.queue_room)
    expansions = 1
    taken = 0
    while True:
        before = heuristic(table, goal, x, y)
        if raise_to(table, state, events, goal, cell, x, y, value):
            legal = mask[cell]
            while legal:
                move = FIRST_MOVE[legal]
                legal &= legal - 1
                state.queued, state.age = offer(
                    waiting,
                    state.queued,
                    state.extent,
                    state.age,
                    cell + offset(move, goal.stride),
                    value - before,
                )
            state.peak_open = max(state.peak_open, 8 + state.queued)
        cell = goal.cell
        while cell == goal.cell and state.queued and taken < state.extent:
            cell, state.queued = take_first(waiting, state.queued)
            taken += 1
        if cell == goal.cell:
            break
        y = cell // goal.stride
        x = cell - y * goal.stride
        value = look(mask, table, goal, cell, x, y).value
        _note_look(mask, table, state, events, goal, cell, x, y)
        expansions += 1
    return expansions, taken > 0


@helper
def plan(mask, table, state, events, goal, scratch, cell, x, y):
    """Look ahead, learn, and leave the way on in the route; returns expansions and updates."""
    state.route_next = 0
    number = begin_lookahead(table, state, goal, scratch, cell, x, y)
    if state.lookahead == PLIES:
        return plan_plies(mask, table, state, events, goal, scratch, number, state.learning == MAX_OF_MINS), 0
    if state.lookahead == COST:
        return plan_within_cost(mask, table, state, events, goal, scratch, number), 0
    return plan_local(mask, table, state, events, goal, scratch, number, state.learning == INWARD)


@helper
def begin_lookahead(table, state, goal, scratch, cell, x, y):
    """Make the agent's cell node 0 of a new lookahead; returns the lookahead's number."""
    state.lookahead_number += 1
    number = state.lookahead_number
    add(scratch.nodes, scratch.window, number, place_of(state.window_shifts, x, y), 0, cell, x, y)
    scratch.nodes[0, G] = 0
    scratch.nodes[0, F] = heuristic(table, goal, x, y)
    return number


@helper
def _note_look(mask, table, state, events, goal, cell, x, y):
    """Record a look around a cell, if events are recorded."""
    if events.shape[0] == 0:
        return
    note(events, state, EXPANDED, cell, cell, 0, heuristic(table, goal, x, y))
    legal = mask[cell]
    while legal:
        move = FIRST_MOVE[legal]
        legal &= legal - 1
        cost = move_cost(goal, move)
        f = cost + heuristic(table, goal, x + DX[move], y + DY[move])
        note(events, state, GENERATED_NEW, cell + offset(move, goal.stride), cell, cost, f)
