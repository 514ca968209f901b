"""The log of moves, one flat array: the cells of all moves that there is room for, then the work counters of each.

Who plans many moves ahead, and writes their cells elsewhere, keeps a log of plans instead, a row for each.
"""

from waypost.kernels.compiling import inlined
from waypost.kernels.numbers import at

COUNTERS = 5  # of the work of a move: expansions, updates, climbs, probes, growth
ENTRIES = 1 + COUNTERS  # of the log, for each move
PLAN_COLUMNS = 4  # the planned move that waited for a plan, and its expansions, climb steps and probes


@inlined
def room_in(log):
    """How many moves there is room for."""
    return log.size // ENTRIES


@inlined
def log_move(log, made, cell, expansions, updates, climbs, probes, growth):
    """Write a move, after so many others; returns how many there are then."""
    log[at(made)] = cell
    row = room_in(log) + COUNTERS * made
    log[at(row)] = expansions
    log[at(row + 1)] = updates
    log[at(row + 2)] = climbs
    log[at(row + 3)] = probes
    log[at(row + 4)] = growth
    return made + 1


@inlined
def log_plan(log, made, move, expansions, climbs, probes):
    """Write a plan for which a move waited, after so many others; returns how many there are then."""
    row = at(made)
    log[row, 0] = move
    log[row, 1] = expansions
    log[row, 2] = climbs
    log[row, 3] = probes
    return made + 1
