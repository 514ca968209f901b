"""Tours: the entries of each hub as a tree, in which a walker goes up to the hub and down to any of them (hub rules,
"Walk").

The entry by which a way goes on is above the one that it comes from, and the hub's own entry above all of them: that of
its first list, which that of its second one is below. A tour goes through such a tree from above, so that what is below
an entry stands right behind it: who knows where in the tour it is bound for finds the way down with nothing remembered.
"""

import numpy as np

from waypost.kernels.compiling import kernel

CELL, UP, END = range(3)
"""Columns of a tour: the cell of an entry's list, the place of the entry above it, the end of all that is below."""


@kernel(allocates=True)
def tours(spans, onward, cells):
    """The place of each entry in the tours, and these, one behind the other; those right below one are in the order of
    their lists.
    """
    count = onward.size
    for which in range(1, spans.shape[0], 2):
        if spans[which, 0] < spans[which, 1]:
            onward[spans[which, 0]] = spans[which - 1, 0]
    sizes = np.empty(count, np.int32)
    missing = np.empty(count, np.int32)  # of those right below an entry: who has not been counted
    for entry in range(count):
        sizes[entry] = 1
        missing[entry] = 0
    for entry in range(count):
        missing[onward[entry]] += onward[entry] != entry
    order = np.empty(count, np.int32)
    known = 0
    for entry in range(count):
        if missing[entry] == 0:
            order[known] = entry
            known += 1
    for i in range(count):  # all of them: the nearer to the hub, the less the way costs
        entry = order[i]
        above = onward[entry]
        if above != entry:
            sizes[above] += sizes[entry]
            missing[above] -= 1
            if missing[above] == 0:
                order[known] = above
                known += 1
    places = np.empty(count, np.int32)
    taken = missing  # by those below an entry
    for which in range(spans.shape[0]):
        for entry in range(spans[which, 0], spans[which, 1]):
            above = onward[entry]
            if above != entry:
                places[entry] = taken[above] + 1
                taken[above] += sizes[entry]
    first = 0
    for i in range(count - 1, -1, -1):
        entry = order[i]
        above = onward[entry]
        if above == entry:
            places[entry] = first
            first += sizes[entry]
        else:
            places[entry] += places[above]
    tour = np.empty((count, 3), np.int32)
    for which in range(spans.shape[0]):
        for entry in range(spans[which, 0], spans[which, 1]):
            place = places[entry]
            tour[place, CELL] = cells[which >> 1]
            tour[place, UP] = places[onward[entry]]
            tour[place, END] = place + sizes[entry]
    return places, tour
