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

from collections import namedtuple

from waypost.kernels.best_first import EXPANDED, GENERATED_NEW, TARGETED
from waypost.kernels.compiling import helper, kernel
from waypost.kernels.learned import (
    AGE,
    BEST,
    CELL,
    COST,
    EXTENT,
    EXTRA_ROOM,
    GOAL,
    HEAP_ROOM,
    INWARD,
    LEARNING,
    LOOKAHEAD,
    LOOKAHEAD_NUMBER,
    MARK_ROOM,
    MAX_OF_MINS,
    NEIGHBOURS,
    NODE_ROOM,
    PEAK_OPEN,
    PLIES,
    QUEUE,
    QUEUED,
    RAISED,
    RING_ROOM,
    ROUTE_END,
    ROUTE_NEXT,
    ROUTE_ROOM,
    SCRATCH,
    SECOND_BEST,
    STACK_BOTTOM,
    STACK_ROOM,
    STACK_TOP,
    TOO_FAR,
    TRAIL,
    TRIAL,
    WINDOW_SHIFT,
    goal_of,
    heuristic,
    look,
    move_cost,
    note,
    on_trail,
    put_on_trail,
    raise_to,
)
from waypost.kernels.local_search import plan_local
from waypost.kernels.moves import DX, DY, FIRST_MOVE, offset
from waypost.kernels.nodes import COLUMNS, F, G, add, place_of
from waypost.kernels.plies import EXTRA_COLUMNS, plan_plies, plan_within_cost
from waypost.kernels.prioritised import WORDS_PER_ENTRY, empty, offer, queue_of, take_first
from waypost.kernels.tiles import count

COUNTERS = 5  # of the work of a move: expansions, updates, climbs, probes, growth

Scratch = namedtuple("Scratch", "nodes window marks heap extra ring route stack")
"""Arrays of a lookahead; only the route and the stack mean anything from one plan to the next."""


@kernel
def begin(state, cell, goal):
    """Set the agent on a cell and give it a goal, with no plan, trail, queue or decision to go back to."""
    state[CELL] = cell
    state[GOAL] = goal
    state[ROUTE_NEXT] = state[ROUTE_END] = 0
    state[TRIAL] += 1
    state[QUEUED] = state[AGE] = state[RAISED] = state[TOO_FAR] = 0
    state[STACK_TOP] = state[STACK_BOTTOM] = 0
    if state[LEARNING] == QUEUE:
        empty(_queue(state), state[EXTENT])


@kernel
def walk(mask, table, state, events, log):
    """Make as many moves as the log has room for, at most; returns how many. Stops short at the limit of costs.

    The log is flat: the cells of all moves, then the work counters of each.
    """
    room = log.size // (1 + COUNTERS)
    goal = goal_of(state)
    one_step = state[LOOKAHEAD] == NEIGHBOURS
    plain = one_step and state[LEARNING] == BEST and events.shape[0] == 0
    scratch = scratch_of(state, 0 if one_step else state[NODE_ROOM])
    cell = state[CELL]
    y = cell // goal.stride
    x = cell - y * goal.stride
    made = 0
    while made < room and cell != goal.cell:
        tiles = count(table)
        expansions = 1
        updates = 0
        if plain:  # LRTA* of one step is the yardstick of all others: it has a short way of its own
            value, _, move = look(mask, table, goal, cell, x, y)
            raise_to(table, state, events, goal, cell, x, y, value)
        elif one_step:
            move, expansions = plan_one_step(mask, table, state, events, goal, cell, x, y)
        else:
            expansions = 0
            if state[ROUTE_NEXT] == state[ROUTE_END]:
                expansions, updates = plan(mask, table, state, events, goal, scratch, cell, x, y)
            move = scratch.route[state[ROUTE_NEXT]]
            state[ROUTE_NEXT] += 1
        if state[TOO_FAR]:
            break
        x += DX[move]
        y += DY[move]
        cell += offset(move, goal.stride)
        log[made] = cell
        work = room + COUNTERS * made
        log[work] = expansions
        log[work + 1] = updates
        log[work + 2] = log[work + 3] = 0
        log[work + 4] = count(table) - tiles
        made += 1
    state[CELL] = cell
    return made


@helper
def plan_one_step(mask, table, state, events, goal, cell, x, y):
    """Look at the neighbours, learn, and choose a move; returns it and the number of expansions."""
    learning = state[LEARNING]
    value, second, move = look(mask, table, goal, cell, x, y)
    _note_look(mask, table, state, events, goal, cell, x, y)
    expansions = 1
    if learning == BEST:
        raise_to(table, state, events, goal, cell, x, y, value)
    elif learning == SECOND_BEST:
        raise_to(table, state, events, goal, cell, x, y, second)
    else:
        if learning == TRAIL:
            expansions, look_again = _learn_along_trail(mask, table, state, events, goal, cell, x, y, value)
        else:
            expansions, look_again = _learn_by_priority(mask, table, state, events, goal, cell, x, y, value)
        if look_again:
            value, _, move = look(mask, table, goal, cell, x, y)
            _note_look(mask, table, state, events, goal, cell, x, y)
            expansions += 1
    note(events, state, TARGETED, cell + offset(move, goal.stride), cell, move_cost(goal, move), value)
    return move, expansions


