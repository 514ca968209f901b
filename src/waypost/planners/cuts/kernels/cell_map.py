"""The region of every cell as runs of equal ones, found again in constant time (HCDPS's cell map; algorithms 11.4).

Cells are taken in tiles of 16 x 16, and in a tile row by row, there and back: every other row is read from the right,
so that a border through the tile starts one run per row and not two. A run is a place in its tile, which is a byte, and
a region. It goes on until the next one, through tiles without a run of their own. Walls belong to any run.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from waypost.kernels.compiling import inlined, kernel
from waypost.kernels.numbers import at

_SIDE_BITS = 4
_LAST = (1 << _SIDE_BITS) - 1
_PLACES = 1 << 2 * _SIDE_BITS


class CellMap(NamedTuple):
    """What `region_at` reads: the first run of each tile and one past the last; places and regions of runs."""

    tile_runs: npt.NDArray[np.int32]
    places: npt.NDArray[np.uint8]
    regions: npt.NDArray[np.int32]


@kernel(allocates=True)
def encode(region_of, stride):
    """Runs of a map of regions, -1 on walls: the first run of each tile and one past the last, places, regions."""
    width = stride - 2
    height = region_of.size // stride - 2
    across = (width + _LAST) >> _SIDE_BITS
    tile_runs = np.zeros(across * ((height + _LAST) >> _SIDE_BITS) + 1, np.uint32)
    places = np.empty(region_of.size, np.uint8)  # of these two, as much as is used is paged in
    regions = np.empty(region_of.size, np.uint32)
    places[0] = 0  # the first run starts with the map, so that there always is a run before
    count = 1
    region = np.int32(-1)
    for tile in range(tile_runs.size - 1):
        top = tile // across << _SIDE_BITS
        left = tile % across << _SIDE_BITS
        for y in range(top, min(top + _LAST + 1, height)):
            row = (y + 1) * stride + 1
            is_back = y & 1
            end = min(left + _LAST + 1, width)
            for i in range(end - left):
                x = end - 1 - i if is_back else left + i
                there = region_of[row + x]
                if there < 0 or there == region:
                    continue
                if region >= 0:
                    places[count] = _place(x, y)
                    count += 1
                region = there
                regions[count - 1] = region
        tile_runs[tile + 1] = count
    return tile_runs, places[:count].copy(), regions[:count].copy()


@inlined
def _place(x, y):
    """Where in its tile a cell stands: 0 to 255."""
    column = x & _LAST
    return (y & _LAST) << _SIDE_BITS | (_LAST - column if y & 1 else column)


@inlined
def region_at(tile_runs, places, regions, stride, cell):
    """The region of an open cell, and the runs looked at: at most 9, by binary search in the cell's tile."""
    y = np.int64(np.uint32(cell) // np.uint32(stride))
    x = cell - y * stride - 1
    y -= 1
    across = (stride - 2 + _LAST) >> _SIDE_BITS
    tile = (y >> _SIDE_BITS) * across + (x >> _SIDE_BITS)
    place = _place(x, y)
    low = np.int64(tile_runs[at(tile)])
    high = np.int64(tile_runs[at(tile + 1)])
    looked = 1
    while low < high:  # for the first run that starts after the place
        middle = (low + high) >> 1
        looked += 1
        if places[at(middle)] <= place:
            low = middle + 1
        else:
            high = middle
    return np.int64(regions[at(low - 1)]), looked


@kernel(allocates=True)
def decode(tile_runs, places, regions, component, stride):
    """The map of regions that was encoded: -1 on walls, where the component is 0."""
    region_of = np.full(component.size, -1, np.int32)
    for cell in range(component.size):
        if component[cell]:
            region_of[cell], _ = region_at(tile_runs, places, regions, stride, cell)
    return region_of


def tile_count(width, height):
    """Tiles of a map."""
    return -(-width >> _SIDE_BITS) * -(-height >> _SIDE_BITS)


def pack(tile_runs, places, regions):
    """What is stored: runs of each tile, in two bytes, their places, and their regions in two bytes if those do."""
    small = np.uint16 if regions.max() < 1 << 16 else np.uint32
    return np.diff(tile_runs).astype(np.uint16), places, regions.astype(small)


def unpack(counts, places, regions):
    """What `encode` returned."""
    tile_runs = np.zeros(counts.size + 1, np.uint32)
    np.cumsum(counts, out=tile_runs[1:])
    return tile_runs, places, regions.astype(np.uint32)
