"""Agent: the contract that every mover keeps; and what those share that walk cells planned ahead."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from waypost.agents.many import CELLS_FULL, OUT_OF_MOVES, Cells, ManyProblems, Solved, checked_cells
from waypost.agents.move_log import PLAN_COUNTERS, new_plan_log
from waypost.agents.step import WORK_COUNTERS, Memory, RunStatus, Step, Walk
from waypost.agents.trace import NO_EVENTS
from waypost.errors import OutOfMoves, ParameterError, Unreachable, WaypostError, shown
from waypost.kernels.compiling import CAN_CALL
from waypost.system.checks import truth, whole_number
from waypost.system.copies import independent
from waypost.world.grid import Grid, IntArray, Point
from waypost.world.problem import Problem

__all__ = ["MOST_MOVES", "Agent", "Planned", "find_ends", "find_goal", "move_limit"]

MOST_MOVES = 10_000_000
"""An agent that has not arrived by then is not expected to: learning agents can wander for very long."""

_MOST_COUNTABLE = 2**63 - 1  # by kernels

_COLUMNS = [WORK_COUNTERS.index(name) for name in PLAN_COUNTERS]


def move_limit(max_moves: int) -> int:
    """A limit of moves as a plain int that kernels can take."""
    return whole_number("max_moves", max_moves, highest=_MOST_COUNTABLE)


def find_ends(grid: Grid, start: Point, goal: Point, *, nearest: bool = False) -> tuple[int, int]:
    """The cells of a start and of a goal that can be reached from there, or of the nearest one."""
    cell = grid.open_cell(start, "start")
    return cell, find_goal(grid, cell, goal, nearest=nearest)


def find_goal(grid: Grid, start: int, goal: Point, *, nearest: bool = False) -> int:
    """A goal that can be reached: refuses one in another component, or takes the nearest cell instead.

    With `nearest` the goal may also lie on a wall. Refusing takes constant time, whatever the map.
    """
    if truth("nearest", nearest):
        target = grid.cell(goal, "goal")
        return target if grid.connected(start, target) else grid.nearest_connected(start, target)
    target = grid.open_cell(goal, "goal")
    if not grid.connected(start, target):
        raise unreachable(grid, start, target)
    return target


def unreachable(grid: Grid, start: int, goal: int) -> Unreachable:
    """The refusal of a problem whose start and goal are not connected."""
    return Unreachable(
        f"no path leads from {grid.xy(start)} to {grid.xy(goal)}: they lie in different components; "
        "nearest=True goes as near as possible"
    )


class Agent(ABC):
    """One mover: `reset` it to a problem, then `step` until it has arrived. Iterating yields each move's (x, y)."""

    def __init__(self, grid: Grid, *, record: bool = False) -> None:
        self.grid = grid
        self.record = truth("record", record)
        self.cell = self.goal = -1

    def reset(self, problem: Problem) -> None:
        """Put the agent on the start of a new problem and forget everything else."""
        if not isinstance(problem, Problem):
            raise ParameterError(f"an agent is reset to a Problem, not to {shown(problem)}; see Planner.problem")
        start, goal = (self.grid.checked_cell(cell) for cell in (problem.start, problem.goal))
        if not self.grid.connected(start, goal):
            raise unreachable(self.grid, start, goal)
        self.set_off(start, goal)

    def set_off(self, start: int, goal: int) -> None:
        """What `reset` does with cells that are known to be open, and connected."""
        self.cell, self.goal = start, goal
        self._begin()

    def retarget(self, goal: Point, *, nearest: bool = False) -> None:
        """Go to another goal from where the agent stands; what it has learned about the map stays."""
        self._require_reset()
        self.goal = find_goal(self.grid, self.cell, goal, nearest=nearest)
        self._retarget()

    def replan(self, *, opened: bool = True) -> None:  # noqa: ARG002 - most plan alike
        """Plan again from where the agent stands to its goal, which a way leads to: the map of its World has changed.

        What was learned must not say too much of it; `opened` tells if cells were opened, which makes ways shorter.
        """
        self._require_reset()
        self._retarget()

    def step(self) -> Step:
        """Make one move and say how it went; an agent that has arrived stays where it is."""
        if self.cell == self.goal:
            self._require_reset()
            return Step(self.cell, RunStatus.ARRIVED)
        step = self._advance()
        self.cell = step.cell
        return step

    def walk(self, max_moves: int = MOST_MOVES) -> Walk:
        """Make moves until the agent has arrived, at most this many: what stepping would do, faster where it can be."""
        self._require_reset()
        max_moves = move_limit(max_moves)
        cells = [self.cell]
        work: list[tuple[int, ...]] = []
        while self.cell != self.goal and len(work) < max_moves:
            step = self.step()
            cells.append(step.cell)
            work.append(step[2:])
        return Walk(
            RunStatus.ARRIVED if self.cell == self.goal else RunStatus.OUT_OF_MOVES,
            np.array(cells, np.int32),
            np.array(work, np.int32).reshape(-1, len(WORK_COUNTERS)),
        )

    def path(self, max_moves: int = MOST_MOVES) -> IntArray:
        """All cells from where the agent stands to the goal, walking there."""
        walk = self.walk(max_moves)
        if walk.status is not RunStatus.ARRIVED:
            raise self._out_of_moves(max_moves)
        return walk.cells

    def path_cost(self, max_moves: int = MOST_MOVES) -> int:
        """Integer cost of the way from where the agent stands to the goal, walking there."""
        return self.grid.path_cost(self.path(max_moves))

    def solve_many(self, starts: Cells, goals: Cells, max_moves: int = MOST_MOVES, *, paths: bool = False) -> Solved:
        """Solve problems one after the other, each as `reset` and `path` would; in one call of a kernel if it can be.

        A way must lead from each start to its goal. The agent has no problem afterwards.
        """
        starts, goals = checked_cells(self.grid, starts), checked_cells(self.grid, goals)
        if starts.size != goals.size:
            raise ParameterError(f"there are {starts.size:,} starts but {goals.size:,} goals")
        for apart in np.flatnonzero(self.grid.component[starts] != self.grid.component[goals])[:1]:
            raise unreachable(self.grid, int(starts[apart]), int(goals[apart]))
        max_moves, paths = move_limit(max_moves), truth("paths", paths)
        solve = self.solver(goals) if CAN_CALL and not self.record else None
        if solve is None:
            return self.solve_each(starts, goals, max_moves, paths)
        many = ManyProblems(self.grid, starts, goals, max_moves, paths)
        self.cell = self.goal = -1
        while status := solve(many.arrays):
            if status == CELLS_FULL:
                many.make_room()
            else:
                self.cell, self.goal = many.at_hand
                try:
                    self.see_to(status)
                finally:
                    self.cell = self.goal = -1
                solve = self.solver(goals) or solve  # arrays may be others now
        return many.solved

    @property
    def memory(self) -> Memory:
        """States held since `reset` (the most at a time), as the 2010 paper counts them."""
        self._require_reset()
        return Memory()

    def learned(self) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int64]]:
        """Cells whose heuristic towards the present goal was raised, in rising order, and their integer values."""
        self._require_reset()
        return np.empty(0, np.int32), np.empty(0, np.int64)

    def take_events(self) -> npt.NDArray[np.void]:
        """What the search did since the last call, as rows of `trace.EVENT`; empty unless recording."""
        return NO_EVENTS

    @property
    def position(self) -> tuple[int, int]:
        """Where the agent stands, as (x, y)."""
        self._require_reset()
        return self.grid.xy(self.cell)

    def __copy__(self) -> Self:
        """An agent of its own, as far on its way as this one."""
        return independent(self)

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return independent(self)

    def __reduce_ex__(self, protocol: Any) -> tuple[Any, ...]:
        raise WaypostError("an agent cannot be pickled; pickle its planner, and make an agent of that")

    def __iter__(self) -> Iterator[tuple[int, int]]:
        self._require_reset()
        while self.cell != self.goal:
            yield self.grid.xy(self.step().cell)

    def solve_each(self, starts: Cells, goals: Cells, max_moves: int, paths: bool) -> Solved:
        """Solve problems one by one."""
        costs, lengths = np.empty(starts.size, np.int64), np.zeros(starts.size, np.int64)
        found = [np.empty(0, np.int32)]
        for i, ends in enumerate(zip(starts.tolist(), goals.tolist(), strict=True)):
            self.reset(Problem(*ends))
            try:
                if paths:
                    cells = self.path(max_moves)
                    costs[i], lengths[i] = self.grid.path_cost(cells), cells.size
                    found.append(cells)
                else:
                    costs[i] = self.path_cost(max_moves)
            except OutOfMoves:
                costs[i] = OUT_OF_MOVES
        self.cell = self.goal = -1
        return Solved(costs, lengths, np.concatenate(found))

    def solver(self, goals: Cells) -> Callable[[tuple[Any, ...]], int] | None:  # noqa: ARG002 - any goals
        """A kernel that solves many problems with these goals, given `ManyProblems.arrays`; None if there is none."""
        return None

    def see_to(self, status: int) -> None:
        """What that kernel stopped for: make room, or say why it does not go on."""
        raise NotImplementedError(f"a kernel stopped with the status {status}")

    def _out_of_moves(self, max_moves: int) -> OutOfMoves:
        """What to raise where a path was wanted, and so many moves were not enough."""
        return OutOfMoves(f"the agent has not reached {self.grid.xy(self.goal)} within {max_moves:,} moves")

    def _leads_no_way(self) -> WaypostError:
        """What to raise where a database, though its file is whole, does not lead to the goal."""
        return WaypostError(
            f"the index leads no way from {self.grid.xy(self.cell)} to {self.grid.xy(self.goal)}, "
            "or only one that is longer than is supported; build the index again"
        )

    def _require_reset(self) -> None:
        if self.cell < 0:
            raise WaypostError("the agent has no problem yet; call reset(problem) first")

    @abstractmethod
    def _begin(self) -> None:
        """Forget the last problem; must not cost more on a larger map."""

    @abstractmethod
    def _retarget(self) -> None:
        """The goal has changed."""

    @abstractmethod
    def _advance(self) -> Step:
        """Make one move; the agent is not at its goal."""


