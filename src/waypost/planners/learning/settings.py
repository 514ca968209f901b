"""What learning planners are set to, as their kernels know it: rules by name, lengths as costs (algorithms 3)."""

from fractions import Fraction

from waypost.kernels import tiles
from waypost.planners.learning.kernels import state
from waypost.planners.learning.kernels.state import Settings
from waypost.world.grid import Grid

__all__ = ["as_cost", "settings_on"]

_LOOKAHEADS = {
    "neighbours": state.NEIGHBOURS,
    "plies": state.PLIES,
    "cost": state.COST,
    "astar": state.ASTAR,
}
_LEARNING_RULES = {
    "best": state.BEST,
    "second best": state.SECOND_BEST,
    "trail": state.TRAIL,
    "queue": state.QUEUE,
    "max of mins": state.MAX_OF_MINS,
    "inward": state.INWARD,
    "from target": state.FROM_TARGET,
}


def settings_on(
    grid: Grid,
    *,
    looks: str,
    learns: str,
    extent: int,
    planes: int = 1,
    moves_per_plan: int = 0,
    gamma: float = 1.0,
    quota: float = 0.0,
) -> Settings:
    """The settings of an agent on a map."""
    straight, diagonal, _ = grid.costs
    across = tiles.tiles_across(grid.stride)
    return Settings(
        stride=grid.stride,
        straight_cost=straight,
        diagonal_cost=diagonal,
        across=across,
        tile_count=across * tiles.tiles_across(grid.height + 2),
        planes=planes,
        lookahead=_LOOKAHEADS[looks],
        learning=_LEARNING_RULES[learns],
        extent=extent,
        moves_per_plan=moves_per_plan,
        gamma=round(100 * gamma),
        quota=as_cost(quota, straight),
        inward_shift=straight.bit_length() - 1,  # buckets no wider than a straight move
    )


def as_cost(cells: float, straight: int) -> int:
    """A length in cells as an integer cost, exactly as its decimal digits say."""
    return int(Fraction(repr(float(cells))) * straight)
