"""What dynamic control knows, what it was set to and what changes, by name; and what tables of pairs are made with."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from waypost.kernels.compiling import record


class Rows(NamedTuple):
    """Rows of runs, as `subgoals.run_of` reads them, and the subgoal of each run."""

    row_starts: npt.NDArray[np.int64]
    """The first run of each row, and one past the last."""
    columns: npt.NDArray[np.uint16]
    """The first column of each run."""
    subgoals: npt.NDArray[np.int32]


class Database(NamedTuple):
    """The region of every cell, as `cell_map.region_at` reads it; and what is stored about pairs of regions."""

    tile_runs: npt.NDArray[np.int32]
    places: npt.NDArray[np.uint8]
    regions: npt.NDArray[np.int32]
    row_starts: npt.NDArray[np.int64]
    columns: npt.NDArray[np.uint16]
    subgoals: npt.NDArray[np.int32]
    """As in `Rows`."""
    run_depths: npt.NDArray[np.uint16]
    """Towards the subgoal of each run; none if they are not stored."""
    pair_depths: npt.NDArray[np.uint16]
    """Towards the goal, by region and goal region; none if they are not stored."""


class Settings(NamedTuple):
    """What a control was set to."""

    heads: int
    """Whether it heads for subgoals."""
    progress: int
    """Whether by progress, or else as published."""
    depth: int
    """0: by the database."""
    deepest: int
    cap: int
    """The deepest that is stored."""
    region_count: int


_CHANGING = ("goal_region", "region", "subgoal", "subgoal_number", "near_depth", "aim", "hops", "marked")
CONTROL = record([(name, np.int64) for name in (*Settings._fields, *_CHANGING)])
"""A control by name: its settings; the trip, of which `aim` is where the agent heads for."""


class Ground(NamedTuple):
    """The map, as `cost_field.fill` searches it."""

    mask: npt.NDArray[np.uint8]
    stride: int
    straight: int
    diagonal: int
    shift: int


class Field(NamedTuple):
    """Scratch of `cost_field.fill`."""

    costs: npt.NDArray[np.int32]
    ring: npt.NDArray[np.int64]
    pool: npt.NDArray[np.int64]


class Lookahead(NamedTuple):
    """Scratch of lookaheads: an empty table, the words of an agent that looks ahead in plies, and no events."""

    table: npt.NDArray[np.int32]
    words: npt.NDArray[np.int64]
    events: npt.NDArray[np.int64]
