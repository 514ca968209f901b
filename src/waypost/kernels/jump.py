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

from typing import NamedTuple

import numpy as np

from waypost.kernels import best_first
from waypost.kernels.best_first import CHANGING, open_start
from waypost.kernels.bits import HITS, next_stop, previous_stop
from waypost.kernels.compiling import helper, inlined, kernel, record
from waypost.kernels.events import EXPANDED, GENERATED_CHEAPER, GENERATED_NEW, record_event
from waypost.kernels.moves import DX, DY, NE, NW, SE, SW, E, N, S, W, octile, offset
from waypost.kernels.numbers import COST_LIMIT, at
from waypost.kernels.outcomes import EVENTS_FULL, EXHAUSTED, FOUND, POOL_FULL, RING_FULL, RUNNING, TOO_FAR
from waypost.kernels.queues import put, take

FOUND_FULL = TOO_FAR + 1  # one more way for `advance` to end: the list of jumps needs room

EPOCH_SHIFT = 39
EPOCHS = 1 << 24
COST_SHIFT = 8
_CELL_BITS = (1 << 32) - 1
ALL_ENTRIES = 15


class Settings(NamedTuple):
    """What a searcher was set to."""

    stride: int
    straight_cost: int
    diagonal_cost: int
    shift: int
    """Bits of the width of a bucket."""
    row_words: int
    """Of the table to scan rows by, for each of them."""
    column_words: int


CONTROL = record([(name, np.int64) for name in (*Settings._fields, *CHANGING, "too_far_seen")])
"""A searcher by name: its settings; what changes, most of which means the same as in best-first search."""


def new_control(settings):
    """The record of a searcher with these settings."""
    return best_first.new_control(settings, CONTROL)


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
def _estimate(now, cell, goal):
    """Octile distance between two cells."""
    x, y = place_of(cell, now.stride)
    goal_x, goal_y = place_of(goal, now.stride)
    return octile(x - goal_x, y - goal_y, now.straight_cost, now.diagonal_cost)


