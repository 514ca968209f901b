"""Jump point search without corner cutting, scanning 64 cells at a time (Harabor & Grastien 2011, 2014; algorithms 13).

A* in which an edge is a jump: any number of diagonal moves, then any number of straight ones, to the next cell where
an optimal path may have to turn. Only such cells, all entered by a straight move, are put on the open list; the
diagonal cells between are never (they have no forced neighbour where corners may not be cut). Whether a scan from
such a cell would hit anything at all is a table, so that most diagonal cells cost two look-ups.

Which ways lead on from a cell depends on the straight move that entered it, so the mark of a cell holds the set of
moves that entered it at its least cost, and those already followed: equally good entries from two sides are both
followed, and the search is optimal whatever the ties. A mark is
`epoch << 39 | (COST_LIMIT - g) << 8 | followed << 4 | entered`; larger is better, as in best-first search.
"""

import numpy as np
import numpy.typing as npt

from waypost.kernels import best_first
from waypost.kernels.best_first import (
    BUCKET,
    DIAGONAL,
    EPOCH,
    EVENTS,
    EXPANSIONS,
    FREE,
    FRESH,
    GENERATED,
    GOAL,
    GOAL_BUCKET,
    HIGHEST,
    OPEN,
    PEAK_OPEN,
    SHIFT,
    SLOTS,
    START,
    STRAIGHT,
    STRIDE,
    open_start,
)
from waypost.kernels.bits import HITS, next_stop, previous_stop
from waypost.kernels.compiling import helper, inlined, kernel
from waypost.kernels.events import EXPANDED, GENERATED_CHEAPER, GENERATED_NEW, record
from waypost.kernels.moves import DX, DY, NE, NW, SE, SW, E, N, S, W, octile, offset
from waypost.kernels.numbers import COST_LIMIT
from waypost.kernels.numbers import at as _at
from waypost.kernels.outcomes import EVENTS_FULL, EXHAUSTED, FOUND, POOL_FULL, RING_FULL, RUNNING, TOO_FAR
from waypost.kernels.queues import put, take

FOUND_FULL = TOO_FAR + 1  # one more way for `advance` to end: the list of jumps needs room

EPOCH_SHIFT = 39
EPOCHS = 1 << 24
COST_SHIFT = 8
_CELL_BITS = (1 << 32) - 1
ALL_ENTRIES = 15

# Slots of the control array beyond those of best-first search, which mean the same here.
ROW_WORDS, COLUMN_WORDS, TOO_FAR_SEEN = range(SLOTS, SLOTS + 3)
CONTROL_SIZE = TOO_FAR_SEEN + 1


def new_control(
    *, stride: int, straight: int, diagonal: int, shift: int, row_words: int, column_words: int
) -> npt.NDArray[np.int64]:
    """The control array of a searcher with these settings."""
    control = best_first.new_control(
        stride=stride, straight=straight, diagonal=diagonal, shift=shift, slots=CONTROL_SIZE
    )
    control[ROW_WORDS] = row_words
    control[COLUMN_WORDS] = column_words
    return control


def _ways_on():
    """Moves to follow, by the set of straight moves that entered a cell and the cell's legal moves, all as bits.

    Straight on; and where the cell beside the one before is a wall but the cell beside is open, that side and the
    diagonal between. The side before is a wall if the diagonal to it is not legal although the side is open.
    """
    sides = {  # of each straight move: side, the diagonal back to it, the diagonal ahead
        N: ((E, SE, NE), (W, SW, NW)),
        E: ((N, NW, NE), (S, SW, SE)),
        S: ((E, NE, SE), (W, NW, SW)),
        W: ((N, NE, NW), (S, SE, SW)),
    }
    table = np.zeros((16, 256), np.uint8)
    for entries in range(16):
        for legal in range(256):
            ways = 0
            for entered in (move for move in sides if entries >> move & 1):
                ways |= 1 << entered
                for side, back, ahead in sides[entered]:
                    if legal >> side & 1 and not legal >> back & 1:
                        ways |= 1 << side | 1 << ahead
            table[entries, legal] = ways & legal
    return table


WAYS_ON = _ways_on()


