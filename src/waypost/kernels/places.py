"""Places as users write them, x and y in rows, as cells."""

from waypost.kernels.compiling import kernel


@kernel
def cells_of(points, width, height, stride, cells):
    """Write the cell of each row of x, y; returns the first row that is outside of the map, or -1."""
    for i in range(points.shape[0]):
        x = points[i, 0]
        y = points[i, 1]
        if not (0 <= x < width and 0 <= y < height):
            return i
        cells[i] = (y + 1) * stride + x + 1
    return -1
