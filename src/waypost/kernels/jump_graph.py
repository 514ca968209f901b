"""Jump point search over jumps that are computed once, for whoever solves many problems on one map (algorithms 13).

A map has far fewer jump points than cells, and the jumps from one do not depend on the goal. So all of them make a
graph, of a few hundred kilobytes on a map of ten million cells; a search over it never scans the map, but for the jumps
from the start. Whether a jump leads to the goal is seen from the vector to it: along a diagonal way as far as it goes,
then one straight scan.

Points are numbered in the order of their cells. The start and the goal come behind them, unless they are points
themselves. Paths are those of `jump.advance`, cell by cell: all that differs is that jumps go on beyond the goal, and
what lies there is never part of a path to it.
"""

import numpy as np

from waypost.kernels.best_first import open_start
from waypost.kernels.bits import DOWN, GUARD, UP
from waypost.kernels.compiling import helper, kernel
from waypost.kernels.copies import with_rows
from waypost.kernels.jump import (
    ALL_ENTRIES,
    COST_SHIFT,
    EPOCH_SHIFT,
    EPOCHS,
    WAYS_ON,
    entered_mark,
    find_jumps,
    place_of,
    scan,
    write_jump,
)
from waypost.kernels.moves import DX, DY, FIRST_DIAGONAL, E, N, S, W, octile, offset
from waypost.kernels.numbers import COST_LIMIT, at
from waypost.kernels.queues import CELL_BITS, put, take

FIRST_ROOM = 256  # jumps from one cell, entries of the open list, and its buckets, at first: a power of two
_NO_GOAL = 0  # a cell of the padding, where no scan comes
_MOVE_BITS = 2
_MOVE = (1 << _MOVE_BITS) - 1


@kernel(allocates=True)
def graph(cells, rows, columns, control):
    """Points (cells, rising), where the jumps of each point and way begin, the jumps, and how far diagonals reach.

    A jump is the point it leads to `<< 2 |` the straight move that enters it, and its cost. `control` is that of a
    jump point search on this map.
    """
    now = control[0]
    now.goal = _NO_GOAL
    points, ways = _points(cells, rows, columns, now)
    firsts = np.zeros(8 * points.size + 1, np.int64)
    jumps = np.empty((4 * points.size + 8, 2), np.int32)
    reach = np.zeros((points.size, 4), np.int32)
    found = np.empty((FIRST_ROOM, 4), np.int64)
    made = 0
    for point in range(points.size):
        cell = np.int64(points[point])
        for way in range(8):
            if ways[point] >> way & 1:
                count, found = _found_from(cells, rows, columns, now, found, cell, 1 << way)
                jumps = with_rows(jumps, made + count)
                for i in range(count):
                    if found[i, 1] <= COST_LIMIT:
                        jumps[made, 0] = number_of(points, found[i, 0]) << _MOVE_BITS | found[i, 2]
                        jumps[made, 1] = found[i, 1]
                        made += 1
                if way >= FIRST_DIAGONAL:
                    reach[point, way - FIRST_DIAGONAL] = _diagonal_steps(cells, now.stride, cell, way)
            firsts[8 * point + way + 1] = made
    return points, firsts, jumps[:made].copy(), reach


@helper(allocates=True)
def _points(cells, rows, columns, now):
    """The cells where a scan may stop, and the ways that may lead on from each."""
    stride = now.stride
    points = np.empty((FIRST_ROOM, 2), np.int32)
    size = 0
    for cell in range(stride + 1, cells.size - stride):
        legal = np.int64(cells[cell] & 255)
        back = legal & ALL_ENTRIES
        # Beside a wall a scan would stop too, but none comes from there: what enters is the opposite of a legal move.
        entries = _entries(rows, columns, now, cell) & (back << 2 | back >> 2) if legal else 0
        if entries:
            points = with_rows(points, size + 1)
            points[size, 0] = cell
            points[size, 1] = WAYS_ON[entries, legal]
            size += 1
    return points[:size, 0].copy(), points[:size, 1].copy()


