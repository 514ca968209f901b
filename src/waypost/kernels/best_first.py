"""Best-first search on a grid: A*, weighted A* and Dijkstra are settings of one resumable loop (algorithms 2).

Keys are g_weight * g + h_weight * h. With weights (1, 1) this is A*, with (1, 0) Dijkstra; h_weight > g_weight is
weighted A*, whose cost is at most h_weight / g_weight times the optimum.

*Marks.* Per cell the search keeps one int64, `epoch << 35 | closed << 34 | (COST_LIMIT - g) << 3 | move`: the search
that wrote it, how cheaply the cell was reached, and the move that reached it. A larger number is better, and whatever
an earlier search left is smaller than anything this one writes. So a single comparison answers "new or cheaper?",
no mark is reset between searches, and memory that a search does not touch is never paged in.

*Buckets.* The open list is a ring of last-in-first-out lists, one per 2**shift of the key, linked through a pool of
entries; the ring is as large as the keys on it are apart. Order is part of the contract: bucket, then last in first
out. Which entry of the lowest bucket comes first does not matter for the result if the goal's bucket is finished
before stopping, and if
- unweighted: a cell may be expanded again, which can happen only inside its own bucket;
- weighted: cells are closed for good, and 2**shift is at most (h_weight - g_weight) * straight. Then the slack of
  less than a bucket with which a cell is closed is made up for by the very next move (docs/decisions/0004).
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from waypost.kernels.compiling import helper, kernel, record
from waypost.kernels.events import EXPANDED, GENERATED_CHEAPER, GENERATED_NEW, MOST_EVENTS, record_event
from waypost.kernels.moves import DX, DY, FIRST_DIAGONAL, FIRST_MOVE, octile, offset
from waypost.kernels.named import new_record
from waypost.kernels.numbers import COST_LIMIT, NO_LIMIT, at
from waypost.kernels.outcomes import EVENTS_FULL, EXHAUSTED, FOUND, POOL_FULL, RING_FULL, RUNNING, TOO_FAR
from waypost.kernels.queues import put, take

_CLOSED = 1 << 34
_EPOCH_SHIFT = 35
MOST_EPOCHS = 1 << 28
_CELL_BITS = (1 << 32) - 1


class Settings(NamedTuple):
    """What a searcher was set to."""

    stride: int
    straight_cost: int
    diagonal_cost: int
    shift: int
    """Bits of the width of a bucket."""
    g_weight: int = 1
    h_weight: int = 1


CHANGING = (
    # the key beyond which nothing is expanded; the number of this search, and its ends
    "limit", "epoch", "start", "goal",
    # the open list
    "bucket", "highest", "goal_bucket", "open_count", "peak_open", "free", "fresh",
    # what was done; and how many more superseded entries `advance` may drop, for callers that bound all work
    "expansions", "generated", "events", "drops",
)  # fmt: skip
"""What changes while a searcher searches, by name."""
CONTROL = record([(name, np.int64) for name in (*Settings._fields, *CHANGING)])
"""A searcher by name: its settings, and what changes."""


class SearchArrays(NamedTuple):
    """What belongs to one searcher: marks of cells, the open list, its record, and recorded events."""

    node: npt.NDArray[np.int64]
    ring: npt.NDArray[np.int64]
    pool: npt.NDArray[np.int64]
    control: npt.NDArray[np.void]
    events: npt.NDArray[np.int64]


def new_control(settings, dtype=CONTROL):
    """The record of a searcher with these settings."""
    control = new_record(dtype, settings)
    control["limit"] = NO_LIMIT
    control["epoch"] = 1  # newer than empty marks
    return control


@helper
def cost_of(mark):
    """The cost of reaching a cell, by its mark."""
    return COST_LIMIT - (mark >> 3 & COST_LIMIT)


@kernel
def begin(node, ring, pool, control, start, goal):
    """Start a search from one cell to another, or to everywhere if the goal is -1; costs no more on a larger map."""
    now = control[0]
    for bucket in range(now.bucket, now.highest + 1):  # what the last search left open
        ring[bucket & (ring.size - 1)] = -1
    stride = now.stride
    h = 0
    if goal >= 0:
        dx = start % stride - goal % stride
        dy = start // stride - goal // stride
        h = octile(dx, dy, now.straight_cost, now.diagonal_cost)
    epoch = open_start(node, ring, pool, now, start, goal, now.h_weight * h, MOST_EPOCHS)
    node[start] = epoch << _EPOCH_SHIFT | COST_LIMIT << 3


@helper
def open_start(node, ring, pool, now, start, goal, key, epochs):
    """Put the start alone on the open list, set all counts again and return the number of this search."""
    epoch = now.epoch + 1
    if epoch == epochs:  # once in many million searches
        node[:] = 0
        epoch = 1
    bucket = key >> now.shift
    now.epoch = epoch
    now.start = start
    now.goal = goal
    now.bucket = now.highest = bucket
    now.goal_bucket = bucket if start == goal else NO_LIMIT
    now.open_count = now.peak_open = 1
    now.free = -1
    now.fresh = 1
    now.expansions = 0
    now.generated = 1
    now.events = 0
    now.drops = NO_LIMIT
    pool[0, 0] = np.int64(COST_LIMIT) << 32 | start
    pool[0, 1] = -1
    ring[bucket & (ring.size - 1)] = 0
    return epoch


@kernel(counts=True)  # a call expands thousands of cells; without, chance has the loop compiled 7 % slower
def advance(mask, node, ring, pool, control, events, budget):
    """Expand at most `budget` cells and say how that ended; call again to go on, after making room if asked to.

    Stops early when `drops` superseded entries were taken off the open list. `events` of length 0 records nothing.
    """
    now = control[0]
    stride = now.stride
    straight = now.straight_cost
    diagonal = now.diagonal_cost
    shift = now.shift
    g_weight = now.g_weight
    h_weight = now.h_weight
    weighted = h_weight > g_weight
    last_bucket = now.limit >> shift
    steepest = ((g_weight + h_weight) * diagonal >> shift) + 1  # buckets that a key can rise or fall by in one move
    around = ring.size - 1
    epoch_mark = now.epoch << _EPOCH_SHIFT
    goal = now.goal
    goal_y = goal // stride
    goal_x = goal - goal_y * stride
    # As in `jump.advance`, here and at the end: in a function that both share, inlined, this takes A* 2 % longer.
    bucket = now.bucket
    highest = now.highest
    goal_bucket = now.goal_bucket
    open_count = now.open_count
    peak_open = now.peak_open
    free = now.free
    fresh = now.fresh
    generated = now.generated
    recorded = now.events
    tracing = events.shape[0] > 0
    expanded = 0
    status = RUNNING

    while expanded < budget:
        if open_count == 0 or bucket > last_bucket:
            status = FOUND if goal_bucket <= bucket else EXHAUSTED
            break
        slot = ring[at(bucket & around)]
        if slot < 0:
            if goal_bucket <= bucket:
                status = FOUND
                break
            bucket += 1
            continue
        # Room for a whole expansion is made sure of before anything is taken out, so that a call can stop here.
        if open_count + 8 > pool.shape[0]:
            status = POOL_FULL
            break
        if highest - bucket + 2 * steepest > around:
            status = RING_FULL
            break
        if tracing and recorded + MOST_EVENTS > events.shape[0]:
            status = EVENTS_FULL
            break
        entry = pool[at(slot), 0]
        cell = entry & _CELL_BITS
        left = entry >> 32  # COST_LIMIT - g
        is_current = (node[at(cell)] >> 3 & COST_LIMIT) == left
        if is_current and left < diagonal:
            status = TOO_FAR
            break
        peak_open = max(peak_open, open_count)
        free = take(ring, pool, bucket & around, slot, free)
        open_count -= 1
        if not is_current:  # reached more cheaply since
            now.drops -= 1  # in memory: this is rare, and one more local variable slows the whole loop
            if now.drops == 0:
                break
            continue
        expanded += 1
        if weighted:
            node[at(cell)] |= _CLOSED
        y = np.int64(np.uint32(cell) // np.uint32(stride))
        dx = cell - y * stride - goal_x
        dy = y - goal_y
        if tracing:
            g = COST_LIMIT - left
            f = g_weight * g + h_weight * octile(dx, dy, straight, diagonal)
            record_event(events, recorded, EXPANDED, cell, cell, g, f)
            recorded += 1
        # First which neighbours become better, without a branch, then only those: as eight branches, most of them a
        # coin's toss to the processor, this takes half as long again where walls are many.
        better = 0
        for move in range(8):
            left_there = left - (straight if move < FIRST_DIAGONAL else diagonal)
            neighbour = cell + offset(move, stride)
            better |= int((epoch_mark | left_there << 3) > node[at(neighbour)]) << move
        better &= mask[at(cell)]
        while better:
            move = FIRST_MOVE[better]
            better &= better - 1
            neighbour = cell + offset(move, stride)
            left_there = left - (straight if move < FIRST_DIAGONAL else diagonal)
            g = COST_LIMIT - left_there
            h = octile(dx + DX[move], dy + DY[move], straight, diagonal)
            f = g_weight * g + h_weight * h
            if tracing:
                kind = GENERATED_CHEAPER if node[at(neighbour)] >= epoch_mark else GENERATED_NEW
                record_event(events, recorded, kind, neighbour, cell, g, f)
                recorded += 1
            node[at(neighbour)] = epoch_mark | left_there << 3 | move
            generated += 1
            into = f >> shift
            if neighbour == goal:
                goal_bucket = into
            free, fresh = put(ring, pool, into & around, left_there << 32 | neighbour, free, fresh)
            open_count += 1
            highest = max(highest, into)
            if weighted and into < bucket:  # no other key ever falls
                bucket = into

    now.bucket = bucket
    now.highest = highest
    now.goal_bucket = goal_bucket
    now.open_count = open_count
    now.peak_open = peak_open
    now.free = free
    now.fresh = fresh
    now.expansions += expanded
    now.generated = generated
    now.events = recorded
    return status


@helper
def peek(node, ring, pool, now, budget):
    """How the search stands and which cell it expands next, after dropping at most `budget` superseded entries.

    The cell is -1 if there is none, or if the budget was used up before it came to light.
    """
    while True:
        bucket = now.bucket
        place = bucket & (ring.size - 1)
        slot = ring[place]
        if now.open_count == 0 or (slot < 0 and now.goal_bucket <= bucket):
            return FOUND if now.goal_bucket <= bucket else EXHAUSTED, -1
        if slot < 0:
            now.bucket += 1
            continue
        entry = pool[slot, 0]
        cell = entry & _CELL_BITS
        if node[cell] >> 3 & COST_LIMIT == entry >> 32:
            return RUNNING, cell
        if budget == 0:
            return RUNNING, -1
        budget -= 1
        now.peak_open = max(now.peak_open, now.open_count)
        now.free = take(ring, pool, place, slot, now.free)
        now.open_count -= 1


@helper
def came_by(node, cell):
    """The move that reached a cell; the start's means nothing."""
    return node[cell] & 7


