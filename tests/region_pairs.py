"""An agent that walks by regions and its plain-Python twin side by side, and worlds for them."""

import numpy as np

import waypost as wp
from tests.learning_worlds import random_world
from tests.oracle import sectors
from tests.oracle.region_walk import Regions, RegionWalker
from tests.region_worlds import read_only
from tests.side_by_side import SideBySide
from waypost.kernels import next_hops, region_runs
from waypost.maps.generate import generate

ONLINE = ("ahead", "limit", "direct", "entries")
MORE = 255
"""A byte of a count of legs that goes on in the next."""


def regions_of(planner):
    """What the index of a planner holds, as plain data."""
    grid, index, tables = planner.grid, planner.index, planner.index.tables
    representatives = [grid.xy(cell) for cell in tables["reps"].tolist()]
    hop = hops_of(index)
    if index.side:
        return _sector_regions(grid, index.side, representatives, hop)
    dtypes = {"tile_runs": np.uint32, "run_places": np.uint8, "run_regions": np.uint32}
    runs = [read_only(tables[name], dtype) for name, dtype in dtypes.items()]

    def look_up(place):
        return region_runs.look_up(*runs, grid.stride, grid.cell(place))

    return Regions(representatives, look_up, hop, [look_up(place)[1] for place in representatives])


def _sector_regions(grid, side, representatives, hop):
    by_sector = {}
    for region, place in enumerate(representatives):
        by_sector.setdefault(sectors.sector_of(side, place), []).append(region)
    known_at = [1 + by_sector[sectors.sector_of(side, place)].index(i) for i, place in enumerate(representatives)]

    def look_up(place):
        there = by_sector[sectors.sector_of(side, place)]
        found, looked = sectors.look_up(
            grid.is_open, grid.diagonals, side, place, [representatives[region] for region in there]
        )
        return representatives.index(found), looked

    return Regions(representatives, look_up, hop, known_at, side, by_sector)


def hops_of(index):
    """From two regions to legs and probes: the runs of the row, then the bytes of all paths up to the one."""
    tables, codes, legs = index.tables, index.arrays["codes"].tolist(), index.arrays["legs"].tolist()
    run_starts = read_only(tables["run_starts"], np.int32)
    runs = run_starts, *(read_only(tables[name], np.uint16) for name in ("run_columns", "run_ranks"))
    blocks = (tables["reps"].size - 1) // 65536 + 1

    def hop(region, to):
        rank, probes = next_hops.next_hop(*runs, next_hops.BLOCK_SHIFT, blocks, region, int(tables["columns"][to]))
        code, leg = int(tables["first_codes"][region]), int(tables["first_legs"][region])
        before = code
        for _ in range(rank + 1):
            first = leg
            while codes[code] == MORE:
                leg += MORE
                code += 1
            leg += codes[code]
            code += 1
        return legs[first:leg], probes + code - before

    return hop


class Pair(SideBySide):
    """An agent that walks by regions, and its twin."""

    def __init__(self, name, world, start, goal, **params):
        super().__init__(name, world, **params)
        self.params = {key: value for key, value in self.planner.params.items() if key in (*ONLINE, "depth")}
        self.regions = regions_of(self.planner)
        self.reset(start, goal)

    def new_walker(self, start):
        return RegionWalker(self.world, self.regions, start, **self.params)


def draw(random, choices):
    return choices[random.integers(len(choices))]


def random_params(random, name):
    """Small and large regions, few and many points ahead, limits that are too small and ones that are not."""
    params = {
        "depth": int(random.integers(0, 5)),
        "ahead": draw(random, (0, 1, 2, 4, 16)),
        "limit": draw(random, (1, 5, 250)),
        "direct": int(random.integers(3)),
    }
    if name == "dba":
        return params | {"sector": int(random.integers(2, 17)), "entries": int(random.integers(2))}
    return params | {"spacing": int(random.integers(2, 17)), "cutoff": draw(random, (2, 5, 16))}


def small_pair(random, name, rule, costs, **params):
    """A pair in a world with a detour."""
    is_open, start, goal = random_world(random, rule, costs)
    return Pair(name, (is_open, rule, costs), start, goal, **random_params(random, name) | params)


LEAST_SIDE = 8
"""Of a generated map."""

LARGE = (
    ("caves", {"walls": 0.42}),
    ("caves", {"walls": 0.5}),
    ("rooms", {"size": 5}),
    ("rooms", {"size": 12, "doors": 0.5}),
    ("maze", {"corridor": 1}),
    ("maze", {"corridor": 3}),
)
"""Kinds of maps on which routes have several hops."""


def large_world(random, rule, costs, side):
    """A generated map of about this side, and some ends of ways in one part of it."""
    kind, params = draw(random, LARGE)
    width, height = random.integers(max(side // 2, LEAST_SIDE), side + 1, size=2).tolist()
    is_open = generate(kind, width, height, int(random.integers(1000)), **params)
    grid = wp.Grid(is_open, diagonals=rule, costs=costs)
    largest = int(np.argmax(np.bincount(grid.component[grid.component > 0])))
    cells = np.flatnonzero(grid.component == largest)
    return (is_open, rule, costs), [grid.xy(cell) for cell in random.choice(cells, size=8).tolist()]
