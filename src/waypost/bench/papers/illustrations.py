"""Illustrations of the papers, drawn by our own pictures on maps of our own, each with figures that can be checked."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from waypost.agents.trace import Trace
from waypost.making import build
from waypost.maps.generate import generate
from waypost.maps.text import grid_from_text, read_drawing
from waypost.runs import picture
from waypost.runs.metrics import METRICS
from waypost.runs.picture import Pixels
from waypost.runs.simulation import simulate
from waypost.world.grid import Grid

if TYPE_CHECKING:
    from waypost.bench.papers.results import SuiteResults
    from waypost.indexes.base import Regions

__all__ = ["ILLUSTRATIONS", "Drawn", "Fact"]


class Fact(NamedTuple):
    """A figure that goes with a picture."""

    what: str
    paper: float
    """nan where the paper has none."""
    ours: float


class Drawn(NamedTuple):
    """Pictures with captions, and what can be counted in them."""

    pictures: list[tuple[str, Pixels]]
    facts: list[Fact]
    shows_benchmark_map: bool = False


_NONE = float("nan")
_SCALE = 8
_DETOUR = """
............G.
.........@@@@.
..............
...@@@@.......
..............
..............
S.............
"""
_FOUR_CONNECTED = """
@@@@@@@@@@
@........@
@.@@@@...@
@....@...@
@.@..@.G.@
@.@..@...@
@.@@@@...@
@........@
@@@@@@@@@@
"""


def _map(kind: str = "outdoor", width: int = 72, height: int = 56, seed: int = 8) -> Grid:
    return Grid(generate(kind, width, height, seed), source=f"{kind}({width}x{height}, seed={seed})")


def _far_pair(grid: Grid) -> tuple[int, int]:
    """Two cells of the largest component, far apart: the first and the last by column, then row."""
    cells = np.flatnonzero(grid.component == int(grid.component_sizes.argmax())).astype(np.int32)
    order = grid.xys(cells)[:, 0].argsort(kind="stable")
    return int(cells[order[0]]), int(cells[order[-1]])


def _cells(trace: Trace) -> float:
    """The length of a walk."""
    return METRICS["length_cells"].of(trace)


def _shortest(grid: Grid, start: int, goal: int) -> float:
    """The length of the shortest way, in cells."""
    planner = build("astar", grid)
    return _cells(simulate(planner.agent(), planner.problem(grid.xy(start), grid.xy(goal))))


def _depths(_suite: "SuiteResults | None") -> Drawn:
    from waypost.planners.pairs.depths import optimal_depths

    grid, deepest = _map(), 20
    _, goal = _far_pair(grid)
    depths = optimal_depths(grid, goal, deepest)
    known = depths[depths > 0]
    shown = picture.draw_depths(grid, goal, depths, deepest, _SCALE)
    facts = [
        Fact("mean depth of a cell", _NONE, float(known.mean())),
        Fact("share of cells where one move of lookahead is enough", _NONE, float((known == 1).mean())),
    ]
    return Drawn([("The darker a cell, the deeper LRTA* must look ahead there", shown)], facts)


def _stored_depths(_suite: "SuiteResults | None") -> Drawn:
    from waypost.planners.pairs.depths import optimal_depths

    grid, deepest = _map(), 20
    _, goal = _far_pair(grid)
    index: Any = build("lrta-pdb-g", grid, level=3, cap=deepest, threads=1, progress=False).index
    stored = index.depths_to(goal)
    exact = optimal_depths(grid, goal, deepest)
    both = (stored > 0) & (exact > 0)
    shown = picture.draw_depths(grid, goal, stored.clip(max=deepest), deepest, _SCALE)
    facts = [Fact("share of cells whose stored depth is the optimal one", _NONE, float((stored == exact)[both].mean()))]
    return Drawn([("One depth for all cells of a region", shown)], facts)


def _cliques(_suite: "SuiteResults | None") -> Drawn:
    grid = _map()
    pictures, counts = [], []
    for level in (1, 2):
        index: Any = build("dlrta", grid, level=level, threads=1, progress=False).index
        regions: Regions = index.regions()
        counts.append(int(regions.reps.size))
        shown = picture.draw_regions(grid, *regions, scale=_SCALE, lines=False)
        pictures.append((f"Level {level}: {regions.reps.size:,} regions", shown))
    facts = [
        Fact("cells per region of level 1", _NONE, grid.open_count / counts[0]),
        Fact("regions of level 1 per region of level 2", _NONE, counts[0] / counts[1]),
    ]
    return Drawn(pictures, facts)


def _shared_actions(_suite: "SuiteResults | None") -> Drawn:
    """Cells where the first move of their representative is illegal, or leads on no shortest way."""
    from waypost.planners.pairs.depths import optimal_depths

    grid = _map()
    _, goal = _far_pair(grid)
    index: Any = build("dlrta", grid, level=3, threads=1, progress=False).index
    region_of, reps, edges = index.regions()
    exact = optimal_depths(grid, goal, 20)
    wrong = np.flatnonzero((region_of >= 0) & (exact > 0)).astype(np.int32)
    differs = wrong[exact[wrong] != exact[reps[region_of[wrong]]]]
    shown = picture.draw_regions(grid, region_of, reps, edges, scale=_SCALE, lines=False)
    visits = np.zeros(grid.mask.size, np.int64)
    visits[differs] = 1
    where = picture.draw_traffic(grid, visits, _SCALE)
    return Drawn(
        [("Regions of level 3", shown), ("Cells that need another depth than their representative", where)],
        [Fact("share of such cells: what holds for one cell of a region does not hold for all", _NONE,
              differs.size / wrong.size)],
    )  # fmt: skip


def _intermediate_goals(_suite: "SuiteResults | None") -> Drawn:
    grid = _map()
    start, goal = _far_pair(grid)
    planner = build("dlrta", grid, level=4, preset="published", threads=1, progress=False)
    index: Any = planner.index
    regions: Regions = index.regions()
    below = picture.draw_regions(grid, *regions, scale=_SCALE, lines=False)
    arcs = picture.draw_arcs(grid, goal, index.arcs(goal), _SCALE, on=below)
    trace = simulate(planner.agent(), planner.problem(grid.xy(start), grid.xy(goal)), max_moves=10_000)
    walk = picture.draw_run(trace, _SCALE, on=below)
    optimum = _shortest(grid, start, goal)
    return Drawn(
        [("Subgoals: where shortest ways enter the next region", arcs), ("A walk along them", walk)],
        [Fact("regions", _NONE, float(regions.reps.size)),
         Fact("length of the walk over the shortest way", _NONE, _cells(trace) / optimum)],
    )  # fmt: skip


def _records(_suite: "SuiteResults | None") -> Drawn:
    grid = _map("caves")
    planner = build("knn", grid, records=2, seed=4, preset="published", threads=1, progress=False)
    _, _goal = _far_pair(grid)
    index: Any = planner.index
    ends = index.tables["points"][:, 2] + index.tables["points"][:, 3] * grid.stride
    shown = [
        (f"Record {i + 1}: its subgoals", picture.draw_arcs(grid, int(end), index.arcs_from(int(end)), _SCALE))
        for i, end in enumerate(ends.tolist()[:1])
    ]
    legs = np.diff(index.tables["first_legs"])
    return Drawn(shown, [Fact("subgoals of two records", _NONE, float((legs - 1).sum()))])


def _record_walk(_suite: "SuiteResults | None") -> Drawn:
    grid = _map("caves")
    planner = build("knn", grid, records=1000, seed=4, preset="published", threads=1, progress=False)
    start, goal = _far_pair(grid)
    trace = simulate(planner.agent(), planner.problem(grid.xy(start), grid.xy(goal)), max_moves=10_000)
    optimum = _shortest(grid, start, goal)
    walk = picture.draw_run(trace, _SCALE, on=picture.draw_grid(grid, _SCALE))
    return Drawn(
        [("A walk along a record whose start can be climbed to", walk)],
        [Fact("length of the walk over the shortest way", _NONE, _cells(trace) / optimum)],
    )


def _kd_tree(_suite: "SuiteResults | None") -> Drawn:
    grid = _map("caves")
    index: Any = build("knn", grid, records=15, seed=1, preset="published", threads=1, progress=False).index
    starts = (index.tables["points"][:, 0] + index.tables["points"][:, 1] * grid.stride).astype(np.int32)
    arcs, depth = _children(0, len(starts), 1)
    shown = picture.draw_arcs(grid, int(starts[len(starts) // 2]), starts[np.array(arcs)], _SCALE)
    return Drawn(
        [("Starts of 15 records, each joined to its parent in the tree; the large dot is the root", shown)],
        [Fact("levels of the tree of 15 records", _NONE, float(depth))],
    )


def _children(first: int, end: int, depth: int) -> tuple[list[tuple[int, int]], int]:
    """Pairs of child and parent below the middle of a stretch of records, and the levels."""
    middle = (first + end) // 2
    arcs, deepest = [], depth
    for low, high in ((first, middle), (middle + 1, end)):
        if low < high:
            more, levels = _children(low, high, depth + 1)
            arcs += [((low + high) // 2, middle), *more]
            deepest = max(deepest, levels)
    return arcs, deepest


def _detour(_suite: "SuiteResults | None") -> Drawn:
    """The climb of 16.4 where 15 is shortest (2010, theorem 6)."""
    grid = grid_from_text(_DETOUR, diagonals="always", costs="1.4")
    _, places = read_drawing(_DETOUR)
    pictures, lengths = [], []
    for caption, planner in (("The climb", build("lrta", grid, depth=1)), ("The shortest way", build("astar", grid))):
        trace = simulate(planner.agent(), planner.problem(places["S"], places["G"]), max_moves=1000)
        lengths.append(_cells(trace))
        pictures.append((f"{caption}: {_cells(trace):g}", picture.draw_run(trace, 16)))
    return Drawn(
        pictures, [Fact("cost of the climb", 16.4, lengths[0]), Fact("cost of the shortest way", 15.0, lengths[1])]
    )


def _depression(_suite: "SuiteResults | None") -> Drawn:
    """Subgoals that lead out of a heuristic depression on a grid of four directions (2011)."""
    grid = grid_from_text(_FOUR_CONNECTED, diagonals="never")
    _, places = read_drawing(_FOUR_CONNECTED)
    goal = grid.open_cell(places["G"], "goal")
    index: Any = build("trees", grid, goals_kept=1, progress=False).index
    arcs = index.arcs(goal)
    return Drawn(
        [("Subgoals and where they lead; the large dot is the goal", picture.draw_arcs(grid, goal, arcs, 32))],
        [Fact("subgoals of the tree", _NONE, float(len(arcs)))],
    )


def _maps(suite: "SuiteResults | None") -> Drawn:
    """The maps of a suite; those of the benchmark sets are not ours to publish."""
    if suite is None:
        return Drawn([], [])
    pictures, cells, published = [], [], True
    for source in dict.fromkeys(run.source for run in suite.outcome.runs):
        grid = source.load(suite.suite.diagonals, suite.suite.costs)
        cells.append(float(grid.open_count))
        published = published and source.generated is not None
        step = max(1, max(grid.width, grid.height) // 640)
        shown = picture.draw_grid(grid, 1)[::step, ::step]
        pictures.append((f"{source.name}: {grid.width} x {grid.height}", np.ascontiguousarray(shown)))
    facts = [Fact("maps", _NONE, float(len(cells))), Fact("open cells of a map, mean", _NONE, float(np.mean(cells)))]
    return Drawn(pictures, facts, not published)


def _tree_memory(suite: "SuiteResults | None") -> Drawn:
    """How large trees on demand are: those of 20 goals on each map, spread evenly over its cells."""
    if suite is None:
        return Drawn([], [])
    nodes, whole = [], []
    for source in dict.fromkeys(run.source for run in suite.outcome.runs):
        grid = source.load(suite.suite.diagonals, suite.suite.costs)
        index: Any = build("trees", grid, goals_kept=1, progress=False).index
        cells = np.flatnonzero(grid.component == int(grid.component_sizes.argmax())).astype(np.int32)
        sizes = [len(index.arcs(int(cell))) + 1 for cell in cells[:: max(1, len(cells) // 20)][:20]]
        nodes += sizes
        whole.append(4 * float(np.mean(sizes)) * grid.open_count / 2**20)
    facts = [
        Fact("nodes of a tree, mean", _NONE, float(np.mean(nodes))),
        Fact("nodes of the largest tree", _NONE, float(max(nodes))),
        Fact("one tree (KB)", _NONE, 4 * float(np.mean(nodes)) / 1024),
        Fact("trees of all goals of a map (MB)", _NONE, float(np.mean(whole))),
    ]
    return Drawn([], facts)


ILLUSTRATIONS: dict[str, Callable[["SuiteResults | None"], Drawn]] = {
    "depths": _depths,
    "stored-depths": _stored_depths,
    "cliques": _cliques,
    "shared-actions": _shared_actions,
    "intermediate-goals": _intermediate_goals,
    "records": _records,
    "record-walk": _record_walk,
    "kd-tree": _kd_tree,
    "detour": _detour,
    "depression": _depression,
    "maps": _maps,
    "tree-memory": _tree_memory,
}
"""By the names that descriptions use."""
