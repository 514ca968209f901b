"""Agents that plan a bounded amount, learn, and move: LRTA* and its family are presets of one skeleton (algorithms 3).

Which presets there are and how they differ: the table in learning/kernels/walk.py, and docs/planners/learning.md.
"""

from collections.abc import Callable
from functools import partial
from mmap import mmap
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from waypost.agents.logged import Logged
from waypost.agents.many import Cells
from waypost.agents.move_log import read_log
from waypost.agents.step import WORK_COUNTERS, Memory
from waypost.agents.trace import NO_EVENTS, read_events
from waypost.errors import WaypostError
from waypost.kernels import tiles, ways
from waypost.kernels.compiling import address_of
from waypost.kernels.events import EVENT_COLUMNS
from waypost.kernels.numbers import COST_LIMIT
from waypost.planners.learning.kernels import many, walk
from waypost.planners.learning.kernels.sizes import new_words
from waypost.planners.learning.kernels.state import NEIGHBOURS, TRAIL, Settings, by_name
from waypost.planners.learning.settings import as_cost, settings_on
from waypost.world.grid import Grid

__all__ = ["Control", "Guide", "Learning"]

_MOST_TABLES = 8  # targets whose learned values are kept
_NO_TARGET = -1
_OF_GUIDE = [WORK_COUNTERS.index(name) for name in ("climbs", "probes")]
_EVENTS_PER_EXPANSION = 11  # itself, eight neighbours, what it learned, and a share of the target
MOST_EVENTS = 1 << 22  # that one move may record: 160 MB, of which only what is recorded becomes real memory


def expansions_of_plies(depth: int) -> int:
    """Most expansions of a lookahead in plies: each ply looks around all cells within its reach at worst."""
    return depth * (2 * depth - 1) * (2 * depth + 1) // 3


def expansions_within_cost(horizon: float) -> int:
    """Most expansions of a lookahead by cost: the cells from which one more straight move is within the horizon."""
    return (2 * int(horizon - 1) + 1) ** 2


