"""LivingAgent: an agent of a World. It goes on by the map as it is at each of its moves."""

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from waypost.agents.base import MOST_MOVES, Agent, find_ends, find_goal, move_limit, unreachable
from waypost.agents.step import WORK_COUNTERS, Memory, RunStatus, Step, Walk
from waypost.errors import WaypostError
from waypost.planner import Planner
from waypost.system.checks import truth
from waypost.world.grid import IntArray, Point

if TYPE_CHECKING:
    from waypost.living.planner import LivingPlanner

__all__ = ["LivingAgent"]


class LivingAgent(Agent):
    """Walks by an agent of its planner, which plans again after each edit.

    Walled in, or with a goal that no way leads to any more, it stays where it is, `step` says `UNREACHABLE`, and it
    goes on when an edit opens a way again.
    """

    def __init__(self, planner: "LivingPlanner", *, record: bool = False) -> None:
        super().__init__(planner.live_grid, record=record)
        self._planner = planner
        with planner.up_to_date() as of:
            self._of, self._inner = of, of.agent(record=record)
        self._version = -1
        self._wanted = -1
        self._goes_near = self._has_way = False

    def set_out(self, start: Point, goal: Point, *, nearest: bool = False) -> None:
        """Go from one x, y to another, or as near to it as there is a way."""
        with self._planner.up_to_date():
            self.cell, self.goal = find_ends(self.grid, start, goal, nearest=nearest)
        self._want(goal, nearest)

    def retarget(self, goal: Point, *, nearest: bool = False) -> None:
        """Go to another goal from where the agent stands."""
        self._require_reset()
        with self._planner.up_to_date():
            if self.grid.component[self.cell] == 0:
                raise unreachable(self.grid, self.cell, self.grid.cell(goal, "goal"))
            self.goal = find_goal(self.grid, self.cell, goal, nearest=nearest)
        self._want(goal, nearest)

    @property
    def status(self) -> RunStatus:
        """How the agent stands on the map as it is now."""
        self._require_reset()
        with self._planner.up_to_date() as planner:
            self._catch_up(planner)
            return self._stands

    def step(self) -> Step:
        """Make one move on the map as it is now and say how it went."""
        self._require_reset()
        step = self._advance()
        self.cell = step.cell
        return step

    def walk(self, max_moves: int = MOST_MOVES) -> Walk:
        """Make moves until the agent has arrived or no way leads on, at most this many."""
        self._require_reset()
        max_moves = move_limit(max_moves)
        cells = [self.cell]
        work: list[tuple[int, ...]] = []
        status = self.status
        while status is RunStatus.MOVING and len(work) < max_moves:
            step = self.step()
            status = step.status
            if status is not RunStatus.UNREACHABLE:
                cells.append(step.cell)
                work.append(step[2:])
        return Walk(
            RunStatus.OUT_OF_MOVES if status is RunStatus.MOVING else status,
            np.array(cells, np.int32),
            np.array(work, np.int32).reshape(-1, len(WORK_COUNTERS)),
        )

    def path(self, max_moves: int = MOST_MOVES) -> IntArray:
        """All cells from where the agent stands to the goal, walking there."""
        walk = self.walk(max_moves)
        if walk.status is RunStatus.UNREACHABLE:
            raise unreachable(self.grid, self.cell, self._wanted)
        if walk.status is not RunStatus.ARRIVED:
            raise self._out_of_moves(max_moves)
        return walk.cells

    @property
    def memory(self) -> Memory:
        """States that the agent it walks by holds."""
        self._require_reset()
        return self._inner.memory

    def learned(self) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int64]]:
        """What the agent it walks by has learned."""
        self._require_reset()
        return self._inner.learned()

    def take_events(self) -> npt.NDArray[np.void]:
        """What the agent it walks by did since the last call."""
        return self._inner.take_events()

    def __copy__(self) -> Any:
        raise WaypostError("an agent of a World cannot be copied: a copy would share the map; make another agent")

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        return self.__copy__()

    @property
    def _stands(self) -> RunStatus:
        """How, after catching up."""
        if not self._has_way:
            return RunStatus.UNREACHABLE
        return RunStatus.ARRIVED if self.cell == self.goal else RunStatus.MOVING

    def _want(self, goal: Point, nearest: bool) -> None:
        """Remember what was asked for; the goal gone to may be another one."""
        self._wanted, self._goes_near = self.grid.cell(goal, "goal"), truth("nearest", nearest)
        self._retarget()

    def _begin(self) -> None:
        self._wanted, self._goes_near = self.goal, False
        self._retarget()

    def _retarget(self) -> None:
        self._version = -1

    def _advance(self) -> Step:
        with self._planner.up_to_date() as planner:
            self._catch_up(planner)
            if self._stands is not RunStatus.MOVING:
                return Step(self.cell, self._stands)
            return self._inner.step()

    def _catch_up(self, planner: Planner) -> None:
        """Plan again if anything has changed since the last move: the map, or the goal."""
        version, grid = self._planner.version, self.grid
        if version == self._version:
            return
        stands = grid.component[self.cell] != 0
        self._has_way = bool(stands and grid.connected(self.cell, self._wanted))
        if self._has_way:
            goal = self._wanted
        elif stands and self._goes_near:
            goal, self._has_way = grid.nearest_connected(self.cell, self._wanted), True
        if self._has_way:
            opened = self._planner.live_grid.opened_at > self._version
            is_another = goal != self.goal
            self.goal = goal
            if self._of is not planner:
                self._inner, self._of = planner.agent(record=self.record), planner
                self._inner.set_off(self.cell, goal)
            elif self._version < 0 or self._inner.cell != self.cell:
                self._inner.set_off(self.cell, goal)
            else:
                self._inner.goal = goal
                self._inner.replan(opened=opened or is_another)
        self._version = version
