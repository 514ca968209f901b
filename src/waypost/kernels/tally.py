"""What many recorded runs amount to, in one pass over their moves."""

import numpy as np

from waypost.kernels.compiling import kernel

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
    first = 0
    move = 0
    for run in range(sizes.size):
        row = totals[run]
        entered[cells[first]] = run + 1
        for i in range(1, sizes[run]):
            cell = cells[first + i]
            change = abs(np.int64(cell) - cells[first + i - 1])
            if change != 0:
                row[COST] += straight if change == 1 or change == stride else diagonal
            if entered[cell] == run + 1:
                row[REVISITS] += 1
            entered[cell] = run + 1
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
                if i <= 1:
                    row[FIRST_NS] += move_ns[move]
                if i <= 20:
                    row[FIRST_20_NS] += move_ns[move]
                row[MAX_NS] = max(row[MAX_NS], move_ns[move])
            move += 1
        moves = sizes[run] - 1
        row[P99_NS] = row[MAX_NS]
        rank = (99 * moves + 99) // 100
        if move_ns.size and rank < moves:
            row[P99_NS] = np.partition(move_ns[move - moves : move], rank - 1)[rank - 1]
        first += sizes[run]
    return totals
