"""Straight lines between cells: whether they are legal, and paths shortened by them."""

from waypost.kernels.compiling import helper, kernel
from waypost.kernels.moves import NE, NW, SE, SW, E, N, S, W, offset


@helper
def _line_is_legal(mask, stride, start, end):
    """Whether each step from cell to cell, on the line from centre to centre, is a legal move.

    Where the line crosses an edge that is a straight move, where it passes through a corner a diagonal one. Which of
    them comes next is exact: border i to the side is crossed at (2i + 1) / (2 wide) of the line, border j up or down
    at (2j + 1) / (2 high).
    """
    start_y = start // stride
    end_y = end // stride
    to_x = end - end_y * stride - (start - start_y * stride)
    to_y = end_y - start_y
    wide = abs(to_x)
    high = abs(to_y)
    if to_x > 0:
        aside = E
        aslant = SE if to_y > 0 else NE
    else:
        aside = W
        aslant = SW if to_y > 0 else NW
    upright = S if to_y > 0 else N
    later = high - wide  # (2i + 1) high - (2j + 1) wide
    cell = start
    while cell != end:
        if later < 0:
            move = aside
            later += 2 * high
        elif later > 0:
            move = upright
            later -= 2 * wide
        else:
            move = aslant
            later += 2 * (high - wide)
        if mask[cell] >> move & 1 == 0:
            return False
        cell += offset(move, stride)
    return True


@kernel
def line_is_legal(mask, stride, start, end):
    """See `_line_is_legal`."""
    return _line_is_legal(mask, stride, start, end)


@kernel
def shorten(mask, stride, cells, offsets, kept, kept_offsets):
    """Keep of each path the points that are needed to see on: from each the one before the first that is out of sight.

    Path i is the stretch of `cells` from offsets[i] to offsets[i + 1], and later the stretch of `kept` between the same
    two of `kept_offsets`. Returns the place of the first cell that is not seen even from the one before it, or -1.
    """
    count = 0
    for path in range(offsets.size - 1):
        kept_offsets[path] = count
        first = offsets[path]
        last = offsets[path + 1]
        if first < last:
            anchor = cells[first]
            kept[count] = anchor
            count += 1
            seen = anchor
            for i in range(first + 1, last):
                cell = cells[i]
                if not _line_is_legal(mask, stride, anchor, cell):
                    if seen == anchor or not _line_is_legal(mask, stride, seen, cell):
                        return i
                    kept[count] = seen
                    count += 1
                    anchor = seen
                seen = cell
            if seen != anchor:
                kept[count] = seen
                count += 1
    kept_offsets[offsets.size - 1] = count
    return -1
