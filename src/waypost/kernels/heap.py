"""A binary heap of whole numbers, least first. What they stand for is packed into their bits, so that all differ."""

from waypost.kernels.compiling import inlined
from waypost.kernels.indexing import at as _at


@inlined
def push(heap, length, key):
    """Put a key in; returns the new length."""
    hole = length
    while hole > 0:
        above = (hole - 1) >> 1
        if heap[_at(above)] < key:
            break
        heap[_at(hole)] = heap[_at(above)]
        hole = above
    heap[_at(hole)] = key
    return length + 1


@inlined
def pop(heap, length):
    """Take the first key, heap[0], out; returns the new length."""
    replace(heap, length - 1, heap[_at(length - 1)])
    return length - 1


@inlined
def replace(heap, length, key):
    """Take the first key out and put another one in."""
    hole = 0
    below = 1
    while below < length:
        # The lesser of the two below, without a branch: which of them it is, is a coin's toss.
        other = min(below + 1, length - 1)
        below += int(heap[_at(other)] < heap[_at(below)])
        if key < heap[_at(below)]:
            break
        heap[_at(hole)] = heap[_at(below)]
        hole = below
        below = 2 * hole + 1
    heap[_at(hole)] = key
