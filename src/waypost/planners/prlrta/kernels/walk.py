"""PR LRTA*: LRTA* from region to region, each step refined by A* in two regions (Bulitko et al. 2008; algorithms 7.3).

A plan has three stages: a target is named, a step towards it is chosen and learned from, a way on the ground is found.
One that has too little room for its open list, or for what it records, can be taken up again. Walks are planned many
plans at a time. The exact rules are in docs/planners/prlrta-rules.md.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from waypost.kernels.compiling import helper, kernel
from waypost.kernels.events import LEARNED, TARGETED, record
from waypost.kernels.numbers import at as _at
from waypost.kernels.outcomes import EVENTS_FULL, EXHAUSTED, FOUND
from waypost.kernels.ways import NOWHERE, count_hop
from waypost.planners.pairs.kernels.subgoals import run_of
from waypost.planners.pra_clique.kernels.corridor import (
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
from waypost.planners.prlrta.kernels.lookahead import (
    ABOUT_GOAL,
    ABOUT_SUBGOAL,
    LAST_TRIP,
    LOOKAHEAD_SIZE,
    Graph,
    aim_at,
    choose,
    distance,
    has_room,
    heuristic,
    look_ply,
    new_state,
)
from waypost.planners.prlrta.kernels.lookahead import begin as begin_lookahead

NONE = -1
_LAST_STAMP = (1 << 31) - 1

# Slots of the state array behind those of a lookahead: settings, of which a DEPTH of 0 says that depths are stored, and
# WAY_ROOM is the most cells of a corridor; numbers that go on forever; the trip; the present plan, with AHEAD the
# region that it leads to; what is planned; what was held since the reset; and subgoals of the trip, with
# an upper region where one was chosen, to notice that they lead round in a circle.
(
    DEPTH, CAP, PROGRESS, HEADS, FIRST_CELL, UPPERS, WAY_ROOM,
    GOAL_NUMBER, SUBGOAL_NUMBER, TRIP, LAST_CORRIDOR,
    GOAL, GOAL_REGION, IS_CLOSE, SUBGOAL, SUBGOAL_DEPTH,
    CELL, STAGE, REGION, TARGET, IS_NEAR, PLIES, AHEAD, SPENT, PROBED,
    PLANNED, PLANS,
    MOST_OPEN, MOST_CLOSED, LEARNED_REGIONS,
    HOPS, MARKED,
) = range(LOOKAHEAD_SIZE, LOOKAHEAD_SIZE + 32)  # fmt: skip
STATE_SIZE = MARKED + 1
_NAME, _LOOK, _SEARCH = range(3)


class Ground(NamedTuple):
    """The map, and the region of every cell."""

    mask: npt.NDArray[np.uint8]
    region_of: npt.NDArray[np.int32]


class Tables(NamedTuple):
    """What is stored about pairs of upper regions: rows of runs with their exits, and depths of runs or of pairs."""

    row_starts: npt.NDArray[np.int64]
    columns: npt.NDArray[np.uint16]
    exits: npt.NDArray[np.int32]
    run_depths: npt.NDArray[np.uint16]
    pair_depths: npt.NDArray[np.uint16]


class Scratch(NamedTuple):
    """Of one agent: what it learned and saw of regions; marks and parents of searches; stamps of corridors."""

    values: npt.NDArray[np.int64]
    seen: npt.NDArray[np.int64]
    marks: npt.NDArray[np.int64]
    came_from: npt.NDArray[np.int32]
    corridor: npt.NDArray[np.int32]


class Plans(NamedTuple):
    """What a walk writes: the cells, the first of which the agent stands on, and a row of the log for each plan."""

    cells: npt.NDArray[np.int32]
    log: npt.NDArray[np.int32]


def new_walk(
    *,
    depth: int,
    cap: int,
    progress: int,
    heads: bool,
    first_cell: int,
    uppers: int,
    way_room: int,
    **of_lookahead: Any,
) -> npt.NDArray[np.int64]:
    """The state of an agent with these settings, of which those of `lookahead.new_state` are the rest."""
    state = new_state(slots=STATE_SIZE, **of_lookahead)
    settings = {
        DEPTH: depth,
        CAP: cap,
        PROGRESS: progress,
        HEADS: heads,
        FIRST_CELL: first_cell,
        UPPERS: uppers,
        WAY_ROOM: way_room,
    }
    state[list(settings)] = list(settings.values())
    return state


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
    state[IS_CLOSE] = state[PLANNED] = state[PLANS] = state[HOPS] = 0
    state[MARKED] = NOWHERE
    state[STAGE] = _NAME
    state[SUBGOAL] = NONE


@kernel
def walk(ground, graph, tables, scratch, heap, pushed, plans, events, state, moves):
    """Plan until so many moves are planned, or all to the goal; returns FOUND, or what a caller must see to.

    It stops early where there may be too little room for another way. The log has a row for each plan: its first move,
    expansions, climb steps, which are none, and probes. Called again after room was made, it goes on with the plan that
    had too little.
    """
    ground, graph, tables = Ground(*ground), Graph(*graph), Tables(*tables)
    scratch, plans = Scratch(*scratch), Plans(*plans)
    while state[PLANNED] < moves and state[CELL] != state[GOAL]:
        if state[STAGE] == _NAME:
            if state[PLANNED] > 0 and state[PLANNED] + state[WAY_ROOM] > plans.cells.size:
                break
            if not _name_target(ground.region_of, graph.nodes, tables, scratch.values, state):
                return FOUND if state[PLANNED] else EXHAUSTED
        if state[STAGE] == _LOOK:
            if not _step(graph, scratch.values, scratch.seen, events, state):
                return EVENTS_FULL
            _make_corridor(scratch.corridor, state)
            _aim_search(graph, state)
        status = search(
            ground.mask, ground.region_of, scratch.corridor, graph.nodes, graph.neighbours,
            scratch.marks, scratch.came_from, heap, pushed, events, state,
        )  # fmt: skip
        if status != FOUND:
            return status
        _keep_way(scratch.came_from, plans, state)
    return FOUND


@helper
def _name_target(region_of, nodes, tables, values, state):
    """Find the region to head for, which is the goal's or a subgoal, and how far to look ahead.

    Says whether there is one: subgoals may lead round in a circle.
    """
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
        if state[PROGRESS]:
            state[HOPS], state[MARKED], is_back = count_hop(state[HOPS], state[MARKED], upper)
            if is_back:
                return False
        run, looked = run_of(tables.row_starts, tables.columns, upper, goal_upper)
        probes += looked
        if tables.run_depths.size:
            state[SUBGOAL_DEPTH] = tables.run_depths[_at(run)]
        if tables.exits[_at(run)] != state[SUBGOAL]:
            state[SUBGOAL] = tables.exits[_at(run)]
            state[SUBGOAL_NUMBER] += 1
    state[PLIES] = state[DEPTH]
    if state[DEPTH] == 0:
        if is_near:
            state[PLIES] = state[SUBGOAL_DEPTH]
        elif tables.pair_depths.size:
            state[PLIES] = tables.pair_depths[_at(upper * state[UPPERS] + goal_upper)]
            probes += 1
        else:
            state[PLIES] = state[CAP] if came_back or upper != goal_upper else 1
    state[REGION] = region
    state[TARGET] = state[SUBGOAL] if is_near else state[GOAL_REGION]
    state[IS_NEAR] = is_near
    state[PROBED] = probes
    state[STAGE] = _LOOK
    return True


@helper
def _step(graph, values, seen, events, state):
    """Choose the region to go to, and learn; says whether there was room to record that. In the goal's: no region."""
    nodes = graph.nodes
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
        ply = look_ply(graph, values, seen, events, state, aim, number, ply)
    state[AHEAD], value = choose(seen, aim, ply.ahead)
    before = heuristic(nodes, values, aim, region)
    if events.shape[0] > 0:
        cell = np.int64(graph.reps[_at(region)])
        if value > before:
            record(events, state[EVENTS], LEARNED, cell, cell, before >> POINT_SHIFT, value >> POINT_SHIFT)
            state[EVENTS] += 1
        ahead = np.int64(graph.reps[_at(state[AHEAD])])
        record(events, state[EVENTS], TARGETED, ahead, cell, 0, value >> POINT_SHIFT)
        state[EVENTS] += 1
    if value > before:
        if values[_at(region), aim.table] != aim.number:
            values[_at(region), aim.table] = aim.number
            state[LEARNED_REGIONS] += 1
        values[_at(region), aim.table + 1] = value - distance(nodes, aim, region)
    state[SPENT] = ply.expansions
    state[MOST_OPEN] = max(state[MOST_OPEN], ply.seen - ply.looked)
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
def _aim_search(graph, state):
    """Make ready for the way on the ground: to the goal if that is in the corridor, or else to the region ahead."""
    ahead = state[AHEAD]
    is_last = ahead == NONE or ahead == state[GOAL_REGION]
    state[FIRST] = state[CELL]
    state[CUT] = int(not is_last and state[FIRST_CELL])
    if state[CUT]:
        state[LAST] = ahead
        state[TARGET_X] = graph.nodes[_at(ahead), X]
        state[TARGET_Y] = graph.nodes[_at(ahead), Y]
    else:
        state[LAST] = state[GOAL] if is_last else np.int64(graph.reps[_at(ahead)])
        state[TARGET_X] = state[LAST] % state[STRIDE]
        state[TARGET_Y] = state[LAST] // state[STRIDE]
    state[STAGE] = _SEARCH


@helper
def _keep_way(came_from, plans, state):
    """Put the way found behind what is planned, and what it took into the log."""
    cells, log = plans.cells, plans.log
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


@kernel(allocates=True)
def estimates(nodes, state, regions):
    """How far regions are from the goal's, before anything is learned."""
    aim = aim_at(nodes, state, state[GOAL_REGION], ABOUT_GOAL, state[GOAL_NUMBER])
    found = np.empty(regions.size, np.int64)
    for i in range(regions.size):
        found[i] = distance(nodes, aim, regions[i])
    return found
