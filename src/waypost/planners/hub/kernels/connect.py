"""Connect: the subgoals by which a shortest way from a cell may go on (hub rules, "Connect").

A find is a list, twice the subgoal's number and 1 more if the way leaves it horizontally, and what the way there costs.
"""

import numpy as np

from waypost.kernels.bits import count_ones
from waypost.kernels.compiling import helper, inlined
from waypost.kernels.moves import DX, DY, FIRST_DIAGONAL, offset
from waypost.kernels.numbers import at
from waypost.planners.hub.kernels.corners import (
    NE_CORNER,
    NW_CORNER,
    SE_CORNER,
    SW_CORNER,
    corners_at,
    is_single,
)
from waypost.planners.hub.kernels.lines import (
    KIND_OF_DIAGONAL,
    column_of,
    diagonal_of,
    row_of,
    steps_to_stop,
)

# Of the directions E, W, N and S: the corners behind that a straight way may turn, and the diagonals beside it.
_FIRST_CORNER = np.array((NW_CORNER, NE_CORNER, SW_CORNER, NW_CORNER))
_SECOND_CORNER = np.array((SW_CORNER, SE_CORNER, SE_CORNER, NE_CORNER))
_FIRST_LIMIT = np.array((0, 3, 7, 6))  # of the four limits for rows, NE SE SW NW, then the four for columns
_SECOND_LIMIT = np.array((1, 2, 4, 5))
# Of the diagonals NE SE SW NW: the corner that a row scan may turn, which ends it, and the one of a column scan.
_OF_ROWS = np.array((SE_CORNER, NE_CORNER, NW_CORNER, SW_CORNER))
_OF_COLUMNS = np.array((NW_CORNER, SW_CORNER, SE_CORNER, NE_CORNER))
_ONE = np.uint64(1)


@inlined
def node_at(lines, cell):
    """The number of the subgoal on a cell; -1 if there is none."""
    word = at((cell >> 6) << 1)
    bits = lines.places[word]
    bit = np.uint64(cell & 63)
    if not bits >> bit & _ONE:
        return np.int64(-1)
    return np.int64(lines.places[word + at(1)]) + count_ones(bits & ((_ONE << bit) - _ONE))


