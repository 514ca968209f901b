"""What many recorded runs amount to, in one pass over their moves."""

import numpy as np

from waypost.kernels.compiling import helper, kernel

COST, REVISITS, FIRST_NS, FIRST_20_NS, P99_NS, MAX_NS, WORK_SUMS = range(7)
"""Columns of the result; from WORK_SUMS on the sum of each work counter and of all, then the most of each in a move."""


@kernel
def tally_runs(cells, move_ns, work, sizes, entered, stride, straight, diagonal):
    """One row per run, of runs laid end to end: `sizes` counts the cells of each, one more than its moves.

    Times stay 0 if `move_ns` is empty. `entered` is scratch: a number per cell of the map, all 0. The 99th percentile
    is the least time that at least 99 % of a run's moves do not exceed.
    """
    counters = work.shape[1]
    work_maxima = WORK_SUMS + counters + 1
    totals = np.zeros((sizes.size, work_maxima + counters + 1), np.int64)
    first_cell = 0
    first_move = 0
    for run in range(sizes.size):
        moves = sizes[run] - 1
        row = totals[run]
        walk = cells[first_cell : first_cell + moves + 1]
        row[COST], row[REVISITS] = _cost_and_revisits(walk, entered, run + 1, stride, straight, diagonal)
        for move in range(first_move, first_move + moves):
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
        if move_ns.size and moves:
            times = move_ns[first_move : first_move + moves]
            row[FIRST_NS] = times[0]
            row[FIRST_20_NS] = times[:20].sum()
            row[MAX_NS] = times.max()
            rank = (99 * moves + 99) // 100
            row[P99_NS] = np.partition(times, rank - 1)[rank - 1] if rank < moves else row[MAX_NS]
        first_cell += moves + 1
        first_move += moves
    return totals


@helper
def _cost_and_revisits(walk, entered, stamp, stride, straight, diagonal):
    """Cost of a walk, and how often it enters a cell again; leaves the stamp on its cells."""
    cost = revisits = 0
    before = np.int64(walk[0])
    entered[before] = stamp
    for i in range(1, walk.size):
        cell = np.int64(walk[i])
        change = abs(cell - before)
        if change != 0:
            cost += straight if change == 1 or change == stride else diagonal
        if entered[cell] == stamp:
            revisits += 1
        entered[cell] = stamp
        before = cell
    return cost, revisits
