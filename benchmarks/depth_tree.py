"""Dynamic control of LRTA*: lookahead depth by decision tree and by oracle, beside fixed depth (2008, figure 11).

The maps are not the paper's, whose outdoor maps have no names: three outdoor maps of Baldur's Gate, where LRTA* has a
hard time, and three of Warcraft III, whose sizes are the paper's.
"""

import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

import waypost as wp
from benchmarks import report
from waypost.catalog import CATALOG, check_params
from waypost.indexes.building import Works
from waypost.planners.depths.fit import Fit
from waypost.planners.depths.index import DepthTree, train
from waypost.world.problem import Problem

MAPS = ("AR0405SR", "AR0504SR", "AR0505SR")
TRAINING_MAPS = ("arena2", "den011d", "den204d", "den312d", "hrt201d", "lak303d")  # of dao, of moderate size
OPEN_MAPS = ("darkforest", "petrifiedforest", "divideandconquer")  # of wc3
OPEN_TRAINING_MAPS = (
    "battleground", "blastedlands", "dragonfire", "drywatergulch", "dustwallowkeys", "frostsabre", "gardenofwar",
    "gnollwood", "harvestmoon", "losttemple", "plaguelands", "riverrun",
)  # fmt: skip
OPEN_DEEPEST, OPEN_DEPTHS = (5, 10, 15), (1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 15)
OPEN_TRAINING_PROBLEMS, OPEN_PRUNING = 30, 0.001
PROBLEMS, TRAINING_PROBLEMS, SEED = 100, 50, 2008
FIXED_DEPTHS = range(1, 21)
TREE_DEEPEST, ORACLE_DEEPEST = (5, 10, 15, 20), (*range(2, 16), 20, 25)  # close together: a chord lies above a curve
MOST_MOVES = 1_000_000
RESAMPLED = 1000

World = tuple[wp.Grid, list[Problem]]


class Walks(NamedTuple):
    """One setting on all problems of all maps, in order."""

    suboptimality: npt.NDArray[np.float64]
    """Cost of each walk in optimal costs."""
    expansions: npt.NDArray[np.float64]
    """Mean expansions per move of each."""


def loaded(game: str, names: Sequence[str]) -> list[wp.Grid]:
    """Maps of a game."""
    return [wp.load_map(report.maps_folder() / game / f"{name}.map") for name in names]


def worlds(game: str, names: Sequence[str]) -> dict[str, World]:
    """Maps, and problems of an optimal length of 90 to 100."""
    made = {}
    for name, grid in zip(names, loaded(game, names), strict=True):
        made[name] = grid, wp.sample_problems(grid, PROBLEMS, SEED, min_length=90, max_length=100)
    return made


def walk_all(title: str, planner_of: Callable[[str, wp.Grid], wp.Planner], all_worlds: Mapping[str, World]) -> Walks:
    """Walk on every problem; print what became of it."""
    ratios, expansions, most, late = [], [], 0, 0
    for name, (grid, problems) in all_worlds.items():
        agent = planner_of(name, grid).agent()
        for problem in problems:
            agent.reset(problem)
            walk = agent.walk(MOST_MOVES)
            assert problem.optimal
            ratios.append(grid.path_cost(walk.cells) / problem.optimal)
            expansions.append(float(walk.work[:, 0].mean()))
            most = max(most, int(walk.work[:, 0].max()))
            late += walk.status is not wp.RunStatus.ARRIVED
    walks = Walks(np.array(ratios), np.array(expansions))
    print(
        f"    {title}: {walks.suboptimality.mean():.3f} times optimal (median {np.median(walks.suboptimality):.3f}), "
        f"expansions per move {walks.expansions.mean():.1f}, at most {most}{f'; {late} not arrived' if late else ''}",
        flush=True,
    )
    return walks


def beside(ours: Walks, curve: list[Walks]) -> tuple[float, float, float]:
    """Our mean suboptimality over that of a curve at equal expansions per move, and the ends of its 95 % interval.

    Problems are drawn again and again, for ours and for the curve alike; between its points the curve is straight.
    """
    random = np.random.default_rng(SEED)
    count = ours.suboptimality.size
    draws = np.concatenate([np.arange(count)[None], random.integers(0, count, (RESAMPLED, count))])

    def means(walks: Walks) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        return walks.expansions[draws].mean(axis=1), walks.suboptimality[draws].mean(axis=1)

    at, mine = means(ours)
    x, y = (np.stack(column, axis=1) for column in zip(*map(means, curve), strict=True))
    ratios = mine / np.array([np.interp(at[i], x[i], y[i]) for i in range(len(draws))])
    low, high = np.percentile(ratios[1:], (2.5, 97.5))
    return float(ratios[0]), float(low), float(high)


def any_map(name: str, **params: Any) -> Callable[[str, wp.Grid], wp.Planner]:
    """Planners that need nothing but the map."""
    return lambda _, grid: wp.build(wp.PlannerName(name), grid, **params)


