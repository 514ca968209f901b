"""Routes by regions: the points that a walker is to pass, one hop at a time (algorithms 11.3, 12.2).

The hops to the goal's region follow one another (`kernels/region_hops.py`), and the points of the route
(`kernels/route_points.py`) are the ends of their legs, then the goal itself.

*Better than published.* Near the goal a walker chooses by which of the regions around to come to the goal.
"""

import numpy as np

from waypost.kernels.climb import NO_LIMIT, ONE_WAY, leads, next_subgoal
from waypost.kernels.compiling import inlined
from waypost.kernels.in_sector import in_sector_path
from waypost.kernels.region_hops import (
    ACROSS,
    ENTRIES,
    FAR,
    FIRSTS,
    REPS,
    SIDE,
    cost_of_hops,
    hop_towards,
    region_of,
    sector_of,
)
from waypost.kernels.route_points import (
    AHEAD,
    BY_POINTS,
    CLIMBING_TO_GOAL,
    DIAGONAL,
    END_LEG,
    FIRST_PHASE,
    IS_COMPLETE,
    KNOWN,
    LAST,
    LEAST_AHEAD,
    NEW,
    NEXT_LEG,
    PHASE,
    POINT,
    POINTS,
    ROUTE,
    STRAIGHT,
    STRIDE,
    as_published,
    begin_route,
    distance,
    go_directly,
    goal_is_next,
    head_for_point,
    try_climb,
)
from waypost.kernels.tried import farthest_known
from waypost.kernels.walk import CELL, GOAL, TARGET

_at = np.uintp  # an unsigned index spares the test for a negative one

# Slots of the route: the region where the hop of the last known point ends, that by which to come to the goal, and how
# that was settled.
END_REGION, GOAL_REGION, SETTLED = range(ROUTE, ROUTE + 3)
OWN_ENTRY, OTHER_ENTRY = 1, 2  # 0: not settled yet
TO_REPRESENTATIVE, TO_GOAL = FIRST_PHASE, FIRST_PHASE + 1  # inside a sector


@inlined
def _extend(mask, climb_table, numbers, run_columns, run_ranks, codes, legs, places, state, walker, settings):
    """Make as many points known as are to be tried, or all up to the goal; returns climb steps and probes."""
    climbs = 0
    probes = 0
    count = np.int64(state[KNOWN, walker])
    cell = np.int64(state[LAST, walker])
    leg = np.int64(state[NEXT_LEG, walker])
    end = np.int64(state[END_LEG, walker])
    region = np.int64(state[END_REGION, walker])
    most = max(settings[AHEAD], LEAST_AHEAD)
    while count < most and not state[IS_COMPLETE, walker]:
        if leg == end:
            if settings[ENTRIES] and state[SETTLED, walker] == 0 and region != state[GOAL_REGION, walker]:
                steps, looked = _settle(
                    mask, climb_table, numbers, run_columns, run_ranks, codes, legs, places,
                    state, walker, settings, cell, region,
                )  # fmt: skip
                climbs += steps
                probes += looked
            if region == state[GOAL_REGION, walker]:
                state[POINTS + count, walker] = state[GOAL, walker]
                state[IS_COMPLETE, walker] = 1
                count += 1
                break
            leg, end, region, looked = hop_towards(
                numbers, run_columns, run_ranks, codes, legs, places, settings,
                region, np.int64(state[GOAL_REGION, walker]),
            )  # fmt: skip
            probes += looked
        cell += legs[_at(leg), 1] * settings[STRIDE] + legs[_at(leg), 0]
        leg += 1
        state[POINTS + count, walker] = cell
        count += 1
    state[KNOWN, walker] = count
    state[LAST, walker] = cell
    state[NEXT_LEG, walker] = leg
    state[END_LEG, walker] = end
    state[END_REGION, walker] = region
    return climbs, probes


@inlined
def choose(
    mask, climb_table, numbers, run_columns, run_ranks, codes, legs, places,
    state, walker, settings, scratch, way, tried,
):  # fmt: skip
    """Give a walker that has no target, or stands on it, its next one; returns expansions, climb steps and probes."""
    climbs = 0
    probes = 0
    if state[PHASE, walker] == NEW:
        climbs, probes = _begin(mask, climb_table, numbers, places, state, walker, settings, scratch)
        if state[PHASE, walker] == CLIMBING_TO_GOAL:
            return 0, climbs, probes
    if state[PHASE, walker] == TO_REPRESENTATIVE and state[CELL, walker] == state[POINT, walker]:
        state[PHASE, walker] = BY_POINTS
    for is_again in range(2):
        # Again if it stands on the point that it chose, by chance: all that can be tried was, so now to the next one.
        if state[PHASE, walker] != BY_POINTS or (is_again and state[TARGET, walker] != state[CELL, walker]):
            break
        steps, looked = _extend(
            mask, climb_table, numbers, run_columns, run_ranks, codes, legs, places, state, walker, settings
        )
        probes += looked
        ahead = 0 if is_again else settings[AHEAD]
        climbs += steps + _next_point(mask, climb_table, state, walker, settings, ahead, tried)
    expansions = 0
    if state[PHASE, walker] == TO_REPRESENTATIVE or state[PHASE, walker] == TO_GOAL:
        expansions, steps = _next_inside(mask, climb_table, state, walker, settings, scratch, way)
        climbs += steps
    return expansions, climbs, probes


