"""An agent that walks by hubs: a walker on a route that can also write a whole path at once."""

import numpy as np

from waypost.agents.base import MOST_MOVES, move_limit
from waypost.agents.logged import MOVES_AT_ONCE
from waypost.planners.hub.route import HubRoute
from waypost.planners.walking.agent import Subgoal
from waypost.world.grid import IntArray

__all__ = ["HubAgent"]


class HubAgent(Subgoal):
    """One walker; its paths are written without what each move cost."""

    provider: HubRoute

    def path(self, max_moves: int = MOST_MOVES) -> IntArray:
        """All cells from where the agent stands to the goal, walking there."""
        if self.record:
            return super().path(max_moves)
        self._require_reset()
        left = move_limit(max_moves)
        parts = [np.array([self.cell], np.int32)]
        while left and self.cell != self.goal:
            cells = np.empty(min(left, MOVES_AT_ONCE), np.int32)
            made = self.provider.write_path(self.state, cells)
            if not made:
                raise self._given_up()
            parts.append(cells[:made])
            left -= made
            self.cell = int(cells[made - 1])
        if self.cell != self.goal:
            raise self._out_of_moves(max_moves)
        return np.concatenate(parts)
