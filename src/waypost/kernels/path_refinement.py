"""PR LRTA*: LRTA* from region to region, each step refined by A* in two regions (Bulitko et al. 2008; algorithms 7.3).

A plan has three stages: a target is named, a step towards it is chosen and learned from, a way on the ground is found.
One that has too little room for its open list, or for what it records, can be taken up again. Walks are planned many
plans at a time. The exact rules are in docs/planners/prlrta-rules.md.
"""

import numpy as np

from waypost.kernels.best_first import EVENTS_FULL, FOUND, LEARNED, TARGETED, record
from waypost.kernels.compiling import helper, kernel
from waypost.kernels.corridor_search import (
    CORRIDOR_STAMP,
    CUT,
    EVENTS,
    EXPANSIONS,
    FIRST,
    LAST,
    PARENT,
    PEAK_OPEN,
    POINT_SHIFT,
    STRIDE,
    TARGET_X,
    TARGET_Y,
    X,
    Y,
    search,
    write_way,
)
from waypost.kernels.pair_subgoals import run_of
from waypost.kernels.region_lookahead import (
    ABOUT_GOAL,
    ABOUT_SUBGOAL,
    LAST_TRIP,
    LOOKAHEAD_SIZE,
    aim_at,
    choose,
    distance,
    has_room,
    heuristic,
    look_ply,
)
from waypost.kernels.region_lookahead import begin as begin_lookahead

_at = np.uintp  # an unsigned index spares the test for a negative one
NONE = -1
_LAST_STAMP = (1 << 31) - 1

# Slots of the state array behind those of a lookahead: settings, of which a DEPTH of 0 says that depths are stored, and
# WAY_ROOM is the most cells of a corridor; numbers that go on for ever; the trip; the present plan, with AHEAD the
# region that it leads to; what is planned; and what was held since the reset.
(
    DEPTH, CAP, PROGRESS, HEADS, FIRST_CELL, UPPERS, WAY_ROOM,
    GOAL_NUMBER, SUBGOAL_NUMBER, TRIP, LAST_CORRIDOR,
    GOAL, GOAL_REGION, IS_CLOSE, SUBGOAL, SUBGOAL_DEPTH,
    CELL, STAGE, REGION, TARGET, IS_NEAR, PLIES, AHEAD, SPENT, PROBED,
    PLANNED, PLANS,
    MOST_OPEN, MOST_CLOSED, LEARNED_REGIONS,
) = range(LOOKAHEAD_SIZE, LOOKAHEAD_SIZE + 30)  # fmt: skip
STATE_SIZE = LEARNED_REGIONS + 1
_NAME, _LOOK, _SEARCH = range(3)


@kernel
def begin(region_of, state, cell, goal):
    """Begin a trip; what was learned about a goal in the same region is kept."""
    region = np.int64(region_of[_at(goal)])
    if region != state[GOAL_REGION]:
        state[GOAL_NUMBER] += 1
    state[GOAL] = goal
    state[GOAL_REGION] = region
    state[CELL] = cell
    state[TRIP] += 1
    state[IS_CLOSE] = state[PLANNED] = state[PLANS] = 0
    state[STAGE] = _NAME
    state[SUBGOAL] = NONE


@kernel
def walk(
    mask, region_of, nodes, neighbours, costs, reps, row_starts, columns, exits, run_depths, pair_depths,
    values, seen, marks, came_from, corridor, heap, pushed, cells, log, events, state, moves,
):  # fmt: skip
    """Plan until so many moves are planned, or all to the goal; returns FOUND, or what a caller must see to.

    It stops early where there may be too little room for another way. The first of the cells is where the agent stands;
    the log has a row for each plan: its first move, expansions, climb steps, which are none, and probes. Called again
    after room was made, it goes on with the plan that had too little.
    """
    while state[PLANNED] < moves and state[CELL] != state[GOAL]:
        if state[STAGE] == _NAME:
            if state[PLANNED] > 0 and state[PLANNED] + state[WAY_ROOM] > cells.size:
                break
            _name_target(region_of, nodes, row_starts, columns, exits, run_depths, pair_depths, values, state)
        if state[STAGE] == _LOOK:
            if not _step(nodes, neighbours, costs, reps, values, seen, events, state):
                return EVENTS_FULL
            _make_corridor(corridor, state)
            _aim_search(nodes, reps, state)
        status = search(mask, region_of, corridor, nodes, neighbours, marks, came_from, heap, pushed, events, state)
        if status != FOUND:
            return status
        _keep_way(came_from, cells, log, state)
    return FOUND


@helper
def _name_target(region_of, nodes, row_starts, columns, exits, run_depths, pair_depths, values, state):
    """Find the region to head for, which is the goal's or a subgoal, and how far to look ahead."""
    region = np.int64(region_of[_at(state[CELL])])
    upper = np.int64(nodes[_at(region), PARENT])
    goal_upper = np.int64(nodes[_at(state[GOAL_REGION]), PARENT])
    came_back = values[_at(region), LAST_TRIP] == state[TRIP]
    values[_at(region), LAST_TRIP] = state[TRIP]
    probes = 1
    is_near = asks = False
    if state[HEADS] and state[PROGRESS]:
        if upper == goal_upper:
            state[IS_CLOSE] = 1
        is_near = state[IS_CLOSE] == 0
        asks = is_near and (state[SUBGOAL] == NONE or nodes[_at(state[SUBGOAL]), PARENT] == upper)
    elif state[HEADS]:
        is_near = asks = not came_back and upper != goal_upper
    if asks:
        run, looked = run_of(row_starts, columns, upper, goal_upper)
        probes += looked
        if run_depths.size:
            state[SUBGOAL_DEPTH] = run_depths[_at(run)]
        if exits[_at(run)] != state[SUBGOAL]:
            state[SUBGOAL] = exits[_at(run)]
            state[SUBGOAL_NUMBER] += 1
    state[PLIES] = state[DEPTH]
    if state[DEPTH] == 0:
        if is_near:
            state[PLIES] = state[SUBGOAL_DEPTH]
        elif pair_depths.size:
            state[PLIES] = pair_depths[_at(upper * state[UPPERS] + goal_upper)]
            probes += 1
        else:
            state[PLIES] = state[CAP] if came_back or upper != goal_upper else 1
    state[REGION] = region
    state[TARGET] = state[SUBGOAL] if is_near else state[GOAL_REGION]
    state[IS_NEAR] = is_near
    state[PROBED] = probes
    state[STAGE] = _LOOK


