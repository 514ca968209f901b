"""Arrays copied into others, element by element: a slice that an array is assigned to would take a second to compile.

Numba checks the shapes of slices, and what it would say of those that differ compiles all of its strings.
"""

import numpy as np

from waypost.kernels.compiling import helper, inlined


@inlined
def copy(source, target):
    """Write all of one array to the beginning of another."""
    for i in range(source.size):
        target[i] = source[i]


@helper(allocates=True)
def longer(array, size):
    """A copy with room for at least so many, and for twice as many as before."""
    larger = np.empty(max(size, 2 * array.size), array.dtype)
    copy(array, larger)
    return larger


@helper(allocates=True)
def with_rows(table, size):
    """The table, or a copy with room for at least twice so many rows if it has fewer."""
    if size <= table.shape[0]:
        return table
    larger = np.empty((2 * size, table.shape[1]), table.dtype)
    for row in range(table.shape[0]):
        for column in range(table.shape[1]):
            larger[row, column] = table[row, column]
    return larger
