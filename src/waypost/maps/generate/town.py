"""A city: blocks of buildings between avenues, streets and alleys, with yards and parks."""

from typing import Annotated, TypeAlias

import numpy as np
import numpy.typing as npt

from waypost.maps.generate.kernels import stamps
from waypost.maps.generate.parameters import Open, Range, generator
from waypost.maps.generate.parts import one_part

Rectangles: TypeAlias = npt.NDArray[np.int64]
"""Rows of x0, y0, x1, y1, the last two exclusive."""

_SHORTEST = 3  # a side of a building
_STREET, _LANE = 3, 2


@generator
def city(
    width: int,
    height: int,
    seed: int = 0,
    *,
    block: Annotated[int, Range(8, 100, "longest side of a block of buildings")] = 26,
    lot: Annotated[int, Range(4, 40, "longest side of a building's lot")] = 8,
    avenue: Annotated[int, Range(2, 20, "cells across the widest streets")] = 6,
    yards: Annotated[float, Range(0, 1, "share of blocks built round a yard")] = 0.3,
    parks: Annotated[float, Range(0, 1, "share of blocks that are parks")] = 0.08,
) -> Open:
    """Blocks of buildings between streets of different width, with yards behind gates, alleys and parks."""
    random = np.random.Generator(np.random.PCG64(seed))
    is_open = np.ones((height, width), np.bool_)
    ring = 2 if min(width, height) >= 32 else 1  # a street all round: no street can end at the edge, cut off
    whole = np.array([[ring, ring, width - ring, height - ring]], np.int64)
    blocks = _split(random, whole, block, np.array([_LANE, _STREET, avenue]))
    use = random.random(len(blocks))
    is_park = use < parks
    has_yard = ~is_park & (use < parks + (1 - parks) * yards) & (_sides(blocks).min(axis=1) >= 9)
    _build_round_yards(random, is_open, blocks[has_yard])
    _build_houses(random, is_open, blocks[~is_park & ~has_yard], lot)
    _plant(random, is_open, blocks[is_park])
    return one_part(is_open)


def _split(random: np.random.Generator, parts: Rectangles, longest: int, gaps: Rectangles) -> Rectangles:
    """Divide rectangles until no side is much longer than this, leaving gaps: wide ones between large parts."""
    done = [parts[:0]]
    while len(parts):
        sides = _sides(parts)
        length = sides.max(axis=1)
        # A quarter of those that are nearly small enough stay as they are, so that sizes differ.
        may_stay = random.random(len(parts)) < 0.25
        is_small = (length <= longest) | (may_stay & (length <= longest + longest // 2)) | (length < 2 * _SHORTEST + 2)
        done.append(parts[is_small])
        percent = random.integers(36, 65, len(parts))
        parts, sides, length, percent = (values[~is_small] for values in (parts, sides, length, percent))
        size_class = np.where(length >= 6 * longest, 2, np.where(length >= 3 * longest, 1, 0))
        gap = np.minimum(gaps[size_class], length - 2 * _SHORTEST)
        axis = (sides[:, 1] > sides[:, 0]).astype(np.int64)
        every = np.arange(len(parts))
        cut = parts[every, axis] + ((length - gap) * percent // 100).clip(_SHORTEST, length - gap - _SHORTEST)
        first, second = parts.copy(), parts.copy()
        first[every, axis + 2] = cut
        second[every, axis] = cut + gap
        parts = np.concatenate((first, second))
    return np.concatenate(done)


def _build_round_yards(random: np.random.Generator, is_open: Open, blocks: Rectangles) -> None:
    """Fill blocks but for a yard inside, with a gate to the street on two sides."""
    stamps.fill_rectangles(is_open, blocks, False)
    depth = random.integers(3, (_sides(blocks).min(axis=1) // 2 - 1).clip(4, 7))
    yards = blocks + depth[:, None] * np.array((1, 1, -1, -1))
    stamps.fill_rectangles(is_open, yards, True)
    wide = random.integers(1, 3, len(blocks))
    for axis in (0, 1):  # gates to the left or right, then up or down
        is_far = random.random(len(blocks)) < 0.5
        along = random.integers(yards[:, 1 - axis], yards[:, 3 - axis] - wide + 1)
        gates = np.empty_like(blocks)
        gates[:, 1 - axis], gates[:, 3 - axis] = along, along + wide
        gates[:, axis] = np.where(is_far, yards[:, axis + 2], blocks[:, axis])
        gates[:, axis + 2] = np.where(is_far, blocks[:, axis + 2], yards[:, axis])
        stamps.fill_rectangles(is_open, gates, True)


def _build_houses(random: np.random.Generator, is_open: Open, blocks: Rectangles, lot: int) -> None:
    """Divide blocks into lots wall to wall or with alleys between, most of them with a house that leaves a strip."""
    has_alleys = random.random(len(blocks)) < 0.5
    for chosen, alley in ((has_alleys, 1), (~has_alleys, 0)):
        lots = _split(random, blocks[chosen], lot, np.array([alley, 1, 1]))
        lots = lots[random.random(len(lots)) < 0.88]
        strips = (random.random((len(lots), 4)) < 0.2).astype(np.int64)
        houses = lots + strips * np.array((1, 1, -1, -1))
        stamps.fill_rectangles(is_open, houses, False)


def _plant(random: np.random.Generator, is_open: Open, parks: Rectangles) -> None:
    """Scatter trees and a pond over parks."""
    sides = _sides(parks)
    ponds = np.column_stack((parks[:, :2] + sides * random.integers(35, 66, (len(parks), 2)) // 100, sides.min(axis=1)))
    ponds[:, 2] //= 6
    stamps.fill_discs(is_open, ponds, False)
    count = sides[:, 0] * sides[:, 1] // 12
    park = np.repeat(np.arange(len(parks)), count)
    corner = random.integers(parks[park, :2], parks[park, 2:])
    stamps.fill_rectangles(is_open, np.concatenate((corner, corner + 1), axis=1), False)


def _sides(parts: Rectangles) -> Rectangles:
    return parts[:, 2:] - parts[:, :2]
