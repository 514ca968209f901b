"""PRA* of Dragon Age: a way over regions, refined on the ground segment by segment (Sturtevant 2007; algorithms 7.2).

The way over regions is found once; then each segment is one A* from where the last one ended to a representative
further on the way, and the last to the goal. A climb that arrives at the octile distance spares the search. Segments
are planned when they are asked for, as many moves of them as are wanted.
"""

import numpy as np

from waypost.kernels.best_first import SearchArrays, advance, begin, moves_to, write_path
from waypost.kernels.climb import count_climb, vector_to, write_climb
from waypost.kernels.compiling import helper, inlined, kernel
from waypost.kernels.events import MOST_EVENTS, TARGETED, record_event
from waypost.kernels.move_log import log_plan
from waypost.kernels.moves import FIRST_MOVE, octile, offset
from waypost.kernels.numbers import NO_LIMIT, at
from waypost.kernels.outcomes import EVENTS_FULL, EXHAUSTED, FOUND, RUNNING
from waypost.planners.cuts.kernels.in_sector import add_region, region_of_cell
from waypost.planners.pra_sector.kernels.route import LAST_STAMP, find_route
from waypost.planners.pra_sector.kernels.state import Ground, Regions, Scratch, Settings

# How a call ended, besides what `best_first` says: more room for cells, or no way where the index says there is one.
CELLS_FULL, LOST = 16, 17

# What the next thing to do is.
_ROUTE, _TARGET, _CLIMB, _SEARCH, _PATH = range(5)

_NO_ROOM = -1


@kernel
def start(state, cell, goal):
    """Begin a new problem: nothing is planned."""
    now = state[0]
    now.goal = goal
    now.end = cell
    now.stage = _ROUTE
    now.length = now.low = 0
    now.expanded = now.climbed = now.probed = 0


@kernel
def plan(ground, regions, settings, search, scratch, kept, kept_moves, state, cells, log, wanted):
    """Plan segments to the goal, or until there are as many moves as wanted; returns RUNNING or what is to be seen to.

    Cells are written one after the other, behind the one that the first segment begins on, and to the log a row for
    each segment that has moves. `kept` and `kept_moves` are the same memory, to write to and to read: legal moves
    inside the regions that a search is limited to.
    """
    ground, regions, settings = Ground(*ground), Regions(*regions), Settings(*settings)
    search, scratch, now = SearchArrays(*search), Scratch(*scratch), state[0]
    control, events = search.control[0], search.events
    cells[now.made] = now.end
    while now.made < wanted and now.end != now.goal:
        if now.stage == _ROUTE:
            if not _find(ground.mask, regions, settings, control, scratch, now):
                return LOST
            now.stage = _TARGET
        if now.stage == _TARGET:
            if events.shape[0] > 0 and control.events + MOST_EVENTS > events.shape[0]:
                return EVENTS_FULL
            _choose_target(regions.reps, settings, scratch.route, now)
            if now.target == now.end:
                now.low = now.target_at
                continue
            if events.shape[0] > 0:
                _record_target(control, events, now)
            now.stage = _CLIMB
        moves = 0
        if now.stage == _CLIMB:
            if settings.climbs:
                moves = _climb_straight(ground, settings, control, now, cells)
            if moves == _NO_ROOM:
                return CELLS_FULL
            if moves == 0:
                if settings.restricted:
                    _limit_moves(ground.mask, regions.reps, settings, control.stride, scratch, kept, now)
                _begin_search(search, now)
                now.stage = _SEARCH
        if now.stage == _SEARCH:
            legal = kept_moves if settings.restricted else ground.mask
            status = advance(legal, search.node, search.ring, search.pool, search.control, events, np.int64(NO_LIMIT))
            if status != FOUND:
                return LOST if status == EXHAUSTED else status
            now.expanded += control.expansions
            now.most_open = max(now.most_open, control.peak_open)
            now.most_closed = max(now.most_closed, control.expansions)
            now.stage = _PATH
        if now.stage == _PATH:
            moves = moves_to(search.node, control, now.target)
            if now.made + moves >= cells.size:
                return CELLS_FULL
            write_path(search.node, control, now.target, cells, now.made, now.made + moves)
        _keep(moves, settings.trim, now, cells, log)
        if settings.restricted:
            _find_low(ground.mask, regions, settings, control.stride, scratch, now)
        now.stage = _TARGET
    return RUNNING


@helper
def _find(mask, regions, settings, control, scratch, now):
    """Look up the regions of both ends and find a way over regions; whether there is one."""
    first, looked_first = _region_of(mask, regions, settings, control.stride, scratch, now.end)
    last, looked_last = _region_of(mask, regions, settings, control.stride, scratch, now.goal)
    now.probed += looked_first + looked_last
    if first < 0 or last < 0:
        return False
    straight = control.straight_cost
    diagonal = control.diagonal_cost
    length, expanded, peak, stamp = find_route(regions, straight, diagonal, first, last, now.route_stamp, scratch)
    now.route_stamp = stamp
    now.probed += expanded
    now.most_open = max(now.most_open, peak)
    now.most_closed = max(now.most_closed, expanded)
    now.length = length
    now.waypoint = -1
    return length > 0


