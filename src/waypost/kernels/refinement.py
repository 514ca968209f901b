"""PRA* of Dragon Age: a way over regions, refined on the ground segment by segment (Sturtevant 2007; algorithms 7.2).

The way over regions is found once; then each segment is one A* from where the last one ended to a representative
further on the way, and the last to the goal. A climb that arrives at the octile distance spares the search. Segments
are planned when they are asked for, as many moves of them as are wanted.
"""

import numpy as np

from waypost.kernels.best_first import (
    DIAGONAL,
    EVENTS,
    EVENTS_FULL,
    EXHAUSTED,
    EXPANSIONS,
    FOUND,
    LIMIT,
    MOST_EVENTS,
    PEAK_OPEN,
    RUNNING,
    STRAIGHT,
    STRIDE,
    TARGETED,
    advance,
    begin,
    path_to,
    record,
)
from waypost.kernels.climb import NO_LIMIT, count_climb, vector_to, write_climb
from waypost.kernels.compiling import helper, kernel
from waypost.kernels.in_sector import add_region, region_of_cell
from waypost.kernels.moves import FIRST_MOVE, octile, offset
from waypost.kernels.region_search import find_route

_at = np.uintp  # an unsigned index spares the test for a negative one
_LAST_STAMP = (1 << 31) - 1

# How a call ended, besides what `best_first` says: more room for cells, or no way where the index says there is one.
CELLS_FULL, LOST = 16, 17

# What the next thing to do is.
_ROUTE, _TARGET, _CLIMB, _SEARCH, _PATH = range(5)

# Slots of the state array: settings; stamps that go on for ever; the present problem, with END the cell that all
# segments so far lead to, TARGET_AT and LOW the places on the route of the target and of END, and the most states
# held by a search; what the segment under way has cost; and what the running call wants and has made.
(
    SIDE, ACROSS, TRIM, SKIP_ENDS, HOPS, RESTRICTED, CLIMBS,
    ROUTE_STAMP, CELL_STAMP,
    GOAL, STAGE, END, LENGTH, WAYPOINT, TARGET, TARGET_AT, LOW, MOST_OPEN, MOST_CLOSED,
    EXPANDED, CLIMBED, PROBED,
    WANTED, MADE, ROWS,
) = range(25)  # fmt: skip
STATE_SIZE = ROWS + 1


@kernel
def start(state, cell, goal):
    """Begin a new problem: nothing is planned."""
    state[GOAL] = goal
    state[END] = cell
    state[STAGE] = _ROUTE
    state[LENGTH] = state[LOW] = 0
    state[EXPANDED] = state[CLIMBED] = state[PROBED] = 0


@kernel
def plan(
    mask, table, node, ring, pool, control, events,
    firsts, reps, points, starts, neighbours,
    marks, parents, heap, route, scratch,
    stamps, kept, kept_moves, members,
    state, cells, log,
):  # fmt: skip
    """Plan segments until the goal, or until there are WANTED moves; returns RUNNING or what a caller must see to.

    Cells are written one after the other, and to the log a row for each segment that has moves. `kept` and `kept_moves`
    are the same memory, to write to and to read: legal moves inside the regions that a search is limited to.
    """
    while state[MADE] < state[WANTED] and state[END] != state[GOAL]:
        if state[STAGE] == _ROUTE:
            if not _find(
                mask, control, firsts, reps, points, starts, neighbours, marks, parents, heap, route, scratch, state
            ):
                return LOST
            state[STAGE] = _TARGET
        if state[STAGE] == _TARGET:
            if events.shape[0] > 0 and control[EVENTS] + MOST_EVENTS > events.shape[0]:
                return EVENTS_FULL
            _choose_target(reps, route, state)
            if state[TARGET] == state[END]:
                state[LOW] = state[TARGET_AT]
                continue
            if events.shape[0] > 0:
                _record_target(control, events, state)
            state[STAGE] = _CLIMB
        path = np.empty(0, np.int32)
        if state[STAGE] == _CLIMB:
            if state[CLIMBS]:
                path = _climb_straight(mask, table, control, state)
            if path.size == 0:
                if state[RESTRICTED]:
                    _limit_moves(mask, control, reps, route, stamps, kept, members, state)
                _begin_search(node, ring, pool, control, state)
                state[STAGE] = _SEARCH
        if state[STAGE] == _SEARCH:
            legal = kept_moves if state[RESTRICTED] else mask
            status = advance(legal, node, ring, pool, control, events, np.int64(NO_LIMIT))
            if status != FOUND:
                return LOST if status == EXHAUSTED else status
            state[EXPANDED] += control[EXPANSIONS]
            state[MOST_OPEN] = max(state[MOST_OPEN], control[PEAK_OPEN])
            state[MOST_CLOSED] = max(state[MOST_CLOSED], control[EXPANSIONS])
            state[STAGE] = _PATH
        if state[STAGE] == _PATH:
            path = path_to(node, control, state[TARGET])
        if state[MADE] + path.size > cells.size:
            return CELLS_FULL  # the path is made again
        if state[STAGE] == _CLIMB:
            state[CLIMBED] += path.size - 1
        _keep(path, state, cells, log)
        if state[RESTRICTED]:
            _find_low(mask, control, firsts, reps, route, scratch, state)
        state[STAGE] = _TARGET
    return RUNNING


