"""PRA* on a clique hierarchy: a way on one level, refined level by level down to the map (Sturtevant, Buro 2005; 7.1).

The way on each level makes the corridor that the search on the level below is limited to. With partial refinement only
the first steps of a way go on, and the searches below look for any way to where it was cut. The exact rules are in
docs/planners/clique-rules.md.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from waypost.kernels.compiling import helper, kernel, record
from waypost.kernels.moves import offset
from waypost.kernels.numbers import at
from waypost.kernels.outcomes import FOUND
from waypost.planners.pra_clique.kernels.corridor import FIRST_EDGE, PARENT, X, Y, add_neighbours, search, write_way

_LAST_CORRIDOR_STAMP = (1 << 31) - 1


class Settings(NamedTuple):
    """What an agent was set to."""

    width: int
    """Nodes that a corridor is wider than its way, on each side."""
    open_cells: int
    """Of the map."""


_CHANGING = (
    # the number of the last corridor, which goes on forever
    "last_corridor",
    # the present plan, with the nodes of its way so far, and what it has cost on the map and above
    "start", "goal", "steps", "is_begun", "length", "expanded", "probed",
    # the most states held by a search
    "most_open", "most_closed",
)  # fmt: skip
STATE = record([(name, np.int64) for name in (*Settings._fields, *_CHANGING)])
"""An agent by name: its settings, and what changes besides its searches."""


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


@kernel
def begin(state, start, goal, steps):
    """Make ready for a plan from one cell to another that is cut after so many steps, or not at all if there are 0."""
    now = state[0]
    now.start = start
    now.goal = goal
    now.steps = steps
    now.is_begun = now.length = now.expanded = now.probed = 0


@kernel
def plan(hierarchy, scratch, heap, pushed, events, control, state):
    """Write the cells of a plan as the way, its start included; returns FOUND, or what a caller must see to.

    Called again after room was made, it goes on with the search that had too little.
    """
    hierarchy, scratch = Hierarchy(*hierarchy), Scratch(*scratch)
    control, now = control[0], state[0]
    mask, ground_parents = hierarchy.mask, hierarchy.ground_parents
    nodes, neighbours = hierarchy.nodes, hierarchy.neighbours
    corridor, way = scratch.corridor, scratch.way
    if not now.is_begun:
        now.is_begun = 1
        level = _start_level(hierarchy, control.stride, now)
        if level == 0:
            way[0] = now.start
            way[1] = now.goal
            now.length = 2
            return FOUND
        control.cut = control.corridor_stamp = 0
        _aim(ground_parents, nodes, level, control, now)
    while True:
        status = search(
            mask, ground_parents, corridor, nodes, neighbours,
            scratch.marks, scratch.came_from, heap, pushed, events, control,
        )  # fmt: skip
        if status != FOUND:
            return status
        now.length = write_way(scratch.came_from, control, way)
        if control.level > 0:
            now.probed += control.expansions
        else:
            now.expanded += control.expansions
        now.most_open = max(now.most_open, control.peak_open)
        now.most_closed = max(now.most_closed, control.expansions)
        if control.level == 0:
            return FOUND
        _cut(way, control, now)
        _make_corridor(nodes, neighbours, corridor, way, control, now)
        _aim(ground_parents, nodes, control.level - 1, control, now)


@helper
def _start_level(hierarchy, stride, now):
    """The level of the first way: half as high as the level where both ends are one or touch, and not too small.

    It is 0 if they touch on the map. They meet at last: no edges are left on the top, so what is connected is one.
    """
    ground_parents, nodes = hierarchy.ground_parents, hierarchy.nodes
    start = now.start
    goal = now.goal
    for move in range(8):
        if hierarchy.mask[at(start)] >> move & 1 and start + offset(move, stride) == goal:
            return 0
    common = 1
    a = np.int64(ground_parents[at(start)])
    b = np.int64(ground_parents[at(goal)])
    while a != b and not _touch(nodes, hierarchy.neighbours, a, b):
        a = np.int64(nodes[at(a), PARENT])
        b = np.int64(nodes[at(b), PARENT])
        common += 1
    level = common
    while level > 1 and (2 * level > common or _nodes(hierarchy.firsts, level) ** 2 < 4 * now.open_cells):
        level -= 1
    return level


@helper
def _touch(nodes, neighbours, a, b):
    """Whether an edge joins two nodes."""
    for i in range(nodes[at(a), FIRST_EDGE], nodes[at(a + 1), FIRST_EDGE]):
        if neighbours[at(i)] == b:
            return True
    return False


@helper
def _nodes(firsts, level):
    """How many nodes a level has."""
    return np.int64(firsts[level]) - np.int64(firsts[level - 1])


@helper
def _aim(ground_parents, nodes, level, control, now):
    """Make ready for the search on a level: from the ancestor of the start to that of the goal, or to the cut."""
    control.level = level
    control.first = _ancestor(ground_parents, nodes, now.start, level)
    if not control.cut:
        control.last = _ancestor(ground_parents, nodes, now.goal, level)
    if level == 0 and not control.cut:
        control.target_y = now.goal // control.stride
        control.target_x = now.goal % control.stride
    else:
        control.target_x = nodes[control.last, X]
        control.target_y = nodes[control.last, Y]


@helper
def _ancestor(ground_parents, nodes, cell, level):
    """The node of a level that a cell belongs to."""
    if level == 0:
        return cell
    node = np.int64(ground_parents[at(cell)])
    for _ in range(level - 1):
        node = np.int64(nodes[at(node), PARENT])
    return node


@helper
def _cut(way, control, now):
    """Keep of a way no more than the first steps; where it ends then is where the levels below lead."""
    if 0 < now.steps < now.length - 1:
        now.length = now.steps + 1
        control.cut = 1
    if control.cut:
        control.last = way[now.length - 1]


@helper
def _make_corridor(nodes, neighbours, corridor, way, control, now):
    """Stamp the nodes of the way and all around them, `width` times; they are written behind it, in the same array."""
    stamp = now.last_corridor + 1
    if stamp > _LAST_CORRIDOR_STAMP:  # after two thousand million corridors
        corridor[:] = 0
        stamp = 1
    now.last_corridor = control.corridor_stamp = stamp
    count = now.length
    for i in range(count):
        corridor[at(way[at(i)])] = stamp
    done = 0
    for _ in range(now.width):
        done, count = count, add_neighbours(nodes, neighbours, corridor, stamp, way, done, count)
