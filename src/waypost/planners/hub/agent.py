"""An agent that walks by hubs: a walker on a route whose paths are written without what each move cost."""

from waypost.planners.hub.route import HubRoute
from waypost.planners.walking.agent import Subgoal
from waypost.planners.walking.troop import Int32

__all__ = ["HubAgent"]


class HubAgent(Subgoal):
    """One walker."""

    provider: HubRoute

    def _make_path(self, log: Int32) -> int:
        made = self.provider.write_path(self.state, log)
        if not made:
            raise self._given_up()
        return made
