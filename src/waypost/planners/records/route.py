"""The route of records: a solved problem like the agent's own (kNN LRTA* 2010; algorithms 9.4)."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial
from typing import Any, cast

import numpy as np

from waypost.agents.move_log import new_log
from waypost.indexes.base import Index
from waypost.kernels.compiling import address_of
from waypost.planners.records.index import Records
from waypost.planners.records.kernels import many, route, troop, walk
from waypost.planners.records.kernels.database import Database, Scratch, Settings
from waypost.planners.records.kernels.joins import POINTS_PER_RECORD
from waypost.planners.walking.by_points import ByPoints
from waypost.planners.walking.ground import ground_of
from waypost.planners.walking.kernels.points import LEAST_AHEAD
from waypost.planners.walking.troop import Int32
from waypost.world.grid import Grid

__all__ = ["RecordRoute"]


class RecordRoute(ByPoints):
    """Walks by one of the `candidates` records most like the problem, else heads for the goal.

    `direct`, `skip_first` and `skip_last` try to do without the record, its start and its end; `tree` finds records by
    the kd-tree; within `quota` times the distance a second record is looked for: the enhancements of 2010. `shortest`
    takes the record of the shortest way; of so many as `joins` at either end two are joined if that is shorter, or if
    none will do; `ahead` points of the way are tried by climbs. Climbs have `limit` steps; those to and from records
    have `second_limit` where none will do within these.
    """

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
        super().__init__(ahead)
        self._grid = grid
        tables, count = index.tables, len(index.tables["points"])
        tried = max(min(candidates or count, count), 1)
        joined = min(joins, count)
        database = Database(points=tables["points"], first_legs=tables["first_legs"], legs=tables["legs"])
        settings = Settings(
            ahead=ahead,
            limit=limit,
            direct=direct,
            skips_first=skip_first,
            skips_last=skip_last,
            candidates=tried,
            by_tree=tree,
            quota=int(Fraction(repr(float(quota))) * route.QUOTA_UNITS),
            shortest=shortest,
            second_limit=second_limit,
            joins=joined,
        )
        most = max(tried, joined)
        scratch = Scratch(keys=np.empty(most if tree else count, np.int64), found=np.empty(most, np.int32))
        ground = ground_of(grid)
        known = self._known = tuple(ground), tuple(database), tuple(settings), tuple(scratch)
        self._walk: Callable[..., int] = partial(walk.walk, *known)
        self._choose_targets = partial(troop.choose_targets, *known)
        self._move_listed = partial(troop.move_listed, tuple(ground), tuple(settings))

    @staticmethod
    def work_bound(params: Mapping[str, Any], index: Index | None) -> int:
        """Most work of one move: records looked at, points compared, and climbs to, from and between records."""
        records = cast("Records", index)
        count = len(records.tables["points"])
        tried = min(params["candidates"] or count, count)
        legs = int(np.diff(records.tables["first_legs"]).max(initial=0)) if params["shortest"] else 0
        joins = min(params["joins"], count)
        listed = POINTS_PER_RECORD * joins  # points at each end
        queries = 1 + bool(params["second_limit"]) + 2 * bool(joins)
        probes = queries * count + 2 * tried * legs + 2 * listed * (listed + 1)
        climbs = 2 + 2 * tried + 4 * joins + max(params["ahead"], LEAST_AHEAD)
        return probes + climbs * int(params["limit"]) + 2 * tried * int(params["second_limit"]) + 3

    def walk(self, pool: Int32, now: Int32, log: Int32) -> int:
        """Make moves of the one walker."""
        return self._walk(pool, now, log)

    def solver(self, pool: Int32, now: Int32, goals: Int32) -> tuple[Int32, Callable[..., int]]:  # noqa: ARG002 - any goals
        """The slots, and a kernel that solves many problems by them."""
        walk_at = address_of(walk.walk, *self._known, pool, now, new_log(1))
        return now, partial(many.solve, *self._known, pool, now, walk_at)

    def prepare_for_many(self) -> None:
        """There is nothing to share but the records."""

    def expanded(self, cell: int, target: int) -> list[tuple[int, int, int]]:
        """A walker that is stuck looks around its cell."""
        return [(cell, 0, self._grid.octile(cell, target))]
