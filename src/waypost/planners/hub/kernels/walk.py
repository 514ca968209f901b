"""Walking by hubs, one walker: legs from subgoal to subgoal, diagonal moves first (hub rules, "Legs")."""

import numpy as np

from waypost.kernels.climb import vector_to
from waypost.kernels.compiling import inlined, kernel
from waypost.kernels.move_log import log_move, room_in
from waypost.kernels.numbers import at
from waypost.planners.hub.kernels.lines import Lines
from waypost.planners.hub.kernels.route import choose
from waypost.planners.hub.kernels.solve import Labels, Scratch
from waypost.planners.walking.kernels.walker import Slot, stand

_AT_ONCE = 8  # cells: most legs have about so many in one direction


@kernel
def walk(lines, labels, scratch, now, log, is_path):
    """Make as many moves of one walker as the log has room for, at most; returns how many.

    Fewer, though the goal is not reached, if the index leads no way. With `is_path` the work is not noted, and means
    nothing in the log.
    """
    lines, labels, scratch = Lines(*lines), Labels(*labels), Scratch(*scratch)
    room = room_in(log)
    goal = np.int64(now[Slot.GOAL])
    cell = np.int64(now[Slot.CELL])
    target = np.int64(now[Slot.TARGET])
    dx = np.int64(now[Slot.TO_X])
    dy = np.int64(now[Slot.TO_Y])
    made = 0
    while made < room and cell != goal:
        climbs = probes = 0
        if cell == target or target < 0:
            now[Slot.CELL] = cell
            climbs, probes = choose(lines, labels, scratch, now)
            if now[Slot.TOO_FAR]:
                break
            target = np.int64(now[Slot.TARGET])
            dx, dy = vector_to(lines.stride, cell, target)
        x = int(dx > 0) - int(dx < 0)
        y = int(dy > 0) - int(dy < 0)
        same = min(abs(dx), abs(dy)) if x and y else max(abs(dx), abs(dy))
        moves = min(same, room - made)
        onward = y * lines.stride + x
        if is_path:
            made = _write_cells(log, made, moves, cell, onward)
        else:
            for move in range(moves):
                made = log_move(log, made, cell + (move + 1) * onward, 0, 0, climbs + 1, probes, 0)
                climbs = probes = 0
        cell += moves * onward
        dx -= moves * x
        dy -= moves * y
    stand(now, cell, dx, dy)
    return made


@inlined
def _write_cells(log, made, moves, cell, onward):
    """Write the cells of moves in one direction; mostly a few more that mean nothing, as that takes less time.

    Returns how many moves there are then.
    """
    first = 0
    if made + _AT_ONCE <= log.size:
        first = _AT_ONCE
        for move in range(_AT_ONCE):
            log[at(made + move)] = cell + (move + 1) * onward
    for move in range(first, moves):
        log[at(made + move)] = cell + (move + 1) * onward
    return made + moves
