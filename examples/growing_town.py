"""A town that grows while 2,000 people go about, as an animated picture: python examples/growing_town.py [OUT.png]"""

import statistics
import sys

import numpy as np
import numpy.typing as npt
from PIL import Image

import waypost as wp

WIDTH, HEIGHT, SCALE = 200, 120, 3
PEOPLE, TICKS, TICKS_PER_HOUSE, TICKS_PER_PICTURE = 2_000, 600, 4, 10
GROUND, HOUSE, PERSON, WALLED_IN = (236, 229, 214), (96, 82, 74), (38, 92, 168), (200, 52, 40)

House = tuple[int, int, int, int]
"""x, y, width and height."""


def main(out: str = "growing_town.png") -> None:
    """Put up a house every few ticks, and pull one down now and then, where nobody stands."""
    random = np.random.default_rng(7)
    world = wp.World(wp.Grid(np.ones((HEIGHT, WIDTH), bool)))
    fleet = world.fleet(places(random, world, PEOPLE), places(random, world, PEOPLE))
    houses: list[House] = []
    edits, arrivals, pictures = [], 0, []
    for tick in range(TICKS):
        if tick % TICKS_PER_HOUSE == 0:
            if houses and random.random() < 0.15:
                edits.append(world.edit(rectangle=houses.pop(int(random.integers(len(houses)))), open=True))
            elif house := site(random, world):
                step_aside(fleet, house)
                houses.append(house)
                edits.append(world.edit(rectangle=house, open=False))
        fleet.tick(budget_work=100_000)  # counted, so that every machine draws the same picture
        arrivals += fleet.events.arrived.size
        idle = np.flatnonzero(np.isin(fleet.status, (wp.MemberStatus.ARRIVED, wp.MemberStatus.UNREACHABLE)))
        fleet.retarget(idle, places(random, world, idle.size))
        if tick % TICKS_PER_PICTURE == 0:
            pictures.append(Image.fromarray(picture(world, fleet)).quantize(16))
    middle = statistics.median(edit.us for edit in edits)
    print(f"{len(houses)} houses stand after {world.version} edits of {middle:.0f} us each; {arrivals:,} arrivals")
    pictures[0].save(out, save_all=True, append_images=pictures[1:], duration=100, loop=0)
    print(f"Wrote {out}: {len(pictures)} pictures of {PEOPLE:,} people")


def places(random: np.random.Generator, world: wp.World, count: int) -> npt.NDArray[np.int64]:
    """Open places by chance, as x, y."""
    open_places = np.argwhere(world.grid.is_open)[:, ::-1]
    return open_places[random.integers(len(open_places), size=count)]


def site(random: np.random.Generator, world: wp.World) -> House | None:
    """A free rectangle with a strip around it on which nobody builds; None if the first that chance names is not."""
    width, height = random.integers(4, 15, size=2).tolist()
    x, y = int(random.integers(1, WIDTH - width - 1)), int(random.integers(1, HEIGHT - height - 1))
    is_free = world.grid.is_open[y - 1 : y + height + 1, x - 1 : x + width + 1].all()
    return (x, y, width, height) if is_free else None


def step_aside(fleet: wp.Fleet, house: House) -> None:
    """Who stands where a house is to be goes to the left of it first."""
    x, y, width, height = house
    people = fleet.xy
    inside = np.flatnonzero(((people >= (x, y)) & (people < (x + width, y + height))).all(axis=1))
    fleet.teleport(inside, np.column_stack([np.full(inside.size, x - 1), people[inside, 1]]))


def picture(world: wp.World, fleet: wp.Fleet) -> npt.NDArray[np.uint8]:
    """The town now: houses, people, and those in red who have no way to go."""
    pixels = np.where(world.grid.is_open[..., None], GROUND, HOUSE).astype(np.uint8)
    x, y = fleet.xy.T
    pixels[y, x] = np.where((fleet.status == wp.MemberStatus.UNREACHABLE)[:, None], WALLED_IN, PERSON)
    return pixels.repeat(SCALE, axis=0).repeat(SCALE, axis=1)


if __name__ == "__main__":
    main(*sys.argv[1:])
