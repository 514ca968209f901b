"""Tables of jump point search kept right: where scans stop around a cell that changed, and what they hit in its lines.

Whether a scan hits anything follows from the next cell of the line, so a change is passed on, against the scan, as
far as it changes anything.
"""

import numpy as np

from waypost.kernels.bits import DOWN, HITS, UP, is_stop, set_stop, turns
from waypost.kernels.compiling import helper, kernel
from waypost.kernels.moves import E, N, S, W

_FORCED = 3  # places whose next one may have become a stop: that which changed, and two before it


@kernel
def renew_jumps(component, mask, rows, columns, cells, stride, changed):
    """Make the tables those of a map on which some cells have changed."""
    height = component.size // stride
    row_words = rows.shape[1] // height
    column_words = columns.shape[1] // stride
    for i in range(changed.size):
        y = changed[i] // stride
        x = changed[i] - y * stride
        for line in range(max(y - 1, 1), min(y + 2, height - 1)):
            for place in range(max(x - 1, 1), min(x + 2, stride - 1)):
                cell = line * stride + place
                cells[cell] = np.int64(cells[cell]) & ~255 | mask[cell]
                _renew_stops(component, rows, row_words, line, place, cell, stride, 1)
                _renew_stops(component, columns, column_words, place, line, cell, 1, stride)
    for i in range(changed.size):
        y = changed[i] // stride
        x = changed[i] - y * stride
        for line in range(max(y - 1, 1), min(y + 2, height - 1)):
            at = line * stride + x
            _renew_hits(component, cells, rows, UP, row_words, line, x, at, 1, E)
            _renew_hits(component, cells, rows, DOWN, row_words, line, x, at, -1, W)
        for line in range(max(x - 1, 1), min(x + 2, stride - 1)):
            at = y * stride + line
            _renew_hits(component, cells, columns, UP, column_words, line, y, at, stride, S)
            _renew_hits(component, cells, columns, DOWN, column_words, line, y, at, -stride, N)


@helper
def _renew_stops(component, stops, words, line, place, cell, line_step, place_step):
    """Whether scans both ways stop at a cell."""
    is_wall = component[cell] == 0
    set_stop(stops, UP, words, line, place, is_wall or turns(component, cell, line_step, -place_step))
    set_stop(stops, DOWN, words, line, place, is_wall or turns(component, cell, line_step, place_step))


@helper
def _renew_hits(component, cells, stops, direction, words, line, place, cell, step, move):
    """Whether scans of this direction hit anything, from a place that changed, or lies beside one, and before it."""
    along = 1 if direction == UP else -1
    bit = 1 << HITS + move
    back = 0
    while back == 0 or component[cell] != 0:
        hits = 0
        if component[cell] != 0 and component[cell + step] != 0:
            hits = bit if is_stop(stops, direction, words, line, place + along) else cells[cell + step] & bit
        if cells[cell] & bit == hits and back >= _FORCED:
            break
        cells[cell] = np.int64(cells[cell]) & ~bit | hits
        cell -= step
        place -= along
        back += 1
