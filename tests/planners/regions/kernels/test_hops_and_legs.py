"""Paths, hops and rows together: from every region, hop by hop and leg by leg, to every other one in reach."""

import numpy as np
import pytest

from tests.oracle import rules
from tests.oracle.climb import climb as climb_by_definition
from tests.planners.regions.worlds import all_hops, chained, read_only
from tests.support.chance import seeded
from tests.support.worlds import cases, random_open
from waypost.kernels import climb
from waypost.planners.regions.kernels import column_order, hop_sets, next_hops, paths
from waypost.world.grid import Grid


def build(grid, reps, lists):
    """What an index would store: kept neighbours and legs of each region, and the matrix of hops by region."""
    count = len(reps)
    starts, neighbours = chained(lists)
    world = grid.mask, grid.climb_table, grid.stride, grid.costs.straight, grid.costs.diagonal
    node = np.zeros(grid.mask.size, np.int64)
    cells = read_only([grid.cell(rep) for rep in reps], np.int32)
    costs, counts, legs = paths.paths(*world, cells, starts, neighbours, climb.EXACT, 0, count, node)
    costs.setflags(write=False)
    keep = hop_sets.needed(starts, neighbours, costs, 0, count)
    starts = read_only(np.concatenate(([0], np.cumsum(keep)))[starts], np.int64)
    neighbours, costs = read_only(neighbours[keep], np.int32), read_only(costs[keep], np.int32)
    legs = np.split(legs[np.repeat(keep, counts)], np.cumsum(counts[keep]))
    distance, sets = hop_sets.hop_sets(starts, neighbours, costs, 0, count)
    distance.setflags(write=False)
    sets.setflags(write=False)
    order = read_only(column_order.depth_first(starts, neighbours, costs), np.int32)
    order = read_only(column_order.shortened(order, distance, starts, neighbours), np.int32)
    run_counts, columns, ranks = next_hops.rows(distance, sets, order, next_hops.BLOCK_SHIFT, 0)
    run_starts = read_only(np.cumsum([0, *run_counts]), np.int32)
    coded = run_starts, read_only(columns, np.uint16), read_only(ranks, np.uint16)
    matrix = all_hops(coded, count)[:, order]
    return starts, neighbours, legs, distance, matrix


@pytest.mark.parametrize("rule", rules.DIAGONALS)
@pytest.mark.parametrize("costs", rules.COSTS)
def test_hops_and_legs_lead_everywhere_at_the_cost_promised(rule, costs):
    random = seeded(1)
    for _ in range(cases(20)):
        is_open = random_open(random, largest=12)
        grid = Grid(is_open, diagonals=rule, costs=costs)
        places = [(int(x), int(y)) for y, x in np.argwhere(is_open)]
        reps = [places[i] for i in random.permutation(len(places))[:8]]
        count = len(reps)
        near = random.random((count, count)) < 0.5
        lists = [[j for j in range(count) if j != i and (near[i, j] or near[j, i])] for i in range(count)]
        starts, neighbours, legs, distance, matrix = build(grid, reps, lists)
        for here, goal in np.ndindex(distance.shape):
            if distance[here, goal] == hop_sets.FAR:
                continue
            walked, region, place = 0, here, reps[here]
            while region != goal:
                path = starts[region] + matrix[region, goal]
                for dx, dy in legs[path].tolist():
                    arrives, walk = climb_by_definition(is_open, rule, costs, place, (place[0] + dx, place[1] + dy))
                    assert arrives
                    walked, place = walked + rules.walk_cost(rule, costs, walk), walk[-1]
                region = neighbours[path]
                assert place == reps[region]
            assert walked == distance[here, goal]