@kernel
def cost_to(node, control, cell):
    """Cost of the path found to a cell, or -1 if the search has not reached it."""
    mark = node[cell]
    return cost_of(mark) if mark >> _EPOCH_SHIFT == control[0].epoch else -1


@kernel(allocates=True)
def path_to(node, control, cell):
    """The cells of the path found to a reached cell, start first."""
    now = control[0]
    moves = moves_to(node, now, cell)
    path = np.empty(moves + 1, np.int32)
    write_path(node, now, cell, path, 0, moves)
    return path


@helper
def moves_to(node, now, cell):
    """How many moves the path found to a reached cell has."""
    start = now.start
    stride = now.stride
    moves = 0
    while cell != start:
        cell -= offset(node[cell] & 7, stride)
        moves += 1
    return moves


@helper
def write_path(node, now, cell, path, first, last):
    """Write the cells of the path found to a reached cell to path[first] up to path[last], start first."""
    stride = now.stride
    for i in range(last, first - 1, -1):
        path[i] = cell
        cell -= offset(node[cell] & 7, stride)


@kernel(allocates=True)
def all_costs(node, control):
    """Cost of every cell (int32, -1 if not reached) and the move that reached it (uint8, 255 if none)."""
    cost = np.full(node.size, -1, np.int32)
    move = np.full(node.size, 255, np.uint8)
    base = control[0].epoch << _EPOCH_SHIFT
    for cell in range(node.size):
        mark = node[cell]
        if mark >= base:
            cost[cell] = cost_of(mark)
            move[cell] = mark & 7
    move[control[0].start] = 255
    return cost, move


@kernel
def count_costs(node, control, lowest, highest):
    """How many cells the search reached at a cost in this closed range."""
    count = 0
    base = control[0].epoch << _EPOCH_SHIFT
    for mark in node:
        count += mark >= base and lowest <= cost_of(mark) <= highest
    return count


@kernel
def pick_cost(node, control, lowest, highest, rank):
    """The cell of this rank, in order of cells, among those that `count_costs` counts; -1 past the last."""
    base = control[0].epoch << _EPOCH_SHIFT
    for cell in range(node.size):
        mark = node[cell]
        if mark >= base and lowest <= cost_of(mark) <= highest:
            if rank == 0:
                return cell
            rank -= 1
    return -1
