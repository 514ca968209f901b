"""Open country: forests with clearings, lakes, and rivers with bridges and fords."""

from typing import Annotated

import numpy as np

from waypost.maps.generate.noise import noise_levels, quantile
from waypost.maps.generate.parameters import Open, Range, generator
from waypost.maps.generate.parts import one_part, rows_at_once
from waypost.maps.generate.rivers import dig_river

_LONE_TREES = 3  # of 256 cells in the open
_FOREST_EDGE, _DENSER_PER_LEVEL, _DENSEST = 36, 4, 102  # of 256 cells: at the edge, more with each level, at most
_FEATURE = 30  # cells from one forest or lake to the next
_GLADE, _PATH = 200, 7  # noise above this is a glade; so near to the middle it is a path


@generator
def outdoor(
    width: int,
    height: int,
    seed: int = 0,
    *,
    forests: Annotated[float, Range(0, 0.7, "share of the map that forests cover, clearings included")] = 0.35,
    lakes: Annotated[float, Range(0, 0.4, "share of the map that lakes cover")] = 0.08,
    rivers: Annotated[int, Range(0, 50, "how many rivers cross the map")] = 2,
    bridges: Annotated[int, Range(15, 1000, "cells along a river from one bridge or ford to the next")] = 45,
) -> Open:
    """Forests as dense clusters of trees, lakes, and winding rivers with bridges and fords."""
    random = np.random.Generator(np.random.PCG64(seed))
    is_open = np.ones((height, width), np.bool_)
    _plant_forests(random, is_open, forests)
    shores = noise_levels(random, width, height, _FEATURE, octaves=4)
    is_open &= shores >= quantile(shores, lakes)
    del shores  # as large as the map
    for _ in range(rivers):
        dig_river(random, is_open, bridges)
    return one_part(is_open, fill_below_percent=1)  # no bank of a river is lost


def _plant_forests(random: np.random.Generator, is_open: Open, share: float) -> None:
    """Trees cell by cell, ever denser from the edge of a forest to its core, but for glades and winding paths."""
    height, width = is_open.shape
    thick = noise_levels(random, width, height, _FEATURE, octaves=3)
    edge = quantile(thick, 1 - share) if share else 256
    density = np.full(256, _LONE_TREES)
    density[edge:] = np.minimum(_DENSEST, _FOREST_EDGE + _DENSER_PER_LEVEL * np.arange(256 - edge))
    glades = noise_levels(random, width, height, _FEATURE // 2, octaves=2)
    levels = np.arange(256)
    is_clear = (levels > _GLADE) | (np.abs(levels - 128) < _PATH)
    for first in range(0, height, rows_at_once(width)):
        rows = slice(first, first + rows_at_once(width))
        draws = random.integers(0, 256, thick[rows].shape, np.uint8)
        is_open[rows] = (draws >= density[thick[rows]]) | is_clear[glades[rows]]
