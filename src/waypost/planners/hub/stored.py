"""What is stored of labels, in few bytes, and how it is read again (hub rules, "What is stored")."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from waypost.errors import IndexFileError
from waypost.indexes.base import SMALLEST, read_only, require, smallest
from waypost.indexes.ranges import check_fit, check_within
from waypost.kernels.numbers import COST_LIMIT
from waypost.planners.hub.building import Found, Graph
from waypost.planners.hub.kernels import leaning, tours, unfold
from waypost.planners.hub.kernels.growing import COST_SHIFT, RANK
from waypost.planners.hub.kernels.lines import Lines
from waypost.planners.hub.kernels.solve import Labels

__all__ = ["read", "stored"]

Numbers = npt.NDArray[Any]

_NAMES = ("leans", "direct", "detours", "hubs", "codes", "gaps")
_MOST_GAP = 2**16 - 1
_BEYOND = 4  # entries of a list beyond twice those that were counted: by leaning it has half as many more, and two
_WRONG = {
    unfold.LEAN_IN_A_CIRCLE: "lists lean on each other",
    unfold.LEAD_NOWHERE: "an entry is not what its way costs",
    unfold.TOO_MANY: "there are more entries than the budget allows",
}


def stored(lines: Lines, graph: Graph, found: Found) -> dict[str, Numbers]:
    """The arrays of an index: only what lists do not have from those on which they lean."""
    leans, keep = leaning.lean(found.order, found.firsts, found.entries, graph.list_firsts, graph.list_steps)
    kept = keep.astype(np.bool_)
    which = np.repeat(np.arange(leans.size), np.diff(found.firsts))[kept]
    entries = found.entries[kept]
    hubs = found.order[entries & RANK]
    excess = (entries >> COST_SHIFT) - _octile(lines, which >> 1, hubs)
    is_detour = excess > 0
    in_order = np.lexsort((hubs, is_detour, which))
    values, codes = np.unique(excess[in_order][is_detour[in_order]], return_inverse=True)
    pieces = -(-np.diff(values, prepend=0) // _MOST_GAP)
    ends = np.cumsum(pieces)
    gaps = np.full(ends[-1] if ends.size else 0, _MOST_GAP)
    gaps[ends - 1] = np.diff(values, prepend=0) - (pieces - 1) * _MOST_GAP
    is_list = _lists(lines)
    counts = [np.bincount(which[chosen], minlength=leans.size)[is_list] for chosen in (~is_detour, is_detour)]
    arrays = (leans[is_list] + 1, *counts, hubs[in_order], (ends - 1)[codes], gaps)
    return {name: smallest(array) for name, array in zip(_NAMES, arrays, strict=True)}


def read(lines: Lines, graph: Graph, arrays: Mapping[str, Numbers], budget: int) -> Labels:
    """Whole lists, after a check that each entry is what a way costs."""
    require(arrays, dict.fromkeys(_NAMES, (SMALLEST, 1)))
    leans, direct, detours, hubs, codes, gaps = (arrays[name] for name in _NAMES)
    is_list, edges = _lists(lines), np.diff(graph.list_firsts)
    lists = np.count_nonzero(is_list)
    check_fit(leans.size == lists and bool((leans <= edges[is_list]).all()), "leans")
    counts = direct.astype(np.int64) + detours if direct.size == detours.size else np.empty(0)
    check_fit(counts.size == lists and counts.sum() == hubs.size, "direct")
    check_fit(detours.sum(dtype=np.int64) == codes.size, "detours")
    if hubs.size:
        check_within("hubs", hubs, 0, lines.cells.size)
    if codes.size:
        check_within("codes", codes, 0, gaps.size)
    values = np.cumsum(gaps, dtype=np.int64)
    check_fit(values.size == 0 or int(values[-1]) <= COST_LIMIT, "gaps")
    check_fit(gaps.size == (int(codes.max()) + 1 if codes.size else 0), "gaps")
    ends = np.zeros(is_list.size + 1, np.int64)
    ends[1:][is_list] = counts
    ends = np.cumsum(ends)
    excesses = np.zeros(hubs.size, np.int64)
    of_detours = np.repeat(ends[:-1][is_list] + direct, detours)
    within = np.arange(codes.size) - np.repeat(np.cumsum(detours, dtype=np.int64) - detours, detours)
    excesses[of_detours + within] = values[codes]
    onto = np.full(is_list.size, np.int32(leaning.ALONE))
    onto[is_list] = leans.astype(np.int32) - 1
    known = (onto, ends, hubs.astype(np.int32), excesses, 2 * budget + _BEYOND * onto.size)
    spans, entries, onward, wrong = unfold.unfold(tuple(lines), graph.list_firsts, graph.list_steps, *known)
    if wrong:
        raise IndexFileError(f"the labels do not fit the map: {_WRONG[wrong]}; build the index again")
    size = spans.max(initial=0)
    places, tour = tours.tours(spans, onward[:size], lines.cells)
    return Labels(*read_only(spans.astype(np.int32), entries[:size].copy(), places, tour))


def _lists(lines: Lines) -> npt.NDArray[np.bool_]:
    """Which lists there are: nodes of several corners have only the first of two."""
    is_list = np.ones((lines.corners.size, 2), np.bool_)
    is_list[:, 1] = lines.corners & (lines.corners - 1) == 0
    return is_list.ravel()


def _octile(lines: Lines, nodes: Numbers, others: Numbers) -> npt.NDArray[np.int64]:
    """How far apart nodes seem to be."""
    y, x = np.divmod(lines.cells.astype(np.int64), lines.stride)
    dx, dy = abs(x[nodes] - x[others]), abs(y[nodes] - y[others])
    aslant = np.minimum(dx, dy)
    away: npt.NDArray[np.int64] = lines.straight * (np.maximum(dx, dy) - aslant) + lines.diagonal * aslant
    return away
