"""LRTA* under dynamic control: before each move a database may name a nearer target (2008; algorithms 6).

*As published*, the agent heads for the subgoal of its region and the goal's where it stands for the first time on its
trip; where it has stood before, for the goal itself (appendix D), and so it arrives.

*By progress* it keeps its subgoal until it comes to the subgoal's region, whose representative is nearer to that of the
goal's region: it never goes round in a circle, and so it arrives.

*Depth.* It is fixed, or stored for the pair of regions (PDB in place of F). Where much was learned the agent is in a
dead end: for each cell of distance learned there it looks one move further ahead, up to DEEPEST (after the outlook of
2008).

*Two tables.* What is learned about the goal stays, with a mark on every cell where the agent has stood. What is
learned about subgoals holds for one of them only. It is forgotten in constant time: each tile has the number of the
subgoal that it is about, and one of an earlier subgoal is emptied when the agent comes to look at it.
"""

import numpy as np

from waypost.kernels.compiling import helper, kernel
from waypost.kernels.move_log import log_move, room_in
from waypost.kernels.moves import DX, DY, offset
from waypost.kernels.numbers import at
from waypost.kernels.tiles import PLANE, clear, count, slot_of
from waypost.kernels.ways import NO_WAY, NOWHERE, count_hop
from waypost.planners.cuts.kernels.cell_map import region_at
from waypost.planners.learning.kernels.sizes import scratch_of
from waypost.planners.learning.kernels.state import (
    distance,
    goal_of,
    heuristic,
    look,
    on_trail,
    put_on_trail,
    raise_to,
    state_of,
    target_at,
)
from waypost.planners.learning.kernels.walk import plan, plan_one_step
from waypost.planners.pairs.kernels.control import Database
from waypost.planners.pairs.kernels.subgoals import run_of

_LAST_NUMBER = (1 << 31) - 1
NO_REGION, FOR_GOOD = -1, -2  # none is known yet; the goal's was reached


@kernel
def begin(controls, words, cell, goal):
    """Begin a trip: no cell was stood on, no region is known, and nothing about a subgoal."""
    control, state = controls[0], state_of(words)
    state.cell = cell
    state.goal = goal
    state.trial += 1
    state.too_far = control.hops = 0
    control.marked = NOWHERE
    control.goal_region = control.region = NO_REGION
    control.subgoal = control.aim = -1


