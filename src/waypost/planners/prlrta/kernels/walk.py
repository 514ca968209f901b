"""PR LRTA*: LRTA* from region to region, each step refined by A* in two regions (Bulitko et al. 2008; algorithms 7.3).

A plan has three stages: a target is named, a step towards it is chosen and learned from, a way on the ground is found.
One that has too little room for its open list, or for what it records, can be taken up again. Walks are planned many
plans at a time. The exact rules are in docs/planners/prlrta-rules.md.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from waypost.kernels.compiling import helper, kernel, record
from waypost.kernels.events import LEARNED, TARGETED, record_event
from waypost.kernels.move_log import log_plan
from waypost.kernels.numbers import at
from waypost.kernels.outcomes import EVENTS_FULL, EXHAUSTED, FOUND
from waypost.kernels.ways import NOWHERE, count_hop
from waypost.planners.pairs.kernels.subgoals import run_of
from waypost.planners.pra_clique.kernels.corridor import PARENT, POINT_SHIFT, X, Y, search, write_way
from waypost.planners.prlrta.kernels.lookahead import (
    ABOUT_GOAL,
    ABOUT_SUBGOAL,
    LAST_TRIP,
    Graph,
    aim_at,
    begin_lookahead,
    choose,
    distance,
    has_room,
    heuristic,
    look_ply,
)

NONE = -1
_LAST_STAMP = (1 << 31) - 1

# What the next thing to do is.
_NAME, _LOOK, _SEARCH = range(3)


class Settings(NamedTuple):
    """What an agent was set to."""

    depth: int
    """0: by the tables."""
    cap: int
    """The deepest that is stored."""
    progress: int
    """Whether subgoals are by progress, or else as published."""
    heads: int
    """Whether there are subgoals to head for."""
    first_cell: int
    """Whether a way ends in the first cell of the region ahead."""
    uppers: int
    """How many upper regions there are."""
    way_room: int
    """The most cells of a corridor."""


_CHANGING = (
    # numbers that go on forever
    "goal_number", "subgoal_number", "trip", "last_corridor",
    # the trip
    "goal", "goal_region", "is_close", "subgoal", "subgoal_depth",
    # the present plan, with `ahead` the region that it leads to
    "cell", "stage", "region", "target", "is_near", "plies", "ahead", "spent", "probed",
    # what is planned
    "planned", "plans",
    # what was held since the reset
    "most_open", "most_closed", "learned_regions",
    # subgoals of the trip, with an upper region where one was chosen, to notice that they lead round in a circle
    "hops", "marked",
)  # fmt: skip
STATE = record([(name, np.int64) for name in (*Settings._fields, *_CHANGING)])
"""An agent by name: its settings, and what changes besides its searches and lookaheads."""


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


@kernel
def begin(region_of, state, cell, goal):
    """Begin a trip; what was learned about a goal in the same region is kept."""
    now = state[0]
    region = np.int64(region_of[at(goal)])
    if region != now.goal_region:
        now.goal_number += 1
    now.goal = goal
    now.goal_region = region
    now.cell = cell
    now.trip += 1
    now.is_close = now.planned = now.plans = now.hops = 0
    now.marked = NOWHERE
    now.stage = _NAME
    now.subgoal = NONE


@kernel
def walk(ground, graph, tables, scratch, heap, pushed, plans, events, control, looking, state, moves):
    """Plan until so many moves are planned, or all to the goal; returns FOUND, or what a caller must see to.

    It stops early where there may be too little room for another way. Called again after room was made, it goes on with
    the plan that had too little.
    """
    ground, graph, tables = Ground(*ground), Graph(*graph), Tables(*tables)
    scratch, plans = Scratch(*scratch), Plans(*plans)
    control, looking, now = control[0], looking[0], state[0]
    while now.planned < moves and now.cell != now.goal:
        if now.stage == _NAME:
            if now.planned > 0 and now.planned + now.way_room > plans.cells.size:
                break
            if not _name_target(ground.region_of, graph.nodes, tables, scratch.values, now):
                return FOUND if now.planned else EXHAUSTED
        if now.stage == _LOOK:
            if not _step(graph, scratch.values, scratch.seen, events, control, looking, now):
                return EVENTS_FULL
            _make_corridor(scratch.corridor, control, now)
            _aim_search(graph, control, now)
        status = search(
            ground.mask, ground.region_of, scratch.corridor, graph.nodes, graph.neighbours,
            scratch.marks, scratch.came_from, heap, pushed, events, control,
        )  # fmt: skip
        if status != FOUND:
            return status
        _keep_way(scratch.came_from, plans, control, now)
    return FOUND


@helper
def _name_target(region_of, nodes, tables, values, now):
    """Find the region to head for, which is the goal's or a subgoal, and how far to look ahead.

    Says whether there is one: subgoals may lead round in a circle.
    """
    region = np.int64(region_of[at(now.cell)])
    upper = np.int64(nodes[at(region), PARENT])
    goal_upper = np.int64(nodes[at(now.goal_region), PARENT])
    came_back = values[at(region), LAST_TRIP] == now.trip
    values[at(region), LAST_TRIP] = now.trip
    probes = 1
    is_near = asks = False
    if now.heads and now.progress:
        if upper == goal_upper:
            now.is_close = 1
        is_near = now.is_close == 0
        asks = is_near and (now.subgoal == NONE or nodes[at(now.subgoal), PARENT] == upper)
    elif now.heads:
        is_near = asks = not came_back and upper != goal_upper
    if asks:
        if now.progress:
            now.hops, now.marked, is_back = count_hop(now.hops, now.marked, upper)
            if is_back:
                return False
        run, looked = run_of(tables.row_starts, tables.columns, upper, goal_upper)
        probes += looked
        if tables.run_depths.size:
            now.subgoal_depth = tables.run_depths[at(run)]
        if tables.exits[at(run)] != now.subgoal:
            now.subgoal = tables.exits[at(run)]
            now.subgoal_number += 1
    now.plies = now.depth
    if now.depth == 0:
        if is_near:
            now.plies = now.subgoal_depth
        elif tables.pair_depths.size:
            now.plies = tables.pair_depths[at(upper * now.uppers + goal_upper)]
            probes += 1
        else:
            now.plies = now.cap if came_back or upper != goal_upper else 1
    now.region = region
    now.target = now.subgoal if is_near else now.goal_region
    now.is_near = is_near
    now.probed = probes
    now.stage = _LOOK
    return True


@helper
def _step(graph, values, seen, events, control, looking, now):
    """Choose the region to go to, and learn; says whether there was room to record that. In the goal's: no region."""
    nodes = graph.nodes
    region = now.region
    now.spent = 0
    now.ahead = NONE
    if region == now.goal_region:
        return True
    if now.is_near:
        aim = aim_at(nodes, control, looking, now.target, ABOUT_SUBGOAL, now.subgoal_number)
    else:
        aim = aim_at(nodes, control, looking, now.target, ABOUT_GOAL, now.goal_number)
    recorded = control.events
    ply = begin_lookahead(nodes, values, seen, aim, region)
    for number in range(1, now.plies + 1):
        if not has_room(events, control, ply.ahead):
            control.events = recorded
            return False
        if ply.ahead == 0:
            break
        ply = look_ply(graph, values, seen, events, control, aim, number, ply)
    now.ahead, value = choose(seen, aim, ply.ahead)
    before = heuristic(nodes, values, aim, region)
    if events.shape[0] > 0:
        cell = np.int64(graph.reps[at(region)])
        if value > before:
            record_event(events, control.events, LEARNED, cell, cell, before >> POINT_SHIFT, value >> POINT_SHIFT)
            control.events += 1
        ahead = np.int64(graph.reps[at(now.ahead)])
        record_event(events, control.events, TARGETED, ahead, cell, 0, value >> POINT_SHIFT)
        control.events += 1
    if value > before:
        if values[at(region), aim.table] != aim.number:
            values[at(region), aim.table] = aim.number
            now.learned_regions += 1
        values[at(region), aim.table + 1] = value - distance(nodes, aim, region)
    now.spent = ply.expansions
    now.most_open = max(now.most_open, ply.seen - ply.looked)
    now.most_closed = max(now.most_closed, ply.looked)
    return True


