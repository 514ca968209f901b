"""What a look from a cell takes at most: the promise about work (hub rules, "Work")."""

import numpy as np

from waypost.kernels.compiling import helper, kernel
from waypost.kernels.moves import offset
from waypost.planners.hub.kernels.connect import connect
from waypost.planners.hub.kernels.lines import Lines
from waypost.planners.hub.kernels.solve import Labels, Scratch


@kernel
def most(lines, labels, scratch):
    """Of all cells the most probes of a look; the most steps of a free walk; the most entries of a list."""
    lines, labels, scratch = Lines(*lines), Labels(*labels), Scratch(*scratch)
    probes = np.int64(0)
    aslant = np.int64(0)
    straight = np.int64(0)
    for cell in range(lines.mask.size):
        if lines.mask[cell]:
            count, looked = connect(lines, cell, scratch.limits, scratch.of_start)
            for i in range(count):
                which = scratch.of_start[i, 0]
                looked += labels.spans[which, 1] - labels.spans[which, 0]
            probes = max(probes, np.int64(looked))
            for move in range(8):
                if move < 4:
                    straight = max(straight, _run_from(lines.mask, lines.stride, cell, move))
                else:
                    aslant = max(aslant, _run_from(lines.mask, lines.stride, cell, move))
    entries = np.int64(0)
    for which in range(labels.spans.shape[0]):
        entries = max(entries, np.int64(labels.spans[which, 1] - labels.spans[which, 0]))
    return probes, aslant + straight + 2, entries


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
