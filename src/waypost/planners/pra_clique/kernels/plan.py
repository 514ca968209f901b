"""PRA* on a clique hierarchy: a way on one level, refined level by level down to the map (Sturtevant, Buro 2005; 7.1).

The way on each level makes the corridor that the search on the level below is limited to. With partial refinement only
the first steps of a way go on, and the searches below look for any way to where it was cut. The exact rules are in
docs/planners/clique-rules.md.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from waypost.kernels.compiling import helper, kernel
from waypost.kernels.moves import offset
from waypost.kernels.numbers import at as _at
from waypost.kernels.outcomes import FOUND
from waypost.planners.pra_clique.kernels.corridor import (
    CONTROL_SIZE,
    CORRIDOR_STAMP,
    CUT,
    EXPANSIONS,
    FIRST,
    FIRST_EDGE,
    LAST,
    LEVEL,
    PARENT,
    PEAK_OPEN,
    STRIDE,
    TARGET_X,
    TARGET_Y,
    X,
    Y,
    add_neighbours,
    new_control,
    search,
    write_way,
)

_LAST_CORRIDOR_STAMP = (1 << 31) - 1

# Slots of the state array behind those of a search: settings; the number of the last corridor, which goes on forever;
# the present plan, with LENGTH the nodes of its way so far and what it has cost on the map and above; and the most
# states held by a search.
(
    WIDTH, OPEN_CELLS,
    LAST_CORRIDOR,
    START, GOAL, STEPS, LENGTH, EXPANDED, PROBED,
    MOST_OPEN, MOST_CLOSED,
) = range(CONTROL_SIZE, CONTROL_SIZE + 11)  # fmt: skip
STATE_SIZE = MOST_CLOSED + 1
_NOT_BEGUN = -1


class Hierarchy(NamedTuple):
    """The map and the cliques above it: the first node of each level, the parents of cells, nodes and their edges."""

    mask: npt.NDArray[np.uint8]
    firsts: npt.NDArray[np.int32]
    ground_parents: npt.NDArray[np.int32]
    nodes: npt.NDArray[np.int32]
    neighbours: npt.NDArray[np.int32]


class Scratch(NamedTuple):
    """Of one agent: marks and parents of a search, stamps of corridors, and the way."""

    marks: npt.NDArray[np.int64]
    came_from: npt.NDArray[np.int32]
    corridor: npt.NDArray[np.int32]
    way: npt.NDArray[np.int32]


def new_state(
    *, stride: int, straight: int, diagonal: int, euclid: int, width: int, open_cells: int
) -> npt.NDArray[np.int64]:
    """The state of an agent with these settings."""
    state = new_control(stride=stride, straight=straight, diagonal=diagonal, euclid=euclid, slots=STATE_SIZE)
    state[WIDTH] = width
    state[OPEN_CELLS] = open_cells
    return state


@kernel
def begin(state, start, goal, steps):
    """Make ready for a plan from one cell to another that is cut after so many steps, or not at all if there are 0."""
    state[START] = start
    state[GOAL] = goal
    state[STEPS] = steps
    state[LEVEL] = _NOT_BEGUN
    state[LENGTH] = state[EXPANDED] = state[PROBED] = 0


@kernel
def plan(hierarchy, scratch, heap, pushed, events, state):
    """Write the cells of a plan as the way, its start included; returns FOUND, or what a caller must see to.

    Called again after room was made, it goes on with the search that had too little.
    """
    hierarchy, scratch = Hierarchy(*hierarchy), Scratch(*scratch)
    mask, ground_parents = hierarchy.mask, hierarchy.ground_parents
    nodes, neighbours = hierarchy.nodes, hierarchy.neighbours
    corridor, way = scratch.corridor, scratch.way
    if state[LEVEL] == _NOT_BEGUN:
        level = _start_level(hierarchy, state)
        if level == 0:
            way[0] = state[START]
            way[1] = state[GOAL]
            state[LENGTH] = 2
            return FOUND
        state[CUT] = state[CORRIDOR_STAMP] = 0
        _aim(ground_parents, nodes, level, state)
    while True:
        status = search(
            mask, ground_parents, corridor, nodes, neighbours,
            scratch.marks, scratch.came_from, heap, pushed, events, state,
        )  # fmt: skip
        if status != FOUND:
            return status
        state[LENGTH] = write_way(scratch.came_from, state, way)
        state[PROBED if state[LEVEL] > 0 else EXPANDED] += state[EXPANSIONS]
        state[MOST_OPEN] = max(state[MOST_OPEN], state[PEAK_OPEN])
        state[MOST_CLOSED] = max(state[MOST_CLOSED], state[EXPANSIONS])
        if state[LEVEL] == 0:
            return FOUND
        _cut(way, state)
        _make_corridor(nodes, neighbours, corridor, way, state)
        _aim(ground_parents, nodes, state[LEVEL] - 1, state)


@helper
def _start_level(hierarchy, state):
    """The level of the first way: half as high as the level where both ends are one or touch, and not too small.

    It is 0 if they touch on the map. They meet at last: no edges are left on the top, so what is connected is one.
    """
    ground_parents, nodes = hierarchy.ground_parents, hierarchy.nodes
    start = state[START]
    goal = state[GOAL]
    for move in range(8):
        if hierarchy.mask[_at(start)] >> move & 1 and start + offset(move, state[STRIDE]) == goal:
            return 0
    common = 1
    a = np.int64(ground_parents[_at(start)])
    b = np.int64(ground_parents[_at(goal)])
    while a != b and not _touch(nodes, hierarchy.neighbours, a, b):
        a = np.int64(nodes[_at(a), PARENT])
        b = np.int64(nodes[_at(b), PARENT])
        common += 1
    level = common
    while level > 1 and (2 * level > common or _nodes(hierarchy.firsts, level) ** 2 < 4 * state[OPEN_CELLS]):
        level -= 1
    return level


@helper
def _touch(nodes, neighbours, a, b):
    """Whether an edge joins two nodes."""
    for i in range(nodes[_at(a), FIRST_EDGE], nodes[_at(a + 1), FIRST_EDGE]):
        if neighbours[_at(i)] == b:
            return True
    return False


@helper
def _nodes(firsts, level):
    """How many nodes a level has."""
    return np.int64(firsts[level]) - np.int64(firsts[level - 1])


@helper
def _aim(ground_parents, nodes, level, state):
    """Make ready for the search on a level: from the ancestor of the start to that of the goal, or to the cut."""
    state[LEVEL] = level
    state[FIRST] = _ancestor(ground_parents, nodes, state[START], level)
    if not state[CUT]:
        state[LAST] = _ancestor(ground_parents, nodes, state[GOAL], level)
    if level == 0 and not state[CUT]:
        state[TARGET_Y] = state[GOAL] // state[STRIDE]
        state[TARGET_X] = state[GOAL] % state[STRIDE]
    else:
        state[TARGET_X] = nodes[state[LAST], X]
        state[TARGET_Y] = nodes[state[LAST], Y]


@helper
def _ancestor(ground_parents, nodes, cell, level):
    """The node of a level that a cell belongs to."""
    if level == 0:
        return cell
    node = np.int64(ground_parents[_at(cell)])
    for _ in range(level - 1):
        node = np.int64(nodes[_at(node), PARENT])
    return node


@helper
def _cut(way, state):
    """Keep of a way no more than the first steps; where it ends then is where the levels below lead."""
    if 0 < state[STEPS] < state[LENGTH] - 1:
        state[LENGTH] = state[STEPS] + 1
        state[CUT] = 1
    if state[CUT]:
        state[LAST] = way[state[LENGTH] - 1]


@helper
def _make_corridor(nodes, neighbours, corridor, way, state):
    """Stamp the nodes of the way and all around them, WIDTH times; they are written behind it, in the same array."""
    stamp = state[LAST_CORRIDOR] + 1
    if stamp > _LAST_CORRIDOR_STAMP:  # after two thousand million corridors
        corridor[:] = 0
        stamp = 1
    state[LAST_CORRIDOR] = state[CORRIDOR_STAMP] = stamp
    count = state[LENGTH]
    for i in range(count):
        corridor[_at(way[_at(i)])] = stamp
    done = 0
    for _ in range(state[WIDTH]):
        done, count = count, add_neighbours(nodes, neighbours, corridor, stamp, way, done, count)