def tree_planners(fits: Mapping[str, Fit], params: Mapping[str, Any]) -> Callable[[str, wp.Grid], wp.Planner]:
    """Planners that use the tree trained for each map."""
    entry = CATALOG["lrta-dt-g"]

    def planner_of(name: str, grid: wp.Grid) -> wp.Planner:
        return wp.Planner(entry, grid, params, DepthTree.from_arrays(grid, params, fits[name].arrays))

    return planner_of


def trained(title: str, grids: list[wp.Grid], params: Mapping[str, Any], pruning: float | None = None) -> Fit:
    """A tree trained on these maps."""
    works = Works(show_progress=False)
    fit = train(grids, params, works, pruning)
    print(
        f"    {title}: {fit.arrays['feature'].size} nodes, right in {100 * fit.accuracy:.1f} % of "
        f"{fit.confusion.sum():,} samples by cross-validation, pruned by {fit.alpha:g}, {works.seconds:.1f} s",
        flush=True,
    )
    return fit


def depths_by_tree_and_oracle() -> list[bool]:
    """Trees beat fixed depth on maps that they were not trained on, and lie between it and the oracle."""
    bg, dao = worlds("bg", MAPS), loaded("dao", TRAINING_MAPS)
    print("  LRTA*(F,G)", flush=True)
    fixed = [walk_all(f"depth {depth}", any_map("lrta", depth=depth), bg) for depth in FIXED_DEPTHS]
    print("  LRTA*(ORACLE,G), expansions of the depth that it chooses", flush=True)
    oracle = [
        walk_all(f"deepest {deepest}", any_map("lrta-oracle-g", deepest=deepest), bg) for deepest in ORACLE_DEEPEST
    ]
    for walks, deepest in zip(oracle, ORACLE_DEEPEST, strict=True):
        tell(f"oracle of {deepest} beside fixed depth", beside(walks, fixed))
    held = []
    for deepest in TREE_DEEPEST:
        params = check_params(CATALOG["lrta-dt-g"], {"deepest": deepest, "problems": TRAINING_PROBLEMS, "seed": SEED})
        print(f"  LRTA*(DT,G), deepest {deepest}", flush=True)
        fit = trained("trained on dao", dao, params)
        by_dao = walk_all("tree of dao", tree_planners(dict.fromkeys(bg, fit), params), bg)
        others = {name: [bg[other][0] for other in bg if other != name] for name in bg}
        fits = {name: trained(f"trained without {name}", grids, params) for name, grids in others.items()}
        by_others = walk_all("trees of the other two maps", tree_planners(fits, params), bg)
        for title, walks in (("dao", by_dao), ("the other maps", by_others)):
            _, _, high = tell(f"tree of {title} beside fixed depth", beside(walks, fixed))
            held.append(report.bar(f"deepest {deepest}, tree of {title}: upper end", high, "of fixed depth", at_most=1))
            tell(f"tree of {title} beside the oracle", beside(walks, oracle))
    return held


def trees_on_open_maps() -> list[bool]:
    """Trees of twelve maps of Warcraft III beat fixed depth on three others, though few problems there need it."""
    wc3, others = worlds("wc3", OPEN_MAPS), loaded("wc3", OPEN_TRAINING_MAPS)
    print("  Warcraft III, LRTA*(F,G)", flush=True)
    fixed = [walk_all(f"depth {depth}", any_map("lrta", depth=depth), wc3) for depth in OPEN_DEPTHS]
    held = []
    for deepest in OPEN_DEEPEST:
        given = {"deepest": deepest, "problems": OPEN_TRAINING_PROBLEMS, "seed": SEED}
        params = check_params(CATALOG["lrta-dt-g"], given)
        fit = trained(f"deepest {deepest}, trained on twelve maps", others, params, OPEN_PRUNING)
        walks = walk_all("tree of twelve maps", tree_planners(dict.fromkeys(wc3, fit), params), wc3)
        _, _, high = tell("tree beside fixed depth", beside(walks, fixed))
        held.append(report.bar(f"Warcraft III, deepest {deepest}: upper end", high, "of fixed depth", at_most=1))
        oracle = walk_all("oracle", any_map("lrta-oracle-g", deepest=deepest), wc3)
        tell("oracle beside fixed depth", beside(oracle, fixed))
    return held


def tell(title: str, figures: tuple[float, float, float]) -> tuple[float, float, float]:
    """Print a ratio of suboptimalities at equal expansions per move."""
    ratio, low, high = figures
    print(f"    {title}: {ratio:.3f} times as long at equal expansions [{low:.3f}, {high:.3f}]", flush=True)
    return figures


def main() -> int:
    report.start("Dynamic control")
    held = [*trees_on_open_maps(), *depths_by_tree_and_oracle()]
    return 0 if all(held) else 1


if __name__ == "__main__":
    sys.exit(main())
