"""Edits of Worlds: repairs of one cell and of a building, that they equal rebuilds, memory, a fleet, the dynamic track.

`python -m benchmarks.edits [PART ...]` takes some of the parts alone: one, building, equal, fleet, dynamic, memory.
"""

import gc
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from time import thread_time_ns
from typing import Any

import numpy as np
import numpy.typing as npt

import waypost as wp
from benchmarks import report
from waypost.bench.changing import read_changing_suite, run_changing_suite
from waypost.maps.generate import generate
from waypost.world.live_grid import LiveGrid
from waypost.world.problem import spread

EDITS = 3_000
SCRIPTS, EDITS_OF_SCRIPT = 100_000, 5
CHECKED_EDITS, CHECKED_EVERY = 10_000, 100
UNITS, MOST_TICKS = 10_000, 20_000
TIME_OF_PATHS = 133.0  # us of a path of jps on orz900d where the bars hold
BARS = {"caves 4096": (50, 1_500), "city 2048": (50, 1_500), "rooms 2048": (250, 3_000), "orz900d": (80, 500)}
"""Median and 99th part of a hundred of an edit of one cell, in microseconds."""


def grids() -> Iterator[tuple[str, wp.Grid]]:
    """The maps of the bars."""
    for name in BARS:
        kind, _, side = name.partition(" ")
        if side:
            yield name, wp.Grid(generate(kind, int(side), int(side), 1))
        else:
            yield name, wp.load_map(report.maps_folder() / "dao" / f"{name}.map")


def us_of_path() -> float:
    """A path of jps on orz900d, in the mean over its scenarios: how fast this machine is now."""
    place = report.maps_folder() / "dao" / "orz900d.map"
    grid = wp.load_map(place)
    problems = [each for each in wp.load_problems(f"{place}.scen", grid) if grid.connected(each.start, each.goal)]
    agent = wp.build("jps", grid).agent()
    some = spread(problems, 300)
    return 1e6 * report.asking_seconds(agent, some, agent.path, 3) / len(some)


def cells_to_edit(grid: wp.Grid, count: int, seed: int) -> Iterator[tuple[int, bool]]:
    """Open cells that are closed, and walls beside open cells that are opened, in turns; some of them twice."""
    random = np.random.default_rng(seed)
    cells = np.flatnonzero(grid.component)
    inside = np.zeros((grid.height + 2, grid.stride), bool)
    inside[1:-1, 1:-1] = True
    inside = inside.ravel()
    for i in range(count):
        while True:
            cell = int(random.choice(cells))
            if i % 2:
                cell += int(random.choice((1, -1, grid.stride, -grid.stride)))
            if inside[cell] and (grid.component[cell] != 0) != bool(i % 2):
                yield cell, bool(i % 2)
                break


def timed(work: Callable[..., object], *arguments: Any, **named: Any) -> float:
    """Microseconds of processor time."""
    begin = thread_time_ns()
    work(*arguments, **named)
    return (thread_time_ns() - begin) / 1000


def held(name: str, us: list[float], bars: tuple[float, float], pace: float) -> bool:
    """Median and 99th part of a hundred beside their bars, which hold in proportion to how fast the machine is."""
    median, late = np.percentile(us, (50, 99))
    holds = [
        report.bar(f"{name}, median", float(median), "us", at_most=bars[0] * pace),
        report.bar(f"{name}, 99 of 100", float(late), "us", at_most=bars[1] * pace),
    ]
    return all(holds)


def one_cell(pace: float) -> bool:
    """Components alone, jump tables with them, and a whole `world.edit`."""
    holds = []
    for name, grid in grids():
        live = LiveGrid(grid)
        for what in ("legal moves and components", "and jump tables"):
            if what == "and jump tables":
                assert live.jump_tables  # repaired from now on
            us = []
            for cell, opens in cells_to_edit(live, EDITS, 1):
                cells, are_opened = np.array([cell], np.int32), np.array([opens])
                us.append(timed(live.change, cells, are_opened))
            holds.append(held(f"{name}, {what}", us, BARS[name], pace))
        world = wp.World(grid)
        us = [
            timed(world.edit, [world.grid.xy(cell)], open=opens) for cell, opens in cells_to_edit(world.grid, EDITS, 2)
        ]
        print(
            "  {}, the whole call of a World of jps: median {:.0f} us, 99 of 100 {:.0f} us, longest {:,.0f} us".format(
                name, *np.percentile(us, (50, 99, 100))
            )
        )
    return all(holds)


