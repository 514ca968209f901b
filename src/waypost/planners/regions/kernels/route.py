"""Routes by regions: the points that a walker is to pass, one hop at a time (algorithms 11.3, 12.2).

The hops to the goal's region follow one another (`regions/kernels/hops.py`), and the points of the route
(`walking/kernels/points.py`) are the ends of their legs, then the goal itself.

*Better than published.* Near the goal a walker chooses by which of the regions around to come to the goal.
"""

from enum import IntEnum, auto

import numpy as np

from waypost.kernels.climb import ONE_WAY, leads, next_subgoal
from waypost.kernels.compiling import inlined
from waypost.kernels.numbers import NO_LIMIT, at
from waypost.kernels.ways import NO_WAY, NOWHERE, count_hop
from waypost.planners.cuts.kernels.in_sector import in_sector_path
from waypost.planners.regions.kernels.hop_sets import FAR
from waypost.planners.regions.kernels.hops import cost_of_hops, hop_towards, region_of, sector_of
from waypost.planners.walking.kernels.ground import climb_cost, distance
from waypost.planners.walking.kernels.legs import after_leg
from waypost.planners.walking.kernels.points import (
    BY_POINTS,
    CLIMBING_TO_GOAL,
    FIRST_PHASE,
    LEAST_AHEAD,
    NEW,
    RouteSlot,
    as_published,
    begin_route,
    go_directly,
    goal_is_next,
    head_for_point,
    last_joint,
)
from waypost.planners.walking.kernels.tried import farthest_known
from waypost.planners.walking.kernels.walker import Slot


class RegionSlot(IntEnum):
    """Slots of a route by regions."""

    END_REGION = RouteSlot.OF_KIND
    """Where the hop of the last known point ends."""
    GOAL_REGION = auto()
    """By which to come to the goal."""
    SETTLED = auto()
    """How that was settled."""
    HOPS = auto()
    MARKED = auto()
    """The hops made known, and a region of theirs, to notice that they lead round in a circle."""


OWN_ENTRY, OTHER_ENTRY = 1, 2  # 0: not settled yet
TO_REPRESENTATIVE, TO_GOAL = FIRST_PHASE, FIRST_PHASE + 1  # inside a sector


@inlined
def _extend(ground, database, settings, now):
    """Make as many points known as are to be tried, or all up to the goal; returns climb steps and probes.

    A walker that hops would lead round in a circle is given up.
    """
    climbs = 0
    probes = 0
    count = np.int64(now[RouteSlot.KNOWN])
    cell = np.int64(now[RouteSlot.LAST])
    leg = np.int64(now[RouteSlot.NEXT_LEG])
    end = np.int64(now[RouteSlot.END_LEG])
    region = np.int64(now[RegionSlot.END_REGION])
    most = max(settings.ahead, LEAST_AHEAD)
    while count < most and not now[RouteSlot.IS_COMPLETE]:
        if leg == end:
            if settings.entries and now[RegionSlot.SETTLED] == 0 and region != now[RegionSlot.GOAL_REGION]:
                steps, looked = _settle(ground, database, settings, now, cell, region)
                climbs += steps
                probes += looked
            if region == now[RegionSlot.GOAL_REGION]:
                now[RouteSlot.POINTS + count] = now[Slot.GOAL]
                now[RouteSlot.IS_COMPLETE] = 1
                count += 1
                break
            if _goes_round(now, region):
                now[Slot.TOO_FAR] = NO_WAY
                break
            leg, end, region, looked = hop_towards(ground, database, region, np.int64(now[RegionSlot.GOAL_REGION]))
            probes += looked
        cell = after_leg(ground, database.legs, leg, cell)
        leg += 1
        now[RouteSlot.POINTS + count] = cell
        count += 1
    now[RouteSlot.KNOWN] = count
    now[RouteSlot.LAST] = cell
    now[RouteSlot.NEXT_LEG] = leg
    now[RouteSlot.END_LEG] = end
    now[RegionSlot.END_REGION] = region
    return climbs, probes


