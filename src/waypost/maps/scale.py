"""Maps made larger or cut out: each cell becomes k x k cells, as in Bulitko et al. 2008, or a rectangle is kept."""

from waypost.errors import ParameterError, shown
from waypost.system.checks import whole_number, whole_numbers
from waypost.world.grid import Grid, check_size

__all__ = ["crop", "enlarge"]


def enlarge(grid: Grid, factor: int) -> Grid:
    """A grid in which every cell has become factor x factor cells."""
    times = whole_number("the factor by which a map is enlarged", factor, lowest=1)
    check_size(grid.width * times, grid.height * times, "the enlarged map")  # before any memory is taken
    is_open = grid.is_open.repeat(times, axis=0).repeat(times, axis=1)
    return grid.with_open(is_open, "the enlarged map", grid.frame and grid.frame.enlarged(times))


def crop(grid: Grid, x: int, y: int, width: int, height: int) -> Grid:
    """The rectangle of a grid whose upper left cell is (x, y)."""
    numbers = whole_numbers((x, y, width, height))
    if numbers is None or numbers.shape != (4,):
        raise ParameterError("a map is cropped to x, y, width and height in whole cells")
    x, y, width, height = numbers.tolist()
    if not (x >= 0 and y >= 0 and 1 <= width <= grid.width - x and 1 <= height <= grid.height - y):
        raise ParameterError(
            f"the rectangle {shown((x, y, width, height))} (x, y, width, height) is not within the map of "
            f"{grid.width} x {grid.height} cells"
        )
    is_open = grid.is_open[y : y + height, x : x + width]
    return grid.with_open(is_open, "the cropped map", grid.frame and grid.frame.cropped(x, y, width, height))
