"""The route of subgoal trees: from node to parent (Hernández, Baier 2011; algorithms 10.2)."""

from collections.abc import Mapping
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from waypost.grid import Grid
from waypost.indexes.base import Index
from waypost.indexes.trees import SubgoalTrees
from waypost.kernels import tiles, tree_troop, tree_walk, walk
from waypost.troop import Int32, Lists, Shared

__all__ = ["TreeRoute"]

_NODES_PER_SLOT = 32
_WORD = 32  # bits of a node
_FIRST_ROOM = 1 << 10  # nodes of trees that are made on demand
_walk = tree_walk.walk  # found at once, for it is called at every step


class Grove:
    """Trees of many goals in one array of nodes. Those that are made on demand stay: all of them are a whole index."""

    def __init__(self, grid: Grid, index: SubgoalTrees) -> None:
        self._index = index
        if index.is_whole:
            self.nodes, self.shift = index.arrays["nodes"], int(index.arrays["shift"][0])
            return
        self.shift = _WORD - (grid.mask.size - 1).bit_length()  # so every tree fits that does by itself
        self._places: dict[int, tuple[int, int]] = {}
        self._room = np.zeros(_FIRST_ROOM, np.uint32)
        self._used = 0
        self.nodes = self._read_only()

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
        self._room[slice(*place)] = tree >> shift << self.shift | tree & np.uint32((1 << shift) - 1)
        self._places[goal], self._used = place, place[1]
        self.nodes = self._read_only()
        return place

    def _read_only(self) -> npt.NDArray[np.uint32]:
        nodes = self._room.view()
        nodes.setflags(write=False)
        return nodes


class TreeRoute:
    """Walks towards the parent of each node it comes to; `tries` climbs choose the first target, 0 for the nearest.

    A climb that chooses may take `limit` steps.
    """

    kernel = "tree_walk.walk"
    learns = True
    slots = tree_walk.VISITS - walk.SLOTS

    def __init__(self, grid: Grid, index: SubgoalTrees, *, tries: int = 10, limit: int = 250) -> None:
        self._grid, self._index = grid, index
        self._mask, self._climb_table = grid.mask, grid.climb_table
        straight, diagonal, _ = grid.costs
        rule = tree_walk.CLIMBED if tries else tree_walk.NEAREST
        across = tiles.tiles_across(grid.stride)
        self._settings = np.array([grid.stride, across, straight, diagonal, 0, rule, tries, limit], np.int64)

    @staticmethod
    def work_bound(params: Mapping[str, Any], index: Index | None) -> int | None:
        """Most work of one move, the first: a look at every node, the climbs, a node looked up and a move."""
        largest = cast("SubgoalTrees", index).largest
        return None if largest is None else largest + params["tries"] * params["limit"] + 3

    def begin(self, state: npt.NDArray[np.int32], walker: int, goal: int) -> npt.NDArray[np.int32]:
        """Look the goal's tree up; its nodes count as not stood on."""
        self._nodes, first, end, shift = self._index.tree(goal)
        slots = tree_walk.VISITS + -(-(end - first) // _NODES_PER_SLOT)
        if slots > len(state):
            state = np.concatenate([state, np.zeros((slots - len(state), state.shape[1]), np.int32)])
        state[tree_walk.FIRST_NODE, walker] = first
        state[tree_walk.END_NODE, walker] = end
        state[tree_walk.VISITS : slots, walker] = 0
        self._settings[tree_walk.SHIFT] = shift
        return state

    def walk(self, pool: npt.NDArray[np.int32], state: npt.NDArray[np.int32], log: npt.NDArray[np.int32]) -> int:
        """Make moves of the one walker."""
        made: int = _walk(self._mask, self._climb_table, self._nodes, pool, state, self._settings, log)
        return made

    def prepare_for_many(self) -> None:
        """Have all trees in one array: those of a whole index are; those made on demand are put together."""
        self._grove = Grove(self._grid, self._index)
        self._settings[tree_walk.SHIFT] = self._grove.shift

    def begin_all(self, state: Int32, walkers: Int32, goals: Int32) -> int:
        """Look the goals' trees up; their nodes count as not stood on."""
        firsts, ends = self._grove.trees(goals)
        slots = tree_walk.VISITS + -(-int((ends - firsts).max(initial=0)) // _NODES_PER_SLOT)
        if slots > len(state):
            return slots
        state[tree_walk.FIRST_NODE, walkers] = firsts
        state[tree_walk.END_NODE, walkers] = ends
        state[tree_walk.VISITS : slots, walkers] = 0
        return 0

    def move_all(self, shared: Shared, lists: Lists) -> None:
        """One step each, of a climb or of LRTA*."""
        listed, _, _, *others = lists
        known = self._mask, self._climb_table, self._grove.nodes, self._settings
        tree_troop.move_listed(*known, *shared.of_route, listed, *others)

    def choose_all(self, shared: Shared, lists: Lists, most_work: int) -> int:
        """Choose first targets for those who wait."""
        _, queue, since, ended, pool, numbers = lists
        known = self._mask, self._climb_table, self._grove.nodes, self._settings
        return int(tree_troop.choose_targets(*known, *shared.of_route, queue, since, ended, pool, numbers, most_work))

    def expanded(self, cell: int, target: int) -> list[tuple[int, int, int]]:
        """A walker that is stuck looks around its cell."""
        return [(cell, 0, self._grid.octile(cell, target))]