@inlined
def _region_of(mask, regions, settings, stride, scratch, cell):
    """The region of an open cell, and the cells looked at to know it."""
    return region_of_cell(
        mask, regions.firsts, regions.reps, stride, settings.side, settings.across, cell, scratch.sector
    )


@helper
def _choose_target(reps, settings, route, now):
    """The representative some hops on, or the goal; both ends in one region: the goal at once."""
    ends_left_out = settings.skip_ends
    waypoints = now.length - 2 * ends_left_out if now.length > 1 else 0
    now.waypoint += settings.hops
    if now.waypoint < waypoints:
        now.target_at = now.waypoint + ends_left_out
        now.target = reps[route[now.target_at]]
    else:
        now.target_at = now.length - 1
        now.target = now.goal


@helper
def _record_target(control, events, now):
    """Write down where the next segment leads."""
    target = now.target
    dx, dy = vector_to(control.stride, now.end, target)
    h = octile(dx, dy, control.straight_cost, control.diagonal_cost)
    record_event(events, control.events, TARGETED, target, target, h, h)
    control.events += 1


@helper
def _climb_straight(ground, settings, control, now, cells):
    """Climb to the target if that costs no more than the octile distance: no path is better. Returns its moves, else 0.

    If searches are restricted, it may cross one border between sectors: so it stays in the regions of its two ends.
    """
    stride = control.stride
    straight = control.straight_cost
    diagonal = control.diagonal_cost
    dx, dy = vector_to(stride, now.end, now.target)
    arrived, steps, diagonals = count_climb(ground.mask, ground.climb_table, stride, now.end, now.target, NO_LIMIT)
    cost = straight * (steps - diagonals) + diagonal * diagonals
    if not arrived or cost > octile(dx, dy, straight, diagonal):
        now.climbed += steps
        return 0
    last = now.made + steps
    if last >= cells.size:
        return _NO_ROOM
    write_climb(ground.mask, ground.climb_table, stride, now.end, now.target, cells, now.made, last)
    now.climbed += steps
    if settings.restricted and _borders_crossed(cells[now.made : last + 1], stride, settings.side) > 1:
        return 0
    return steps


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
def _begin_search(search, now):
    """Start a search to the target; what was recorded stays."""
    control = search.control[0]
    recorded = control.events
    control.limit = NO_LIMIT
    begin(search.node, search.ring, search.pool, search.control, now.end, now.target)
    control.events = recorded


@helper
def _limit_moves(mask, reps, settings, stride, scratch, kept, now):
    """Keep of the legal moves those between cells of the regions on the route from `low` to the target's."""
    stamps = scratch.stamps
    members = scratch.members
    stamp = now.cell_stamp + 1
    if stamp > LAST_STAMP:  # after two thousand million segments
        stamps[:] = 0
        stamp = 1
    now.cell_stamp = stamp
    count = 0
    for i in range(now.low, now.target_at + 1):
        rep = np.int64(reps[scratch.route[i]])
        count = add_region(mask, stride, settings.side, rep, stamp, stamps, kept, members, count)
    now.probed += count
    for i in range(count):
        cell = np.int64(members[at(i)])
        crossing = np.int64(mask[at(cell)] ^ kept[at(cell)])  # few cells have moves out of their sector
        while crossing:
            move = FIRST_MOVE[crossing]
            crossing &= crossing - 1
            if stamps[at(cell + offset(move, stride))] == stamp:
                kept[at(cell)] |= np.uint8(1 << move)


@helper
def _keep(moves, trim, now, cells, log):
    """Keep of the moves written: all but what is trimmed if they do not lead to the goal, and none beyond the goal."""
    goal = now.goal
    if now.target != goal:
        moves -= moves * trim // 100
    made = now.made
    last = made + moves
    while made < last:
        made += 1
        if cells[at(made)] == goal:
            break
    if made > now.made:
        now.rows = log_plan(log, now.rows, now.made, now.expanded, now.climbed, now.probed)
        now.expanded = now.climbed = now.probed = 0
        now.made = made
        now.end = cells[made]


@helper
def _find_low(mask, regions, settings, stride, scratch, now):
    """Find the place on the route of the region that the next segment begins in, which a trim may have changed."""
    now.low, low = now.target_at, now.low
    if now.end == now.target:
        return
    region, looked = _region_of(mask, regions, settings, stride, scratch, now.end)
    now.probed += looked
    while now.low > low and scratch.route[now.low] != region:
        now.low -= 1
