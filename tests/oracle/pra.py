"""PRA* of Dragon Age by its written rules (docs/planners/pra-sector.md): one segment after the other."""

from itertools import pairwise

from tests.oracle import best_first, region_graph, sectors
from tests.oracle.rules import heuristic, neighbours, walk_cost


class World:
    """A map cut into regions: members and representatives by number, and which of them touch."""

    def __init__(self, is_open, rule, costs, n):
        self.rules = is_open, rule, costs
        self.n = n
        by_sector, reps = sectors.partition(is_open, rule, n)
        self.members = [set(region) for regions in by_sector for region in regions]
        self.reps = [rep for of_sector in reps for rep in of_sector]
        self.reps_of_sector = {sectors.sector_of(n, of[0]): of for of in reps if of}
        self.region_of = {place: i for i, region in enumerate(self.members) for place in region}
        self.touching = region_graph.adjacency(is_open, rule, self.region_of, len(self.reps))

    def look_up(self, place):
        """The region of a place, and what it took to know."""
        is_open, rule, _ = self.rules
        reps = self.reps_of_sector[sectors.sector_of(self.n, place)]
        rep, looked = sectors.look_up(is_open, rule, self.n, place, reps)
        return self.reps.index(rep), looked


def find_route(world, first, last):
    """Regions of a best way over representatives, and how many were expanded."""
    _, rule, costs = world.rules

    def octile(a, b):
        return heuristic(rule, costs, world.reps[a], world.reps[b])

    def order(region):
        (x, y), (goal_x, goal_y) = world.reps[region], world.reps[last]
        rough = min(max(abs(x - goal_x), abs(y - goal_y)) // 16, 255)
        return cost[region] + octile(region, last), rough, region

    cost, came_from, expanded, waiting = {first: 0}, {}, [], {first}
    while True:
        here = min(waiting, key=order)
        if here == last:
            break
        waiting.remove(here)
        expanded.append(here)
        for there in world.touching[here]:
            new = cost[here] + octile(here, there)
            if there not in cost or new < cost[there]:
                cost[there], came_from[there] = new, here
                waiting.add(there)
    route = [last]
    while route[-1] != first:
        route.append(came_from[route[-1]])
    return route[::-1], len(expanded)


def climb(world, here, target):
    """The places of a climb, as far as it comes."""
    _, rule, costs = world.rules
    places = [here]
    while places[-1] != target:

        def h(place):
            return heuristic(rule, costs, place, target)

        options = [
            (cost + h(there), -cost, order, there)
            for order, (there, cost) in enumerate(neighbours(*world.rules, *places[-1]))
        ]
        if not any(h(there) < h(places[-1]) for *_, there in options):
            break
        places.append(min(options)[-1])
    return places


def segment(world, here, target, regions, shift, climbs):
    """The path of a segment without its first place, and what it took: expansions, climb steps, probes.

    `regions` are those that it is restricted to, or None.
    """
    _, rule, costs = world.rules
    steps = 0
    if climbs:
        places = climb(world, here, target)
        steps = len(places) - 1
        borders = sum(sectors.sector_of(world.n, a) != sectors.sector_of(world.n, b) for a, b in pairwise(places))
        is_best = places[-1] == target and walk_cost(rule, costs, places) == heuristic(rule, costs, here, target)
        if is_best and (regions is None or borders <= 1):
            assert regions is None or {world.region_of[place] for place in places} <= set(regions)
            return places[1:], 0, steps, 0
    within = None if regions is None else set().union(*(world.members[region] for region in regions))
    expanded, _, parent = best_first.search(
        *world.rules, here, target, g_weight=1, h_weight=1, shift=shift, within=within
    )
    return best_first.path(parent, target)[1:], len(expanded), steps, len(within or ())


def walk(world, start, goal, *, shift, trim, skip_ends, hops, restricted, climbs):
    """Moves as (place, expansions, climb steps, probes), the route, the targets, most expansions of a search."""
    if start == goal:
        return [], [], [], 0
    (first, looked_first), (last, looked_last) = world.look_up(start), world.look_up(goal)
    route, most = find_route(world, first, last)
    probes = looked_first + looked_last + most
    waypoints = [] if len(route) == 1 else route[1:-1] if skip_ends else route
    legs = [(world.reps[region], route.index(region)) for region in waypoints[hops - 1 :: hops]]
    moves, targets, expansions, climbed, here, low = [], [], 0, 0, start, 0
    for target, high in [*legs, (goal, len(route) - 1)]:
        if target == here:
            low = high
            continue
        targets.append(target)
        regions = route[low : high + 1] if restricted else None
        path, expanded, steps, looked = segment(world, here, target, regions, shift, climbs)
        most = max(most, expanded)
        expansions += expanded
        climbed += steps
        probes += looked
        if target != goal:
            path = path[: len(path) - len(path) * trim // 100]
        if goal in path:
            path = path[: path.index(goal) + 1]
        for place in path:
            moves.append((place, expansions, climbed, probes))
            expansions = climbed = probes = 0
        here = path[-1] if path else here
        if here == goal:
            break
        low_before, low = low, high
        if restricted and here != target:
            region, looked = world.look_up(here)
            probes += looked
            assert region in route[low_before : high + 1]
            low = route.index(region)
    return moves, route, targets, most
