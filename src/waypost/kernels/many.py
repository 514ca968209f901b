"""Many problems in one call of a kernel: taken up one after the other, with what their ways cost and their cells.

A planner's kernel is a loop of few lines. What begins a problem and what makes moves are kernels that it calls by their
addresses, finished as they are:

    while take_up(many):
        if is_new(many): ...  # begin at start_of(many), towards goal_of(many)
        made = call(walk, address, 0, (..., many.log[: log_size(many)]))
        keep_log(many, made)
    return many.progress[0].status

Who finds a way as a whole asks `needs_moves` and `takes_way` instead, and writes its cells himself.

It stops, with a status other than DONE, where Python has to see to something, such as more room for cells; called
again it goes on where it was.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from waypost.kernels.compiling import helper, inlined, record
from waypost.kernels.move_log import ENTRIES
from waypost.kernels.numbers import at

OUT_OF_MOVES = -2  # in place of a cost
DONE, CELLS_FULL, GIVEN_UP = 0, 64, 65  # and what searches say (`outcomes`), for whom a status means the same
MOVES_AT_ONCE = 1 << 10  # of a log, which then stays in the cache


class Settings(NamedTuple):
    """How cells are counted, what moves cost and what is asked for."""

    stride: int
    straight_cost: int
    diagonal_cost: int
    most_moves: int
    """Of a problem."""
    with_cells: int
    """Whether cells are kept, or else only costs."""


_CHANGING = (
    # the problem at hand, whether it is still to be begun, where one is, and what its way costs so far
    "problem", "is_taken", "is_new", "cell", "left", "cost",
    # of the cells: the first of this problem, the end of those kept, and how many more there must be room for
    "first", "used", "wanted",
    # whether a way found waits for that room
    "waits",
    "status",
)  # fmt: skip
PROGRESS = record([(name, np.int64) for name in (*Settings._fields, *_CHANGING)])
"""How far one has come, by name."""


class Many(NamedTuple):
    """Problems, answers and what is worked with."""

    starts: npt.NDArray[np.int32]
    goals: npt.NDArray[np.int32]
    costs: npt.NDArray[np.int64]
    lengths: npt.NDArray[np.int64]
    """Cells of each path, 0 where there is none."""
    cells: npt.NDArray[np.int32]
    """Of all paths, one after the other."""
    log: npt.NDArray[np.int32]
    progress: npt.NDArray[np.void]


@helper
def take_up(many):
    """Whether one can go on with a problem: one that is at its goal, or out of moves, makes way for the next."""
    now = many.progress[0]
    if now.status == GIVEN_UP:
        return False
    now.status = DONE
    if now.waits and not _has_room(many, now, now.wanted):
        return False
    count = many.starts.size
    while now.problem < count:
        if not now.is_taken:
            now.is_taken = now.is_new = 1
            now.cell = many.starts[at(now.problem)]
            now.left = now.most_moves
            now.cost = 0
            now.first = now.used
        is_there = now.cell == many.goals[at(now.problem)]
        if not _has_room(many, now, MOVES_AT_ONCE + 1):  # for a log, and the start before its cells
            return False
        if now.with_cells and now.used == now.first:
            many.cells[at(now.used)] = now.cell
            now.used += 1
        if not is_there and now.left > 0:
            return True
        if not is_there:
            now.cost = OUT_OF_MOVES
            now.used = now.first
        end(many, now.cost)
    return False


@inlined
def is_new(many):
    """Whether the problem at hand is still to be begun; says so once."""
    now = many.progress[0]
    if not now.is_new:
        return False
    now.is_new = 0
    return True


@inlined
def start_of(many):
    """Where the problem at hand begins."""
    return np.int64(many.starts[at(many.progress[0].problem)])


@inlined
def goal_of(many):
    """Where the problem at hand leads."""
    return np.int64(many.goals[at(many.progress[0].problem)])


@inlined
def log_size(many):
    """Entries of the log that have room for as many moves as may be made at once."""
    return ENTRIES * min(many.progress[0].left, MOVES_AT_ONCE)


@inlined
def keep_log(many, made):
    """Keep the moves just logged, for which there is room; if there are none, the problem is given up."""
    keep_cells(many, many.log, 0, made)


@helper
def keep_cells(many, cells, first, made):
    """Keep so many moves, whose cells stand one after the other; if there are none, the problem is given up.

    If there is no room for them the problem waits, and the caller comes again with the same cells.
    """
    now = many.progress[0]
    made = min(made, now.left)
    now.waits = not _has_room(many, now, made)
    if made == 0:
        now.status = GIVEN_UP
    if made == 0 or now.waits:
        return
    cell = now.cell
    straights = diagonals = 0
    for i in range(first, first + made):
        there = np.int64(cells[at(i)])
        away = abs(there - cell)
        is_straight = away == 1 or away == now.stride
        straights += is_straight
        diagonals += away != 0 and not is_straight
        cell = there
    if now.with_cells:
        for i in range(made):
            many.cells[at(now.used + i)] = cells[at(first + i)]
        now.used += made
    now.cost += straights * now.straight_cost + diagonals * now.diagonal_cost
    now.cell = cell
    now.left -= made


@inlined
def needs_moves(many, cost):
    """Whether one must know how many moves a way of this cost has: it is wanted, or may have too many."""
    now = many.progress[0]
    return now.with_cells or (cost - 1) // now.straight_cost >= now.left


@helper
def takes_way(many, cost, moves):
    """Take a way of so many moves to the goal; whether its cells are to be written, the last at used - 1.

    If there is no room for them the problem waits, and the caller comes again with the same way.
    """
    now = many.progress[0]
    if moves > now.left:
        now.left = 0
        return False
    now.waits = not _has_room(many, now, moves)
    if now.waits:
        return False
    if now.with_cells:
        now.used += moves
    end(many, cost)
    return bool(now.with_cells)


@helper
def end(many, cost):
    """Write down what the way of the problem at hand costs; the cells kept since it was taken up are its path."""
    now = many.progress[0]
    many.costs[at(now.problem)] = cost
    many.lengths[at(now.problem)] = now.used - now.first
    now.problem += 1
    now.is_taken = 0


@inlined
def _has_room(many, now, count):
    """Whether so many more cells can be kept; if not, that is what the status says."""
    if now.with_cells and now.used + count > many.cells.size:
        now.wanted = count
        now.status = CELLS_FULL
        return False
    return True
