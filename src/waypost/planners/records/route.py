"""The route of records: a solved problem like the agent's own (kNN LRTA* 2010; algorithms 9.4)."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial
from typing import Any, cast

import numpy as np

from waypost.indexes.base import Index
from waypost.planners.records.index import Records
from waypost.planners.records.kernels import joins as joining
from waypost.planners.records.kernels import route, troop, walk
from waypost.planners.records.kernels.database import Database, Scratch, Settings
from waypost.planners.walking.ground import ground_of
from waypost.planners.walking.kernels.points import LEAST_AHEAD, NEW, RouteSlot
from waypost.planners.walking.kernels.troop import Lists, Walkers
from waypost.planners.walking.troop import Int32
from waypost.world.grid import Grid

__all__ = ["RecordRoute"]


class RecordRoute:
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
        known = tuple(ground), tuple(database), tuple(settings), tuple(scratch)
        self._walk: Callable[..., int] = partial(walk.walk, *known)
        self._choose_targets: Callable[..., int] = partial(troop.choose_targets, *known)
        self._move_listed: Callable[..., None] = partial(troop.move_listed, tuple(ground), tuple(settings))
        self.slots = RouteSlot.POINTS + max(ahead, LEAST_AHEAD)

    @staticmethod
    def work_bound(params: Mapping[str, Any], index: Index | None) -> int:
        """Most work of one move: records looked at, points compared, and climbs to, from and between records."""
        records = cast("Records", index)
        count = len(records.tables["points"])
        tried = min(params["candidates"] or count, count)
        legs = int(np.diff(records.tables["first_legs"]).max(initial=0)) if params["shortest"] else 0
        joins = min(params["joins"], count)
        listed = joining.POINTS_PER_RECORD * joins  # points at each end
        queries = 1 + bool(params["second_limit"]) + 2 * bool(joins)
        probes = queries * count + 2 * tried * legs + 2 * listed * (listed + 1)
        climbs = 2 + 2 * tried + 4 * joins + max(params["ahead"], LEAST_AHEAD)
        return probes + climbs * int(params["limit"]) + 2 * tried * int(params["second_limit"]) + 3

    def begin(self, now: Int32, goal: int) -> Int32:  # noqa: ARG002 - the walker has it
        """Nothing is known of the way yet: the first move looks."""
        now[RouteSlot.PHASE] = NEW
        return now

    def walk(self, pool: Int32, now: Int32, log: Int32) -> int:
        """Make moves of the one walker."""
        return self._walk(pool, now, log)

    def prepare_for_many(self) -> None:
        """There is nothing to share but the records."""

    def slots_for(self, goals: Int32) -> int:  # noqa: ARG002 - as many for any goal
        """As many as for one walker."""
        return self.slots

    def begin_all(self, state: Int32, walkers: Int32, goals: Int32) -> None:  # noqa: ARG002 - the walkers have them
        """Nothing is known of any way yet."""
        state[RouteSlot.PHASE, walkers] = NEW

    def find_again(self, state: Int32, walkers: Int32, goals: Int32) -> None:
        """Walkers' slots hold places on the map only."""

    def move_all(self, walkers: Walkers, lists: Lists) -> None:
        """One step each, of a climb or of LRTA*."""
        self._move_listed(tuple(walkers), tuple(lists))

    def choose_all(self, walkers: Walkers, lists: Lists, most_work: int) -> int:
        """Choose targets for those who wait."""
        return self._choose_targets(tuple(walkers), tuple(lists), most_work)

    def expanded(self, cell: int, target: int) -> list[tuple[int, int, int]]:
        """A walker that is stuck looks around its cell."""
        return [(cell, 0, self._grid.octile(cell, target))]