@inlined
def place_of(cell, stride):
    """x and y of a cell."""
    y = np.int64(np.uint32(cell) // np.uint32(stride))
    return cell - y * stride, y


@inlined
def _put(lines, finds, count, node, leaves, cost):
    """Note a find, after so many others; a node of several corners has one list."""
    finds[at(count), 0] = 2 * node + (leaves & int(is_single(lines.corners[at(node)])))
    finds[at(count), 1] = cost
    return count + 1


@helper
def connect(lines, cell, limits, finds):
    """Write what is found from a cell; returns how many there are, and the scans and looks that it took.

    There is room for a find of every subgoal, and for eight limits.
    """
    if lines.is_dense:
        return _neighbours(lines, cell, finds), 8
    x, y = place_of(cell, lines.stride)
    count = 0
    probes = 0
    for direction in range(4):
        count, looked = _straight(lines, direction, cell, x, y, limits, finds, count)
        probes += looked
    for quarter in range(4):
        if np.int64(lines.mask[at(cell)]) >> (FIRST_DIAGONAL + quarter) & 1:
            count, looked = _aslant(lines, quarter, cell, x, y, limits, finds, count)
            probes += looked
    return count, probes


@inlined
def _neighbours(lines, cell, finds):
    """Where every cell is a subgoal: those that a move leads to."""
    count = 0
    for move in range(8):
        if np.int64(lines.mask[at(cell)]) >> move & 1:
            cost = lines.straight if move < FIRST_DIAGONAL else lines.diagonal
            count = _put(lines, finds, count, node_at(lines, cell + offset(move, lines.stride)), 0, cost)
    return count


@inlined
def _straight(lines, direction, cell, x, y, limits, finds, count):
    """Finds along a row or column, past subgoals, to the wall; sets the limits of the octants on both sides."""
    if direction < 2:
        first, place, way, step, leaves = row_of(lines, 0, y), x, 1 - 2 * direction, 1 - 2 * direction, 0
        other = row_of(lines, 1, y)
    else:
        way = 2 * direction - 5
        first, place, step, leaves = column_of(lines, 0, x), y, way * lines.stride, 1
        other = column_of(lines, 1, x)
    one, two = _FIRST_CORNER[at(direction)], _SECOND_CORNER[at(direction)]
    limit_one = limit_two = np.int64(-1)
    steps = np.int64(0)
    probes = 0
    while True:
        steps += steps_to_stop(lines.bits, first, other, place + way * steps, way)
        probes += 1
        node = node_at(lines, cell + steps * step)
        if node < 0:
            break
        corners = np.int64(lines.corners[at(node)])
        if corners & (one | two):
            count = _put(lines, finds, count, node, leaves, steps * lines.straight)
            if corners & one and limit_one < 0:
                limit_one = steps - 1
            if corners & two and limit_two < 0:
                limit_two = steps - 1
    limits[at(_FIRST_LIMIT[at(direction)])] = limit_one if limit_one >= 0 else steps - 1
    limits[at(_SECOND_LIMIT[at(direction)])] = limit_two if limit_two >= 0 else steps - 1
    return count, probes


@inlined
def _aslant(lines, quarter, cell, x, y, limits, finds, count):
    """Finds along a diagonal and in the two octants beside it."""
    dx, dy = DX[at(FIRST_DIAGONAL + quarter)], DY[at(FIRST_DIAGONAL + quarter)]
    kind = KIND_OF_DIAGONAL[at(quarter)]
    of_rows, of_columns = _OF_ROWS[at(quarter)], _OF_COLUMNS[at(quarter)]
    row_limit, column_limit = np.int64(limits[at(quarter)]), np.int64(limits[at(4 + quarter)])
    onward = dy * lines.stride + dx
    diagonal = diagonal_of(lines, quarter, x, y)
    steps = np.int64(1)
    probes = 0
    while True:
        here = cell + steps * onward
        here_x, here_y = x + steps * dx, y + steps * dy
        corners = corners_at(lines.mask, here) & (of_rows | of_columns)
        cost = steps * lines.diagonal
        probes += 1
        if corners:
            count = _put(lines, finds, count, node_at(lines, here), int(corners & of_rows != 0), cost)
        if row_limit > 0 and not corners & of_rows:
            first = row_of(lines, kind, here_y)
            count, row_limit, looked = _beside(
                lines, first, here_x, dx, here, dx, of_rows, 1, cost, row_limit, finds, count
            )
            probes += looked
        if column_limit > 0 and not corners & of_columns:
            first, step = column_of(lines, kind, here_x), dy * lines.stride
            count, column_limit, looked = _beside(
                lines, first, here_y, dy, here, step, of_columns, 0, cost, column_limit, finds, count
            )
            probes += looked
        if corners or not np.int64(lines.mask[at(here)]) >> (FIRST_DIAGONAL + quarter) & 1:
            return count, probes
        steps += steps_to_stop(lines.bits, diagonal, diagonal, here_y, dy)


@inlined
def _beside(lines, first, place, way, cell, step, ends, leaves, cost, limit, finds, count):
    """Finds of one straight scan from a cell of a diagonal, within a limit; returns their count, the new limit, scans.

    The corner that `ends` the scan is left by the side across from the scan, others by the one along it.
    """
    steps = steps_to_stop(lines.bits, first, first, place, way)
    probes = 1
    if steps > limit:
        return count, limit, probes
    fresh = steps - 1
    while True:
        node = node_at(lines, cell + steps * step)
        if node < 0:
            break
        is_end = np.int64(lines.corners[at(node)]) & ends != 0
        count = _put(lines, finds, count, node, leaves if is_end else 1 - leaves, cost + steps * lines.straight)
        if is_end:
            break
        steps += steps_to_stop(lines.bits, first, first, place + way * steps, way)
        probes += 1
        if steps > limit:
            break
    return count, fresh, probes
