"""How large squares of open cells are, kept right around a cell that changed; capped, so that a change stays near."""

from waypost.kernels.compiling import helper, kernel


@kernel
def renew_squares(component, sides, stride, cap, changed, touched):
    """Renew the sides of squares; writes the cells whose side is another, some more than once, and returns how many.

    There is room for cap * cap of them for each changed cell.
    """
    count = 0
    for i in range(changed.size):
        y = changed[i] // stride
        x = changed[i] - y * stride
        for line in range(y, max(y - cap, 0), -1):
            for place in range(x, max(x - cap, 0), -1):
                cell = line * stride + place
                side = square_at(component, sides, stride, cap, cell)
                if side != sides[cell]:
                    sides[cell] = side
                    touched[count] = cell
                    count += 1
    return count


@helper
def square_at(component, sides, stride, cap, cell):
    """The side of the largest square whose upper left cell this is, by those right of it and below; at most the cap."""
    if component[cell] == 0:
        return 0
    return 1 + min(sides[cell + 1], sides[cell + stride], sides[cell + stride + 1], cap - 1)