@helper
def _find(mask, control, firsts, reps, points, starts, neighbours, marks, parents, heap, route, scratch, state):
    """Look up the regions of both ends and find a way over regions; whether there is one."""
    world = control[STRIDE], state[SIDE], state[ACROSS]
    first, looked_first = region_of_cell(mask, firsts, reps, *world, state[END], scratch)
    last, looked_last = region_of_cell(mask, firsts, reps, *world, state[GOAL], scratch)
    state[PROBED] += looked_first + looked_last
    if first < 0 or last < 0:
        return False
    length, expanded, peak, stamp = find_route(
        starts, neighbours, points, control[STRAIGHT], control[DIAGONAL], first, last, state[ROUTE_STAMP],
        marks, parents, heap, route,
    )  # fmt: skip
    state[ROUTE_STAMP] = stamp
    state[PROBED] += expanded
    state[MOST_OPEN] = max(state[MOST_OPEN], peak)
    state[MOST_CLOSED] = max(state[MOST_CLOSED], expanded)
    state[LENGTH] = length
    state[WAYPOINT] = -1
    return length > 0


@helper
def _choose_target(reps, route, state):
    """The representative some hops on, or the goal; both ends in one region: the goal at once."""
    ends_left_out = state[SKIP_ENDS]
    waypoints = state[LENGTH] - 2 * ends_left_out if state[LENGTH] > 1 else 0
    state[WAYPOINT] += state[HOPS]
    if state[WAYPOINT] < waypoints:
        state[TARGET_AT] = state[WAYPOINT] + ends_left_out
        state[TARGET] = reps[route[state[TARGET_AT]]]
    else:
        state[TARGET_AT] = state[LENGTH] - 1
        state[TARGET] = state[GOAL]


@helper
def _record_target(control, events, state):
    """Write down where the next segment leads."""
    target = state[TARGET]
    dx, dy = vector_to(control[STRIDE], state[END], target)
    h = octile(dx, dy, control[STRAIGHT], control[DIAGONAL])
    record(events, control[EVENTS], TARGETED, target, target, h, h)
    control[EVENTS] += 1


@helper
def _climb_straight(mask, table, control, state):
    """The path of a climb to the target if it costs no more than the octile distance: none is better. Else empty.

    If searches are restricted, it may cross one border between sectors: so it stays in the regions of its two ends.
    """
    stride = control[STRIDE]
    straight = control[STRAIGHT]
    diagonal = control[DIAGONAL]
    dx, dy = vector_to(stride, state[END], state[TARGET])
    arrived, steps, diagonals = count_climb(mask, table, stride, state[END], state[TARGET], NO_LIMIT)
    cost = straight * (steps - diagonals) + diagonal * diagonals
    if not arrived or cost > octile(dx, dy, straight, diagonal):
        state[CLIMBED] += steps
        return np.empty(0, np.int32)
    path = np.empty(steps + 1, np.int32)
    write_climb(mask, table, stride, state[END], state[TARGET], path, 0, steps)
    if state[RESTRICTED] and _borders_crossed(path, stride, state[SIDE]) > 1:
        state[CLIMBED] += steps
        return np.empty(0, np.int32)
    return path


@helper
def _borders_crossed(path, stride, side):
    """How often a path goes from one sector to another."""
    crossed = 0
    column = row = -1
    for cell in path:
        y = cell // stride
        before = column, row
        column = (cell - y * stride - 1) // side
        row = (y - 1) // side
        crossed += before != (column, row)
    return crossed - 1


@helper
def _begin_search(node, ring, pool, control, state):
    """Start a search to the target; what was recorded stays."""
    recorded = control[EVENTS]
    control[LIMIT] = NO_LIMIT
    begin(node, ring, pool, control, state[END], state[TARGET])
    control[EVENTS] = recorded


@helper
def _limit_moves(mask, control, reps, route, stamps, kept, members, state):
    """Keep of the legal moves those between cells of the regions on the route from LOW to the target's."""
    stamp = state[CELL_STAMP] + 1
    if stamp > _LAST_STAMP:  # after two thousand million segments
        stamps[:] = 0
        stamp = 1
    state[CELL_STAMP] = stamp
    stride = control[STRIDE]
    count = 0
    for i in range(state[LOW], state[TARGET_AT] + 1):
        count = add_region(mask, stride, state[SIDE], np.int64(reps[route[i]]), stamp, stamps, kept, members, count)
    state[PROBED] += count
    for i in range(count):
        cell = np.int64(members[_at(i)])
        crossing = np.int64(mask[_at(cell)] ^ kept[_at(cell)])  # few cells have moves out of their sector
        while crossing:
            move = FIRST_MOVE[crossing]
            crossing &= crossing - 1
            if stamps[_at(cell + offset(move, stride))] == stamp:
                kept[_at(cell)] |= np.uint8(1 << move)


@helper
def _keep(path, state, cells, log):
    """Write the path without its first cell: trimmed unless it leads to the goal, and no further than the goal."""
    goal = state[GOAL]
    moves = path.size - 1
    if state[TARGET] != goal:
        moves -= moves * state[TRIM] // 100
    made = state[MADE]
    for i in range(1, moves + 1):
        cells[_at(made)] = path[i]
        made += 1
        if path[i] == goal:
            break
    if made > state[MADE]:
        row = state[ROWS]
        log[row, 0] = state[MADE]
        log[row, 1] = state[EXPANDED]
        log[row, 2] = state[CLIMBED]
        log[row, 3] = state[PROBED]
        state[ROWS] += 1
        state[EXPANDED] = state[CLIMBED] = state[PROBED] = 0
        state[MADE] = made
        state[END] = cells[made - 1]


@helper
def _find_low(mask, control, firsts, reps, route, scratch, state):
    """Find the place on the route of the region that the next segment begins in, which a trim may have changed."""
    state[LOW], low = state[TARGET_AT], state[LOW]
    if state[END] == state[TARGET]:
        return
    region, looked = region_of_cell(
        mask, firsts, reps, control[STRIDE], state[SIDE], state[ACROSS], state[END], scratch
    )
    state[PROBED] += looked
    while state[LOW] > low and route[state[LOW]] != region:
        state[LOW] -= 1
