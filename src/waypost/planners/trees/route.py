"""The route of subgoal trees: from node to parent (Hernández, Baier 2011; algorithms 10.2)."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from waypost.agents.move_log import new_log
from waypost.indexes.base import Index, read_only
from waypost.kernels.compiling import address_of
from waypost.planners.trees.index import SubgoalTrees
from waypost.planners.trees.kernels import many, troop, walk
from waypost.planners.trees.kernels.forest import NODE_BITS, Forest, Settings
from waypost.planners.trees.kernels.walk import CLIMBED, NEAREST, TreeSlot
from waypost.planners.walking.ground import ground_of
from waypost.planners.walking.kernels.troop import Lists, Walkers
from waypost.planners.walking.troop import Int32
from waypost.world.grid import Grid

__all__ = ["TreeRoute"]

_NODES_PER_SLOT = 32
_FIRST_ROOM = 1 << 10  # nodes of trees that are made on demand
_walk = walk.walk  # found at once, for it is called at every step


class Grove:
    """Trees of many goals in one array of nodes. Those that are made on demand stay: all of them are a whole index."""

    def __init__(self, grid: Grid, index: SubgoalTrees) -> None:
        self._index = index
        if index.is_whole:
            self._show(index.arrays["nodes"], int(index.arrays["shift"][0]))
            return
        shift = NODE_BITS - (grid.mask.size - 1).bit_length()  # so every tree fits that does by itself
        self._places: dict[int, tuple[int, int]] = {}
        self._room = np.zeros(_FIRST_ROOM, np.uint32)
        self._used = 0
        self._show(self._room, shift)

    def trees(self, goals: Int32) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """The first node of each goal's tree, and their end."""
        if self._index.is_whole:
            return self._index.trees(goals)
        places = np.array([self._places.get(goal) or self._plant(goal) for goal in goals.tolist()], np.int64)
        return places.reshape(-1, 2)[:, 0], places.reshape(-1, 2)[:, 1]

    def _plant(self, goal: int) -> tuple[int, int]:
        nodes, first, end, shift = self._index.tree(goal)
        place = self._used, self._used + end - first
        if place[1] > self._room.size:
            self._room = np.concatenate([self._room, np.zeros(max(self._room.size, end - first), np.uint32)])
        tree = nodes[first:end]
        self._room[slice(*place)] = tree >> shift << self._shift | tree & np.uint32((1 << shift) - 1)
        self._places[goal], self._used = place, place[1]
        self._show(self._room, self._shift)
        return place

    def _show(self, nodes: npt.NDArray[np.uint32], shift: int) -> None:
        """Have kernels read these nodes."""
        (nodes,) = read_only(nodes.view())
        self._shift = shift
        self.forest = tuple(Forest(nodes=nodes, shift=shift))


class TreeRoute:
    """Walks towards the parent of each node it comes to; `tries` climbs choose the first target, 0 for the nearest.

    A climb that chooses may take `limit` steps.
    """

    learns = True
    slots = TreeSlot.VISITS

    def __init__(self, grid: Grid, index: SubgoalTrees, *, tries: int = 10, limit: int = 250) -> None:
        self._grid, self._index = grid, index
        self._ground = tuple(ground_of(grid))
        rule = CLIMBED if tries else NEAREST
        self._settings = tuple(Settings(rule=rule, tries=tries, limit=limit))

    @staticmethod
    def work_bound(params: Mapping[str, Any], index: Index | None) -> int | None:
        """Most work of one move, the first: a look at every node, the climbs, a node looked up and a move."""
        largest = cast("SubgoalTrees", index).largest
        return None if largest is None else largest + params["tries"] * params["limit"] + 3

    def begin(self, now: Int32, goal: int) -> Int32:
        """Look the goal's tree up; its nodes count as not stood on."""
        nodes, first, end, shift = self._index.tree(goal)
        self._forest = tuple(Forest(nodes=nodes, shift=shift))
        now = _with_room(now, end - first)
        now[TreeSlot.FIRST_NODE] = first
        now[TreeSlot.END_NODE] = end
        now[TreeSlot.VISITS : _slots(end - first)] = 0
        return now

    def walk(self, pool: Int32, now: Int32, log: Int32) -> int:
        """Make moves of the one walker."""
        made: int = _walk(self._ground, self._forest, self._settings, pool, now, log)
        return made

    def solver(self, pool: Int32, now: Int32, goals: Int32) -> tuple[Int32, Callable[..., int] | None]:
        """The slots, and a kernel that solves many problems by them, if all trees are there."""
        if not self._index.is_whole:
            return now, None
        firsts, ends = self._index.trees(goals)
        now = _with_room(now, int((ends - firsts).max(initial=0)))
        forest = Grove(self._grid, self._index).forest
        mine = self._ground, forest, self._settings
        walk_at = address_of(_walk, *mine, pool, now, new_log(1))
        return now, partial(many.solve, *mine, firsts, ends, pool, now, walk_at)

    def prepare_for_many(self) -> None:
        """Have all trees in one array: those of a whole index are; those made on demand are put together."""
        self._grove = Grove(self._grid, self._index)

    def slots_for(self, goals: Int32) -> int:
        """Look the goals' trees up: a bit for each node of the largest."""
        firsts, ends = self._grove.trees(goals)
        return _slots(int((ends - firsts).max(initial=0)))

    def begin_all(self, state: Int32, walkers: Int32, goals: Int32) -> None:
        """Nodes of the goals' trees count as not stood on."""
        self.find_again(state, walkers, goals)
        state[walkers, TreeSlot.VISITS :] = 0

    def find_again(self, state: Int32, walkers: Int32, goals: Int32) -> None:
        """Where the goals' trees are among all nodes."""
        state[walkers, TreeSlot.FIRST_NODE], state[walkers, TreeSlot.END_NODE] = self._grove.trees(goals)

    def move_all(self, walkers: Walkers, lists: Lists) -> None:
        """One step each, of a climb or of LRTA*."""
        troop.move_listed(self._ground, self._grove.forest, self._settings, tuple(walkers), tuple(lists))

    def choose_all(self, walkers: Walkers, lists: Lists, most_work: int) -> int:
        """Choose first targets for those who wait."""
        known = self._ground, self._grove.forest, self._settings
        return int(troop.choose_targets(*known, tuple(walkers), tuple(lists), most_work))

    def expanded(self, cell: int, target: int) -> list[tuple[int, int, int]]:
        """A walker that is stuck looks around its cell."""
        return [(cell, 0, self._grid.octile(cell, target))]


def _with_room(now: Int32, nodes: int) -> Int32:
    """A walker's slots, or a larger copy, with room for a tree of so many nodes."""
    missing = _slots(nodes) - now.size
    return np.concatenate([now, np.zeros(missing, np.int32)]) if missing > 0 else now


def _slots(nodes: int) -> int:
    """Slots of a walker's state for a tree of so many nodes."""
    return TreeSlot.VISITS + -(-nodes // _NODES_PER_SLOT)
