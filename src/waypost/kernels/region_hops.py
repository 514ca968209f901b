"""Hops from region to region, as they are read from the database of a map (algorithms 11.3, 12.2).

A *hop* is a stored path from a region's representative to another's: legs that a climb makes. The database of a map is
four arrays and `numbers`, in which all its tables of int32 stand one after the other; where, say the settings. That no
table leads out of another one is for the index to check (`indexes/regions.py`).
"""

import numpy as np

from waypost.kernels.compiling import inlined
from waypost.kernels.in_sector import region_of_cell
from waypost.kernels.moves import octile
from waypost.kernels.next_hops import BLOCK_SHIFT, hop
from waypost.kernels.region_paths import find_legs
from waypost.kernels.region_runs import region_at
from waypost.kernels.route_points import DIAGONAL, FIRST_SETTING, STRAIGHT, STRIDE

_at = np.uintp  # an unsigned index spares the test for a negative one
FAR = 1 << 60
HOPS_TO_ENTRY = 6  # most of a way that is compared with another one

# What a planner was set to besides what all routes are, and where in `numbers` its tables begin.
(
    SIDE, ACROSS, BLOCKS, ENTRIES,
    FIRSTS, REPS, COLUMNS, RUN_STARTS, FIRST_CODES, FIRST_LEGS, TILE_RUNS, RUN_REGIONS,
) = range(FIRST_SETTING, FIRST_SETTING + 12)  # fmt: skip


@inlined
def sector_of(stride, n, cell):
    """Column and row of a cell's sector."""
    y = np.uint32(cell) // np.uint32(stride)
    x = np.uint32(cell) - y * np.uint32(stride)
    return np.int64((x - np.uint32(1)) // np.uint32(n)), np.int64((y - np.uint32(1)) // np.uint32(n))


@inlined
def region_of(mask, numbers, places, settings, scratch, cell):
    """The region of an open cell, and the cells or runs looked at to find it."""
    stride = settings[STRIDE]
    n = settings[SIDE]
    if n == 0:
        tile_runs = numbers[settings[TILE_RUNS] : settings[RUN_REGIONS]]
        return region_at(tile_runs, places, numbers[settings[RUN_REGIONS] :], stride, cell)
    firsts = numbers[settings[FIRSTS] : settings[REPS]]
    reps = numbers[settings[REPS] : settings[COLUMNS]]
    return region_of_cell(mask, firsts, reps, stride, n, settings[ACROSS], cell, scratch)


@inlined
def _region_of_representative(numbers, places, settings, cell):
    """The region that a representative stands for, without a search; and the regions or runs looked at."""
    n = settings[SIDE]
    stride = settings[STRIDE]
    if n == 0:
        tile_runs = numbers[settings[TILE_RUNS] : settings[RUN_REGIONS]]
        return region_at(tile_runs, places, numbers[settings[RUN_REGIONS] :], stride, cell)
    sector_x, sector_y = sector_of(stride, n, cell)
    sector = sector_y * settings[ACROSS] + sector_x
    first = np.int64(numbers[_at(settings[FIRSTS] + sector)])
    region = first
    while numbers[_at(settings[REPS] + region)] != cell:
        region += 1
    return region, region - first + 1


@inlined
def hop_towards(numbers, run_columns, run_ranks, codes, legs, places, settings, region, goal_region):
    """The hop from a region towards another: its first leg, their end, the region where it ends, and the probes."""
    column = numbers[_at(settings[COLUMNS] + goal_region)]
    run_starts = numbers[settings[RUN_STARTS] : settings[FIRST_CODES]]
    rank, probes = hop(run_starts, run_columns, run_ranks, BLOCK_SHIFT, settings[BLOCKS], region, column)
    first_code = numbers[_at(settings[FIRST_CODES] + region)]
    first_leg = numbers[_at(settings[FIRST_LEGS] + region)]
    leg, count, looked = find_legs(codes, first_code, first_leg, rank)
    cell = np.int64(numbers[_at(settings[REPS] + region)])
    for i in range(leg, leg + count):
        cell += legs[_at(i), 1] * settings[STRIDE] + legs[_at(i), 0]
    end, regions = _region_of_representative(numbers, places, settings, cell)
    return leg, leg + count, end, probes + looked + count + regions


@inlined
def cost_of_hops(numbers, run_columns, run_ranks, codes, legs, places, settings, region, goal_region):
    """The octile lengths of all legs from one region to another, FAR if it takes too many hops; and the probes."""
    cost = 0
    probes = 0
    for _ in range(HOPS_TO_ENTRY):
        if region == goal_region:
            return cost, probes
        leg, end, region, looked = hop_towards(
            numbers, run_columns, run_ranks, codes, legs, places, settings, region, goal_region
        )
        probes += looked
        for i in range(leg, end):
            dx = np.int64(legs[_at(i), 0])
            dy = np.int64(legs[_at(i), 1])
            cost += octile(dx, dy, settings[STRAIGHT], settings[DIAGONAL])
    return cost if region == goal_region else FAR, probes