@helper
def _learn_along_trail(mask, table, state, events, goal, cell, x, y, value):
    """LRTA*(k): pass a rise on to neighbours that the agent has stood on; returns expansions and whether to look again.

    The queue never holds more than k cells in all, so that is how many looks there are at most.
    """
    queue = state[SCRATCH : SCRATCH + state[EXTENT]]
    put_on_trail(table, state, goal, x, y)
    taken = 1
    length = 1
    while True:
        if raise_to(table, state, events, goal, cell, x, y, value):
            legal = mask[cell]
            while legal and length < queue.size:
                move = FIRST_MOVE[legal]
                legal &= legal - 1
                if on_trail(table, state, goal, x + DX[move], y + DY[move]):
                    queue[length] = cell + offset(move, goal.stride)
                    length += 1
        state[PEAK_OPEN] = max(state[PEAK_OPEN], 8 + length - taken)
        if taken == length:
            break
        cell = queue[taken]
        taken += 1
        y = cell // goal.stride
        x = cell - y * goal.stride
        value, _, _ = look(mask, table, goal, cell, x, y)
        _note_look(mask, table, state, events, goal, cell, x, y)
    return taken, taken > 1


@helper
def _learn_by_priority(mask, table, state, events, goal, cell, x, y, value):
    """P LRTA*: learn where neighbours have changed most; returns expansions and whether to look at the cell again."""
    queue = _queue(state)
    expansions = 1
    taken = 0
    while True:
        before = heuristic(table, goal, x, y)
        if raise_to(table, state, events, goal, cell, x, y, value):
            legal = mask[cell]
            while legal:
                move = FIRST_MOVE[legal]
                legal &= legal - 1
                state[QUEUED], state[AGE] = offer(
                    queue,
                    state[QUEUED],
                    state[EXTENT],
                    state[AGE],
                    cell + offset(move, goal.stride),
                    value - before,
                )
            state[PEAK_OPEN] = max(state[PEAK_OPEN], 8 + state[QUEUED])
        cell = goal.cell
        while cell == goal.cell and state[QUEUED] and taken < state[EXTENT]:
            cell, state[QUEUED] = take_first(queue, state[QUEUED])
            taken += 1
        if cell == goal.cell:
            break
        y = cell // goal.stride
        x = cell - y * goal.stride
        value, _, _ = look(mask, table, goal, cell, x, y)
        _note_look(mask, table, state, events, goal, cell, x, y)
        expansions += 1
    return expansions, taken > 0


@helper
def plan(mask, table, state, events, goal, scratch, cell, x, y):
    """Look ahead, learn, and leave the way on in the route; returns expansions and updates."""
    state[ROUTE_NEXT] = 0
    number = begin_lookahead(table, state, goal, scratch, cell, x, y)
    if state[LOOKAHEAD] == PLIES:
        return plan_plies(mask, table, state, events, goal, scratch, number, state[LEARNING] == MAX_OF_MINS), 0
    if state[LOOKAHEAD] == COST:
        return plan_within_cost(mask, table, state, events, goal, scratch, number), 0
    return plan_local(mask, table, state, events, goal, scratch, number, state[LEARNING] == INWARD)


@helper
def begin_lookahead(table, state, goal, scratch, cell, x, y):
    """Make the agent's cell node 0 of a new lookahead; returns the lookahead's number."""
    state[LOOKAHEAD_NUMBER] += 1
    number = state[LOOKAHEAD_NUMBER]
    add(scratch.nodes, scratch.window, number, place_of(state[WINDOW_SHIFT], x, y), 0, cell, x, y)
    scratch.nodes[0, G] = 0
    scratch.nodes[0, F] = heuristic(table, goal, x, y)
    return number


@helper
def scratch_of(state, room):
    """The arrays of a lookahead of so many nodes, as they lie one behind another in the agent's state."""
    window = SCRATCH + COLUMNS * room
    marks = window + (1 << 2 * state[WINDOW_SHIFT])
    heap = marks + state[MARK_ROOM]
    extra = heap + state[HEAP_ROOM]
    ring = extra + EXTRA_COLUMNS * state[EXTRA_ROOM]
    route = ring + state[RING_ROOM]
    stack = route + state[ROUTE_ROOM]
    return Scratch(
        state[SCRATCH:window].reshape((room, COLUMNS)),
        state[window:marks],
        state[marks:heap],
        state[heap:extra],
        state[extra:ring].reshape((state[EXTRA_ROOM], EXTRA_COLUMNS)),
        state[ring:route],
        state[route:stack],
        state[stack : stack + state[STACK_ROOM]],
    )


@helper
def _queue(state):
    """The queue of P LRTA*, which takes the place of the lookahead's arrays."""
    return queue_of(state[SCRATCH : SCRATCH + WORDS_PER_ENTRY * state[NODE_ROOM]], state[NODE_ROOM])


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
