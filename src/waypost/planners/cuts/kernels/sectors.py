"""Square sectors of a map, cut into regions that hang together inside their sector (Sturtevant 2007; algorithms 7.2).

Sectors are numbered by rows, regions by sector and then by their first cell in the order of rows. Stored are two small
numbers: how many regions a sector has, and where in its sector each one's representative stands. Which region a cell
belongs to is stored nowhere: `in_sector` finds it out.
"""

import numpy as np

from waypost.kernels.compiling import inlined, kernel
from waypost.kernels.flood import join
from waypost.kernels.moves import NE, NW, N, W

_FAR = 1 << 62
MOST_IN_A_BYTE = 16  # a sector of 16 x 16 cells: 256 places, and at most 128 regions


@kernel(allocates=True)
def partition(mask, component, stride, n):
    """Cut the map into sectors of n x n cells and those into regions; returns firsts, reps and the region of each cell.

    Sector s holds the regions firsts[s] up to firsts[s + 1]. A region's representative is the member nearest to the
    floor of the members' mean, in a straight line, ties to the first by rows. Walls are of region -1.
    """
    width = stride - 2
    height = component.size // stride - 2
    across = (width + n - 1) // n
    region_of = np.full(component.size, np.int32(-1))
    firsts = np.zeros(across * ((height + n - 1) // n) + 1, np.int32)
    reps = np.empty(component.size, np.int32)  # as many as are used are paged in
    members = np.empty((n * n + 1) // 2, np.int64)  # of each region of one sector: how many,
    mean_x = np.empty(members.size, np.int64)  # their sum and then their mean,
    mean_y = np.empty(members.size, np.int64)
    least = np.empty(members.size, np.int64)  # and the least squared distance to it
    count = 0
    for sector in range(firsts.size - 1):
        top = sector // across * n
        left = (sector - sector // across * across) * n
        bottom = min(top + n, height)
        right = min(left + n, width)
        first = count
        for y in range(top, bottom):
            row = (y + 1) * stride + 1
            _join_row(region_of, mask, component, stride, row + left, row + right, y > top)
        for y in range(top, bottom):
            row = (y + 1) * stride + 1
            for x in range(left, right):
                parent = region_of[row + x]
                if parent < 0:
                    continue
                if parent == row + x:  # the first cell of its region
                    region = count - first
                    members[region] = mean_x[region] = mean_y[region] = 0
                    least[region] = _FAR
                    region_of[row + x] = count
                    count += 1
                else:
                    region_of[row + x] = region_of[parent]  # which comes first, so it is numbered already
                region = region_of[row + x] - first
                members[region] += 1
                mean_x[region] += x
                mean_y[region] += y
        for region in range(count - first):
            mean_x[region] //= members[region]
            mean_y[region] //= members[region]
        for y in range(top, bottom if count > first else top):
            row = (y + 1) * stride + 1
            for x in range(left, right):
                region = region_of[row + x] - first
                if region >= 0:
                    distance = (x - mean_x[region]) ** 2 + (y - mean_y[region]) ** 2
                    if distance < least[region]:
                        least[region] = distance
                        reps[first + region] = row + x
        firsts[sector + 1] = count
    return firsts, reps[:count].copy(), region_of


@inlined
def _join_row(parent, mask, component, stride, start, end, has_above):
    """Give the open cells of a sector's row a parent each, joining what they touch in the sector so far.

    A neighbour that comes by a straight move from one joined already is not joined again.
    """
    for cell in range(start, end):
        if component[cell] == 0:
            continue
        legal = mask[cell]
        has_west = cell > start and legal >> W & 1
        has_north = has_above and legal >> N & 1
        has_north_west = has_above and cell > start and legal >> NW & 1
        has_north_east = has_above and cell + 1 < end and legal >> NE & 1
        if has_west:
            parent[cell] = parent[cell - 1]
            if has_north and not has_north_west:
                join(parent, cell, cell - stride)
        elif has_north:
            parent[cell] = parent[cell - stride]
        elif has_north_west:
            parent[cell] = parent[cell - stride - 1]
        else:
            parent[cell] = cell
        if has_north_east and not has_north:
            join(parent, cell, cell - stride + 1)


def pack(firsts, reps, stride, n):
    """What is stored: regions of each sector, and the place y * n + x of each representative in its sector."""
    small = np.uint8 if n <= MOST_IN_A_BYTE else np.uint16
    y, x = np.divmod(reps, stride)
    return np.diff(firsts).astype(small), ((y - 1) % n * n + (x - 1) % n).astype(small)


def unpack(counts, places, stride, n):
    """The firsts and reps that `pack` was given."""
    firsts = np.zeros(counts.size + 1, np.int32)
    np.cumsum(counts, out=firsts[1:])
    across = (stride - 2 + n - 1) // n
    sector_y, sector_x = np.divmod(np.repeat(np.arange(counts.size), counts), across)
    y, x = np.divmod(places.astype(np.int64), n)
    return firsts, ((sector_y * n + y + 1) * stride + sector_x * n + x + 1).astype(np.int32)
