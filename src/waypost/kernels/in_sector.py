"""What a planner asks inside one sector: which region a cell belongs to, and the best way that does not leave the sector.

Both look at no more than the sector's n x n cells (algorithms 7.2, 12.2). A scratch array serves any number of
questions about sectors of its size; nothing in it is cleared from one to the next, because each has a larger stamp.
"""

import numpy as np

from waypost.kernels.bits import leading_zeros
from waypost.kernels.compiling import helper, inlined, kernel
from waypost.kernels.moves import FIRST_DIAGONAL, FIRST_MOVE, NE, NW, SE, SW, DX, DY, N, E, S, W

_at = np.uintp  # an unsigned index spares the test for a negative one
MOST_SIDE = 256  # of a sector: a place is two bytes, x in the lower one

# A mark is the stamp of the question that wrote it, and what that says of the cell: how cheaply it was reached, as in
# `best_first`, or a number of the flood. The costliest way through 256 x 256 cells needs just these bits.
_SAID_BITS = 29
_SAID = (1 << _SAID_BITS) - 1
_LAST_STAMP = (1 << 63 - _SAID_BITS) - 1
_MARKS = 1  # before them: the stamp of the last question

_NORTHWARD = 1 << N | 1 << NE | 1 << NW
_EASTWARD = 1 << E | 1 << NE | 1 << SE
_SOUTHWARD = 1 << S | 1 << SE | 1 << SW
_WESTWARD = 1 << W | 1 << SW | 1 << NW
_PREFERRED = (NE, SE, SW, NW, N, E, S, W)  # among equally good moves, as in a climb: the costlier, then the first


def scratch_size(n):
    """Entries (int64) of the scratch array, 0 at first: a stamp, then a mark and three lists for all places."""
    return _MARKS + 4 * n * n


@inlined
def _next_stamp(scratch, n):
    """What all marks of a new question are at least, and all older ones are less than."""
    stamp = scratch[0] + 1
    if stamp > _LAST_STAMP:  # after 17 thousand million questions
        scratch[_MARKS : _MARKS + n * n] = 0
        stamp = np.int64(1)
    scratch[0] = stamp
    return stamp << _SAID_BITS


