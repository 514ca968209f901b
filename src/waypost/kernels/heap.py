"""A binary heap of (key, item) rows, least key first, then least item: a total order, so any heap gives the same."""

import numpy as np

from waypost.kernels.compiling import inlined

_at = np.uintp  # an unsigned index spares the test for a negative one


@inlined
def push(heap, length, key, item):
    """Put a row in; returns the new length."""
    hole = length
    while hole > 0:
        above = (hole - 1) >> 1
        above_key = heap[_at(above), 0]
        if above_key < key or (above_key == key and heap[_at(above), 1] <= item):
            break
        heap[_at(hole), 0] = above_key
        heap[_at(hole), 1] = heap[_at(above), 1]
        hole = above
    heap[_at(hole), 0] = key
    heap[_at(hole), 1] = item
    return length + 1


@inlined
def pop(heap, length):
    """Take the first row, heap[0], out; returns the new length."""
    replace(heap, length - 1, heap[_at(length - 1), 0], heap[_at(length - 1), 1])
    return length - 1


@inlined
def replace(heap, length, key, item):
    """Take the first row out and put another one in."""
    hole = 0
    below = 1
    while below < length:
        below_key = heap[_at(below), 0]
        other = below + 1
        if other < length:
            other_key = heap[_at(other), 0]
            if other_key < below_key or (other_key == below_key and heap[_at(other), 1] < heap[_at(below), 1]):
                below = other
                below_key = other_key
        if key < below_key or (key == below_key and item <= heap[_at(below), 1]):
            break
        heap[_at(hole), 0] = below_key
        heap[_at(hole), 1] = heap[_at(below), 1]
        hole = below
        below = 2 * hole + 1
    heap[_at(hole), 0] = key
    heap[_at(hole), 1] = item
