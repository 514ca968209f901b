"""What a planner asks inside one sector: which region a cell belongs to, and the best way that stays inside.

Both look at no more than the sector's n x n cells (algorithms 7.2, 12.2). A scratch array serves any number of
questions about sectors of its size; nothing in it is cleared from one to the next, because each has a larger stamp.
"""

import numpy as np

from waypost.kernels.compiling import helper, inlined
from waypost.kernels.moves import DX, DY, FIRST_DIAGONAL, FIRST_MOVE, NE, NW, SE, SW, E, N, S, W, octile
from waypost.kernels.numbers import at
from waypost.kernels.queues import pop, push

# A mark is `stamp << 33 | rest`, the stamp being that of the question that wrote it. The rest is what `best_first`
# keeps, `closed << 32 | (_MOST_COST - g) << 3 | move`, or a number of the flood.
_MOST_COST = (1 << 29) - 1  # just more than 256 x 256 diagonal moves
_CLOSED = 1 << 32
_STAMP_SHIFT = 33
_LAST_STAMP = (1 << 63 - _STAMP_SHIFT) - 1
_STAMP, _MARKS = 0, 1  # places in the scratch array: the stamp of the last question, and the first mark
_PLACE = (1 << 16) - 1  # two bytes, x in the lower one: a sector has at most 256 x 256 cells
_FAR = 1 << 62

_NORTHWARD = 1 << N | 1 << NE | 1 << NW
_EASTWARD = 1 << E | 1 << NE | 1 << SE
_SOUTHWARD = 1 << S | 1 << SE | 1 << SW
_WESTWARD = 1 << W | 1 << SW | 1 << NW


def scratch_size(n):
    """Entries (int64) of a scratch array, 0 at first: a stamp, marks, a list that each cell enters up to 8 times."""
    return _MARKS + 9 * n * n