@inlined
def _split(stride, n, cell):
    """The upper left cell of a cell's sector, x and y of the cell from there, and column and row of the sector."""
    y = np.int64(np.uint32(cell) // np.uint32(stride)) - 1
    x = cell - (y + 1) * stride - 1
    column = np.int64(np.uint32(x) // np.uint32(n))
    row = np.int64(np.uint32(y) // np.uint32(n))
    x -= column * n
    y -= row * n
    return cell - y * stride - x, x, y, column, row


@inlined
def _inside(legal, x, y, n):
    """Those of the legal moves that stay in the sector."""
    if y == 0:
        legal &= ~_NORTHWARD
    if x == n - 1:
        legal &= ~_EASTWARD
    if y == n - 1:
        legal &= ~_SOUTHWARD
    if x == 0:
        legal &= ~_WESTWARD
    return legal


@inlined
def region_of_cell(mask, firsts, reps, stride, n, across, cell, scratch):
    """The region of an open cell and the cells looked at to know it: none if its sector has no other region.

    Otherwise these are the sector's representatives and, breadth first from the cell, as many cells as must be left
    until one of the representatives is met.
    """
    corner, x, y, column, row = _split(stride, n, cell)
    sector = row * across + column
    first = np.int64(firsts[_at(sector)])
    count = firsts[_at(sector + 1)] - first
    region = first
    looked = 0
    if count > 1:
        region, looked = _flood(mask, reps, stride, n, corner, x, y, first, count, scratch)
    return region, looked


@kernel
def look_up(mask, firsts, reps, stride, n, across, cell, scratch):
    """The region of an open cell, and the cells looked at."""
    return region_of_cell(mask, firsts, reps, stride, n, across, cell, scratch)


@helper
def _flood(mask, reps, stride, n, corner, x, y, first, count, scratch):
    """Find the representative in the region of a place; marks are the region's rank + 1 there and 0 where one was."""
    base = _next_stamp(scratch, n)
    for rank in range(count):
        _, rep_x, rep_y, _, _ = _split(stride, n, np.int64(reps[_at(first + rank)]))
        scratch[_at(_MARKS + rep_y * n + rep_x)] = base + rank + 1
    mark = scratch[_at(_MARKS + y * n + x)]
    if mark > base:
        return first + mark - base - 1, count
    scratch[_at(_MARKS + y * n + x)] = base
    queue = _MARKS + n * n
    scratch[_at(queue)] = y << 8 | x
    ahead = 1
    at = 0
    while at < ahead:
        place = scratch[_at(queue + at)]
        at += 1
        x = place & 255
        y = place >> 8
        moves = _inside(np.int64(mask[_at(corner + y * stride + x)]), x, y, n)
        while moves:
            move = FIRST_MOVE[moves]
            moves &= moves - 1
            there = _at(_MARKS + (y + DY[move]) * n + x + DX[move])
            mark = scratch[there]
            if mark > base:
                return first + mark - base - 1, count + at
            if mark < base:
                scratch[there] = base
                scratch[_at(queue + ahead)] = (y + DY[move]) << 8 | x + DX[move]
                ahead += 1
    return np.int64(-1), count + at  # a wall, cut off from all regions


@helper
def in_sector_path(mask, stride, n, straight, diagonal, start, goal, scratch, out):
    """Write a best path that stays in the sector, both ends included; returns its cells, 0 if none, and expansions.

    Dijkstra's search from the goal, in buckets that are no wider than a straight move: so all cells of a bucket have
    their final cost when their turn comes, and a cell's next one on any best path lies in an earlier bucket. Expanded
    are all cells of the buckets before the start's. Then the path goes, in each cell, by the move that begins a best
    path; if several do, by the costlier, then by the first in the order of moves.
    """
    corner, goal_x, goal_y, _, _ = _split(stride, n, goal)
    start_corner, x, y, _, _ = _split(stride, n, start)
    if corner != start_corner:
        return 0, 0
    base = _next_stamp(scratch, n)
    start_at = _at(_MARKS + y * n + x)
    expanded = _search(mask, stride, n, straight, diagonal, corner, goal_x, goal_y, start_at, base, scratch)
    mark = scratch[start_at]
    if mark < base:
        return 0, expanded
    out[0] = start
    size = 1
    while mark != base + _SAID:  # the goal's
        cell = corner + y * stride + x
        moves = _inside(np.int64(mask[_at(cell)]), x, y, n)
        for move in _PREFERRED:
            cost = straight if move < FIRST_DIAGONAL else diagonal
            if moves >> move & 1 and scratch[_at(_MARKS + (y + DY[move]) * n + x + DX[move])] == mark + cost:
                break
        mark += cost
        x += DX[move]
        y += DY[move]
        out[_at(size)] = corner + y * stride + x
        size += 1
    return size, expanded


@inlined
def _search(mask, stride, n, straight, diagonal, corner, x, y, end, base, scratch):
    """Mark base + _SAID - cost where a place is reached, in all buckets up to that of the mark `end`; counts cells.

    No cell is in a list twice, and no more than three lists are in use: two straight moves' worth of buckets are more
    than a diagonal move.
    """
    shift = 63 - leading_zeros(np.uint64(straight))
    here = _MARKS + n * n
    following = here + n * n
    last = following + n * n
    scratch[_at(_MARKS + y * n + x)] = base + _SAID
    scratch[_at(here)] = y << 8 | x
    here_size = 1
    following_size = 0
    last_size = 0
    bucket = 0
    expanded = 0
    while here_size + following_size + last_size > 0:
        mark = scratch[end]
        if mark >= base and base + _SAID - mark >> shift == bucket:
            break
        for i in range(here_size):
            place = scratch[_at(here + i)]
            x = place & 255
            y = place >> 8
            at = _MARKS + y * n + x
            mark = scratch[_at(at)]
            if base + _SAID - mark >> shift != bucket:
                continue  # it was in an earlier bucket since
            expanded += 1
            moves = _inside(np.int64(mask[_at(corner + y * stride + x)]), x, y, n)
            while moves:
                move = FIRST_MOVE[moves]
                moves &= moves - 1
                there = _at(at + DY[move] * n + DX[move])
                new = mark - (straight if move < FIRST_DIAGONAL else diagonal)
                old = scratch[there]
                if new <= old:
                    continue
                scratch[there] = new
                into = base + _SAID - new >> shift
                if old >= base and base + _SAID - old >> shift == into:
                    continue  # it is in that list already
                place = (y + DY[move]) << 8 | x + DX[move]
                if into == bucket + 1:
                    scratch[_at(following + following_size)] = place
                    following_size += 1
                else:
                    scratch[_at(last + last_size)] = place
                    last_size += 1
        here, following, last = following, last, here
        here_size, following_size, last_size = following_size, last_size, 0
        bucket += 1
    return expanded
