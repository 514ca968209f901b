"""Blobs: rocks of all sizes on open ground."""

from typing import Annotated

import numpy as np

from waypost.maps.generate.kernels import stamps
from waypost.maps.generate.parameters import Open, Range, generator
from waypost.maps.generate.parts import one_part

_DISCS = 5  # of which each blob is made


@generator
def blobs(
    width: int,
    height: int,
    seed: int = 0,
    *,
    walls: Annotated[float, Range(0.02, 0.7, "share of the map that the blobs cover")] = 0.3,
    radius: Annotated[int, Range(1, 60, "largest radius of a blob's parts")] = 5,
) -> Open:
    """Rounded blobs of walls, one by one and run together, on open ground."""
    random = np.random.Generator(np.random.PCG64(seed))
    is_open = np.ones((height, width), np.bool_)
    missing = int(walls * width * height)
    while missing > 0:
        # As many as are never too much, again and again: the last ones come one by one, so that the share is met.
        count = missing // (4 * radius + 1) ** 2 + 1
        # The smaller of two draws: small blobs are more frequent than large ones.
        size = random.integers(1, radius + 1, (2, count)).min(axis=0)
        centres = np.stack((random.integers(0, width, count), random.integers(0, height, count)), axis=1)
        offsets = random.integers(-size[:, None, None], size[:, None, None] + 1, (count, _DISCS, 2))
        discs = np.empty((count, _DISCS, 3), np.int64)
        discs[:, :, :2] = centres[:, None, :] + offsets
        discs[:, :, 2] = random.integers((size[:, None] + 1) // 2, size[:, None] + 1, (count, _DISCS))
        missing -= stamps.fill_discs(is_open, discs.reshape(-1, 3), False)
    return one_part(is_open)