def building(pace: float) -> bool:
    """A building of 10 x 10 cells is put up, and pulled down."""
    grid = wp.Grid(generate("caves", 4096, 4096, 1))
    world = wp.World(grid)
    random = np.random.default_rng(3)
    us = []
    for _ in range(500):
        x, y = random.integers(0, 4086, 2).tolist()
        before = grid.is_open[y : y + 10, x : x + 10]
        inside = np.argwhere(before)[:, ::-1] + (x, y)
        us.append(timed(world.edit, rectangle=(x, y, 10, 10), open=False))
        us.append(timed(world.edit, inside, open=True))
    return report.bar("10 x 10 cells on caves 4096, median", float(np.median(us)), "us", at_most=1_000 * pace)


def same_as_new(live: LiveGrid) -> bool:
    """Whether all that was repaired is as in a new grid, labels but for their names."""
    fresh = live.frozen()
    pairs = np.unique(live.component.astype(np.int64) << 32 | fresh.component)
    return (
        np.array_equal(live.mask, fresh.mask)
        and pairs.size == fresh.component_count + 1 == live.component_count + 1
        and np.array_equal(live.jump_tables.rows, fresh.jump_tables.rows)
        and np.array_equal(live.jump_tables.columns, fresh.jump_tables.columns)
        and np.array_equal(live.jump_tables.cells, fresh.jump_tables.cells)
        and live.fingerprint == LiveGrid(fresh).fingerprint
    )


def equal(_: float) -> bool:
    """Random edits of small maps, and many of large ones."""
    random = np.random.default_rng(4)
    wrong = 0
    for _number in range(SCRIPTS):
        is_open = random.random(random.integers(1, 9, 2)) < random.uniform(0.3, 1)
        is_open.flat[0] = True
        live = LiveGrid(wp.Grid(is_open))
        assert live.jump_tables  # repaired from now on
        for _edit in range(EDITS_OF_SCRIPT):
            cell = live.cell((int(random.integers(live.width)), int(random.integers(live.height))))
            opens = bool(live.component[cell] == 0 or live.open_count == 1)
            if opens != bool(live.component[cell]):
                live.change(np.array([cell], np.int32), np.array([opens]))
        wrong += not same_as_new(live)
    holds = [report.bar(f"of {SCRIPTS:,} scripts on small maps unlike a new grid", wrong, "", at_most=0)]
    for name in ("orz900d", "caves 2048"):
        grid = (
            wp.load_map(report.maps_folder() / "dao" / "orz900d.map")
            if name == "orz900d"
            else wp.Grid(generate("caves", 2048, 2048, 1))
        )
        live = LiveGrid(grid)
        assert live.jump_tables  # repaired from now on
        wrong = 0
        for number, (cell, opens) in enumerate(cells_to_edit(live, CHECKED_EDITS, 5), start=1):
            live.change(np.array([cell], np.int32), np.array([opens]))
            wrong += number % CHECKED_EVERY == 0 and not same_as_new(live)
        holds.append(report.bar(f"of {CHECKED_EDITS // CHECKED_EVERY} checks on {name} unlike", wrong, "", at_most=0))
    return all(holds)