@helper
def place_of(cell, stride):
    """Column and row of a cell, both padded."""
    y = np.int64(np.uint32(cell) // np.uint32(stride))
    return cell - y * stride, y


@helper
def _estimate(control, cell, goal):
    """Octile distance between two cells."""
    x, y = place_of(cell, control[STRIDE])
    goal_x, goal_y = place_of(goal, control[STRIDE])
    return octile(x - goal_x, y - goal_y, control[STRAIGHT], control[DIAGONAL])


@kernel
def begin(node, ring, pool, control, start, goal):
    """Start a search from one cell to another; costs no more on a larger map, only after a larger search."""
    # What the last search left open: few entries, but far apart, so they are found by their keys, not bucket by bucket.
    for slot in range(control[FRESH]):
        g = COST_LIMIT - (pool[slot, 0] >> 32)
        key = g + _estimate(control, pool[slot, 0] & _CELL_BITS, control[GOAL])
        ring[key >> control[SHIFT] & (ring.size - 1)] = -1
    epoch = open_start(node, ring, pool, control, start, goal, _estimate(control, start, goal), EPOCHS)
    control[TOO_FAR_SEEN] = 0
    node[start] = epoch << EPOCH_SHIFT | COST_LIMIT << COST_SHIFT | ALL_ENTRIES


@helper
def scan(stops, words, line, place, upward, hits, goal_line, goal_place):
    """Steps along a line to the next jump point or the goal, 0 if a wall comes first; `hits` says if it does not."""
    to_goal = (goal_place - place if upward else place - goal_place) if goal_line == line else 0
    if not hits and to_goal <= 0:
        return 0
    steps = next_stop(stops, words, line, place) - place if upward else place - previous_stop(stops, words, line, place)
    if 0 < to_goal <= steps:
        return to_goal
    return steps if hits else 0


@helper
def find_jumps(cells, rows, columns, control, found, cell, ways):
    """Write the jumps from a cell as rows of cell, cost and entering move; returns how many, -1 if there is no room."""
    stride = control[STRIDE]
    straight = control[STRAIGHT]
    diagonal = control[DIAGONAL]
    row_words = control[ROW_WORDS]
    column_words = control[COLUMN_WORDS]
    goal = control[GOAL]
    goal_x, goal_y = place_of(goal, stride)
    x, y = place_of(cell, stride)
    room = found.shape[0] - 2
    count = 0
    here = cells[_at(cell)]
    for move in (N, E, S, W):
        if ways >> move & 1:
            hits = here >> HITS + move & 1
            if move == E or move == W:
                steps = scan(rows, row_words, y, x, move == E, hits, goal_y, goal_x)
            else:
                steps = scan(columns, column_words, x, y, move == S, hits, goal_x, goal_y)
            if steps > 0:
                count = note(found, count, cell + steps * offset(move, stride), steps * straight, move)
    for move in (NE, SE, SW, NW):
        if not ways >> move & 1:
            continue
        upright = S if DY[move] > 0 else N
        across = E if DX[move] > 0 else W
        turns = 1 << HITS + upright | 1 << HITS + across
        step = offset(move, stride)
        far = cell
        far_x = x
        far_y = y
        cost = 0
        there = here
        while there >> move & 1:
            far += step
            far_x += DX[move]
            far_y += DY[move]
            cost += diagonal
            there = cells[_at(far)]
            if not there & turns and far_x != goal_x and far_y != goal_y:
                continue
            if count > room:
                return -1
            if far == goal:
                count = note(found, count, goal, cost, upright)
                break
            hits = there >> HITS + upright & 1
            steps = scan(columns, column_words, far_x, far_y, upright == S, hits, goal_x, goal_y)
            if steps > 0:
                count = note(found, count, far + steps * offset(upright, stride), cost + steps * straight, upright)
            hits = there >> HITS + across & 1
            steps = scan(rows, row_words, far_y, far_x, across == E, hits, goal_y, goal_x)
            if steps > 0:
                count = note(found, count, far + steps * offset(across, stride), cost + steps * straight, across)
    return count


@helper
def note(found, count, cell, cost, entered):
    """Write one jump; returns the new count."""
    found[count, 0] = cell
    found[count, 1] = cost
    found[count, 2] = entered
    return count + 1


@inlined
def entered_mark(known, epoch_mark, left, move):
    """The mark of a cell entered at this cost by a straight move, the known one if that is no news; and if cheaper."""
    entered = epoch_mark | left << COST_SHIFT | 1 << move
    cheaper = entered > (known | 255)
    as_good = known >> COST_SHIFT == entered >> COST_SHIFT
    return entered if cheaper else known | 1 << move if as_good else known, cheaper


@kernel
def advance(cells, rows, columns, node, parent, ring, pool, found, control, events, budget):
    """Expand at most `budget` jump points and say how that ended; call again to go on, after making room if asked."""
    stride = control[STRIDE]
    shift = control[SHIFT]
    around = ring.size - 1
    epoch_mark = control[EPOCH] << EPOCH_SHIFT
    goal = control[GOAL]
    goal_x, goal_y = place_of(goal, stride)
    start = control[START]
    straight = control[STRAIGHT]
    diagonal = control[DIAGONAL]
    bucket = control[BUCKET]
    highest = control[HIGHEST]
    goal_bucket = control[GOAL_BUCKET]
    generated = control[GENERATED]
    recorded = control[EVENTS]
    open_count = control[OPEN]
    peak_open = control[PEAK_OPEN]
    free = control[FREE]
    fresh = control[FRESH]
    tracing = events.shape[0] > 0
    expanded = 0
    status = RUNNING

    while expanded < budget:
        if open_count == 0:
            status = FOUND if goal_bucket <= bucket else TOO_FAR if control[TOO_FAR_SEEN] else EXHAUSTED
            break
        slot = ring[_at(bucket & around)]
        if slot < 0:
            if goal_bucket <= bucket:
                status = FOUND
                break
            bucket += 1
            continue
        entry = pool[_at(slot), 0]
        cell = entry & _CELL_BITS
        left = entry >> 32  # COST_LIMIT - g
        mark = node[_at(cell)]
        waiting = mark & 15 & ~(mark >> 4)
        if (mark >> COST_SHIFT & COST_LIMIT) != left or not waiting:
            free = take(ring, pool, bucket & around, slot, free)
            open_count -= 1
            continue  # reached more cheaply since, or followed already
        # Nothing is changed before there is room for all jumps of this cell, so that a call can stop here.
        legal = cells[_at(cell)] & 255
        ways = np.int64(legal if cell == start else WAYS_ON[waiting, legal])
        count = find_jumps(cells, rows, columns, control, found, cell, ways)
        if count < 0:
            status = FOUND_FULL
            break
        if open_count + count > pool.shape[0]:
            status = POOL_FULL
            break
        if tracing and recorded + count + 1 > events.shape[0]:
            status = EVENTS_FULL
            break
        furthest = highest
        for i in range(count):
            there = found[i, 0]
            left_there = left - found[i, 1]
            if left_there < 0:  # costs do not fit; no matter, unless nothing else leads to the goal
                control[TOO_FAR_SEEN] = 1
                found[i, 3] = -1
                continue
            there_x, there_y = place_of(there, stride)
            h = octile(there_x - goal_x, there_y - goal_y, straight, diagonal)
            found[i, 3] = COST_LIMIT - left_there + h
            furthest = max(furthest, found[i, 3] >> shift)
        if furthest - bucket > around:
            status = RING_FULL
            break

        peak_open = max(peak_open, open_count)
        free = take(ring, pool, bucket & around, slot, free)
        open_count -= 1
        expanded += 1
        highest = furthest
        node[_at(cell)] = mark | waiting << 4
        if tracing:
            x, y = place_of(cell, stride)
            g = COST_LIMIT - left
            f = g + octile(x - goal_x, y - goal_y, straight, diagonal)
            record(events, recorded, EXPANDED, cell, cell, g, f)
            recorded += 1
        for i in range(count):
            if found[i, 3] < 0:
                continue
            there = found[i, 0]
            left_there = left - found[i, 1]
            known = node[_at(there)]
            better, cheaper = entered_mark(known, epoch_mark, left_there, found[i, 2])
            if better == known:
                continue
            if tracing:
                kind = GENERATED_CHEAPER if known >= epoch_mark else GENERATED_NEW
                record(events, recorded, kind, there, cell, COST_LIMIT - left_there, found[i, 3])
                recorded += 1
            node[_at(there)] = better
            if cheaper:
                parent[_at(there)] = cell
            into = found[i, 3] >> shift
            if there == goal:
                goal_bucket = into
            free, fresh = put(ring, pool, into & around, left_there << 32 | there, free, fresh)
            open_count += 1
            generated += 1

    control[BUCKET] = bucket
    control[HIGHEST] = highest
    control[GOAL_BUCKET] = goal_bucket
    control[GENERATED] = generated
    control[EVENTS] = recorded
    control[OPEN] = open_count
    control[PEAK_OPEN] = peak_open
    control[FREE] = free
    control[FRESH] = fresh
    control[EXPANSIONS] += expanded
    return status


@kernel
def cost_to(node, control, cell):
    """Cost of the path found to a jump point or the goal, or -1 if the search has not reached it."""
    mark = node[cell]
    return COST_LIMIT - (mark >> COST_SHIFT & COST_LIMIT) if mark >> EPOCH_SHIFT == control[EPOCH] else -1


@kernel(allocates=True)
def path_to(parent, control, cell):
    """All cells of the path found to a reached cell, start first: between jump points diagonal moves come first."""
    start = control[START]
    stride = control[STRIDE]
    length = 1
    here = cell
    while here != start:
        before = np.int64(parent[here])
        length += max(abs(here % stride - before % stride), abs(here // stride - before // stride))
        here = before
    path = np.empty(length, np.int32)
    last = length - 1
    here = cell
    path[last] = cell
    while here != start:
        before = np.int64(parent[here])
        last = write_jump(path, last, stride, before, here)
        here = before
    return path


@helper
def write_jump(path, last, stride, before, here):
    """Write the cells of a jump that ends at path[last], but for that one; returns where it begins."""
    x, y = place_of(before, stride)
    dx, dy = place_of(here, stride)
    dx -= x
    dy -= y
    first = last - max(abs(dx), abs(dy))
    place = before
    for i in range(first, last):
        path[i] = place
        if dx != 0:
            place += 1 if dx > 0 else -1
            dx -= 1 if dx > 0 else -1
        if dy != 0:
            place += stride if dy > 0 else -stride
            dy -= 1 if dy > 0 else -1
    return first
