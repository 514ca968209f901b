"""A binary heap of (key, item) rows, least key first, then least item: a total order, so any heap gives the same."""

from waypost.kernels.compiling import inlined


@inlined
def push(heap, length, key, item):
    """Put a row in; returns the new length."""
    hole = length
    while hole > 0:
        above = (hole - 1) >> 1
        above_key = heap[above, 0]
        if above_key < key or (above_key == key and heap[above, 1] <= item):
            break
        heap[hole, 0] = above_key
        heap[hole, 1] = heap[above, 1]
        hole = above
    heap[hole, 0] = key
    heap[hole, 1] = item
    return length + 1


@inlined
def pop(heap, length):
    """Take the first row, heap[0], out; returns the new length."""
    last = length - 1
    key = heap[last, 0]
    item = heap[last, 1]
    hole = 0
    below = 1
    while below < last:
        below_key = heap[below, 0]
        other = below + 1
        if other < last:
            other_key = heap[other, 0]
            if other_key < below_key or (other_key == below_key and heap[other, 1] < heap[below, 1]):
                below = other
                below_key = other_key
        if key < below_key or (key == below_key and item <= heap[below, 1]):
            break
        heap[hole, 0] = below_key
        heap[hole, 1] = heap[below, 1]
        hole = below
        below = 2 * hole + 1
    heap[hole, 0] = key
    heap[hole, 1] = item
    return last
