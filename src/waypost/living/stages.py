"""Stages of a map that changes, put down on a World: each is one edit."""

import numpy as np

from waypost.living.edits import Edit
from waypost.living.world import World
from waypost.maps.changing import Placed, Stage

__all__ = ["changed", "put_down"]


def put_down(world: World, stage: Stage) -> Edit:
    """Make the change of a stage, all its patches at once; where they overlap the last counts."""
    points, opens = [np.empty((0, 2), np.int64)], [np.empty(0, np.bool_)]
    for x, y, is_open in stage.placed:
        rows, columns = np.divmod(np.arange(is_open.size), is_open.shape[1])
        points.append(np.column_stack([columns + x, rows + y]))
        opens.append(is_open.ravel())
    return world.edit(np.concatenate(points), open=np.concatenate(opens))


def changed(is_open: "np.ndarray[tuple[int, int], np.dtype[np.bool_]]", placed: tuple[Placed, ...]) -> None:
    """Put patches down on an array, for a map that is made again."""
    for x, y, patch in placed:
        rows, columns = patch.shape
        is_open[y : y + rows, x : x + columns] = patch
