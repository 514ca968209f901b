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
from waypost.kernels.learned import (
    ACROSS,
    AIM,
    CAP,
    CELL,
    DEEPEST,
    DEPTH,
    EXTENT,
    GOAL,
    GOAL_REGION,
    HEADS,
    LOOKAHEAD,
    NEAR_DEPTH,
    NEIGHBOURS,
    NODE_ROOM,
    PEAK_CLOSED,
    PEAK_OPEN,
    PLANES,
    PROGRESS,
    REGION,
    REGIONS,
    STRIDE,
    SUBGOAL,
    SUBGOAL_NUMBER,
    TILE_COUNT,
    TOO_FAR,
    TRIAL,
    distance,
    goal_of,
    heuristic,
    look,
    on_trail,
    put_on_trail,
    raise_to,
    target_at,
)
from waypost.kernels.learning import COUNTERS, plan, plan_one_step, scratch_of
from waypost.kernels.moves import DX, DY, offset
from waypost.kernels.pair_subgoals import run_of
from waypost.kernels.region_runs import region_at
from waypost.kernels.tiles import PLANE, clear, count, slot_of

_at = np.uintp  # an unsigned index spares the test for a negative one
_LAST_NUMBER = (1 << 31) - 1
NO_REGION, FOR_GOOD = -1, -2  # none is known yet; the goal's was reached


@kernel
def begin(state, cell, goal):
    """Begin a trip: no cell was stood on, no region is known, and nothing about a subgoal."""
    state[CELL] = cell
    state[GOAL] = goal
    state[TRIAL] += 1
    state[TOO_FAR] = 0
    state[GOAL_REGION] = state[REGION] = NO_REGION
    state[SUBGOAL] = state[AIM] = -1


