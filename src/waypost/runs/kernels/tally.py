"""What a recorded run amounts to, in one pass over its moves."""

import numpy as np

from waypost.kernels.compiling import helper, kernel
from waypost.kernels.selection import select

MOVES, COST, OPTIMAL, REVISITS, TOTAL_NS, FIRST_NS, FIRST_20_NS, P99_NS, MAX_NS, MEMORY = range(10)
WORK_SUMS = MEMORY + 3
"""Columns of a row: three for memory; from WORK_SUMS on the sum of each work counter and of all, then the most of each
in a move."""


@kernel(allocates=True)
def tally_run(
    rows, run, cells, move_ns, work, entered, stride, straight, diagonal, total_ns, optimal, opened, closed, learned
):
    """Fill in row `run`, which is all 0: what is given of the run, and what its moves come to.

    Times stay 0 if `move_ns` is empty. `entered` is scratch: a number per cell of the map, all 0 before the first run.
    The 99th percentile is the least time that at least 99 % of the moves do not exceed.
    """
    row = rows[run]
    counters = work.shape[1]
    work_maxima = WORK_SUMS + counters + 1
    moves = work.shape[0]
    row[MOVES] = moves
    row[OPTIMAL] = optimal
    row[TOTAL_NS] = total_ns
    row[MEMORY] = opened
    row[MEMORY + 1] = closed
    row[MEMORY + 2] = learned
    row[COST], row[REVISITS] = _cost_and_revisits(cells, entered, run + 1, stride, straight, diagonal)
    for move in range(moves):
        whole = 0
        for counter in range(counters):
            amount = np.int64(work[move, counter])
            if amount != 0:
                whole += amount
                row[WORK_SUMS + counter] += amount
                row[work_maxima + counter] = max(row[work_maxima + counter], amount)
        if whole != 0:
            row[WORK_SUMS + counters] += whole
            row[work_maxima + counters] = max(row[work_maxima + counters], whole)
    if move_ns.size:
        row[FIRST_NS] = move_ns[0]
        for move in range(min(moves, 20)):
            row[FIRST_20_NS] += move_ns[move]
        for move in range(moves):
            row[MAX_NS] = max(row[MAX_NS], move_ns[move])
        rank = (99 * moves + 99) // 100
        times = move_ns.copy()
        select(times, 0, moves - 1, rank - 1)
        row[P99_NS] = times[rank - 1]


@helper
def _cost_and_revisits(walk, entered, stamp, stride, straight, diagonal):
    """Cost of a walk, and how often it enters a cell again; leaves the stamp on its cells."""
    cost = revisits = 0
    before = np.int64(walk[0])
    entered[before] = stamp
    for i in range(1, walk.size):
        cell = np.int64(walk[i])
        change = abs(cell - before)
        if change == 0:
            continue  # to wait is not to enter
        cost += straight if change == 1 or change == stride else diagonal
        if entered[cell] == stamp:
            revisits += 1
        entered[cell] = stamp
        before = cell
    return cost, revisits