@helper
def _make_corridor(corridor, control, now):
    """Stamp the agent's region, and the one that it goes to."""
    stamp = now.last_corridor + 1
    if stamp > _LAST_STAMP:  # after two thousand million plans
        corridor[:] = 0
        stamp = 1
    now.last_corridor = control.corridor_stamp = stamp
    corridor[at(now.region)] = stamp
    if now.ahead != NONE:
        corridor[at(now.ahead)] = stamp


@helper
def _aim_search(graph, control, now):
    """Make ready for the way on the ground: to the goal if that is in the corridor, or else to the region ahead."""
    ahead = now.ahead
    is_last = ahead == NONE or ahead == now.goal_region
    control.first = now.cell
    control.cut = int(not is_last and now.first_cell)
    if control.cut:
        control.last = ahead
        control.target_x = graph.nodes[at(ahead), X]
        control.target_y = graph.nodes[at(ahead), Y]
    else:
        control.last = now.goal if is_last else np.int64(graph.reps[at(ahead)])
        control.target_x = control.last % control.stride
        control.target_y = control.last // control.stride
    now.stage = _SEARCH


@helper
def _keep_way(came_from, plans, control, now):
    """Put the way found behind what is planned, and what it took into the log."""
    cells, log = plans.cells, plans.log
    planned = now.planned
    now.plans = log_plan(log, now.plans, planned, now.spent + control.expansions, 0, now.probed)
    now.planned += write_way(came_from, control, cells[planned:]) - 1
    now.cell = cells[now.planned]
    now.most_open = max(now.most_open, control.peak_open)
    now.most_closed = max(now.most_closed, control.expansions)
    now.stage = _NAME


@kernel(allocates=True)
def estimates(nodes, control, looking, state, regions):
    """How far regions are from the goal's, before anything is learned."""
    now = state[0]
    aim = aim_at(nodes, control[0], looking[0], now.goal_region, ABOUT_GOAL, now.goal_number)
    found = np.empty(regions.size, np.int64)
    for i in range(regions.size):
        found[i] = distance(nodes, aim, regions[i])
    return found