@kernel
def walk(
    mask, tile_runs, places, regions, row_starts, columns, subgoals, run_depths, pair_depths,
    near_table, table, state, events, log,
):  # fmt: skip
    """Make as many moves as the log has room for, at most; returns how many. Stops short at the limit of costs.

    The log is flat: the cells of all moves, then the work counters of each.
    """
    room = log.size // (1 + COUNTERS)
    stride = state[STRIDE]
    goal = goal_of(state)
    near = target_at(state, max(state[SUBGOAL], 0))
    plain = events.shape[0] == 0
    scratch = scratch_of(state, 0 if state[LOOKAHEAD] == NEIGHBOURS else state[NODE_ROOM])
    cell = state[CELL]
    y = cell // stride
    x = cell - y * stride
    looked_one_ahead = False
    made = 0
    while made < room and cell != goal.cell:
        tiles = count(table) + count(near_table)
        probes = 0
        expansions = 1
        is_near = False
        if not state[HEADS]:
            asks = False
        elif state[PROGRESS]:
            asks = state[REGION] != FOR_GOOD
        else:
            asks = not on_trail(table, state, goal, x, y)
            if asks:
                put_on_trail(table, state, goal, x, y)
        if asks:
            before = state[SUBGOAL_NUMBER]
            is_near, probes = _name_target(
                tile_runs, places, regions, row_starts, columns, subgoals, run_depths, near_table, state, cell
            )
            if state[SUBGOAL_NUMBER] != before:
                near = target_at(state, state[SUBGOAL])
        depth = state[DEPTH]
        if depth == 0:
            if is_near:
                depth = state[NEAR_DEPTH]
            else:
                depth, looked = _depth_to_goal(tile_runs, places, regions, pair_depths, state, cell)
                probes += looked
        target = near if is_near else goal
        learned = near_table if is_near else table
        state[AIM] = target.cell
        if depth < state[DEEPEST]:
            if is_near:
                _refresh(mask, near_table, state, x, y, 0)  # the agent's own tile, to know what was learned there
            rise = heuristic(learned, target, x, y) - distance(target, x, y)
            depth = min(depth + rise // target.straight, state[DEEPEST])
        if is_near:
            _refresh(mask, near_table, state, x, y, depth)
        looked_one_ahead |= depth == 1
        if depth > 1:
            state[EXTENT] = depth
            expansions, _ = plan(mask, learned, state, events, target, scratch, cell, x, y)
            move = scratch.route[0]
        elif plain:
            value, _, move = look(mask, learned, target, cell, x, y)
            raise_to(learned, state, events, target, cell, x, y, value)
        else:
            move, _ = plan_one_step(mask, learned, state, events, target, cell, x, y)
        if is_near:
            _renew(near_table, state, x, y)
        if state[TOO_FAR]:
            break
        x += DX[move]
        y += DY[move]
        cell += offset(move, stride)
        log[_at(made)] = cell
        work = room + COUNTERS * made
        log[_at(work)] = expansions
        log[_at(work + 1)] = log[_at(work + 2)] = 0
        log[_at(work + 3)] = probes
        log[_at(work + 4)] = count(table) + count(near_table) - tiles
        made += 1
    if looked_one_ahead:
        state[PEAK_OPEN] = max(state[PEAK_OPEN], 8)
        state[PEAK_CLOSED] = max(state[PEAK_CLOSED], 1)
    state[CELL] = cell
    return made


@helper
def _regions(tile_runs, places, regions, state, cell):
    """The region of a cell, and that of the goal in the state; returns the first, and probes."""
    probes = 0
    if state[GOAL_REGION] == NO_REGION:
        state[GOAL_REGION], probes = region_at(tile_runs, places, regions, state[STRIDE], state[GOAL])
    region, looked = region_at(tile_runs, places, regions, state[STRIDE], cell)
    return region, probes + looked


@helper
def _name_target(tile_runs, places, regions, row_starts, columns, subgoals, run_depths, near_table, state, cell):
    """Find the subgoal for a cell's region, in the state; returns whether there is one to head for, and probes."""
    region, probes = _regions(tile_runs, places, regions, state, cell)
    if region == state[GOAL_REGION]:
        if state[PROGRESS]:
            state[REGION] = FOR_GOOD
        return False, probes
    # As published, REGION is the one whose subgoal is known; by progress, the one where the next has to be chosen.
    is_known = region != state[REGION] if state[PROGRESS] and state[SUBGOAL] >= 0 else region == state[REGION]
    if not is_known:
        run, looked = run_of(row_starts, columns, region, state[GOAL_REGION])
        subgoal = np.int64(subgoals[_at(run)])
        probes += looked
        if run_depths.size:
            state[NEAR_DEPTH] = run_depths[_at(run)]
        state[REGION] = region
        if state[PROGRESS]:
            state[REGION], looked = region_at(tile_runs, places, regions, state[STRIDE], subgoal)
            probes += looked
        if subgoal != state[SUBGOAL]:
            state[SUBGOAL] = subgoal
            state[SUBGOAL_NUMBER] += 1
            if state[SUBGOAL_NUMBER] > _LAST_NUMBER:  # after two thousand million subgoals
                clear(near_table, state[TILE_COUNT], state[PLANES])
                state[SUBGOAL_NUMBER] = 1
    return True, probes


@helper
def _depth_to_goal(tile_runs, places, regions, pair_depths, state, cell):
    """How far to look ahead towards the goal itself, by the pair of regions, and probes: 1 in the goal's region."""
    region, probes = _regions(tile_runs, places, regions, state, cell)
    if region == state[GOAL_REGION]:
        return 1, probes
    if pair_depths.size == 0:
        return state[CAP], probes
    return np.int64(pair_depths[_at(region * state[REGIONS] + state[GOAL_REGION])]), probes + 1


@helper
def _refresh(mask, table, state, x, y, reach):
    """Empty those tiles within the lookahead's reach that are about an earlier subgoal."""
    across = state[ACROSS]
    number = state[SUBGOAL_NUMBER]
    last_x = state[STRIDE] - 1
    last_y = mask.size // state[STRIDE] - 1
    for row in range(max(y - reach, 0) >> 3, (min(y + reach, last_y) >> 3) + 1):
        for column in range(max(x - reach, 0) >> 3, (min(x + reach, last_x) >> 3) + 1):
            tile = np.int64(table[_at(slot_of(across, column << 3, row << 3))])
            if tile and table[_at(tile + PLANE)] != number:
                table[_at(tile + PLANE)] = number
                for i in range(PLANE):
                    table[_at(tile + i)] = 0


@helper
def _renew(table, state, x, y):
    """Give the tile that something was learned in, if there is one, the number of the subgoal: it may be a new one."""
    tile = np.int64(table[_at(slot_of(state[ACROSS], x, y))])
    if tile:
        table[_at(tile + PLANE)] = state[SUBGOAL_NUMBER]
