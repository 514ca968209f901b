"""What ways cost by hub labels alone: `planner.cost`, `costs` and `closest` against Dijkstra and the twin."""

import numpy as np
import pytest

import waypost as wp
from tests.oracle.hub import Ground
from tests.oracle.hub_walk import Lists, cost_of
from tests.planners.hub.twin_maps import some_map
from tests.support.chance import seeded
from tests.support.once import optimal_costs
from tests.support.twins import side
from tests.support.worlds import WORLDS, cases, draw, random_open

COUNT = 32
FEW_SOURCES = side(6, 3)
MOST_PLACES = side(150, 20)

each_world = pytest.mark.parametrize(("rule", "costs"), WORLDS)


def planners(seed, rule, costs):
    """On small maps, of one part and of several: (map, planner, open places in any order, some of them)."""
    random = seeded(seed)
    for number in range(cases(COUNT)):
        is_open = random_open(random) if number % 2 else some_map(random, rule, costs)
        grid = wp.Grid(is_open, diagonals=rule, costs=costs)
        planner = wp.build("hub", grid, threads=1, trees=draw(random, (1, 512)))
        places = [(int(x), int(y)) for y, x in random.permutation(np.argwhere(is_open))[:MOST_PLACES]]
        sources = [draw(random, places) for _ in range(FEW_SOURCES)]
        yield is_open, planner, places, sources


@each_world
def test_costs_are_those_of_dijkstra(rule, costs):
    """All targets at once, pair by pair, and the nearest of each source; out of reach is -1."""
    for is_open, planner, places, sources in planners(21, rule, costs):
        exact = np.array([[optimal_costs(is_open, rule, costs, a).get(b, -1) for b in places] for a in sources])
        assert planner.costs(sources, places, threads=1).tolist() == exact.tolist()
        assert planner.costs(places, sources, threads=1).tolist() == exact.T.tolist()
        pairs = [(a, b) for a in sources for b in places]
        assert planner.cost(*zip(*pairs, strict=True), threads=1).tolist() == exact.ravel().tolist()
        targets, exact = places[::3], exact[:, ::3]
        closest = planner.closest(sources, targets, threads=1)
        far = np.where(exact < 0, np.iinfo(np.int64).max, exact)
        assert closest.goals.tolist() == np.where((exact < 0).all(axis=1), -1, far.argmin(axis=1)).tolist()
        assert closest.costs.tolist() == np.where((exact < 0).all(axis=1), -1, far.min(axis=1)).tolist()


@each_world
def test_costs_of_the_twin_are_those_of_dijkstra(rule, costs):
    """So the rules themselves are right: each pair of cells by two lists of the stored arrays."""
    for is_open, planner, places, sources in planners(22, rule, costs):
        arrays = {name: array.tolist() for name, array in planner.index.arrays.items()}
        lists = Lists(Ground(is_open.tolist(), rule, costs), arrays)
        for source in sources[:3]:
            exact = optimal_costs(is_open, rule, costs, source)
            for place in places:
                assert cost_of(lists, source, place) == exact.get(place)
