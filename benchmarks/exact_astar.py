"""A* against the lengths stored with real scenarios, and against a plain-Python Dijkstra on random small grids."""

import sys
import time

import numpy as np

import waypost as wp
from benchmarks import report
from tests.oracle.dijkstra import all_costs
from tests.oracle.rules import COSTS, DIAGONALS, check_walk, walk_cost
from tests.support.worlds import random_open, random_place
from waypost.maps import movingai
from waypost.world.problem import spread
from waypost.world.search import Search

PER_MAP = 20
RANDOM_PROBLEMS = 20_000


def stored_lengths() -> tuple[int, int, float]:
    """Scenarios checked, how many differ, and the largest relative difference."""
    checked = wrong = 0
    worst = 0.0
    for folder in ("dao", "rooms", "mazes", "random"):
        for path in sorted((report.maps_folder() / folder).glob("*.map")):
            grid = wp.load_map(path)
            search = Search(grid)
            reachable = [s for s in movingai.read_scenarios(f"{path}.scen") if s.length > 0]
            for scenario in spread(reachable, PER_MAP):
                problem = movingai.scenario_problem(scenario, grid)
                found = grid.length(search.solve(problem.start, problem.goal))
                checked += 1
                wrong += abs(found - scenario.length) > 1e-5 * scenario.length
                worst = max(worst, abs(found / scenario.length - 1))
    return checked, wrong, worst


def unreachable_refused() -> int:
    """How many dao scenarios between two components are refused."""
    refused = 0
    for path in sorted((report.maps_folder() / "dao").glob("*.map")):
        zero = [s for s in movingai.read_scenarios(f"{path}.scen") if s.length == 0 and s.start != s.goal]
        if not zero:
            continue
        planner = wp.build("astar", wp.load_map(path))
        for scenario in zero:
            try:
                planner.path(scenario.start, scenario.goal)
            except wp.Unreachable:
                refused += 1
    return refused


def random_grids() -> int:
    """How many of the random problems, over all rules and costs, differ from the oracle."""
    random = np.random.default_rng(2026)
    wrong = done = 0
    while done < RANDOM_PROBLEMS:
        is_open = random_open(random, largest=14)
        rule, costs = random.choice(DIAGONALS), random.choice(list(COSTS))
        grid = wp.Grid(is_open, diagonals=rule, costs=costs)
        search, start = Search(grid), random_place(random, is_open)
        exact = all_costs(is_open, rule, costs, start)
        for goal in (random_place(random, is_open) for _ in range(4)):
            search.begin(grid.cell(start), grid.cell(goal))
            search.advance()
            wrong += search.cost(grid.cell(goal)) != exact.get(goal, -1)
            if goal in exact:
                path = [grid.xy(cell) for cell in search.path(grid.cell(goal))]
                check_walk(is_open, rule, path, start, goal)
                wrong += walk_cost(rule, costs, path) != exact[goal]
            done += 1
    return wrong


def main() -> None:
    report.start("Exact A*")
    begin = time.perf_counter()
    checked, wrong, worst = stored_lengths()
    print(f"  {checked:,} scenarios, {PER_MAP} per map; largest relative difference {worst:.2g}")
    held = [
        report.bar("scenarios that differ from the stored length", wrong, "", at_most=0),
        report.bar("unreachable dao scenarios refused", unreachable_refused(), "", at_least=173),
        report.bar(f"of {RANDOM_PROBLEMS:,} random problems differ from the oracle", random_grids(), "", at_most=0),
    ]
    print(f"  {time.perf_counter() - begin:.1f} s")
    sys.exit(not all(held))


if __name__ == "__main__":
    main()
