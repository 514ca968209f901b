"""Climb regions by definition: every climb is made once more (algorithms 11.1)."""

from tests.oracle.climb import climb
from tests.oracle.rules import heuristic, neighbours


def partition(is_open, rule, costs, spacing, cutoff):
    """Seeds, by region, and a table from place to region."""
    height, width = len(is_open), len(is_open[0])
    seeds = []
    region_of = {}

    def joins(place, seed):
        if place in region_of:
            owner = seeds[region_of[place]]
            if heuristic(rule, costs, place, seed) >= heuristic(rule, costs, place, owner):
                return False
        there_and_back = (place, seed), (seed, place)
        return all(climb(is_open, rule, costs, *ends, limit=cutoff)[0] for ends in there_and_back)

    def grow(seed):
        assert joins(seed, seed)
        seeds.append(seed)
        region_of[seed] = len(seeds) - 1
        tried = {seed}
        members = [seed]
        for here in members:
            for there, _ in neighbours(is_open, rule, costs, *here):
                if there not in tried:
                    tried.add(there)
                    if joins(there, seed):
                        region_of[there] = len(seeds) - 1
                        members.append(there)

    half = spacing // 2
    for row, y in enumerate(range(half, height, spacing)):
        for x in range(half if row % 2 == 0 else half + half, width, spacing):
            if is_open[y][x]:
                grow((x, y))
    for y in range(height):
        for x in range(width):
            if is_open[y][x] and (x, y) not in region_of:
                grow((x, y))
    return seeds, region_of
