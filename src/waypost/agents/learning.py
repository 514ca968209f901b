"""Agents that plan a bounded amount, learn, and move: LRTA* and its family are presets of one skeleton (algorithms 3).

Which presets there are and how they differ: the table in kernels/learning.py, and docs/planners/learning.md.
"""

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from mmap import mmap
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from waypost.agents.base import MOST_MOVES, Agent
from waypost.errors import WaypostError
from waypost.grid import Grid
from waypost.kernels import best_first, learned, learning, rooms, tiles
from waypost.parameters import whole_number
from waypost.step import WORK_COUNTERS, Memory, Status, Step, Walk
from waypost.trace import NO_EVENTS, read_events

__all__ = ["Control", "Guide", "Learning"]

# Taken out of their enum and module: to look them up would be a tenth of a step.
_MOVING, _ARRIVED = Status.MOVING, Status.ARRIVED
_new_step: Callable[[list[Any]], Step] = partial(tuple.__new__, Step)  # half the time of Step(...)

_MOST_TABLES = 8  # targets whose learned values are kept
_NO_TARGET = -1
_MOVES_AT_ONCE = 1 << 12  # of a walk; larger logs only leave the cache
_CLIMBS, _PROBES = (WORK_COUNTERS.index(name) for name in ("climbs", "probes"))
_EVENTS_PER_EXPANSION = 11  # itself, eight neighbours, what it learned, and a share of the target


def expansions_of_plies(depth: int) -> int:
    """Most expansions of a lookahead in plies: each ply looks around all cells within its reach at worst."""
    return depth * (2 * depth - 1) * (2 * depth + 1) // 3


def expansions_within_cost(horizon: float) -> int:
    """Most expansions of a lookahead by cost: the cells from which one more straight move is within the horizon."""
    return (2 * int(horizon - 1) + 1) ** 2


class Guide(Protocol):
    """Names targets on the way to a goal, such as subgoals of a database."""

    def reset(self) -> None:
        """A new trip to a goal begins, from wherever the agent stands."""

    def target(self, cell: int, goal: int) -> tuple[int, int, int]:
        """Where to go next, which is not the cell itself, and the climb steps and probes to find it."""


class Control(Protocol):
    """Decides at every move where to go and how far to look ahead, inside a kernel of its own."""

    kernel: str
    """The compiled function that makes moves, as module.function."""
    planes: int
    """Values that tables keep for each cell."""
    most_depth: int
    """The deepest lookahead."""
    begin: Callable[..., None]
    """Begins a trip: takes the agent's state, its cell and its goal."""

    def set_up(
        self, state: npt.NDArray[np.int64], new_table: Callable[[], npt.NDArray[np.int32]]
    ) -> Callable[..., int]:
        """Settings into an agent's state; returns what makes its moves, given a table, the state, events and a log."""

    def clear(self, state: npt.NDArray[np.int64]) -> None:
        """Forget what was learned about targets other than the goal."""