@inlined
def _next_stamp(scratch, n):
    """What all marks of a new question are at least, and all older ones are less than."""
    stamp = scratch[_STAMP] + 1
    if stamp > _LAST_STAMP:  # after a thousand million questions
        scratch[_MARKS : _MARKS + n * n] = 0
        stamp = np.int64(1)
    scratch[_STAMP] = stamp
    return stamp << _STAMP_SHIFT


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

    Otherwise these are the sector's representatives, and cells flooded from this one until one of them is met. The
    flood tries the nearest representative first: it goes on from the cell nearest to that one in a straight line, of
    several from the upper, then the left one. So where the guess is right it looks at little more than the way there.
    """
    corner, x, y, column, row = _split(stride, n, cell)
    sector = row * across + column
    first = np.int64(firsts[at(sector)])
    count = firsts[at(sector + 1)] - first
    region = first
    looked = 0
    if count > 1:
        region, looked = _flood(mask, reps, stride, n, corner, x, y, first, count, scratch)
    return region, looked


@helper
def _flood(mask, reps, stride, n, corner, x, y, first, count, scratch):
    """Find the representative in the region of a place; marks are its rank + 1 where one is, 0 where the flood was."""
    base = _next_stamp(scratch, n)
    rep_x = rep_y = np.int64(0)
    nearest = _FAR
    for rank in range(count):
        _, there_x, there_y, _, _ = _split(stride, n, np.int64(reps[at(first + rank)]))
        scratch[at(_MARKS + there_y * n + there_x)] = base + rank + 1
        distance = (there_x - x) ** 2 + (there_y - y) ** 2
        if distance < nearest:
            nearest = distance
            rep_x = there_x
            rep_y = there_y
    if nearest == 0:
        return first + scratch[at(_MARKS + y * n + x)] - base - 1, count
    scratch[at(_MARKS + y * n + x)] = base
    heap = scratch[_MARKS + n * n :]
    heap[0] = nearest << 16 | y << 8 | x
    size = 1
    looked = count
    while size > 0:
        place = heap[0] & _PLACE
        size = pop(heap, size)
        looked += 1
        x = place & 255
        y = place >> 8
        spot = _MARKS + y * n + x
        moves = _inside(np.int64(mask[at(corner + y * stride + x)]), x, y, n)
        while moves:
            move = FIRST_MOVE[moves]
            moves &= moves - 1
            there = at(spot + DY[move] * n + DX[move])
            mark = scratch[there]
            if mark > base:
                return first + mark - base - 1, looked
            if mark < base:
                scratch[there] = base
                there_x = x + DX[move]
                there_y = y + DY[move]
                distance = (there_x - rep_x) ** 2 + (there_y - rep_y) ** 2
                size = push(heap, size, distance << 16 | there_y << 8 | there_x)
    return np.int64(-1), looked  # a wall


@helper
def add_region(mask, stride, n, cell, stamp, stamps, kept, cells, count):
    """Append the cells of a cell's region to a list of so many; returns how many there are then.

    Each is stamped, and those of its moves that stay in the region are kept.
    """
    done = count
    cells[at(count)] = cell
    stamps[at(cell)] = stamp
    count += 1
    while done < count:
        here = np.int64(cells[at(done)])
        done += 1
        _, x, y, _, _ = _split(stride, n, here)
        moves = _inside(np.int64(mask[at(here)]), x, y, n)
        kept[at(here)] = moves
        while moves:
            move = FIRST_MOVE[moves]
            moves &= moves - 1
            there = here + DY[move] * stride + DX[move]
            if stamps[at(there)] != stamp:
                stamps[at(there)] = stamp
                cells[at(count)] = there
                count += 1
    return count


@helper
def in_sector_path(mask, stride, n, straight, diagonal, start, goal, scratch, out):
    """Write a best path that stays in the sector, both ends included; returns its cells, 0 if none, and expansions.

    A* from the goal. First comes the cell of least f, then the one less far from the start, by the larger of dx and
    dy, then the upper, then the left one. The path goes from each cell to the one that first reached it most cheaply.
    """
    corner, x, y, _, _ = _split(stride, n, goal)
    start_corner, start_x, start_y, _, _ = _split(stride, n, start)
    if corner != start_corner:
        return 0, 0
    base = _next_stamp(scratch, n)
    heap = scratch[_MARKS + n * n :]
    scratch[at(_MARKS + y * n + x)] = base | _MOST_COST << 3
    heap[0] = _key(x - start_x, y - start_y, straight, diagonal, 0, y << 8 | x)
    size = 1
    expanded = 0
    while size > 0:
        place = heap[0] & _PLACE
        size = pop(heap, size)
        x = place & 255
        y = place >> 8
        spot = _MARKS + y * n + x
        mark = scratch[at(spot)]
        if x == start_x and y == start_y:
            return _write_path(scratch, stride, n, corner, spot, out), expanded
        if mark & _CLOSED:
            continue  # it came before, when it was reached more cheaply
        scratch[at(spot)] = mark | _CLOSED
        expanded += 1
        left = mark >> 3 & _MOST_COST
        moves = _inside(np.int64(mask[at(corner + y * stride + x)]), x, y, n)
        while moves:
            move = FIRST_MOVE[moves]
            moves &= moves - 1
            there = at(spot + DY[move] * n + DX[move])
            left_there = left - (straight if move < FIRST_DIAGONAL else diagonal)
            if base | left_there << 3 > scratch[there]:
                scratch[there] = base | left_there << 3 | move
                to_x = x + DX[move]
                to_y = y + DY[move]
                g = _MOST_COST - left_there
                key = _key(to_x - start_x, to_y - start_y, straight, diagonal, g, to_y << 8 | to_x)
                size = push(heap, size, key)
    return 0, expanded


@inlined
def _key(dx, dy, straight, diagonal, g, place):
    """The order of cells on the open list, as one number."""
    return (g + octile(dx, dy, straight, diagonal)) << 24 | max(abs(dx), abs(dy)) << 16 | place


@inlined
def _write_path(scratch, stride, n, corner, spot, out):
    """Write the cells from the place of this mark back to where the search began; returns how many."""
    size = 0
    while True:
        y = (spot - _MARKS) // n
        out[at(size)] = corner + y * stride + spot - _MARKS - y * n
        size += 1
        mark = scratch[at(spot)]
        if mark >> 3 & _MOST_COST == _MOST_COST:
            return size
        move = mark & 7
        spot -= DY[move] * n + DX[move]


def closed(scratch, stride, n, start):
    """The cells that the last `in_sector_path` from this start expanded, and the cost of each to where it leads."""
    marks = scratch[_MARKS : _MARKS + n * n]
    spots = np.flatnonzero((marks >> _STAMP_SHIFT == scratch[_STAMP]) & (marks & _CLOSED != 0))
    top, left = ((place - 1) // n * n + 1 for place in divmod(start, stride))
    cells = (top + spots // n) * stride + left + spots % n
    return cells.tolist(), (_MOST_COST - (marks[spots] >> 3 & _MOST_COST)).tolist()
