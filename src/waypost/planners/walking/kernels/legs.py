"""Legs: vectors from one subgoal to the next, each of which a climb makes (algorithms 9.2)."""

import numpy as np

from waypost.kernels.climb import fits, leads, next_subgoal, vector_to
from waypost.kernels.compiling import helper, inlined
from waypost.kernels.numbers import at

MORE = 255  # a byte of a count that goes on in the next


@inlined
def write_leg(legs, made, stride, start, target):
    """Write the vector between two cells; returns the number of legs."""
    dx, dy = vector_to(stride, np.int64(start), np.int64(target))
    legs[made, 0] = dx
    legs[made, 1] = dy
    return made + 1


@inlined
def after_leg(ground, legs, leg, cell):
    """Where a leg leads to from a cell."""
    return cell + np.int64(legs[at(leg), 1]) * ground.stride + legs[at(leg), 0]


@helper
def write_legs(mask, table, stride, straight, diagonal, path, end, demand, span, legs, made):
    """Write the legs of a path that ends in this place; returns the number of legs.

    The end is tried before any place between, since most paths are a leg or two.
    """
    here = 0
    while here < end:
        there = end
        good = fits(stride, path[here], path[end], span)
        if good:
            good, _ = leads(mask, table, stride, straight, diagonal, path, here, end, demand)
        if not good:
            there, _ = next_subgoal(mask, table, stride, straight, diagonal, path, here, end - 1, demand, span)
        made = write_leg(legs, made, stride, path[here], path[there])
        here = there
    return made


def count_codes(counts):
    """Leg counts as bytes: the sum of all up to the first that is not 255. Most take one, and none is too long."""
    ends = np.cumsum(counts // MORE + 1)
    codes = np.full(ends[-1] if counts.size else 0, MORE, np.uint8)
    codes[ends - 1] = counts % MORE
    return codes


def counts_of(codes):
    """The counts that these bytes stand for; one that does not end is left out."""
    ends = np.flatnonzero(codes != MORE)
    return np.diff(np.cumsum(codes, dtype=np.int64)[ends], prepend=0)
