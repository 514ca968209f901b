"""A crowd of 10,000 units walks through a town, written as an animated picture: python examples/crowd.py [OUT.png]"""

import sys

import numpy as np

import waypost as wp
from waypost.maps.generate import generate
from waypost.runs import picture
from waypost.runs.crowd import Places

UNITS = 10_000
FRAMES, TICKS_PER_FRAME = 40, 2
CAMPS = ((60, 40, 200), (190, 110, 60), (30, 140, 110), (170, 40, 120))
"""Colours of four camps; each gathers at a place of its own."""


def main(out: str = "crowd.png") -> None:
    """Send each camp from anywhere to its meeting place, and on to the next when most have come."""
    grid = wp.Grid(generate("city", 300, 200, 2))
    places = Places(grid, seed=1)
    meeting = places.draw(len(CAMPS))
    camp = np.arange(UNITS) % len(CAMPS)
    fleet = wp.build("dba", grid).fleet(places.draw(UNITS), meeting[camp])
    colours = np.array(CAMPS, np.uint8)[camp]
    pictures = []
    for frame in range(FRAMES):
        pictures.append(picture.draw_dots(grid, fleet.xy, colours, scale=1))
        if frame == FRAMES // 2:
            fleet.retarget(fleet.ids, meeting[(camp + 1) % len(CAMPS)])  # one line sends everyone elsewhere
        for _ in range(TICKS_PER_FRAME):
            fleet.tick()
    picture.write_animation(out, pictures, frames_per_second=10)
    tick = fleet.tick()
    print(f"Wrote {out}: {UNITS:,} units, {FRAMES} frames; a tick moves {tick.moved:,} in {tick.us:,.0f} us")


if __name__ == "__main__":
    main(*sys.argv[1:])