def _expansions_of_all(cells: int, depth: int) -> int:
    """Most expansions of a lookahead that has so many cells to look at.

    One first reached after d moves is looked around again when a way of more moves is cheaper. That has fewer than
    d times the cost of a diagonal move over that of a straight one, so it is at most d / 2 times.
    """
    return cells * (1 + min(depth, cells) // 2)


class Guide(Protocol):
    """Names targets on the way to a goal, such as subgoals of a database."""

    def reset(self) -> None:
        """A new trip to a goal begins, from wherever the agent stands."""

    def target(self, cell: int, goal: int) -> tuple[int, int, int]:
        """Where to go next, which is not the cell itself, and the climb steps and probes to find it."""


class Control(Protocol):
    """Decides at every move where to go and how far to look ahead, inside a kernel of its own."""

    planes: int
    """Values that tables keep for each cell."""
    most_depth: int
    """The deepest lookahead."""
    begin: Callable[..., None]
    """Begins a trip: takes the agent's words, its cell and its goal."""

    def set_up(self, settings: Settings, new_table: Callable[[], npt.NDArray[np.int32]]) -> Callable[..., int]:
        """What makes moves of an agent with such settings, given a table, the agent's words, events and a log."""

    def solver(
        self, table: npt.NDArray[np.int32], words: npt.NDArray[np.int64], events: npt.NDArray[np.int64]
    ) -> Callable[..., int]:
        """A kernel that solves many problems of an agent with these arrays."""

    def aim(self, goal: int) -> int:
        """The cell that the agent is on its way to, on a trip to this goal; -1 if that is open."""

    def clear(self) -> None:
        """Forget what was learned about targets other than the goal."""


class Learning(Logged):
    """Plans where its last plan ended; `looks` says how far, `learns` what is learned (docs/planners/learning.md).

    With a `guide` it goes from target to target, and asks for the next one when it has come to the last. With a
    `control` it has a target and a depth for every move; what `learned` returns then is about the goal. Either is made
    with the settings that are not named here, the index among them.
    """

    def __init__(
        self,
        grid: Grid,
        *,
        looks: str,
        learns: str,
        depth: int = 1,
        horizon: float = 1.5,
        k: int = 1,
        queue: int = 1,
        lookahead: int = 1,
        moves_per_plan: int = 0,
        gamma: float = 1.0,
        quota: float = 0.0,
        guide: Callable[..., Guide] | None = None,
        control: Callable[..., Control] | None = None,
        record: bool = False,
        **of_database: Any,
    ) -> None:
        super().__init__(grid, record=record)
        if of_database and not (guide or control):
            raise TypeError(f"unknown settings: {', '.join(of_database)}")
        self._guide = guide(grid, **of_database) if guide else None
        self._control = control(grid, depth=depth, **of_database) if control else None
        if self._control:
            depth = self._control.most_depth
        self._target = _NO_TARGET
        if looks == "plies" and learns == "best" and depth == 1:
            looks = "neighbours"  # the same, faster
        extent = {
            "neighbours": queue if learns == "queue" else k,
            "plies": depth,
            "cost": as_cost(horizon, grid.costs.straight),
            "astar": lookahead,
        }[looks]
        settings = settings_on(
            grid,
            looks=looks,
            learns=learns,
            extent=extent,
            planes=2 if learns == "trail" else self._control.planes if self._control else 1,
            moves_per_plan=moves_per_plan,
            gamma=gamma,
            quota=quota,
        )
        self.settings = settings
        self.words = new_words(settings, grid.width, grid.height)
        self._walk: Callable[..., int] = partial(walk.walk, grid.mask)
        self._set_out: Callable[..., None] = walk.begin
        if self._control:
            self._walk, self._set_out = self._control.set_up(settings, self._new_table), self._control.begin
        most_expansions = {
            "neighbours": extent + 2,
            "plies": expansions_of_plies(depth),
            "cost": expansions_within_cost(horizon),
            "astar": lookahead,
        }[looks]
        if record and looks in ("plies", "cost"):
            most_expansions = min(most_expansions, _expansions_of_all(int(grid.component_sizes.max()), depth))
        most_events = min((most_expansions + 1) * _EVENTS_PER_EXPANSION, MOST_EVENTS) if record else 0
        self.events = np.empty((most_events, EVENT_COLUMNS), np.int64)
        self._unread_events: list[npt.NDArray[np.void]] = []
        self._keeps_tables = learns != "second best"  # RTA*'s values hold for one trial only
        self.table = self._new_table()
        self._tables: dict[int, npt.NDArray[np.int32]] = {}

    def replan(self, *, opened: bool = True) -> None:
        """Plan again; what was learned stays admissible as long as cells are only closed."""
        self._require_reset()
        if opened:
            self._begin()
        else:
            self._retarget()

    def solver(self, goals: Cells) -> Callable[..., int] | None:  # noqa: ARG002 - any goals
        """A kernel that solves many problems, unless targets are asked for in Python."""
        if self._guide:
            return None  # it is asked for targets in Python
        mine = self.table, self.words, self.events
        if self._control:
            return self._control.solver(*mine)
        begin_at, walk_at = address_of(walk.begin, self.words, 0, 0), address_of(self._walk, *mine, self._one_move)
        return partial(many.solve, self.grid.mask, *mine, begin_at, walk_at)

    def see_to(self, status: int) -> None:  # noqa: ARG002 - it is stuck
        """Say why a walker made no move."""
        raise self._given_up()

    def take_events(self) -> npt.NDArray[np.void]:
        """What was planned and learned since the last call."""
        events = np.concatenate([NO_EVENTS, *self._unread_events])
        self._unread_events = []
        return events

    @property
    def target(self) -> tuple[int, int] | None:
        """Where the agent is on its way to, as (x, y)."""
        target = self._control.aim(self._target) if self._control else self._target
        return None if target == _NO_TARGET or self.cell < 0 else self.grid.xy(target)

    @property
    def control(self) -> Control | None:
        """What chooses the target and the depth of every move, and can tell them; None if both are settled."""
        return self._control

    @property
    def memory(self) -> Memory:
        """The largest plan since `reset`, and every cell learned."""
        self._require_reset()
        state = by_name(self.words)
        return Memory(*(int(state[name]) for name in ("peak_open", "peak_closed", "learned_states")))

    def learned(self) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int64]]:
        """Cells whose heuristic towards the present target was raised, in rising order, and their integer values."""
        self._require_reset()
        if self._target == _NO_TARGET:  # the table is still that of the target before
            return super().learned()
        settings = self.settings
        x, y, raised = tiles.stored(self.table, settings.across, settings.tile_count, settings.planes)
        goal_y, goal_x = divmod(self._target, self.grid.stride)
        dx, dy = np.abs(x - goal_x), np.abs(y - goal_y)
        straight, diagonal, _ = self.grid.costs
        values = straight * np.maximum(dx, dy) + (diagonal - straight) * np.minimum(dx, dy) + raised
        cells = (y * self.grid.stride + x).astype(np.int32)
        order = np.argsort(cells)
        return cells[order], values[order]

    def _begin(self) -> None:
        self._clear_table()
        if self._control:
            self._control.clear()
        self._tables = {_NO_TARGET: self.table}
        self._unread_events = []
        state, rules = by_name(self.words), self.settings
        state["learned_states"] = state["peak_open"] = state["peak_closed"] = 0
        if rules.lookahead == NEIGHBOURS:
            # Of those that learn along the trail each queue begins with the agent's own cell.
            state["peak_open"], state["peak_closed"] = 8 + (rules.learning == TRAIL), 1
        self._retarget()

    def _retarget(self) -> None:
        by_name(self.words)["stop"] = self.goal  # even if it is met on the way to a target
        if self._guide is None:
            self._head_for(self.goal)
        else:
            self._guide.reset()
            self._target = _NO_TARGET

    def _head_for(self, target: int) -> None:
        """Go to a target from where the agent stands, by what was learned about it."""
        self._target = target
        if not self._keeps_tables:
            self._tables = {}
            self._clear_table()
        elif target in self._tables:
            self.table = self._tables.pop(target)
        elif _NO_TARGET in self._tables:
            self.table = self._tables.pop(_NO_TARGET)
        elif len(self._tables) < _MOST_TABLES:
            self.table = self._new_table()
        else:  # the table of the target set longest ago
            self.table = self._tables.pop(next(iter(self._tables)))
            self._clear_table()
        self._tables[target] = self.table  # the latest is the last
        self._set_out(self.words, self.cell, target)

    def _make_moves(self, log: npt.NDArray[np.int32]) -> int:
        """Let the kernel make moves towards the target, after asking for one where that is due."""
        asked = None
        if self._guide is not None and self._target in (_NO_TARGET, self.cell):
            target, *asked = self._guide.target(self.cell, self.goal)
            self._head_for(target)
        made = self._walk(self.table, self.words, self.events, log)
        if made == 0:
            raise self._given_up()
        if asked:
            _, work = read_log(log, made)
            work[0, _OF_GUIDE] += asked
        if self.record:
            self._keep_events()
        return made

    def _given_up(self) -> WaypostError:
        """Why the kernel made no move."""
        if by_name(self.words)["too_far"] == ways.NO_WAY:
            return self._leads_no_way()
        longest = self.grid.length(COST_LIMIT)
        return WaypostError(f"a learned distance went beyond the longest path supported, {longest:,.0f} cells")

    def _keep_events(self) -> None:
        state = by_name(self.words)
        rows = self.events[: state["events"]]
        if len(rows) == MOST_EVENTS:
            self.cell = self.goal = -1  # what is missing cannot be had again
            raise WaypostError(
                f"a move has {MOST_EVENTS:,} search events or more, too many to record; look less far or do not record"
            )
        state["events"] = 0
        self._unread_events.append(read_events(self.grid, rows))

    def _clear_table(self) -> None:
        tiles.clear(self.table, self.settings.tile_count, self.settings.planes)

    def _new_table(self) -> npt.NDArray[np.int32]:
        """A table for one goal: as large as the map, but only what is stored to ever becomes real memory.

        NumPy's zeros can be old memory cleared, or come in pages of 2 MB; these come from the system page by page.
        """
        size = tiles.table_size(self.settings.tile_count, self.settings.planes)
        return np.frombuffer(mmap(-1, size * np.dtype(np.int32).itemsize), np.int32)