@helper
def _entries(rows, columns, now, cell):
    """The straight moves whose scans stop in a cell, as bits."""
    x, y = place_of(cell, now.stride)
    across = y * now.row_words + (GUARD + x >> 6)
    upright = x * now.column_words + (GUARD + y >> 6)
    x_bit = np.uint64(GUARD + x & 63)
    y_bit = np.uint64(GUARD + y & 63)
    one = np.uint64(1)
    return (
        np.int64(columns[DOWN, upright] >> y_bit & one) << N
        | np.int64(rows[UP, across] >> x_bit & one) << E
        | np.int64(columns[UP, upright] >> y_bit & one) << S
        | np.int64(rows[DOWN, across] >> x_bit & one) << W
    )


@helper(allocates=True)
def _found_from(cells, rows, columns, now, found, cell, ways):
    """How many jumps there are from a cell, and the array, larger if need be, that they were written to."""
    count = find_jumps(cells, rows, columns, now, found, cell, ways)
    while count < 0:
        found = np.empty((2 * found.shape[0], 4), np.int64)
        count = find_jumps(cells, rows, columns, now, found, cell, ways)
    return count, found


@helper
def _diagonal_steps(cells, stride, cell, way):
    """How many moves of a diagonal way are legal one after the other."""
    steps = 0
    while cells[at(cell)] >> way & 1:
        cell += offset(way, stride)
        steps += 1
    return steps


@helper
def number_of(points, cell):
    """The number of the point in a cell, -1 if there is none."""
    low = 0
    high = points.size
    while low < high:
        middle = (low + high) >> 1
        if points[at(middle)] < cell:
            low = middle + 1
        else:
            high = middle
    return low if low < points.size and points[at(low)] == cell else -1


@helper(allocates=True)
def search(cells, rows, columns, points, firsts, jumps, reach, control, spots, node, parent, room, start, goal):
    """Find an optimal path; returns the number of the goal, or -1 if there is none within the limit of costs, and room.

    `spots` are the cells of the points and two more; `node`, zeros at first, and `parent` have an entry for each.
    `room` is a ring of buckets, all -1 between searches, the rows of the open list and a list of jumps: the search
    makes it larger where it has to.
    """
    now = control[0]
    ring, pool, found = room
    stride = now.stride
    shift = now.shift
    start_at = number_of(points, start)
    goal_at = number_of(points, goal)
    start_at = start_at if start_at >= 0 else points.size
    goal_at = goal_at if goal_at >= 0 else points.size + 1
    spots[start_at] = start
    spots[goal_at] = goal
    goal_x, goal_y = place_of(goal, stride)
    x, y = place_of(start, stride)
    h = octile(x - goal_x, y - goal_y, now.straight_cost, now.diagonal_cost)
    epoch = open_start(node, ring, pool, now, start_at, goal, h, EPOCHS)
    epoch_mark = epoch << EPOCH_SHIFT
    node[start_at] = epoch_mark | COST_LIMIT << COST_SHIFT | ALL_ENTRIES
    bucket = highest = now.bucket
    goal_bucket = np.int64(COST_LIMIT)
    open_count = fresh = 1
    free = -1
    expanded = 0

    while open_count:
        slot = ring[at(bucket & ring.size - 1)]
        if slot < 0:
            if goal_bucket <= bucket:
                break
            bucket += 1
            continue
        here = pool[at(slot), 0] & CELL_BITS
        left = pool[at(slot), 0] >> 32  # COST_LIMIT - g
        free = take(ring, pool, bucket & ring.size - 1, slot, free)
        open_count -= 1
        mark = node[at(here)]
        waiting = mark & 15 & ~(mark >> 4)
        if (mark >> COST_SHIFT & COST_LIMIT) != left or not waiting:
            continue  # reached more cheaply since, or followed already
        expanded += 1
        node[at(here)] = mark | waiting << 4
        if here == start_at:
            count, found = _found_from(cells, rows, columns, now, found, start, cells[start] & 255)
            _number_cells(points, found, count, goal, goal_at)
        elif here == goal_at:
            continue  # what lies beyond the goal leads nowhere
        else:
            ways = WAYS_ON[waiting, cells[at(spots[at(here)])] & 255]
            count, found = _known_jumps(firsts, jumps, found, here, ways)
            count = _note_goal(
                rows, columns, now, reach, found, count, here, spots[here], goal_at, goal_x, goal_y, ways
            )
        pool = with_rows(pool, open_count + count)
        for i in range(count):
            there = found[at(i), 0]
            left_there = left - found[at(i), 1]
            known = node[at(there)]
            better, cheaper = entered_mark(known, epoch_mark, left_there, found[at(i), 2])
            if better == known or left_there < 0:  # costs beyond the limit lead nowhere
                continue
            node[at(there)] = better
            if cheaper:
                parent[at(there)] = here
            x, y = place_of(spots[at(there)], stride)
            f = COST_LIMIT - left_there + octile(x - goal_x, y - goal_y, now.straight_cost, now.diagonal_cost)
            into = f >> shift
            if into - bucket >= ring.size:
                ring = wider(ring, bucket, highest, into)
            highest = max(highest, into)
            if there == goal_at:
                goal_bucket = into
            free, fresh = put(ring, pool, into & ring.size - 1, left_there << 32 | there, free, fresh)
            open_count += 1
    for used in range(bucket, highest + 1):
        ring[at(used & ring.size - 1)] = -1
    now.expansions = expanded
    return goal_at if goal_bucket < COST_LIMIT else -1, (ring, pool, found)


