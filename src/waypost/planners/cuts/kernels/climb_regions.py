"""Regions of cells that a climb takes to their seed and from it (HCDPS: Lawrence, Bulitko 2010; algorithms 11.1).

Seeds stand on a lattice first; then every cell that is still in no region becomes one. A seed takes cells over from an
earlier one to which they are farther, and may cut its region in two. That does no harm: climbs lead through the grid,
not through the region. A seed itself is at distance 0 of its own, so it is never taken.
"""

import numpy as np

from waypost.kernels.climb import STUCK, climb, step_towards, take, vector_to
from waypost.kernels.compiling import helper, inlined, kernel
from waypost.kernels.moves import FIRST_MOVE, NE, NW, SE, SW, E, N, S, W, octile, offset
from waypost.kernels.numbers import at

# What is known of a cell while a region grows: number of the region + 1, whether the cell was tried, steps to the seed.
_REGION_SHIFT = 32
_TRIED = 1 << 31
_STEPS = _TRIED - 1
_NEVER = _STEPS  # steps of a climb that is stuck

_KINDS_OF_RUNS = 8  # to the left or right, up or down, along x or y; the runs along diagonals stand before those of x
_MOVES = np.array((NW, N, NE, W, -1, E, SW, S, SE))  # by 4 + 3 * dy + dx


@kernel(allocates=True)
def partition(mask, component, table, stride, straight, diagonal, spacing, cutoff):
    """Cut the map into climb regions; returns the seeds, by region, and the region of each cell, -1 on walls.

    Climbs between a seed and its cells arrive within `cutoff` steps both ways. Every other row of the lattice stands
    half its `spacing` to the right.
    """
    region_of = np.full(component.size, np.int32(-1))
    seeds = np.empty(component.size, np.int32)  # of these three, as much as is used is paged in
    queue = np.empty(component.size, np.int32)
    known = np.zeros(component.size, np.int64)
    height = component.size // stride - 2
    runs = np.zeros((_KINDS_OF_RUNS, min(cutoff, max(stride, height)) + 2), np.int64)
    count = 0
    for row in range((height - spacing // 2 + spacing - 1) // spacing):
        y = spacing // 2 + row * spacing
        for x in range(spacing // 2 + row % 2 * (spacing // 2), stride - 2, spacing):
            seed = (y + 1) * stride + x + 1
            if component[seed] != 0:
                seeds[count] = seed
                _grow(mask, table, stride, straight, diagonal, cutoff, seeds, count, region_of, known, queue, runs)
                count += 1
    for seed in range(component.size):
        if component[seed] != 0 and region_of[seed] < 0:
            seeds[count] = seed
            _grow(mask, table, stride, straight, diagonal, cutoff, seeds, count, region_of, known, queue, runs)
            count += 1
    return seeds[:count].copy(), region_of


@helper
def _grow(mask, table, stride, straight, diagonal, cutoff, seeds, region, region_of, known, queue, runs):
    """Grow a region from its seed, breadth first: cells that join are those that lead on."""
    seed = np.int64(seeds[region])
    base = np.int64(region + 1) << _REGION_SHIFT
    region_of[seed] = region
    known[seed] = base | _TRIED
    queue[0] = seed
    ahead = 1
    taken = 0
    while taken < ahead:
        cell = np.int64(queue[at(taken)])
        taken += 1
        legal = np.int64(mask[at(cell)])
        while legal:
            there = cell + offset(FIRST_MOVE[legal], stride)
            legal &= legal - 1
            if known[at(there)] >= base | _TRIED:
                continue
            dx, dy = vector_to(stride, there, seed)
            steps = _steps_to_seed(mask, table, stride, known, base, there, dx, dy)
            known[at(there)] |= _TRIED
            if steps > cutoff:  # stuck, too
                continue
            owner = region_of[at(there)]
            if owner >= 0:
                owner_dx, owner_dy = vector_to(stride, there, np.int64(seeds[at(owner)]))
                if octile(dx, dy, straight, diagonal) >= octile(owner_dx, owner_dy, straight, diagonal):
                    continue
            if _reaches(mask, table, stride, cutoff, seed, there, -dx, -dy, base, runs):
                region_of[at(there)] = region
                queue[at(ahead)] = there
                ahead += 1


@inlined
def _reaches(mask, table, stride, cutoff, seed, target, dx, dy, base, runs):
    """Whether the climb from the seed to a target that lies dx, dy away arrives in time.

    A climb goes diagonally as long as it can and neither dx nor dy is used up, and then straight as long as it can. How
    far that is from the seed, and straight from each cell of its diagonals, is kept for all targets; the climb is made
    only from where it ends.
    """
    far = max(abs(dx), abs(dy))  # at most the cutoff, since the climb from there to the seed is no shorter
    near = min(abs(dx), abs(dy))
    x = 1 if dx > 0 else -1
    y = 1 if dy > 0 else -1
    is_upright = abs(dy) > abs(dx)
    kind = int(dx > 0) << 2 | int(dy > 0) << 1 | int(is_upright)
    run = _run(mask, stride, runs, kind & 6, 0, base, seed, _MOVES[4 + 3 * y + x], near)
    start = seed + run * (y * stride + x)
    made = run
    if run == near:
        x = 0 if is_upright else x
        y = y if is_upright else 0
        run = _run(mask, stride, runs, kind, near + 1, base, start, _MOVES[4 + 3 * y + x], far - near)
        start += run * (y * stride + x)
        made += run
    if made == far:
        return True
    arrives, _ = climb(mask, table, stride, start, target, cutoff - made)
    return arrives


@inlined
def _run(mask, stride, runs, kind, place, base, cell, move, most):
    """How many times in a row this move is legal from a cell, `most` at most; no step is looked at twice."""
    known = runs[at(kind), at(place)]
    length = known - base if known >= base else 0
    if length >= most:
        return most
    there = cell + length * offset(move, stride)
    while length < most and mask[at(there)] >> move & 1:
        there += offset(move, stride)
        length += 1
    runs[at(kind), at(place)] = base + length
    return length


@inlined
def _steps_to_seed(mask, table, stride, known, base, cell, dx, dy):
    """Steps of the climb from a cell to the seed that lies dx, dy away, or _NEVER.

    The climb ends at the first cell of which that is known; then it is known of all on the way.
    """
    here = cell
    to_x = dx
    to_y = dy
    made = 0
    step = 0
    while known[at(here)] < base and step != STUCK:
        step = step_towards(table, mask[at(here)], to_x, to_y)
        here, to_x, to_y = take(step, stride, here, to_x, to_y)
        made += 1
    rest = _NEVER if step == STUCK else known[at(here)] & _STEPS
    steps = rest + made if rest < _NEVER else _NEVER
    left = steps
    here = cell
    for _ in range(made):
        known[at(here)] = base | left
        left -= int(rest < _NEVER)
        here, dx, dy = take(step_towards(table, mask[at(here)], dx, dy), stride, here, dx, dy)
    return steps
