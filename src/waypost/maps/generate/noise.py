"""Smooth noise in 256 levels, made of integers only."""

import numpy as np
import numpy.typing as npt

from waypost.maps.generate.kernels import stamps
from waypost.maps.generate.parts import rows_at_once

Levels = npt.NDArray[np.uint8]


def noise_levels(random: np.random.Generator, width: int, height: int, spacing: int, octaves: int) -> Levels:
    """Noise from 0 to 255 whose hills are about this far apart; each further octave is narrower and lower."""
    total = np.zeros((height, width), np.int32)
    weights = range(octaves + 1, 1, -1)
    for weight in weights:
        lattice = random.integers(0, 1 << 16, (height // spacing + 2, width // spacing + 2))
        stamps.add_noise(total, lattice, spacing, weight)
        spacing = max(1, spacing * 3 // 5)  # not half: lattices that share their lines would show as squares
    levels = np.empty((height, width), np.uint8)
    for first in range(0, height, rows_at_once(width)):
        rows = slice(first, first + rows_at_once(width))
        levels[rows] = total[rows] // (sum(weights) << 8)
    return levels


def quantile(levels: Levels, share: float) -> int:
    """The lowest level such that about this share of all cells lies below it."""
    counts = np.zeros(256, np.int64)
    for first in range(0, len(levels), rows_at_once(levels.shape[1])):
        counts += np.bincount(levels[first : first + rows_at_once(levels.shape[1])].ravel(), minlength=256)
    below = np.cumsum(counts) - counts
    return int(np.searchsorted(below, int(share * levels.size), side="right")) - 1 if share else 0