@helper
def _step(nodes, neighbours, costs, reps, values, seen, events, state):
    """Choose the region to go to, and learn; says whether there was room to record that. In the goal's: no region."""
    region = state[REGION]
    state[SPENT] = 0
    state[AHEAD] = NONE
    if region == state[GOAL_REGION]:
        return True
    if state[IS_NEAR]:
        aim = aim_at(nodes, state, state[TARGET], ABOUT_SUBGOAL, state[SUBGOAL_NUMBER])
    else:
        aim = aim_at(nodes, state, state[TARGET], ABOUT_GOAL, state[GOAL_NUMBER])
    recorded = state[EVENTS]
    ply = begin_lookahead(nodes, values, seen, aim, region)
    for number in range(1, state[PLIES] + 1):
        if not has_room(events, state, ply.ahead):
            state[EVENTS] = recorded
            return False
        if ply.ahead == 0:
            break
        ply = look_ply(nodes, neighbours, costs, reps, values, seen, events, state, aim, number, ply)
    state[AHEAD], value = choose(seen, aim, ply.ahead)
    before = heuristic(nodes, values, aim, region)
    if events.shape[0] > 0:
        cell = np.int64(reps[_at(region)])
        if value > before:
            record(events, state[EVENTS], LEARNED, cell, cell, before >> POINT_SHIFT, value >> POINT_SHIFT)
            state[EVENTS] += 1
        ahead = np.int64(reps[_at(state[AHEAD])])
        record(events, state[EVENTS], TARGETED, ahead, cell, 0, value >> POINT_SHIFT)
        state[EVENTS] += 1
    if value > before:
        if values[_at(region), aim.table] != aim.number:
            values[_at(region), aim.table] = aim.number
            state[LEARNED_REGIONS] += 1
        values[_at(region), aim.table + 1] = value - distance(nodes, aim, region)
    state[SPENT] = ply.expansions
    state[MOST_OPEN] = max(state[MOST_OPEN], ply.count - ply.looked)
    state[MOST_CLOSED] = max(state[MOST_CLOSED], ply.looked)
    return True


@helper
def _make_corridor(corridor, state):
    """Stamp the agent's region, and the one that it goes to."""
    stamp = state[LAST_CORRIDOR] + 1
    if stamp > _LAST_STAMP:  # after two thousand million plans
        corridor[:] = 0
        stamp = 1
    state[LAST_CORRIDOR] = state[CORRIDOR_STAMP] = stamp
    corridor[_at(state[REGION])] = stamp
    if state[AHEAD] != NONE:
        corridor[_at(state[AHEAD])] = stamp


@helper
def _aim_search(nodes, reps, state):
    """Make ready for the way on the ground: to the goal if that is in the corridor, or else to the region ahead."""
    ahead = state[AHEAD]
    is_last = ahead == NONE or ahead == state[GOAL_REGION]
    state[FIRST] = state[CELL]
    state[CUT] = int(not is_last and state[FIRST_CELL])
    if state[CUT]:
        state[LAST] = ahead
        state[TARGET_X] = nodes[_at(ahead), X]
        state[TARGET_Y] = nodes[_at(ahead), Y]
    else:
        state[LAST] = state[GOAL] if is_last else np.int64(reps[_at(ahead)])
        state[TARGET_X] = state[LAST] % state[STRIDE]
        state[TARGET_Y] = state[LAST] // state[STRIDE]
    state[STAGE] = _SEARCH


@helper
def _keep_way(came_from, cells, log, state):
    """Put the way found behind what is planned, and what it took into the log."""
    planned = state[PLANNED]
    log[state[PLANS], 0] = planned
    log[state[PLANS], 1] = state[SPENT] + state[EXPANSIONS]
    log[state[PLANS], 2] = 0
    log[state[PLANS], 3] = state[PROBED]
    state[PLANS] += 1
    state[PLANNED] += write_way(came_from, state, cells[planned:]) - 1
    state[CELL] = cells[state[PLANNED]]
    state[MOST_OPEN] = max(state[MOST_OPEN], state[PEAK_OPEN])
    state[MOST_CLOSED] = max(state[MOST_CLOSED], state[EXPANSIONS])
    state[STAGE] = _NAME


@kernel
def estimates(nodes, state, regions):
    """How far regions are from the goal's, before anything is learned."""
    aim = aim_at(nodes, state, state[GOAL_REGION], ABOUT_GOAL, state[GOAL_NUMBER])
    found = np.empty(regions.size, np.int64)
    for i in range(regions.size):
        found[i] = distance(nodes, aim, regions[i])
    return found