@kernel
def begin(node, ring, pool, control, start, goal):
    """Start a search from one cell to another; costs no more on a larger map, only after a larger search."""
    now = control[0]
    # What the last search left open: few entries, but far apart, so they are found by their keys, not bucket by bucket.
    for slot in range(now.fresh):
        g = COST_LIMIT - (pool[slot, 0] >> 32)
        key = g + _estimate(now, pool[slot, 0] & _CELL_BITS, now.goal)
        ring[key >> now.shift & (ring.size - 1)] = -1
    epoch = open_start(node, ring, pool, now, start, goal, _estimate(now, start, goal), EPOCHS)
    now.too_far_seen = 0
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
def find_jumps(cells, rows, columns, now, found, cell, ways):
    """Write the jumps from a cell as rows of cell, cost and entering move; returns how many, -1 if there is no room."""
    stride = now.stride
    straight = now.straight_cost
    diagonal = now.diagonal_cost
    row_words = now.row_words
    column_words = now.column_words
    goal = now.goal
    goal_x, goal_y = place_of(goal, stride)
    x, y = place_of(cell, stride)
    room = found.shape[0] - 2
    count = 0
    here = cells[at(cell)]
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
            there = cells[at(far)]
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
    now = control[0]
    stride = now.stride
    shift = now.shift
    around = ring.size - 1
    epoch_mark = now.epoch << EPOCH_SHIFT
    goal = now.goal
    goal_x, goal_y = place_of(goal, stride)
    start = now.start
    straight = now.straight_cost
    diagonal = now.diagonal_cost
    # As in `best_first.advance`, which says why they do not share it.
    bucket = now.bucket
    highest = now.highest
    goal_bucket = now.goal_bucket
    generated = now.generated
    recorded = now.events
    open_count = now.open_count
    peak_open = now.peak_open
    free = now.free
    fresh = now.fresh
    tracing = events.shape[0] > 0
    expanded = 0
    status = RUNNING

    while expanded < budget:
        if open_count == 0:
            status = FOUND if goal_bucket <= bucket else TOO_FAR if now.too_far_seen else EXHAUSTED
            break
        slot = ring[at(bucket & around)]
        if slot < 0:
            if goal_bucket <= bucket:
                status = FOUND
                break
            bucket += 1
            continue
        entry = pool[at(slot), 0]
        cell = entry & _CELL_BITS
        left = entry >> 32  # COST_LIMIT - g
        mark = node[at(cell)]
        waiting = mark & 15 & ~(mark >> 4)
        if (mark >> COST_SHIFT & COST_LIMIT) != left or not waiting:
            free = take(ring, pool, bucket & around, slot, free)
            open_count -= 1
            continue  # reached more cheaply since, or followed already
        # Nothing is changed before there is room for all jumps of this cell, so that a call can stop here.
        legal = cells[at(cell)] & 255
        ways = np.int64(legal if cell == start else WAYS_ON[waiting, legal])
        count = find_jumps(cells, rows, columns, now, found, cell, ways)
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
                now.too_far_seen = 1
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
        node[at(cell)] = mark | waiting << 4
        if tracing:
            x, y = place_of(cell, stride)
            g = COST_LIMIT - left
            f = g + octile(x - goal_x, y - goal_y, straight, diagonal)
            record_event(events, recorded, EXPANDED, cell, cell, g, f)
            recorded += 1
        for i in range(count):
            if found[i, 3] < 0:
                continue
            there = found[i, 0]
            left_there = left - found[i, 1]
            known = node[at(there)]
            better, cheaper = entered_mark(known, epoch_mark, left_there, found[i, 2])
            if better == known:
                continue
            if tracing:
                kind = GENERATED_CHEAPER if known >= epoch_mark else GENERATED_NEW
                record_event(events, recorded, kind, there, cell, COST_LIMIT - left_there, found[i, 3])
                recorded += 1
            node[at(there)] = better
            if cheaper:
                parent[at(there)] = cell
            into = found[i, 3] >> shift
            if there == goal:
                goal_bucket = into
            free, fresh = put(ring, pool, into & around, left_there << 32 | there, free, fresh)
            open_count += 1
            generated += 1

    now.bucket = bucket
    now.highest = highest
    now.goal_bucket = goal_bucket
    now.generated = generated
    now.events = recorded
    now.open_count = open_count
    now.peak_open = peak_open
    now.free = free
    now.fresh = fresh
    now.expansions += expanded
    return status


@kernel
def cost_to(node, control, cell):
    """Cost of the path found to a jump point or the goal, or -1 if the search has not reached it."""
    return cost_at(node, cell) if node[cell] >> EPOCH_SHIFT == control[0].epoch else -1


@inlined
def cost_at(node, cell):
    """Cost of the path found to a jump point or the goal that was reached."""
    return COST_LIMIT - (node[at(cell)] >> COST_SHIFT & COST_LIMIT)


@kernel(allocates=True)
def path_to(parent, control, cell):
    """All cells of the path found to a reached cell, start first: between jump points diagonal moves come first."""
    now = control[0]
    moves = moves_to(parent, now, cell)
    path = np.empty(moves + 1, np.int32)
    write_path(parent, now, cell, path, moves)
    return path


@helper
def moves_to(parent, now, cell):
    """How many moves the path found to a reached cell has."""
    start = now.start
    stride = now.stride
    moves = 0
    here = cell
    while here != start:
        before = np.int64(parent[here])
        moves += max(abs(here % stride - before % stride), abs(here // stride - before // stride))
        here = before
    return moves


@helper
def write_path(parent, now, cell, path, last):
    """Write the cells of the path found to a reached cell, that one to path[last]."""
    start = now.start
    stride = now.stride
    here = cell
    path[last] = cell
    while here != start:
        before = np.int64(parent[here])
        last = write_jump(path, last, stride, before, here)
        here = before


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
