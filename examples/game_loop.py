"""A game loop in which all path planning gets 2 ms of a frame: python examples/game_loop.py [OUT.png]"""

import sys

import numpy as np

import waypost as wp
from waypost.runs import picture
from waypost.runs.crowd import Places

UNITS = 5_000
FRAMES = 120
BUDGET_US = 2000


def main(out: str = "game-loop.png") -> None:
    """Run frames: a player clicks now and then, units die and are replaced, those that arrive look for work."""
    grid = wp.load_map("caves")
    places = Places(grid, seed=3)
    fleet = wp.build("dba", grid).fleet(places.draw(UNITS), places.draw(UNITS))
    fleet.tick()  # loads what was compiled
    traffic = np.zeros(grid.mask.size, np.int64)
    slowest = longest_wait = 0.0
    for frame in range(FRAMES):
        if frame % 40 == 10:
            selected = fleet.ids[:500]
            fleet.retarget(selected, places.draw(1))  # a click: 500 units, one goal
        if frame % 40 == 30:
            fleet.remove(fleet.ids[-20:])  # an explosion
            fleet.add(places.draw(20), places.draw(20))  # and reinforcements

        tick = fleet.tick(budget_us=BUDGET_US)  # never much longer than this, whatever was asked for

        for unit in fleet.events.arrived.tolist():
            fleet.retarget(unit, places.draw(1)[0])  # the next job of this unit
        traffic += np.bincount(fleet.cells, minlength=traffic.size)
        slowest, longest_wait = max(slowest, tick.us), max(longest_wait, tick.longest_wait)
    print(f"{FRAMES} frames of {UNITS:,} units: slowest tick {slowest:,.0f} us, longest wait {longest_wait:.0f} ticks")
    picture.write_png(out, picture.draw_traffic(grid, traffic))
    print(f"Wrote {out}")


if __name__ == "__main__":
    main(*sys.argv[1:])
