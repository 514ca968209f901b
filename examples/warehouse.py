"""Vehicles of a warehouse on a ROS map, from racks to stations and back: python examples/warehouse.py [OUT.png]"""

import sys
import tempfile
from pathlib import Path

import numpy as np
import numpy.typing as npt

import waypost as wp
from waypost.runs import picture

VEHICLES = 200
SECONDS = 300  # a vehicle enters one cell per second


def main(out: str = "warehouse.png") -> None:
    """Write the map as a robot would have it, read it back, and let each vehicle carry things to a station."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "warehouse.yaml"
        wp.save_map(wp.Grid(floor_plan()), file)  # your own: wp.load_map("my_map.yaml")
        grid = wp.load_map(file, diagonals="never")  # vehicles turn on the spot
    random = np.random.default_rng(4)
    racks = np.argwhere(beside_racks())[:, ::-1]
    stations = np.array([(x, grid.height - 2) for x in range(6, grid.width - 6, 10)])
    fleet = wp.build("dba", grid).fleet(random.choice(racks, VEHICLES), random.choice(stations, VEHICLES))
    traffic, is_loaded, delivered = np.zeros(grid.mask.size, np.int64), np.ones(VEHICLES, bool), 0
    for _ in range(SECONDS):
        fleet.tick()
        arrived = fleet.events.arrived
        delivered += int(np.count_nonzero(is_loaded[arrived]))
        is_loaded[arrived] = ~is_loaded[arrived]
        goals = np.where(
            is_loaded[arrived, None], random.choice(stations, arrived.size), random.choice(racks, arrived.size)
        )
        fleet.retarget(arrived, goals)
        traffic += np.bincount(fleet.cells, minlength=traffic.size)
    print(f"{VEHICLES} vehicles delivered {delivered:,} loads in {SECONDS} s")
    picture.write_png(out, picture.draw_traffic(grid, traffic, scale=6))
    print(f"Wrote {out}: the aisles that are used most")


def floor_plan() -> npt.NDArray[np.bool_]:
    """Rows of racks with aisles between them, and a free strip before the stations."""
    is_open = np.ones((60, 100), bool)
    for top in range(4, 44, 4):
        for left in range(4, 90, 12):
            is_open[top : top + 2, left : left + 10] = False
    return is_open


def beside_racks() -> npt.NDArray[np.bool_]:
    """Where a vehicle can take something from a rack."""
    is_open = floor_plan()
    return is_open & (np.roll(~is_open, 1, axis=0) | np.roll(~is_open, -1, axis=0))


if __name__ == "__main__":
    main(*sys.argv[1:])