@inlined
def _begin(mask, climb_table, numbers, places, state, walker, settings, scratch):
    """Head for the goal directly, or find the regions of both ends; returns climb steps and probes."""
    is_direct, climbs = go_directly(mask, climb_table, state, walker, settings)
    if is_direct:
        return climbs, 0
    region, looked = region_of(mask, numbers, places, settings, scratch, np.int64(state[CELL, walker]))
    goal_region, also_looked = region_of(mask, numbers, places, settings, scratch, np.int64(state[GOAL, walker]))
    begin_route(state, walker, numbers[_at(settings[REPS] + region)])
    state[END_REGION, walker] = region
    state[GOAL_REGION, walker] = goal_region
    state[SETTLED, walker] = 0
    return climbs, looked + also_looked


@inlined
def _next_point(mask, climb_table, state, walker, settings, ahead, tried):
    """Head for one of the known points, or for the representative of the first region; returns climb steps.

    A walker that cannot climb to where it has to go is set to search inside its sector.
    """
    cell = np.int64(state[CELL, walker])
    is_there = cell == state[POINT, walker]
    if ahead:
        chosen, climbs = farthest_known(mask, climb_table, state, walker, settings, tried)
    else:
        chosen, climbs = as_published(mask, climb_table, state, walker, settings, True, True)
    steps = 0
    if chosen >= 0:
        head_for_point(state, walker, chosen)
    elif is_there:  # on the representative by which it comes to the goal
        good, steps = _reaches(mask, climb_table, settings, cell, state[GOAL, walker])
        state[TARGET, walker] = state[GOAL, walker]
        state[PHASE, walker] = CLIMBING_TO_GOAL if good else TO_GOAL
    elif settings[SIDE] > 0 and goal_is_next(state, walker) and state[SETTLED, walker] != OTHER_ENTRY:
        state[PHASE, walker] = TO_GOAL  # both ends are in one region
    else:
        good, steps = _reaches(mask, climb_table, settings, cell, state[POINT, walker])
        state[TARGET, walker] = state[POINT, walker]
        state[PHASE, walker] = BY_POINTS if good else TO_REPRESENTATIVE
    return climbs + steps


@inlined
def _reaches(mask, climb_table, settings, cell, target):
    """Whether a climb between a cell and its representative arrives, and its steps; climb regions ensure it."""
    if settings[SIDE] == 0:
        return True, 0
    arrived, _, steps = try_climb(mask, climb_table, settings, cell, target)
    return arrived, steps


@inlined
def _settle(
    mask, climb_table, numbers, run_columns, run_ranks, codes, legs, places, state, walker, settings, cell, here
):
    """Near the goal, settle by which of the regions around it to come there; returns climb steps and probes.

    The way by a region is the hops to it from `here`, whose representative is on `cell`, and a climb from its
    representative to the goal. Only the goal's own region may be without that climb; then the octile distance stands
    for the search that it takes.
    """
    stride = settings[STRIDE]
    goal = np.int64(state[GOAL, walker])
    if distance(settings, cell, goal) > settings[ENTRIES]:
        return 0, 0
    own = np.int64(state[GOAL_REGION, walker])
    least, probes = cost_of_hops(numbers, run_columns, run_ranks, codes, legs, places, settings, here, own)
    if least >= FAR:  # too many hops: later
        return 0, probes
    state[SETTLED, walker] = OWN_ENTRY
    last, climbs = _cost_of_climb(mask, climb_table, settings, numbers[_at(settings[REPS] + own)], goal)
    if last >= FAR:
        last = distance(settings, numbers[_at(settings[REPS] + own)], goal)
    least += last
    n = settings[SIDE]
    across = settings[ACROSS]
    down = (settings[REPS] - settings[FIRSTS] - 1) // across
    goal_x, goal_y = sector_of(stride, n, goal)
    for sector_y in range(max(goal_y - 1, 0), min(goal_y + 2, down)):
        for sector_x in range(max(goal_x - 1, 0), min(goal_x + 2, across)):
            sector = settings[FIRSTS] + sector_y * across + sector_x
            for region in range(numbers[_at(sector)], numbers[_at(sector + 1)]):
                rep = numbers[_at(settings[REPS] + region)]
                probes += 1
                if region == own or 2 * distance(settings, rep, goal) >= 3 * n * settings[STRAIGHT]:
                    continue
                last, steps = _cost_of_climb(mask, climb_table, settings, rep, goal)
                climbs += steps
                if last >= least:
                    continue
                way, looked = cost_of_hops(
                    numbers, run_columns, run_ranks, codes, legs, places, settings, here, np.int64(region)
                )
                probes += looked
                if way + last < least:
                    least = way + last
                    state[GOAL_REGION, walker] = region
                    state[SETTLED, walker] = OTHER_ENTRY
    return climbs, probes


@inlined
def _cost_of_climb(mask, climb_table, settings, cell, target):
    """What a climb costs, FAR if it does not arrive; and its steps."""
    arrived, cost, steps = try_climb(mask, climb_table, settings, cell, target)
    return cost if arrived else FAR, steps


@inlined
def _next_inside(mask, climb_table, state, walker, settings, scratch, way):
    """Head for a far cell of a best path inside the sector that a climb reaches; returns expansions and climb steps."""
    stride = settings[STRIDE]
    straight = settings[STRAIGHT]
    diagonal = settings[DIAGONAL]
    end = state[POINT if state[PHASE, walker] == TO_REPRESENTATIVE else GOAL, walker]
    size, expansions = in_sector_path(
        mask, stride, settings[SIDE], straight, diagonal,
        np.int64(state[CELL, walker]), np.int64(end), scratch, way,
    )  # fmt: skip
    there = size - 1
    good, climbs = leads(mask, climb_table, stride, straight, diagonal, way, 0, there, ONE_WAY)
    if not good:
        there, steps = next_subgoal(mask, climb_table, stride, straight, diagonal, way, 0, there - 1, ONE_WAY, NO_LIMIT)
        climbs += steps
    state[TARGET, walker] = way[there]
    return expansions, climbs
