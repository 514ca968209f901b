"""The ground that walkers walk on, made of a grid."""

from waypost.kernels import tiles
from waypost.planners.walking.kernels.ground import Ground
from waypost.world.grid import Grid

__all__ = ["ground_of"]


def ground_of(grid: Grid) -> Ground:
    """The map as kernels of walkers need it."""
    straight, diagonal, _ = grid.costs
    return Ground(
        mask=grid.mask,
        climb_table=grid.climb_table,
        stride=grid.stride,
        straight=straight,
        diagonal=diagonal,
        tiles_across=int(tiles.tiles_across(grid.stride)),
    )
