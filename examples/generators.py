"""Draw one map of every kind that Waypost can generate, two rows of three: python examples/generators.py [OUT.png]"""

import sys

import waypost as wp
from waypost.maps.generate import GENERATORS
from waypost.runs import picture

SEEDS = {"blobs": 1, "caves": 3, "city": 1, "maze": 1, "outdoor": 2, "rooms": 1}


def main(out: str = "generators.png") -> None:
    """Make the maps in the order of their names and write the picture."""
    pictures = [picture.draw_grid(wp.Grid(make(200, 140, SEEDS[kind])), 2) for kind, make in GENERATORS.items()]
    picture.write_png(out, picture.tiled(pictures, columns=3))
    print(f"Wrote {out}: {', '.join(GENERATORS)}")


if __name__ == "__main__":
    main(*sys.argv[1:])