@helper(allocates=True)
def _known_jumps(firsts, jumps, found, point, ways):
    """Write the jumps of some ways from a point, as points; returns how many there are, and the array with room for
    one more."""
    count = 0
    for way in range(8):
        if ways >> way & 1:
            first = firsts[at(8 * point + way)]
            last = firsts[at(8 * point + way + 1)]
            found = with_rows(found, count + last - first + 1)
            for jump in range(first, last):
                found[at(count), 0] = jumps[at(jump), 0] >> _MOVE_BITS
                found[at(count), 1] = jumps[at(jump), 1]
                found[at(count), 2] = jumps[at(jump), 0] & _MOVE
                count += 1
    return count, found


@helper
def _note_goal(rows, columns, now, reach, found, count, point, cell, goal_at, goal_x, goal_y, ways):
    """Write the jump to the goal, if one of these ways has it; returns the new count."""
    x, y = place_of(cell, now.stride)
    dx = goal_x - x
    dy = goal_y - y
    steps = min(abs(dx), abs(dy))
    for way in range(8):
        if not ways >> way & 1 or DX[way] * dx < 0 or DY[way] * dy < 0:
            continue
        if way < FIRST_DIAGONAL:
            if steps > 0 or DX[way] * dx + DY[way] * dy <= 0:
                continue
        elif steps == 0 or steps > reach[at(point), way - FIRST_DIAGONAL]:
            continue
        x += DX[way] * steps
        y += DY[way] * steps
        along = scan(rows, now.row_words, y, x, dx > 0, 0, goal_y, goal_x)
        upright = scan(columns, now.column_words, x, y, dy > 0, 0, goal_x, goal_y)
        if along + upright > 0 or (x == goal_x and y == goal_y):
            found[count, 0] = goal_at
            found[count, 1] = steps * now.diagonal_cost + (along + upright) * now.straight_cost
            found[count, 2] = (E if dx > 0 else W) if along else S if dy > 0 else N
            count += 1
        break  # no other way has the goal in its quarter
    return count


@helper
def _number_cells(points, found, count, goal, goal_at):
    """Put numbers of points in the place of cells."""
    for i in range(count):
        found[i, 0] = goal_at if found[i, 0] == goal else number_of(points, found[i, 0])


@helper(allocates=True)
def wider(ring, bucket, highest, into):
    """A copy of the ring that has room for buckets from one to another."""
    size = 2 * ring.size
    while into - bucket >= size:
        size *= 2
    wider = np.full(size, -1)
    for used in range(bucket, highest + 1):
        wider[used & size - 1] = ring[used & ring.size - 1]
    return wider


@helper(allocates=True)
def path_to(control, spots, parent, start, goal_at):
    """All cells of the path found, start first: between points diagonal moves come first."""
    stride = control[0].stride
    length = 1
    here = goal_at
    while spots[here] != start:
        x, y = place_of(spots[here], stride)
        here = parent[here]
        before_x, before_y = place_of(spots[here], stride)
        length += max(abs(x - before_x), abs(y - before_y))
    path = np.empty(length, np.int32)
    last = length - 1
    here = goal_at
    path[last] = spots[here]
    while spots[here] != start:
        before = parent[here]
        last = write_jump(path, last, stride, np.int64(spots[before]), np.int64(spots[here]))
        here = before
    return path
