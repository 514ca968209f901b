"""Connected components, and the cell of a component nearest to a place."""

import numpy as np

from waypost.kernels.compiling import helper, kernel
from waypost.kernels.moves import NE, NW, N, W, octile


@helper
def root(parent, cell):
    """The root of a cell's tree; halves the way there."""
    while parent[cell] != cell:
        parent[cell] = parent[parent[cell]]
        cell = parent[cell]
    return cell


@helper
def join(parent, a, b):
    """Join two trees under the smaller cell, so that every root is the first cell of its component."""
    a = root(parent, a)
    b = root(parent, b)
    if a < b:
        parent[b] = a
    else:
        parent[a] = b


@kernel(allocates=True)
def components(is_open, mask, stride):
    """Label every open cell 1..n, in the order of each component's first cell, and walls 0; returns (labels, n).

    Union-find whose parent array becomes the labels in place: all memory is one int32 per cell.
    """
    label = np.zeros(mask.size, np.int32)
    for cell in range(mask.size):
        if is_open[cell]:
            label[cell] = cell
            legal = mask[cell]
            if legal >> W & 1:
                join(label, cell, cell - 1)
            if legal >> N & 1:
                join(label, cell, cell - stride)
            if legal >> NW & 1:
                join(label, cell, cell - stride - 1)
            if legal >> NE & 1:
                join(label, cell, cell - stride + 1)
    count = 0
    for cell in range(mask.size):
        if is_open[cell]:
            parent = label[cell]
            if parent == cell:
                count += 1
                label[cell] = count
            else:
                label[cell] = label[parent]  # the parent comes first, so it holds its label already
    return label, count


@kernel
def nearest(component, label, target, stride, straight, diagonal):
    """The cell with this label of least octile distance to the target, ties to the smallest cell; -1 if there is none.

    Looks at growing squares round the target and stops when a larger one cannot hold anything nearer.
    """
    height = component.size // stride
    ty = target // stride
    tx = target - ty * stride
    best = -1
    best_distance = np.int64(1) << 62
    for radius in range(max(height, stride)):
        if radius * straight > best_distance:
            break
        for side in range(4):  # of the square: upper, lower, left, right
            sign = -1 if side % 2 == 0 else 1
            upright = side >= 2
            across = (tx if upright else ty) + sign * radius
            if not 0 <= across < (stride if upright else height):
                continue
            along = ty if upright else tx
            for place in range(max(0, along - radius), min(height if upright else stride, along + radius + 1)):
                cell = place * stride + across if upright else across * stride + place
                if component[cell] == label:
                    distance = octile(across - (tx if upright else ty), place - along, straight, diagonal)
                    if distance < best_distance or (distance == best_distance and cell < best):
                        best = cell
                        best_distance = distance
    return best
