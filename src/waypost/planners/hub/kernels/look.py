"""What a look from a cell takes at most: the promise about work (hub rules, "Work")."""

import numpy as np

from waypost.kernels.compiling import helper, kernel
from waypost.kernels.moves import FIRST_DIAGONAL, offset
from waypost.planners.hub.kernels.connect import connect
from waypost.planners.hub.kernels.lines import Lines
from waypost.planners.hub.kernels.solve import Labels, Scratch


@kernel
def most(lines, labels, scratch, first, end):
    """Of some cells the most probes of a look, steps of a straight and of a diagonal run, and finds.

    The finds of the last of them are then in the scratch of starts.
    """
    lines, labels, scratch = Lines(*lines), Labels(*labels), Scratch(*scratch)
    probes = np.int64(0)
    straight = np.int64(0)
    aslant = np.int64(0)
    finds = np.int64(0)
    for cell in range(first, end):
        if lines.mask[cell]:
            count, looked = connect(lines, cell, scratch.limits, scratch.of_start)
            for i in range(count):
                which = scratch.of_start[i, 0]
                looked += labels.spans[which, 1] - labels.spans[which, 0]
            probes = max(probes, np.int64(looked))
            finds = max(finds, np.int64(count))
            for move in range(FIRST_DIAGONAL):
                straight = max(straight, _run_from(lines.mask, lines.stride, cell, move))
                aslant = max(aslant, _run_from(lines.mask, lines.stride, cell, FIRST_DIAGONAL + move))
    return probes, straight, aslant, finds


@helper
def _run_from(mask, stride, cell, move):
    """How often a move can be made that begins here: 0 if it could have been made to here."""
    steps = np.int64(0)
    if mask[cell - offset(move, stride)] >> move & 1:
        return steps
    while mask[cell] >> move & 1:
        cell += offset(move, stride)
        steps += 1
    return steps
