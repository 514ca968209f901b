"""PRA* of Dragon Age by its written rules (docs/planners/pra-sector.md): dicts and lists, one segment after the other."""

from tests.oracle import best_first, region_graph, sectors
from tests.oracle.rules import heuristic


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
        rep, looked = sectors.look_up(is_open, rule, self.n, place, self.reps_of_sector[sectors.sector_of(self.n, place)])
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


def walk(world, start, goal, *, shift, trim, skip_ends, hops, restricted):
    """Moves as (place, expansions, probes), the route, the targets, and the most that any search expanded."""
    if start == goal:
        return [], [], [], 0
    (first, looked_first), (last, looked_last) = world.look_up(start), world.look_up(goal)
    route, most = find_route(world, first, last)
    probes = looked_first + looked_last + most
    waypoints = [] if len(route) == 1 else route[1:-1] if skip_ends else route
    legs = [(world.reps[region], route.index(region)) for region in waypoints[hops - 1 :: hops]]
    moves, targets, expansions, here, low = [], [], 0, start, 0
    for target, high in [*legs, (goal, len(route) - 1)]:
        if target == here:
            low = high
            continue
        within = None
        if restricted:
            within = set().union(*(world.members[region] for region in route[low : high + 1]))
            probes += len(within)
        targets.append(target)
        expanded, _, parent = best_first.search(
            *world.rules, here, target, g_weight=1, h_weight=1, shift=shift, within=within
        )
        most = max(most, len(expanded))
        expansions += len(expanded)
        path = best_first.path(parent, target)[1:]
        if target != goal:
            path = path[: len(path) - len(path) * trim // 100]
        if goal in path:
            path = path[: path.index(goal) + 1]
        for place in path:
            moves.append((place, expansions, probes))
            expansions = probes = 0
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
