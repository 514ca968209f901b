"""An agent that walks by regions and its plain-Python twin side by side, and worlds for them."""

from functools import partial

import numpy as np
from hypothesis import strategies as st

from tests.oracle import sectors
from tests.oracle.region_walk import Regions, RegionWalker
from tests.planners.regions.worlds import read_only
from tests.support import compiled
from tests.support.side_by_side import SideBySide
from tests.support.twins import Twin, side
from tests.support.worlds import draw
from waypost.planners.regions.kernels import next_hops

ONLINE = ("ahead", "limit", "direct", "entries", "joints", "ends")
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
        return compiled.look_up_in_runs(*runs, grid.stride, grid.cell(place))

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

    def set_up(self):
        self.online = {key: value for key, value in self.params.items() if key in (*ONLINE, "depth")}
        self.regions = regions_of(self.planner)

    def new_walker(self, start):
        return RegionWalker(self.world, self.regions, start, **self.online)


def random_params(random, **of_regions):
    """Few and many points ahead, limits that are too small and ones that are not; small and large regions."""
    params = {
        "depth": int(random.integers(0, 5)),
        "ahead": draw(random, (0, 1, 2, 4, 16)),
        "limit": draw(random, (1, 5, 250)),
        "direct": int(random.integers(3)),
    }
    return params | {param: draw(random, values) for param, values in of_regions.items()}


DRAWN = {
    "depth": st.integers(1, 2),
    "ahead": st.sampled_from([0, 1, 4]),
    "limit": st.sampled_from([1, 3, 250]),
    "direct": st.integers(0, 2),
}
DRAWN_SIDE = st.sampled_from([2, 3, 5])
WALKS = {
    "pair": Pair,
    "drawn": 300,
    "small": 60,
    "large": 24,
    "largest": side(60, 24),
    "retargeted": 12,
    "walked": 20,
    "presets": 4,
    "is_asking": lambda walker: walker.target in (None, walker.here),
}
TWINS = [
    Twin(
        planner="dba",
        random_params=partial(random_params, sector=range(2, 17), entries=(0, 1), ends=(0, 1, 1)),
        drawn_params=st.fixed_dictionaries(
            DRAWN | {"sector": DRAWN_SIDE, "entries": st.integers(0, 1), "ends": st.integers(0, 1)}
        ),
        **WALKS,
    ),
    Twin(
        planner="hcdps",
        random_params=partial(random_params, spacing=range(2, 17), cutoff=(2, 5, 16), joints=(0, 1)),
        drawn_params=st.fixed_dictionaries(
            DRAWN | {"spacing": DRAWN_SIDE, "cutoff": DRAWN_SIDE, "joints": st.integers(0, 1)}
        ),
        **WALKS,
    ),
]
