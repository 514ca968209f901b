"""Legal moves and components kept right while cells are closed and opened, at the cost of what changes.

Closing a cell can part its component only if the cells around it hang together through it alone. Where these do not
show at once that they do, a search goes on from each of the parts in turn, always from the one that has found least:
it ends when all have met, or when all but one are found to the end. So what a cut costs goes with the smaller side.
What a part has found lies in lists that run through `links`; two that meet are joined end to end.

Opening a cell joins what lies around it: all but the largest get its label.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from waypost.kernels.compiling import helper, inlined, kernel, record
from waypost.kernels.moves import moves_of, offset

RING = np.array((0, 4, 1, 5, 2, 6, 3, 7))  # the moves around a cell in the order of a clock's hand
PLACES = 8  # in the ring; what one cell can hold together are four parts at most
MOST_SEARCHES = 1 << 29
_NONE = -1


class Labels(NamedTuple):
    """The components of a map that changes."""

    component: npt.NDArray[np.int32]
    """The label of each cell; 0 is a wall."""
    sizes: npt.NDArray[np.int64]
    """Cells of each label, with room for three more labels for each cell that is closed and one for each opened."""
    free: npt.NDArray[np.int32]
    """Labels that were given up, to be given again."""
    marks: npt.NDArray[np.int32]
    """Which part has found a cell: epoch << 2 | part."""
    links: npt.NDArray[np.int32]
    """The cell that follows in a list."""
    parts: npt.NDArray[np.int64]
    """A row of `_OPEN` ... for each part; first, for each place of the ring."""
    numbers: npt.NDArray[np.void]


NUMBERS = record([(name, np.int64) for name in ("end", "free", "epoch", "looked", "renamed")])
"""Labels below `end` were given at least once, `free` of them are not in use; searches, and cells that these looked at;
cells that were open before and after the last change, and then had another label."""

_OPEN, _OPEN_END, _DONE, _DONE_END, _FOUND, _ROOT = range(6)  # lists of cells to go on from and of others; sizes
PART_WORDS = 6


@kernel
def change(mask, labels, stride, rule, cells, opens):
    """Open or close cells, none of which is so already, one after the other."""
    labels = Labels(*labels)
    for i in range(cells.size):
        cell = np.int64(cells[i])
        if opens:
            _open(mask, labels, stride, rule, cell)
        else:
            _close(mask, labels, stride, rule, cell)


@kernel
def renew_moves(mask, is_open, stride, rule, cells):
    """Make legal moves those of a map on which some cells have changed."""
    for i in range(cells.size):
        _renew_moves(mask, is_open, stride, rule, np.int64(cells[i]))


@helper
def _renew_moves(mask, is_open, stride, rule, cell):
    """The legal moves of a cell that has changed, and of those around it."""
    for y in range(-1, 2):
        for x in range(-1, 2):
            there = cell + y * stride + x
            mask[there] = moves_of(is_open, there, stride, rule) if is_open[there] != 0 else 0


@inlined
def _new_label(labels):
    numbers = labels.numbers[0]
    if numbers.free:
        numbers.free -= 1
        return np.int64(labels.free[numbers.free])
    numbers.end += 1
    return np.int64(numbers.end - 1)


@inlined
def _give_up(labels, label):
    """A label that no cell has any more."""
    numbers = labels.numbers[0]
    labels.free[numbers.free] = label
    numbers.free += 1


@helper
def _open(mask, labels, stride, rule, cell):
    """Open a cell; what lies around it becomes one component."""
    component, sizes = labels.component, labels.sizes
    component[cell] = 1  # any
    _renew_moves(mask, component, stride, rule, cell)
    largest = np.int64(0)
    for move in range(8):
        if mask[cell] >> move & 1:
            label = np.int64(component[cell + offset(move, stride)])
            if largest == 0 or sizes[label] > sizes[largest]:
                largest = label
    if largest == 0:
        largest = _new_label(labels)
        sizes[largest] = 0
    component[cell] = largest
    sizes[largest] += 1
    for move in range(8):
        if mask[cell] >> move & 1:
            there = cell + offset(move, stride)
            label = np.int64(component[there])
            if label != largest:
                _relabel(mask, labels, stride, there, largest)
                sizes[largest] += sizes[label]
                sizes[label] = 0
                _give_up(labels, label)


@helper
def _relabel(mask, labels, stride, first, label):
    """Give all cells another label that have that of the first, and hang together with it."""
    component, links = labels.component, labels.links
    old = component[first]
    component[first] = label
    links[first] = _NONE
    last = first
    looked = 0
    while first != _NONE:
        looked += 1
        for move in range(8):
            if mask[first] >> move & 1:
                there = first + offset(move, stride)
                if component[there] == old:
                    component[there] = label
                    links[last] = there
                    links[there] = _NONE
                    last = there
        first = np.int64(links[first])
    labels.numbers[0].looked += looked
    labels.numbers[0].renamed += looked


@helper
def _close(mask, labels, stride, rule, cell):
    """Close a cell; what hung together by it alone gets labels of its own, but for one part."""
    component = labels.component
    label = np.int64(component[cell])
    led = np.int64(mask[cell])
    component[cell] = 0
    _renew_moves(mask, component, stride, rule, cell)
    labels.sizes[label] -= 1
    if led == 0:
        _give_up(labels, label)
        return
    count = _parts_around(mask, labels, stride, cell, led)
    if count > 1:
        _search(mask, labels, stride, label, count)


@helper
def _parts_around(mask, labels, stride, cell, led):
    """Begin a list for each of the parts that a closed cell led to, as far as its ring of eight tells; how many."""
    group = labels.parts[:, _ROOT]  # used for the ring first: which places of it hang together
    numbers = labels.numbers[0]
    component = labels.component
    for place in range(PLACES):
        group[place] = place
    for place in range(PLACES):
        here = cell + offset(RING[place], stride)
        if component[here] != 0:
            if component[cell + offset(RING[place + 1 & 7], stride)] != 0:
                _join_places(group, place, place + 1 & 7)
            # Past a closed corner, where that is allowed: from N, E, S, W one looks SE, SW, NW, NE.
            if place % 2 == 0 and mask[here] >> (4 + (place // 2 + 1 & 3)) & 1:
                _join_places(group, place, place + 2 & 7)
    starts = np.int64(0)  # a bit for each group that has one
    count = 0
    numbers.epoch += 1
    if numbers.epoch >= MOST_SEARCHES:
        labels.marks[:] = 0
        numbers.epoch = 1
    seeds = labels.parts[:, _FOUND]  # of groups, which are overwritten from the front
    for place in range(PLACES):
        if led >> RING[place] & 1 and not starts >> group[place] & 1:
            starts |= 1 << group[place]
            seeds[count] = cell + offset(RING[place], stride)
            count += 1
    if count > 1:
        for part in range(count):
            _begin_part(labels, part, np.int64(seeds[part]))
    return count


@inlined
def _join_places(group, a, b):
    old = group[a]
    new = group[b]
    for place in range(PLACES):
        if group[place] == old:
            group[place] = new


@inlined
def _begin_part(labels, part, seed):
    row = labels.parts[part]
    row[_OPEN] = row[_OPEN_END] = seed
    row[_DONE] = row[_DONE_END] = _NONE
    row[_FOUND] = 1
    row[_ROOT] = part
    labels.marks[seed] = labels.numbers[0].epoch << 2 | part
    labels.links[seed] = _NONE


@helper
def _search(mask, labels, stride, label, count):
    """Go on from the part that has found least, until all have met or one is left that was not found to the end."""
    parts, marks, links = labels.parts, labels.marks, labels.links
    epoch = labels.numbers[0].epoch
    left = count
    looked = 0
    while left > 1:
        least = _NONE
        for part in range(count):
            if parts[part, _ROOT] == part and (least == _NONE or parts[part, _FOUND] < parts[least, _FOUND]):
                least = part
        cell = parts[least, _OPEN]
        if cell == _NONE:
            _set_apart(labels, least, label)
            left -= 1
            continue
        looked += 1
        parts[least, _OPEN] = links[cell]
        links[cell] = parts[least, _DONE]
        parts[least, _DONE] = cell
        if links[cell] == _NONE:
            parts[least, _DONE_END] = cell
        for move in range(8):
            if mask[cell] >> move & 1:
                there = cell + offset(move, stride)
                mark = np.int64(marks[there])
                if mark >> 2 != epoch:
                    marks[there] = epoch << 2 | least
                    _append(parts, links, least, there)
                else:
                    other = parts[mark & 3, _ROOT]
                    if other != least:
                        _meet(parts, links, least, other, count)
                        left -= 1
    labels.numbers[0].looked += looked


@inlined
def _append(parts, links, part, cell):
    """Put a cell behind those to go on from."""
    links[cell] = _NONE
    if parts[part, _OPEN] == _NONE:
        parts[part, _OPEN] = cell
    else:
        links[parts[part, _OPEN_END]] = cell
    parts[part, _OPEN_END] = cell
    parts[part, _FOUND] += 1


@helper
def _meet(parts, links, one, other, count):
    """Two parts hang together: the first has the cells of both."""
    for first, end in ((_OPEN, _OPEN_END), (_DONE, _DONE_END)):
        if parts[other, first] != _NONE:
            if parts[one, first] == _NONE:
                parts[one, first] = parts[other, first]
            else:
                links[parts[one, end]] = parts[other, first]
            parts[one, end] = parts[other, end]
    parts[one, _FOUND] += parts[other, _FOUND]
    for part in range(count):
        if parts[part, _ROOT] == other:
            parts[part, _ROOT] = one


@helper
def _set_apart(labels, part, label):
    """A part found to the end is a component of its own."""
    parts, links = labels.parts, labels.links
    own = _new_label(labels)
    labels.sizes[own] = parts[part, _FOUND]
    labels.sizes[label] -= parts[part, _FOUND]
    labels.numbers[0].renamed += parts[part, _FOUND]
    cell = parts[part, _DONE]
    while cell != _NONE:
        labels.component[cell] = own
        cell = np.int64(links[cell])
    parts[part, _ROOT] = _NONE
