"""Breadth-first search in plain Python: plans the whole way at the first move, then walks it."""

from collections import deque

import waypost as wp

__all__ = ["BreadthFirst", "neighbours"]


def neighbours(grid: wp.Grid, cell: int) -> list[int]:
    """Cells that a legal move leads to: bit i of the mask says whether move i is legal."""
    north, south = -grid.stride, grid.stride
    offsets = (north, 1, south, -1, north + 1, south + 1, south - 1, north - 1)
    legal = int(grid.mask[cell])
    return [cell + offset for move, offset in enumerate(offsets) if legal >> move & 1]


class BreadthFirst(wp.Agent):
    """Fewest moves, not least cost."""

    def _begin(self) -> None:
        self._ahead: list[int] = []  # cells still to be walked, the next one last

    def _retarget(self) -> None:
        self._ahead = []

    def _advance(self) -> wp.Step:
        expansions = 0 if self._ahead else self._plan()
        cell = self._ahead.pop()
        status = wp.RunStatus.ARRIVED if cell == self.goal else wp.RunStatus.MOVING
        return wp.Step(cell, status, expansions)

    def _plan(self) -> int:
        """Search until the goal is met, then follow parents back; returns the cells expanded."""
        parent, queue, expansions = {self.cell: self.cell}, deque([self.cell]), 0
        while self.goal not in parent:
            cell = queue.popleft()
            expansions += 1
            for other in neighbours(self.grid, cell):
                if other not in parent:
                    parent[other] = cell
                    queue.append(other)
        self._ahead = [self.goal]
        while parent[self._ahead[-1]] != self.cell:
            self._ahead.append(parent[self._ahead[-1]])
        return expansions