class Learning(Agent):
    """Plans where its last plan ended; `looks` says how far, `learns` what is learned (docs/planners/learning.md).

    With a `guide` it goes from target to target, and asks for the next one when it has come to the last. With a
    `control` it has a target and a depth for every move; what `learned` returns then is about the goal.
    """

    kernel = "learning.walk"

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
        index: Any = None,
        record: bool = False,
        **of_database: Any,
    ) -> None:
        super().__init__(grid, record=record)
        self._guide = guide(grid, index, **of_database) if guide else None
        self._control = control(grid, index, depth=depth, **of_database) if control else None
        if self._control:
            self.kernel, depth = self._control.kernel, self._control.most_depth
        self._target = _NO_TARGET
        if looks == "plies" and learns == "best" and depth == 1:
            looks = "neighbours"  # the same, faster
        straight, diagonal, _ = grid.costs
        extent = {
            "neighbours": queue if learns == "queue" else k,
            "plies": depth,
            "cost": _floor(horizon, straight),
            "astar": lookahead,
        }[looks]
        self._across = tiles.tiles_across(grid.stride)
        self._tile_count = self._across * tiles.tiles_across(grid.height + 2)
        self._planes = 2 if learns == "trail" else self._control.planes if self._control else 1
        settings = {
            "stride": grid.stride,
            "straight": straight,
            "diagonal": diagonal,
            "across": self._across,
            "tile_count": self._tile_count,
            "planes": self._planes,
            "extent": extent,
            "moves_per_plan": moves_per_plan,
            "gamma": round(100 * gamma),
            "quota": _floor(quota, straight),
            "inward_shift": straight.bit_length() - 1,  # buckets no wider than a straight move
        }
        self._state = rooms.state_of(settings, looks, learns, (grid.width, grid.height))
        self._walk: Callable[..., int] = partial(learning.walk, grid.mask)
        self._set_out: Callable[..., None] = learning.begin
        if self._control:
            self._walk, self._set_out = self._control.set_up(self._state, self._new_table), self._control.begin
        most_expansions = {
            "neighbours": extent + 2,
            "plies": expansions_of_plies(depth),
            "cost": expansions_within_cost(horizon),
            "astar": lookahead,
        }[looks]
        most_events = (most_expansions + 1) * _EVENTS_PER_EXPANSION if record else 0
        self._events = np.empty((most_events, best_first.EVENT_COLUMNS), np.int64)
        self._unread_events: list[npt.NDArray[np.void]] = []
        self._one_move = np.empty(1 + learning.COUNTERS, np.int32)
        self._keeps_tables = learns != "second best"  # RTA*'s values hold for one trial only
        self._table = self._new_table()
        self._tables: dict[int, npt.NDArray[np.int32]] = {}

    def walk(self, max_moves: int = MOST_MOVES) -> Walk:
        """Make moves until the agent has arrived, at most so many, in compiled code."""
        if self.record:
            return super().walk(max_moves)
        self._require_reset()
        max_moves = whole_number("max_moves", max_moves)
        cells, work = [np.array([self.cell], np.int32)], [np.empty(0, np.int32)]
        left = max_moves
        while left and self.cell != self.goal:
            climbs, probes = self._aim()
            room = min(left, _MOVES_AT_ONCE)
            log = np.empty(room * (1 + learning.COUNTERS), np.int32)
            made = self._make_moves(log)
            log[room + _CLIMBS] += climbs  # of the first of these moves
            log[room + _PROBES] += probes
            cells.append(log[:made])
            work.append(log[room : room + learning.COUNTERS * made])
            left -= made
            self.cell = int(log[made - 1])
        status = Status.ARRIVED if self.cell == self.goal else Status.OUT_OF_MOVES
        return Walk(status, np.concatenate(cells), np.concatenate(work).reshape(-1, learning.COUNTERS))

    def take_events(self) -> npt.NDArray[np.void]:
        """What was planned and learned since the last call."""
        events = np.concatenate([NO_EVENTS, *self._unread_events])
        self._unread_events = []
        return events

    @property
    def target(self) -> tuple[int, int] | None:
        """Where the agent is on its way to, as (x, y)."""
        target = int(self._state[learned.AIM]) if self._control else self._target
        return None if target == _NO_TARGET else self.grid.xy(target)

    @property
    def memory(self) -> Memory:
        """The largest plan since `reset`, and every cell learned."""
        slots = (learned.PEAK_OPEN, learned.PEAK_CLOSED, learned.LEARNED_STATES)
        return Memory(*(int(self._state[slot]) for slot in slots))

    def learned(self) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int64]]:
        """Cells whose heuristic towards the present target was raised, in rising order, and their integer values."""
        self._require_reset()
        if self._target == _NO_TARGET:  # the table is still that of the target before
            return super().learned()
        x, y, raised = tiles.stored(self._table, self._across, self._tile_count, self._planes)
        goal_y, goal_x = divmod(self._target, self.grid.stride)
        dx, dy = np.abs(x - goal_x), np.abs(y - goal_y)
        straight, diagonal, _ = self.grid.costs
        values = straight * np.maximum(dx, dy) + (diagonal - straight) * np.minimum(dx, dy) + raised
        cells = (y * self.grid.stride + x).astype(np.int32)
        order = np.argsort(cells)
        return cells[order], values[order]

    def _begin(self) -> None:
        tiles.clear(self._table, self._tile_count, self._planes)
        if self._control:
            self._control.clear(self._state)
        self._tables = {_NO_TARGET: self._table}
        self._unread_events = []
        self._state[learned.LEARNED_STATES] = 0
        one_step = self._state[learned.LOOKAHEAD] == learned.NEIGHBOURS
        self._state[learned.PEAK_OPEN], self._state[learned.PEAK_CLOSED] = (8, 1) if one_step else (0, 0)
        if self._state[learned.LEARNING] == learned.TRAIL:
            self._state[learned.PEAK_OPEN] += 1  # the agent's own cell, with which every queue begins
        self._retarget()

    def _retarget(self) -> None:
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
            tiles.clear(self._table, self._tile_count, self._planes)
        elif target in self._tables:
            self._table = self._tables.pop(target)
        elif _NO_TARGET in self._tables:
            self._table = self._tables.pop(_NO_TARGET)
        elif len(self._tables) < _MOST_TABLES:
            self._table = self._new_table()
        else:  # the table of the target set longest ago
            self._table = self._tables.pop(next(iter(self._tables)))
            tiles.clear(self._table, self._tile_count, self._planes)
        self._tables[target] = self._table  # the latest is the last
        self._set_out(self._state, self.cell, target)

    def _aim(self) -> tuple[int, int]:
        """Ask for a target where the agent has none or stands on it; returns the climb steps and probes of that."""
        if self._guide is None or (self._target != _NO_TARGET and self._target != self.cell):
            return 0, 0
        target, climbs, probes = self._guide.target(self.cell, self.goal)
        self._head_for(target)
        return climbs, probes

    def _advance(self) -> Step:
        climbs, probes = self._aim()
        if not self._walk(self._table, self._state, self._events, self._one_move):
            raise self._too_far()
        if self.record:
            self._keep_events()
        row: list[Any] = self._one_move.tolist()
        row[1 + _CLIMBS] += climbs
        row[1 + _PROBES] += probes
        row.insert(1, _ARRIVED if row[0] == self.goal else _MOVING)
        return _new_step(row)

    def _make_moves(self, log: npt.NDArray[np.int32]) -> int:
        """Let the kernel make as many moves as there is room for; at least one, or it is an error."""
        made = self._walk(self._table, self._state, self._events, log)
        if made == 0:
            raise self._too_far()
        return made

    def _too_far(self) -> WaypostError:
        longest = self.grid.length(best_first.COST_LIMIT)
        return WaypostError(f"a learned distance went beyond the longest path supported, {longest:,.0f} cells")

    def _keep_events(self) -> None:
        rows = self._events[: self._state[learned.EVENTS]]
        self._state[learned.EVENTS] = 0
        self._unread_events.append(read_events(self.grid, rows))

    def _new_table(self) -> npt.NDArray[np.int32]:
        """A table for one goal: as large as the map, but only what is stored to ever becomes real memory.

        NumPy's zeros can be old memory cleared, or come in pages of 2 MB; these come from the system page by page.
        """
        size = tiles.table_size(self._tile_count, self._planes)
        return np.frombuffer(mmap(-1, size * np.dtype(np.int32).itemsize), np.int32)


def _floor(cells: float, straight: int) -> int:
    """A length in cells as an integer cost, exactly as its decimal digits say."""
    return int(Fraction(repr(float(cells))) * straight)