@inlined
def _goes_round(now, region):
    """Count a hop; whether hops go round in a circle. They cannot once all of them were looked at, to settle it."""
    if now[RegionSlot.SETTLED]:
        return False
    hops, marked = np.int64(now[RegionSlot.HOPS]), np.int64(now[RegionSlot.MARKED])
    hops, marked, is_back = count_hop(hops, marked, region)
    now[RegionSlot.HOPS] = hops
    now[RegionSlot.MARKED] = marked
    return is_back


@inlined
def choose(ground, database, settings, scratch, now):
    """Give a walker that has no target, or stands on it, its next one; returns expansions, climb steps and probes.

    One that is given up gets none.
    """
    climbs = 0
    probes = 0
    if now[RouteSlot.PHASE] == NEW:
        climbs, probes = _begin(ground, database, settings, scratch, now)
        if now[RouteSlot.PHASE] == CLIMBING_TO_GOAL:
            return 0, climbs, probes
    if now[RouteSlot.PHASE] == TO_REPRESENTATIVE and now[Slot.CELL] == now[RouteSlot.POINT]:
        now[RouteSlot.PHASE] = BY_POINTS
    for is_again in range(2):
        # Again if it stands on the point that it chose, by chance: all that can be tried was, so now to the next one.
        if now[RouteSlot.PHASE] != BY_POINTS or (is_again and now[Slot.TARGET] != now[Slot.CELL]):
            break
        steps, looked = _extend(ground, database, settings, now)
        probes += looked
        if now[Slot.TOO_FAR]:
            return 0, climbs + steps, probes
        ahead = 0 if is_again else settings.ahead
        climbs += steps + _next_point(ground, database, settings, scratch, now, ahead)
    expansions = 0
    if now[RouteSlot.PHASE] == TO_REPRESENTATIVE or now[RouteSlot.PHASE] == TO_GOAL:
        expansions, steps = _next_inside(ground, database, scratch, now)
        climbs += steps
    return expansions, climbs, probes


@inlined
def _begin(ground, database, settings, scratch, now):
    """Head for the goal directly, or find the regions of both ends; returns climb steps and probes."""
    is_direct, climbs = go_directly(ground, settings, now)
    if is_direct:
        return climbs, 0
    region, looked = region_of(ground, database, scratch, np.int64(now[Slot.CELL]))
    goal_region, also_looked = region_of(ground, database, scratch, np.int64(now[Slot.GOAL]))
    begin_route(now, database.numbers[at(database.reps + region)])
    now[RegionSlot.END_REGION] = region
    now[RegionSlot.GOAL_REGION] = goal_region
    now[RegionSlot.SETTLED] = now[RegionSlot.HOPS] = 0
    now[RegionSlot.MARKED] = NOWHERE
    return climbs, looked + also_looked


@inlined
def _next_point(ground, database, settings, scratch, now, ahead):
    """Head for one of the known points, or for the representative of the first region; returns climb steps.

    A walker that cannot climb to where it has to go is set to search inside its sector.
    """
    cell = np.int64(now[Slot.CELL])
    is_there = cell == now[RouteSlot.POINT]
    first = climbs = steps = 0
    if ahead and not settings.joints:
        chosen, climbs = farthest_known(ground, settings, now, scratch.tried)
    else:
        if ahead:
            first, climbs = last_joint(ground, settings, now)
        chosen, steps = as_published(ground, settings, now, first, settings.ends, settings.ends)
        climbs += steps
        steps = 0
    if chosen >= 0:
        head_for_point(now, chosen)
    elif is_there:  # on the representative by which it comes to the goal
        good, steps = _reaches(ground, database, settings, cell, now[Slot.GOAL])
        now[Slot.TARGET] = now[Slot.GOAL]
        now[RouteSlot.PHASE] = CLIMBING_TO_GOAL if good else TO_GOAL
    elif settings.ends and database.side > 0 and goal_is_next(now) and now[RegionSlot.SETTLED] != OTHER_ENTRY:
        now[RouteSlot.PHASE] = TO_GOAL  # both ends are in one region
    else:
        good, steps = _reaches(ground, database, settings, cell, now[RouteSlot.POINT])
        now[Slot.TARGET] = now[RouteSlot.POINT]
        now[RouteSlot.PHASE] = BY_POINTS if good else TO_REPRESENTATIVE
    return climbs + steps


