"""Hill-climbing: time per step of a climb, subgoals of a path, and the table against the definition."""

import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

import waypost as wp
from benchmarks import report
from tests.oracle import climb as oracle
from tests.support import compiled
from waypost.kernels import climb
from waypost.kernels.compiling import kernel
from waypost.kernels.numbers import NO_LIMIT
from waypost.world.grid import COSTS
from waypost.world.search import Search

CLIMBS = 200_000
PATHS = 500
ROUNDS = 9
AWAY = 40
COMPRESSED = ("dao/orz900d", "bg/AR0701SR", "random/random512-10-0")  # what is lost depends on the kind of map

Cells = npt.NDArray[np.int32]


@kernel
def climb_all(
    mask: Any, table: Any, stride: int, starts: Cells, targets: Cells, limit: int, arrived: int, steps: int
) -> tuple[int, int]:
    """Climbs that arrive and steps of all of them, added to those so far; in one call, which alone would cost more."""
    for i in range(starts.size):
        good, made = climb.climb(mask, table, stride, starts[i], targets[i], limit)
        arrived += good
        steps += made
    return arrived, steps


@kernel
def steps_of(table: Any, dx: int, dy: int) -> Any:
    """The steps towards a target so far away, under each set of legal moves."""
    steps = np.empty(256, np.int64)
    for mask in range(256):
        steps[mask] = climb.step_towards(table, mask, dx, dy)
    return steps


def seconds(work: Callable[[], Any]) -> float:
    """The median time of some work, warmed up."""
    work()
    rounds = []
    for _ in range(ROUNDS):
        begin = time.perf_counter()
        work()
        rounds.append(time.perf_counter() - begin)
    return statistics.median(rounds)


def random_pairs(grid: wp.Grid, count: int) -> npt.NDArray[np.int32]:
    """Starts and targets, drawn from the largest component."""
    cells = np.flatnonzero(grid.component == np.argmax(grid.component_sizes)).astype(np.int32)
    return np.random.default_rng(9).choice(cells, (2, count))


def climbing(grid: wp.Grid, limit: int) -> float:
    """Nanoseconds per step of climbs between random cells."""
    starts, targets = random_pairs(grid, CLIMBS)
    world = grid.mask, grid.climb_table, grid.stride
    arrived, steps = climb_all(*world, starts, targets, limit, 0, 0)
    spent = seconds(lambda: climb_all(*world, starts, targets, limit, 0, 0))
    print(
        f"    {CLIMBS:,} climbs of at most {'any number of' if limit == NO_LIMIT else limit} steps: "
        f"{100 * arrived / CLIMBS:.1f} % arrive, {steps / CLIMBS:.1f} steps each, {1e9 * spent / steps:.1f} ns a step",
        flush=True,
    )
    return 1e9 * spent / steps


def compressing(name: str, grid: wp.Grid) -> None:
    """Subgoals of optimal paths, and how much longer the paths are when they are expanded again."""
    world = grid.mask, grid.climb_table, grid.stride
    search = Search(grid)
    paths, subgoals, longer = [], [], []
    for start, target in random_pairs(grid, PATHS).T.tolist():
        if start == target:
            continue
        search.solve(start, target)
        paths.append(search.path(target).astype(np.int32))
        subgoals.append(compiled.compress(*world, paths[-1], False)[0])
        cells = compiled.expand(*world, subgoals[-1])
        assert cells[-1] == target
        longer.append(100 * (grid.path_cost(cells) / grid.path_cost(paths[-1]) - 1))
    steps = sum(compiled.compress(*world, path, False)[1] for path in paths)
    spent = seconds(lambda: [compiled.compress(*world, path, False) for path in paths])
    spent_back = seconds(lambda: [compiled.expand(*world, found) for found in subgoals])
    count = len(paths)
    print(
        f"    {name}: {count} optimal paths of {np.mean([path.size for path in paths]):.0f} cells, "
        f"{np.mean([found.size for found in subgoals]):.1f} subgoals with both ends; {1e6 * spent / count:.1f} us and "
        f"{steps / count:,.0f} climb steps to compress, {1e6 * spent_back / count:.1f} us to expand; expanded "
        f"{np.mean(longer):.3f} % longer (at most {np.max(longer):.2f} %; "
        f"{100 * np.mean(np.array(longer) > 0):.0f} % of the paths are longer)",
        flush=True,
    )


def wrong_entries() -> int:
    """Steps that differ from the definition, of all vectors up to 40 away, all masks and all costs."""
    codes = {oracle.STUCK: climb.STUCK, oracle.ARRIVED: climb.ARRIVED}
    codes |= {(x, y): x + 1 | y + 1 << 2 for x in (-1, 0, 1) for y in (-1, 0, 1)}
    wrong = 0
    for straight, diagonal in [*(costs[:2] for costs in COSTS.values()), (1, 2)]:
        table = climb.climb_table(straight, diagonal)
        for dx in range(-AWAY, AWAY + 1):
            for dy in range(-AWAY, AWAY + 1):
                expected = [codes[step] for step in oracle.steps_by_mask(straight, diagonal, dx, dy)]
                wrong += int(np.count_nonzero(steps_of(table, dx, dy) != expected))
    return wrong


def main() -> None:
    report.start("Climbs")
    folder = report.maps_folder()
    grid = wp.load_map(folder / "dao" / "orz900d.map")
    held = [report.bar("climb between random cells of orz900d", climbing(grid, NO_LIMIT), "ns per step", at_most=20)]
    climbing(grid, 250)
    for path in COMPRESSED:
        compressing(path, wp.load_map(folder / f"{path}.map"))
    print(f"    a table is made in {1e3 * seconds(lambda: climb.climb_table(5741, 8119)):.2f} ms")
    begin = time.perf_counter()
    held.append(report.bar("steps of the table that differ from the definition", wrong_entries(), "", at_most=0))
    print(f"    all vectors up to {AWAY} away, 256 masks, 3 costs: checked in {time.perf_counter() - begin:.1f} s")
    sys.exit(not all(held))


if __name__ == "__main__":
    main()
