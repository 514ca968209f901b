"""Hops from region to region, as they are read from the database of a map (algorithms 11.3, 12.2).

A *hop* is a stored path from a region's representative to another's: legs that a climb makes.
"""

import numpy as np

from waypost.kernels.compiling import inlined
from waypost.kernels.moves import octile
from waypost.kernels.numbers import at
from waypost.planners.cuts.kernels.cell_map import region_at
from waypost.planners.cuts.kernels.in_sector import region_of_cell
from waypost.planners.regions.kernels.hop_sets import FAR
from waypost.planners.regions.kernels.next_hops import BLOCK_SHIFT, hop
from waypost.planners.regions.kernels.paths import find_legs
from waypost.planners.walking.kernels.legs import after_leg

HOPS_TO_ENTRY = 6  # most of a way that is compared with another one


@inlined
def sector_of(ground, database, cell):
    """Column and row of a cell's sector."""
    n = np.uint32(database.side)
    stride = np.uint32(ground.stride)
    y = np.uint32(cell) // stride
    x = np.uint32(cell) - y * stride
    return np.int64((x - np.uint32(1)) // n), np.int64((y - np.uint32(1)) // n)


@inlined
def region_of(ground, database, scratch, cell):
    """The region of an open cell, and the cells or runs looked at to find it."""
    if database.side == 0:
        return _region_of_run(ground, database, cell)
    firsts = database.numbers[database.firsts : database.reps]
    reps = database.numbers[database.reps : database.columns]
    across = database.sectors_across
    return region_of_cell(ground.mask, firsts, reps, ground.stride, database.side, across, cell, scratch.search)


@inlined
def _region_of_run(ground, database, cell):
    """The region of an open cell where there are no sectors, and the runs looked at."""
    tile_runs = database.numbers[database.tile_runs : database.run_regions]
    regions = database.numbers[database.run_regions :]
    return region_at(tile_runs, database.run_places, regions, ground.stride, cell)


@inlined
def _region_of_representative(ground, database, cell):
    """The region that a representative stands for, without a search; and the regions or runs looked at."""
    if database.side == 0:
        return _region_of_run(ground, database, cell)
    sector_x, sector_y = sector_of(ground, database, cell)
    sector = sector_y * database.sectors_across + sector_x
    first = np.int64(database.numbers[at(database.firsts + sector)])
    region = first
    while database.numbers[at(database.reps + region)] != cell:
        region += 1
    return region, region - first + 1


@inlined
def hop_towards(ground, database, region, goal_region):
    """The hop from a region towards another: its first leg, their end, the region where it ends, and the probes."""
    column = database.numbers[at(database.columns + goal_region)]
    run_starts = database.numbers[database.run_starts : database.first_codes]
    runs = run_starts, database.run_columns, database.run_ranks
    rank, probes = hop(*runs, BLOCK_SHIFT, database.blocks, region, column)
    first_code = database.numbers[at(database.first_codes + region)]
    first_leg = database.numbers[at(database.first_legs + region)]
    leg, count, looked = find_legs(database.codes, first_code, first_leg, rank)
    cell = np.int64(database.numbers[at(database.reps + region)])
    for i in range(leg, leg + count):
        cell = after_leg(ground, database.legs, i, cell)
    end, regions = _region_of_representative(ground, database, cell)
    return leg, leg + count, end, probes + looked + count + regions


@inlined
def cost_of_hops(ground, database, region, goal_region):
    """The octile lengths of all legs from one region to another, FAR if it takes too many hops; and the probes."""
    cost = 0
    probes = 0
    for _ in range(HOPS_TO_ENTRY):
        if region == goal_region:
            return cost, probes
        leg, end, region, looked = hop_towards(ground, database, region, goal_region)
        probes += looked
        for i in range(leg, end):
            dx = np.int64(database.legs[at(i), 0])
            dy = np.int64(database.legs[at(i), 1])
            cost += octile(dx, dy, ground.straight, ground.diagonal)
    return cost if region == goal_region else FAR, probes
