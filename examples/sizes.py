"""Vehicles of three sizes in a warehouse, each by aisles that are wide enough: python examples/sizes.py [OUT.png]"""

import sys

import numpy as np
import numpy.typing as npt

import waypost as wp
from waypost.runs import picture

SIZES = {1: "carts", 2: "forklifts", 3: "tugs"}
VEHICLES = 30


def main(out: str = "sizes.png") -> None:
    """Let vehicles of each size cross the hall, and draw all cells that they cover on their ways."""
    grid = wp.grid_from_array(floor_plan())
    planner = wp.build("dba", grid, sizes=list(SIZES))
    random = np.random.default_rng(3)
    panels = []
    for size, name in SIZES.items():
        places = grid.for_size(size)
        lower = random.choice(np.argwhere(places.is_open[-8:])[:, ::-1] + (0, grid.height - 8), VEHICLES)
        upper = random.choice(np.argwhere(places.is_open[:8])[:, ::-1], VEHICLES)
        batch = planner.batch(lower, upper, paths=True, size=size)
        covered = np.zeros((grid.height + 2, grid.stride), np.int64)
        for i in range(VEHICLES):
            for x, y in batch.path(i):  # its upper left cell
                covered[y + 1 : y + 1 + size, x + 1 : x + 1 + size] += 1
        panels.append(picture.draw_traffic(grid, covered.ravel(), scale=4))
        print(f"{VEHICLES} {name} of {size} x {size} cells go {batch.lengths.mean():.1f} cells on average")
    picture.write_png(out, picture.tiled(panels, columns=3))
    print(f"Wrote {out}: where {', '.join(SIZES.values())} drive")


def floor_plan() -> npt.NDArray[np.bool_]:
    """Racks in four blocks, with aisles of one, two and three cells between them, and a wide lane at both ends."""
    is_open = np.ones((90, 88), bool)
    left = 1
    for column in range(18):
        is_open[9:81, left : left + 3] = False
        left += 3 + (1, 2, 1, 3)[column % 4]
    is_open[44:46, :] = True
    is_open[:, left:] = False
    return is_open


if __name__ == "__main__":
    main(*sys.argv[1:])
