"""The maps and problems that every library gets, and the file in which a measuring process receives them."""

import os
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from benchmarks.peers.library import Open

SIDE = 1024
EASY_SIDE = 512
EASY_CALLS = 20


@dataclass(frozen=True)
class World:
    """A map and its problems; the optimum is the length of our exact A*'s path, NaN where there is none."""

    name: str
    title: str
    is_open: Open
    starts: npt.NDArray[np.int64]
    goals: npt.NDArray[np.int64]
    optima: npt.NDArray[np.float64]

    def save(self, path: Path) -> None:
        """Write all arrays to one file."""
        np.savez(
            path,
            name=np.array(self.name),
            title=np.array(self.title),
            is_open=self.is_open,
            starts=self.starts,
            goals=self.goals,
            optima=self.optima,
        )


def load(path: Path) -> World:
    """Read what `save` wrote, without Waypost: the measuring process of another library never imports it."""
    with np.load(path) as file:
        return World(
            str(file["name"]), str(file["title"]), file["is_open"], file["starts"], file["goals"], file["optima"]
        )


def from_problems(name: str, title: str, is_open: Open, ends: list[tuple[tuple[int, int], tuple[int, int]]]) -> World:
    """A world of these start and goal points, shuffled so that any first few of them are a fair sample."""
    import waypost as wp
    from benchmarks.peers.walks import length

    planner = wp.build("astar", wp.Grid(is_open))
    shuffled = [ends[i] for i in np.random.default_rng(0).permutation(len(ends))]
    optima = [length([(int(x), int(y)) for x, y in planner.path(start, goal)]) for start, goal in shuffled]
    starts, goals = (np.array([pair[i] for pair in shuffled], np.int64) for i in (0, 1))
    return World(name, title, is_open, starts, goals, np.array(optima))


def generated(count: int, side: int = SIDE) -> World:
    """A generated map of caves with random problems."""
    import waypost as wp
    from waypost.maps import generate

    is_open = generate.caves(side, side, seed=1)
    grid = wp.Grid(is_open)
    ends = [(grid.xy(p.start), grid.xy(p.goal)) for p in wp.sample_problems(grid, count, seed=1)]
    title = f"generated caves, {side}x{side}, {count} random problems"
    return from_problems("caves", title, is_open, ends)


def dragon_age(count: int) -> World | None:
    """The map brc202d with evenly spread scenarios of its own, or None where WAYPOST_MAPS does not hold it."""
    import waypost as wp
    from waypost.maps import movingai
    from waypost.world.problem import spread

    path = Path(os.environ.get("WAYPOST_MAPS", "")) / "dao" / "brc202d.map"
    if not path.is_file():
        return None
    grid = wp.load_map(path)
    scenarios = [s for s in movingai.read_scenarios(f"{path}.scen") if s.length > 0]
    ends = [(s.start, s.goal) for s in spread(scenarios, count)]
    title = f"brc202d, {grid.width}x{grid.height}, {count} evenly spread scenarios"
    return from_problems("brc202d", title, grid.is_open, ends)


def one_step(side: int = EASY_SIDE) -> World:
    """The same diagonal step, over and over, in the middle of an empty map."""
    middle = side // 2
    starts = np.full((EASY_CALLS, 2), middle)
    is_open = np.ones((side, side), np.bool_)
    return World("one-step", f"one step, empty {side}x{side}", is_open, starts, starts + 1, np.full(EASY_CALLS, 2**0.5))


def unreachable(side: int = EASY_SIDE) -> World:
    """A goal behind a wall from top to bottom, over and over."""
    is_open = np.ones((side, side), np.bool_)
    is_open[:, side // 2] = False
    starts, goals = np.full((EASY_CALLS, 2), side // 8), np.full((EASY_CALLS, 2), side - side // 8)
    title = f"unreachable goal, {side}x{side} in two halves"
    return World("unreachable", title, is_open, starts, goals, np.full(EASY_CALLS, np.nan))
