"""Where to leave a region for another one: the subgoals of D LRTA* (Bulitko et al. 2008; algorithms 6).

The subgoal of two regions is a cell outside the one on a best way from its representative to the other's: where the way
leaves the region first, or last, as published; or the first in a region whose representative is nearer to the other's.
By that last rule subgoals never lead round in a circle.

*Rows.* Subgoals of one region towards all others stand in a row, by the number of the other. Neighbouring numbers
mostly have the same subgoal, so that a row is coded as runs: the first number, and the rank of the subgoal on the
region's list of exits. The region itself and those out of reach go with any run.
"""

import numpy as np

from waypost.kernels.compiling import helper, inlined, kernel
from waypost.kernels.cost_field import FAR, fill
from waypost.kernels.moves import FIRST_DIAGONAL, offset
from waypost.kernels.numbers import at
from waypost.planners.pairs.kernels.control import Field, Ground, Rows

NONE = -1
FIRST_EXIT, NEARER, LAST_EXIT = range(3)  # rules
DIAGONALS_FIRST, STRAIGHTS_FIRST = FIRST_DIAGONAL, 0  # the first move that is tried on a best way


@kernel(allocates=True)
def subgoals(ground, rule, first_move, region_of, reps, first, last, field):
    """For each goal region from `first` to `last` a row: the subgoal of every region towards it, NONE if there is none.

    Of several best ways it is the one that takes the first move that will do, as they are tried from `first_move` on.
    """
    ground, field = Ground(*ground), Field(*field)
    costs = field.costs
    made = np.full((last - first, reps.size), NONE, np.int32)
    for goal in range(first, last):
        fill_field(ground, field, np.int64(reps[goal]), np.int64(NONE))
        for region in range(reps.size):
            cell = np.int64(reps[region])
            away = costs[at(cell)]
            if region == goal or away == FAR:
                continue
            there = np.int64(region)
            while there == region or (rule == NEARER and costs[at(reps[at(there)])] >= away):
                cell += offset(_downhill(ground, costs, cell, first_move), ground.stride)
                there = np.int64(region_of[at(cell)])
            made[goal - first, region] = cell
            while rule == LAST_EXIT and cell != reps[goal]:
                before = there
                cell += offset(_downhill(ground, costs, cell, first_move), ground.stride)
                there = np.int64(region_of[at(cell)])
                if before == region and there != region:
                    made[goal - first, region] = cell
    return made


@helper
def fill_field(ground, field, target, until):
    """The costs to a target from all cells, or only from those no further than `until`, if that is not NONE."""
    scale = ground.straight, ground.diagonal, ground.shift
    fill(ground.mask, ground.stride, *scale, target, until, field.costs, field.ring, field.pool)


@helper
def _downhill(ground, costs, cell, first_move):
    """The move that begins a best way from a cell that is not the goal; of several the first from `first_move` on."""
    legal = np.int64(ground.mask[at(cell)])
    for i in range(8):
        move = i + first_move & 7
        cost = ground.straight if move < FIRST_DIAGONAL else ground.diagonal
        if legal >> move & 1 and costs[at(cell + offset(move, ground.stride))] + cost == costs[at(cell)]:
            break
    return move


@kernel(allocates=True)
def encode(by_goal):
    """The runs of each row, their first columns and ranks; the exits of each row, and where they are."""
    regions = by_goal.shape[0]
    run_counts = np.zeros(regions, np.int32)
    exit_counts = np.zeros(regions, np.int32)
    columns = np.empty(regions * regions, np.uint16)  # of these three, as much as is used is paged in
    ranks = np.empty(columns.size, np.uint16)
    exits = np.empty(columns.size, np.uint32)
    runs = 0
    ends = 0
    for region in range(regions):
        first_exit = ends
        now = NONE
        for goal in range(regions):
            subgoal = by_goal[goal, region]
            if subgoal == NONE or subgoal == now:
                continue
            columns[runs] = goal if now != NONE else 0  # the first run takes what stands before it along
            now = subgoal
            rank = first_exit
            while rank < ends and exits[rank] != subgoal:
                rank += 1
            if rank == ends:
                exits[ends] = subgoal
                ends += 1
            ranks[runs] = rank - first_exit
            runs += 1
            run_counts[region] += 1
        exit_counts[region] = ends - first_exit
    return run_counts, columns[:runs].copy(), ranks[:runs].copy(), exit_counts, exits[:ends].copy()


@inlined
def run_of(row_starts, run_columns, region, goal):
    """The run with the subgoal of a region towards another, NONE if the row is empty; and the runs looked at."""
    low = np.int64(row_starts[at(region)])
    high = np.int64(row_starts[at(region + 1)])
    probes = 1
    while high - low > 1:  # the run is in low .. high - 1
        middle = (low + high) >> 1
        probes += 1
        if run_columns[at(middle)] <= goal:
            low = middle
        else:
            high = middle
    return low if low < high else np.int64(NONE), probes


@kernel
def look_up(rows, region, goal):
    """The subgoal of a region towards another of its component, NONE if there is no other; and the runs looked at."""
    rows = Rows(*rows)
    run, probes = run_of(rows.row_starts, rows.columns, region, goal)
    return np.int64(rows.subgoals[run]) if run >= 0 else np.int64(NONE), probes
