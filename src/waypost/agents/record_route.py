"""The route of records: a solved problem like the agent's own (kNN LRTA* 2010; algorithms 9.4)."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from waypost.grid import Grid
from waypost.indexes.base import Index
from waypost.indexes.records import Records
from waypost.kernels import record_joins, record_route, record_troop, record_walk, route_points, tiles, walk
from waypost.troop import Int32, Lists, Shared

__all__ = ["RecordRoute"]


class RecordRoute:
    """Walks by one of the `candidates` records most like the problem, else heads for the goal.

    `direct`, `skip_first` and `skip_last` try to do without the record, its start and its end; `tree` finds records by
    the kd-tree; within `quota` times the distance a second record is looked for: the enhancements of 2010. `shortest`
    takes the record of the shortest way; of so many as `joins` at either end two are joined if that is shorter, or if
    none will do; `ahead` points of the way are tried by climbs. Climbs have `limit` steps; those to and from records
    have `second_limit` where none will do within these.
    """

    kernel = "record_walk.walk"
    learns = True

    def __init__(
        self,
        grid: Grid,
        index: Records,
        *,
        candidates: int = 10,
        limit: int = 250,
        direct: int = 2,
        skip_first: int = 1,
        skip_last: int = 1,
        tree: int = 1,
        quota: float = 3.0,
        shortest: int = 0,
        second_limit: int = 0,
        ahead: int = 0,
        joins: int = 0,
    ) -> None:
        self._grid = grid
        tables, count = index.tables, len(index.tables["points"])
        straight, diagonal, _ = grid.costs
        tried = max(min(candidates or count, count), 1)
        joined = min(joins, count)
        settings = (
            grid.stride, straight, diagonal, ahead, limit, direct, tiles.tiles_across(grid.stride),
            skip_first, skip_last, tried, tree, int(Fraction(repr(float(quota))) * record_route.QUOTA_UNITS), shortest,
            second_limit, joined,
        )  # fmt: skip
        database = grid.mask, grid.climb_table, tables["points"], tables["first_legs"], tables["legs"]
        self._walk: Callable[..., int] = partial(record_walk.walk, *database)
        self._choose_targets: Callable[..., int] = partial(record_troop.choose_targets, *database)
        found = np.empty(max(tried, joined), np.int64), np.empty(max(tried, joined), np.int32)
        self._settings = np.array(settings, np.int64)
        self._found = (found[0] if tree else np.empty(count, np.int64), found[1])
        self.slots = route_points.POINTS - walk.SLOTS + max(ahead, route_points.LEAST_AHEAD)

    @staticmethod
    def work_bound(params: Mapping[str, Any], index: Index | None) -> int:
        """Most work of one move: records looked at, points compared, and climbs to, from and between records."""
        records = cast("Records", index)
        count = len(records.tables["points"])
        tried = min(params["candidates"] or count, count)
        legs = int(np.diff(records.tables["first_legs"]).max(initial=0)) if params["shortest"] else 0
        joins = min(params["joins"], count)
        listed = record_joins.POINTS_PER_RECORD * joins  # points at each end
        queries = 1 + bool(params["second_limit"]) + 2 * bool(joins)
        probes = queries * count + 2 * tried * legs + 2 * listed * (listed + 1)
        climbs = 2 + 2 * tried + 4 * joins + max(params["ahead"], route_points.LEAST_AHEAD)
        return probes + climbs * int(params["limit"]) + 2 * tried * int(params["second_limit"]) + 3

    def begin(
        self,
        state: npt.NDArray[np.int32],
        walker: int,
        goal: int,  # noqa: ARG002 - the walker has it
    ) -> npt.NDArray[np.int32]:
        """Nothing is known of the way yet: the first move looks."""
        state[route_points.PHASE, walker] = route_points.NEW
        return state

    def walk(self, pool: npt.NDArray[np.int32], state: npt.NDArray[np.int32], log: npt.NDArray[np.int32]) -> int:
        """Make moves of the one walker."""
        return self._walk(pool, state, self._settings, *self._found, log)

    def prepare_for_many(self) -> None:
        """There is nothing to share but the records."""

    def begin_all(self, state: Int32, walkers: Int32, goals: Int32) -> int:  # noqa: ARG002 - the walkers have them
        """Nothing is known of any way yet."""
        state[route_points.PHASE, walkers] = route_points.NEW
        return 0

    def move_all(self, shared: Shared, lists: Lists) -> None:
        """One step each, of a climb or of LRTA*."""
        record_troop.move_listed(self._grid.mask, self._grid.climb_table, self._settings, *shared.of_route, *lists)

    def choose_all(self, shared: Shared, lists: Lists, most_work: int) -> int:
        """Choose targets for those who wait."""
        _, *others = lists
        return self._choose_targets(self._settings, *self._found, *shared.of_route, *others, most_work)

    def expanded(self, cell: int, target: int) -> list[tuple[int, int, int]]:
        """A walker that is stuck looks around its cell."""
        return [(cell, 0, self._grid.octile(cell, target))]