@inlined
def _reaches(ground, database, settings, cell, target):
    """Whether a climb between a cell and its representative arrives, and its steps; climb regions ensure it."""
    if database.side == 0:
        return True, 0
    arrived, _, steps = climb_cost(ground, cell, target, settings.limit)
    return arrived, steps


@inlined
def _settle(ground, database, settings, now, cell, here):
    """Near the goal, settle by which of the regions around it to come there; returns climb steps and probes.

    The way by a region is the hops to it from `here`, whose representative is on `cell`, and a climb from its
    representative to the goal. Only the goal's own region may be without that climb; then the octile distance stands
    for the search that it takes.
    """
    goal = np.int64(now[Slot.GOAL])
    if distance(ground, cell, goal) > settings.entries:
        return 0, 0
    own = np.int64(now[RegionSlot.GOAL_REGION])
    least, probes = cost_of_hops(ground, database, here, own)
    if least >= FAR:  # too many hops: later
        return 0, probes
    now[RegionSlot.SETTLED] = OWN_ENTRY
    numbers = database.numbers
    last, climbs = _cost_of_climb(ground, settings, numbers[at(database.reps + own)], goal)
    if last >= FAR:
        last = distance(ground, numbers[at(database.reps + own)], goal)
    least += last
    across = database.sectors_across
    down = (database.reps - database.firsts - 1) // across
    goal_x, goal_y = sector_of(ground, database, goal)
    for sector_y in range(max(goal_y - 1, 0), min(goal_y + 2, down)):
        for sector_x in range(max(goal_x - 1, 0), min(goal_x + 2, across)):
            sector = database.firsts + sector_y * across + sector_x
            for region in range(numbers[at(sector)], numbers[at(sector + 1)]):
                rep = numbers[at(database.reps + region)]
                probes += 1
                if region == own or 2 * distance(ground, rep, goal) >= 3 * database.side * ground.straight:
                    continue
                last, steps = _cost_of_climb(ground, settings, rep, goal)
                climbs += steps
                if last >= least:
                    continue
                way, looked = cost_of_hops(ground, database, here, np.int64(region))
                probes += looked
                if way + last < least:
                    least = way + last
                    now[RegionSlot.GOAL_REGION] = region
                    now[RegionSlot.SETTLED] = OTHER_ENTRY
    return climbs, probes


@inlined
def _cost_of_climb(ground, settings, cell, target):
    """What a climb costs, FAR if it does not arrive; and its steps."""
    arrived, cost, steps = climb_cost(ground, cell, target, settings.limit)
    return cost if arrived else FAR, steps


@inlined
def _next_inside(ground, database, scratch, now):
    """Head for a far cell of a best path inside the sector that a climb reaches; returns expansions and climb steps."""
    mask = ground.mask
    climb_table = ground.climb_table
    stride = ground.stride
    straight = ground.straight
    diagonal = ground.diagonal
    way = scratch.way
    end = now[RouteSlot.POINT] if now[RouteSlot.PHASE] == TO_REPRESENTATIVE else now[Slot.GOAL]
    size, expansions = in_sector_path(
        mask, stride, database.side, straight, diagonal,
        np.int64(now[Slot.CELL]), np.int64(end), scratch.search, way,
    )  # fmt: skip
    there = size - 1
    good, climbs = leads(mask, climb_table, stride, straight, diagonal, way, 0, there, ONE_WAY)
    if not good:
        there, steps = next_subgoal(mask, climb_table, stride, straight, diagonal, way, 0, there - 1, ONE_WAY, NO_LIMIT)
        climbs += steps
    now[Slot.TARGET] = way[there]
    return expansions, climbs
