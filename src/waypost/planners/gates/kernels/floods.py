"""What ways inside one sector cost: from a cell to all others, and between the sector's gates (gates rules, "Costs").

All that is stored of ways inside a sector comes from here, and follows from the sector's own cells.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from waypost.kernels.canonical import ONWARD, shift_of
from waypost.kernels.climb import vector_to
from waypost.kernels.compiling import helper, inlined, kernel
from waypost.kernels.moves import DX, DY, FIRST_DIAGONAL, FIRST_MOVE, NE, NW, SE, SW, E, N, S, W, octile
from waypost.kernels.numbers import at
from waypost.planners.gates.kernels.sectors import CELLS, MOST_GATES, SIDE, corner_of, side_border

FAR = 1 << 30
"""The cost of what cannot be reached; two of them fit into 32 bits with a sign to spare when they are not added up."""
_RING = 4  # buckets that are open at a time
_ALL_MOVES = 255
_OFFSETS = DY * SIDE + DX
_NORTHWARD = 1 << N | 1 << NE | 1 << NW
_EASTWARD = 1 << E | 1 << NE | 1 << SE
_SOUTHWARD = 1 << S | 1 << SE | 1 << SW
_WESTWARD = 1 << W | 1 << SW | 1 << NW
_PUSHES = 9 * CELLS  # a cell enters the list by each move at most, and once at the start


class Flood(NamedTuple):
    """What a flood works with; a place is y * SIDE + x within the sector."""

    legal: npt.NDArray[np.uint8]
    costs: npt.NDArray[np.int32]
    moves: npt.NDArray[np.uint8]
    """By which a place was reached."""
    ring: npt.NDArray[np.int32]
    places: npt.NDArray[np.int32]
    following: npt.NDArray[np.int32]


class Doors(NamedTuple):
    """The gates of one sector, in the order of its sides N, W, E, S: their numbers, places and half moves."""

    gates: npt.NDArray[np.int32]
    places: npt.NDArray[np.int32]
    """-1 of those that only pass by."""
    halves: npt.NDArray[np.int32]


@kernel(allocates=True)
def new_flood():
    """What a flood works with."""
    return Flood(
        np.empty(CELLS, np.uint8),
        np.empty(CELLS, np.int32),
        np.empty(CELLS, np.uint8),
        np.empty(_RING, np.int32),
        np.empty(_PUSHES, np.int32),
        np.empty(_PUSHES, np.int32),
    )


@helper(allocates=True)
def new_doors():
    """Room for the gates of a sector."""
    return Doors(np.empty(MOST_GATES, np.int32), np.empty(MOST_GATES, np.int32), np.empty(MOST_GATES, np.int32))


@helper
def enter(sectors, sector, legal):
    """Write the moves of a sector's cells that stay inside it; returns whether all of its cells are open ground."""
    row = sector // sectors.across
    column = sector - row * sectors.across
    width = min(SIDE, sectors.width - column * SIDE)
    height = min(SIDE, sectors.height - row * SIDE)
    corner = corner_of(sectors, sector)
    for place in range(CELLS if width < SIDE or height < SIDE else 0):
        legal[at(place)] = 0
    common = _ALL_MOVES
    for y in range(height):
        line = corner + y * sectors.stride
        rows = _ALL_MOVES & ~(_NORTHWARD if y == 0 else 0) & ~(_SOUTHWARD if y == height - 1 else 0)
        for x in range(width):
            moves = np.int64(sectors.mask[at(line + x)])
            legal[at(y * SIDE + x)] = moves & rows
            if 0 < y < height - 1 and 0 < x < width - 1:
                common &= moves
        legal[at(y * SIDE)] &= _ALL_MOVES & ~_WESTWARD
        legal[at(y * SIDE + width - 1)] &= _ALL_MOVES & ~_EASTWARD
    return common == _ALL_MOVES and width == SIDE and height == SIDE


