"""Draw one map of every kind that Waypost can generate, two rows of three: python examples/generators.py [OUT.png]"""

import sys

import numpy as np

import waypost as wp
from waypost import picture
from waypost.maps.generate import GENERATORS

SEEDS = {"blobs": 1, "caves": 3, "city": 1, "maze": 1, "outdoor": 2, "rooms": 1}
GAP = 12


def main(out: str = "generators.png") -> None:
    """Make the maps in the order of their names and write the picture."""
    pictures = [picture.draw_grid(wp.Grid(make(200, 140, SEEDS[kind])), 2) for kind, make in GENERATORS.items()]
    upper, lower = (picture.side_by_side(pictures[row : row + 3], GAP) for row in (0, 3))
    white = np.full((GAP, upper.shape[1], 3), 255, np.uint8)
    picture.write_png(out, np.concatenate((upper, white, lower)))
    print(f"Wrote {out}: {', '.join(GENERATORS)}")


if __name__ == "__main__":
    main(*sys.argv[1:])