@kernel
def walk(mask, database, controls, near_table, table, words, events, log):
    """Make as many moves as the log has room for, at most; returns how many.

    Stops short at the limit of costs, and where subgoals lead round in a circle.
    """
    db, control, state = Database(*database), controls[0], state_of(words)
    room = room_in(log)
    stride = state.stride
    goal = goal_of(state)
    near = target_at(state, max(control.subgoal, 0))
    plain = events.shape[0] == 0
    scratch = scratch_of(words, state)
    cell = state.cell
    y = cell // stride
    x = cell - y * stride
    looked_one_ahead = False
    made = 0
    while made < room and cell != goal.cell:
        tiles = count(table) + count(near_table)
        probes = 0
        expansions = 1
        is_near = False
        if not control.heads:
            asks = False
        elif control.progress:
            asks = control.region != FOR_GOOD
        else:
            asks = not on_trail(table, state, goal, x, y)
            if asks:
                put_on_trail(table, state, goal, x, y)
        if asks:
            before = control.subgoal_number
            is_near, probes = _name_target(db, control, near_table, state, cell)
            if state.too_far:
                break
            if control.subgoal_number != before:
                near = target_at(state, control.subgoal)
        depth = control.depth
        if depth == 0:
            if is_near:
                depth = control.near_depth
            else:
                came_back = control.heads and not control.progress and not asks
                depth, looked = _depth_to_goal(db, control, state, cell, came_back)
                probes += looked
        target = near if is_near else goal
        learned = near_table if is_near else table
        control.aim = target.cell
        if depth < control.deepest:
            if is_near:
                _refresh(
                    mask, near_table, control, state, x, y, 0
                )  # the agent's own tile, to know what was learned there
            rise = heuristic(learned, target, x, y) - distance(target, x, y)
            depth = min(depth + rise // target.straight, control.deepest)
        if is_near:
            _refresh(mask, near_table, control, state, x, y, depth)
        looked_one_ahead |= depth == 1
        if depth > 1:
            state.extent = depth
            expansions, _ = plan(mask, learned, state, events, target, scratch, cell, x, y)
            move = scratch.route[0]
        elif plain:
            best = look(mask, learned, target, cell, x, y)
            raise_to(learned, state, events, target, cell, x, y, best.value)
            move = best.move
        else:
            move, _ = plan_one_step(mask, learned, state, events, target, scratch.queue, cell, x, y)
        if is_near:
            _renew(near_table, control, state, x, y)
        if state.too_far:
            break
        x += DX[move]
        y += DY[move]
        cell += offset(move, stride)
        growth = count(table) + count(near_table) - tiles
        made = log_move(log, made, cell, expansions, 0, 0, probes, growth)
    if looked_one_ahead:
        state.peak_open = max(state.peak_open, 8)
        state.peak_closed = max(state.peak_closed, 1)
    state.cell = cell
    return made


@helper
def _regions(db, control, state, cell):
    """The region of a cell, and that of the goal in the control; returns the first, and probes."""
    probes = 0
    if control.goal_region == NO_REGION:
        control.goal_region, probes = region_at(db.tile_runs, db.places, db.regions, state.stride, state.goal)
    region, looked = region_at(db.tile_runs, db.places, db.regions, state.stride, cell)
    return region, probes + looked


@helper
def _name_target(db, control, near_table, state, cell):
    """Find the subgoal for a cell's region, in the control; returns whether there is one to head for, and probes."""
    region, probes = _regions(db, control, state, cell)
    if region == control.goal_region:
        if control.progress:
            control.region = FOR_GOOD
        return False, probes
    # As published, the control's region is the one whose subgoal is known; by progress, where the next is to be chosen.
    is_known = region != control.region if control.progress and control.subgoal >= 0 else region == control.region
    if not is_known:
        if control.progress:
            control.hops, control.marked, is_back = count_hop(control.hops, control.marked, region)
            if is_back:
                state.too_far = NO_WAY
                return False, probes
        run, looked = run_of(db.row_starts, db.columns, region, control.goal_region)
        subgoal = np.int64(db.subgoals[at(run)])
        probes += looked
        if db.run_depths.size:
            control.near_depth = db.run_depths[at(run)]
        control.region = region
        if control.progress:
            control.region, looked = region_at(db.tile_runs, db.places, db.regions, state.stride, subgoal)
            probes += looked
        if subgoal != control.subgoal:
            control.subgoal = subgoal
            control.subgoal_number += 1
            if control.subgoal_number > _LAST_NUMBER:  # after two thousand million subgoals
                clear(near_table, state.tile_count, state.planes)
                control.subgoal_number = 1
    return True, probes


@helper
def _depth_to_goal(db, control, state, cell, came_back):
    """How far to look ahead towards the goal itself, by the pair of regions, and probes.

    In the goal's region one move, but where the agent comes back and nothing is stored for it: there the cap.
    """
    region, probes = _regions(db, control, state, cell)
    if db.pair_depths.size == 0:
        return control.cap if came_back or region != control.goal_region else 1, probes
    if region == control.goal_region:
        return 1, probes
    return np.int64(db.pair_depths[at(region * control.region_count + control.goal_region)]), probes + 1


@helper
def _refresh(mask, table, control, state, x, y, reach):
    """Empty those tiles within the lookahead's reach that are about an earlier subgoal."""
    across = state.across
    number = control.subgoal_number
    last_x = state.stride - 1
    last_y = mask.size // state.stride - 1
    for row in range(max(y - reach, 0) >> 3, (min(y + reach, last_y) >> 3) + 1):
        for column in range(max(x - reach, 0) >> 3, (min(x + reach, last_x) >> 3) + 1):
            tile = np.int64(table[at(slot_of(across, column << 3, row << 3))])
            if tile and table[at(tile + PLANE)] != number:
                table[at(tile + PLANE)] = number
                for i in range(PLANE):
                    table[at(tile + i)] = 0


@helper
def _renew(table, control, state, x, y):
    """Give the tile that something was learned in, if there is one, the number of the subgoal: it may be a new one."""
    tile = np.int64(table[at(slot_of(state.across, x, y))])
    if tile:
        table[at(tile + PLANE)] = control.subgoal_number