@helper
def flood(sectors, start, box):
    """Costs from a place to all of the sector that was entered, FAR where no way leads; returns the entries taken.

    Buckets are no wider than a straight move, so that a place is final when its bucket comes.
    """
    shift = shift_of(sectors.straight)
    for place in range(CELLS):
        box.costs[at(place)] = FAR
    for bucket in range(_RING):
        box.ring[at(bucket)] = -1
    box.costs[at(start)] = 0
    box.moves[at(start)] = 0
    box.places[0] = start
    box.following[0] = -1
    box.ring[0] = 0
    count = 1
    bucket = 0
    empty = 0
    taken = 0
    while empty < _RING:
        entry = np.int64(box.ring[at(bucket & _RING - 1)])
        if entry < 0:
            empty += 1
            bucket += 1
            continue
        empty = 0
        taken += 1
        box.ring[at(bucket & _RING - 1)] = box.following[at(entry)]
        place = np.int64(box.places[at(entry)])
        cost = np.int64(box.costs[at(place)])
        if cost >> shift != bucket:
            continue
        legal = np.int64(box.legal[at(place)])
        by = np.int64(box.moves[at(place)])
        onward = legal if by == 0 else np.int64(0)
        while by:
            onward |= np.int64(ONWARD[at(FIRST_MOVE[at(by)] << 8 | legal)])
            by &= by - 1
        while onward:
            move = FIRST_MOVE[at(onward)]
            onward &= onward - 1
            there = place + _OFFSETS[at(move)]
            reached = cost + (sectors.straight if move < FIRST_DIAGONAL else sectors.diagonal)
            known = np.int64(box.costs[at(there)])
            if reached < known:
                box.costs[at(there)] = reached
                box.moves[at(there)] = 1 << move
                into = reached >> shift & _RING - 1
                box.places[at(count)] = there
                box.following[at(count)] = box.ring[at(into)]
                box.ring[at(into)] = count
                count += 1
            elif reached == known:
                box.moves[at(there)] |= np.uint8(1 << move)
    return taken


@inlined
def place_in(sectors, corner, cell):
    """The place of a cell in the sector with this corner; -1 if it lies in another one."""
    x, y = vector_to(sectors.stride, corner, cell)
    return y * SIDE + x if 0 <= x < SIDE and 0 <= y < SIDE else np.int64(-1)


@helper
def list_doors(sectors, sector, doors):
    """Write the gates of a sector; returns how many there are."""
    corner = corner_of(sectors, sector)
    count = 0
    for side in range(4):
        border = side_border(sectors, sector, side)
        if border < 0:
            continue
        own = int(side < 2)  # its side 0 is the sector in the north or west
        for gate in range(sectors.firsts[at(border)], sectors.firsts[at(border + 1)]):
            half = np.int64(sectors.halves[at(gate), own])
            doors.gates[at(count)] = gate
            doors.halves[at(count)] = half
            doors.places[at(count)] = place_in(sectors, corner, np.int64(sectors.ends[at(gate), own])) if half else -1
            count += 1
    return count


@helper
def sector_costs(sectors, sector, doors, box, costs):
    """Write what it costs from gate to gate of a sector, those of each gate to the later ones; returns how many gates.

    A way from border to border has half a move at both ends.
    """
    count = list_doors(sectors, sector, doors)
    is_plain = enter(sectors, sector, box.legal)
    written = 0
    for i in range(count - 1):
        start = np.int64(doors.places[at(i)])
        if start >= 0 and not is_plain:
            flood(sectors, start, box)
        for j in range(i + 1, count):
            there = np.int64(doors.places[at(j)])
            cost = np.int64(FAR)
            if start < 0 or there < 0:
                cost = 0 if start == there and _is_one_move(sectors, doors.gates[at(i)], doors.gates[at(j)]) else FAR
            elif is_plain:
                dx, dy = (there & SIDE - 1) - (start & SIDE - 1), there // SIDE - start // SIDE
                cost = octile(dx, dy, sectors.straight, sectors.diagonal)
            else:
                cost = np.int64(box.costs[at(there)])
            if cost < FAR:
                cost += np.int64(doors.halves[at(i)]) + doors.halves[at(j)]
            costs[at(written)] = cost
            written += 1
    return count


@inlined
def _is_one_move(sectors, gate, other):
    """Whether two gates that pass by are those of one move over a corner."""
    ends = sectors.ends
    one, two = np.int64(ends[at(gate), 0]), np.int64(ends[at(gate), 1])
    return min(one, two) == min(ends[at(other), 0], ends[at(other), 1]) and max(one, two) == max(
        ends[at(other), 0], ends[at(other), 1]
    )