def fleet(pace: float) -> bool:
    """10,000 units of jps on orz900d while a wall is closed and opened in turns, one at each tick."""
    grid = wp.load_map(report.maps_folder() / "dao" / "orz900d.map")
    random = np.random.default_rng(6)
    cells = np.flatnonzero(grid.component)
    world = wp.World(grid)
    ends = random.choice(cells, (2, UNITS))
    units = world.fleet(grid.xys(ends[0]), grid.xys(ends[1]), threads=1)
    us: list[float] = []
    illegal = 0
    wall = (0, 0)
    gc.collect()
    gc.disable()
    while is_on_way(units) and len(us) < MOST_TICKS:
        opens = len(us) % 2 == 1
        if not opens:
            wall = grid.xy(int(random.choice(cells)))
        before = units.cells.copy()
        edit_us = timed(world.edit, [wall], open=opens)
        us.append(edit_us + timed(units.tick, budget_us=1_000 * pace))
        illegal += _illegal(world.grid, before, units.cells)
    gc.enable()
    world.edit([wall], open=True)
    while is_on_way(units):
        units.tick()
    late = np.percentile(us[20:], (50, 99, 99.9))
    print(f"  {len(us):,} ticks, edit and tick together: median {late[0]:.0f} us, 99 of 100 {late[1]:.0f} us")
    holds = [
        report.bar("edit and tick together, 99.9 of 100", float(late[2]), "us", at_most=1_500 * pace),
        report.bar("illegal moves", illegal, "", at_most=0),
        report.bar(
            "units that can arrive and have not", int((units.status != wp.MemberStatus.ARRIVED).sum()), "", at_most=0
        ),
    ]
    return all(holds)


def is_on_way(units: wp.Fleet) -> bool:
    """Whether anybody is."""
    return bool(np.isin(units.status, (wp.MemberStatus.MOVING, wp.MemberStatus.WAITING)).any())


def _illegal(grid: wp.Grid, before: npt.NDArray[np.int32], after: npt.NDArray[np.int32]) -> int:
    """Moves that the map, as it is, does not allow."""
    moved = before != after
    steps = {
        dy * grid.stride + dx: bit
        for bit, (dx, dy) in enumerate(((0, -1), (1, 0), (0, 1), (-1, 0), (1, -1), (1, 1), (-1, 1), (-1, -1)))
    }
    bits = np.array([steps[step] for step in (after[moved] - before[moved]).tolist()], np.int64)
    return int((grid.mask[before[moved]] >> bits & 1 == 0).sum())


def dynamic(_: float) -> bool:
    """The dynamic track: lengths, and a change beside a new grid."""
    with TemporaryDirectory() as folder:
        suite = read_changing_suite("dynamic")
        rows = run_changing_suite(suite, Path(folder), report.maps_folder())
    for row in rows:
        times = f"change {row.change_us:,.0f} us, first move {row.first_move_us:,.0f} us, path {row.path_us:,.0f} us"
        ways = f"{row.longer_percent:.2f} % longer, {row.exact:,} of {row.queries:,} exact"
        print(f"  {row.setting}, {row.after_edit}: {times}, {ways}")
    of = {(row.setting, row.after_edit): row for row in rows}
    wrong = sum(of[name, "repairs"].queries - of[name, "repairs"].exact for name in ("astar", "jps"))
    share = of["jps", "repairs"].change_us / of["jps", "made again"].change_us
    holds = [
        report.bar("lengths of astar and jps unlike the file's", wrong, "", at_most=0),
        report.bar("a change in a World of jps, of a new grid with its tables", share, "", at_most=0.2),
    ]
    return all(holds)


def memory(_: float) -> bool:
    """What a World of caves 4096 takes beside its grid, components and jump tables, as if all of it had been used."""
    world = wp.World(wp.Grid(generate("caves", 4096, 4096, 1)))
    world.planner.path(*(world.grid.xy(int(cell)) for cell in np.flatnonzero(world.grid.component)[:2]))
    world.edit([(100, 100)], open=True)
    return report.bar("an editable World of caves 4096", world.bytes / 1e6, "MB", at_most=150)


PARTS = {"one": one_cell, "building": building, "equal": equal, "fleet": fleet, "dynamic": dynamic, "memory": memory}


def main() -> None:
    report.start("Edits of Worlds")
    chosen = sys.argv[1:] or list(PARTS)
    path_us = us_of_path()
    pace = path_us / TIME_OF_PATHS
    print(f"  a path of jps on orz900d takes {path_us:.0f} us: bars of time hold times {pace:.2f}")
    holds = [PARTS[part](pace) for part in chosen]
    sys.exit(not all(holds))


if __name__ == "__main__":
    main()