class Planned(Agent):
    """Walks what `_plan` has planned: cells, and a log of what they cost."""

    def __init__(self, grid: Grid, *, record: bool = False) -> None:
        super().__init__(grid, record=record)
        self._cells = np.empty(0, np.int32)
        self._at = self._end = 0  # cells planned: the next one, and behind the last
        self._log = new_plan_log(1)
        self._rows = 0  # of the log that are about these cells

    @abstractmethod
    def _plan(self, moves: int) -> None:
        """Plan from where the agent stands, this many moves or more if that is no trouble; fewer only to the goal.

        An agent that makes one plan at a time may stop at its end.
        """

    def walk(self, max_moves: int = MOST_MOVES) -> Walk:
        """Make moves until the agent has arrived, at most this many; they are planned many at a time."""
        self._require_reset()
        left = move_limit(max_moves)
        cells, work = [np.array([self.cell], np.int32)], [np.empty((0, len(WORK_COUNTERS)), np.int32)]
        while left and self.cell != self.goal:
            ahead, spent = self._take(left)
            cells.append(ahead)
            work.append(np.zeros((ahead.size, len(WORK_COUNTERS)), np.int32))
            work[-1][spent[:, 0, None], _COLUMNS] = spent[:, 1:]
            left -= ahead.size
        status = RunStatus.ARRIVED if self.cell == self.goal else RunStatus.OUT_OF_MOVES
        return Walk(status, np.concatenate(cells), np.concatenate(work))

    def path(self, max_moves: int = MOST_MOVES) -> IntArray:
        """All cells from where the agent stands to the goal, without the work of each move."""
        self._require_reset()
        max_moves = move_limit(max_moves)
        if self._at < self._end or self.cell == self.goal:
            return super().path(max_moves)
        self._plan(max_moves)
        if not 0 < self._end <= max_moves or self._cells[self._end - 1] != self.goal:
            return super().path(max_moves)
        cells = np.empty(self._end + 1, np.int32)
        cells[0] = self.cell
        cells[1:] = self._cells[: self._end]
        self._at, self.cell = self._end, self.goal
        return cells

    def _advance(self) -> Step:
        expansions = climbs = probes = 0
        if self._at == self._end:
            self._plan(1)
            _, expansions, climbs, probes = self._log[0].tolist()
        cell = int(self._cells[self._at])
        self._at += 1
        status = RunStatus.ARRIVED if cell == self.goal else RunStatus.MOVING
        return Step(cell, status, expansions=expansions, climbs=climbs, probes=probes)

    def _log_only_plan(self, *, expansions: int, climbs: int, probes: int) -> None:
        """Log what all these cells took, if they were planned at once."""
        self._log[0] = 0, expansions, climbs, probes
        self._rows = 1

    def _take(self, most: int) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
        """Make at most this many moves: their cells, and what those of them cost that had to wait for planning."""
        if self._at == self._end:
            self._plan(most)
        ahead = self._cells[self._at : min(self._end, self._at + most)].copy()
        rows = self._log[: self._rows]
        spent = rows[(rows[:, 0] >= self._at) & (rows[:, 0] < self._at + ahead.size)]
        spent[:, 0] -= self._at
        self._at += ahead.size
        self.cell = int(ahead[-1])
        return ahead, spent
