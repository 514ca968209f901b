"""Expansions per second of exact A* on the ten maps of the 2013 paper: parents kept, 8 neighbours, no pruning.

Beside it, in the same run, the time per query, full path included, of weighted A* (gamma 0.5), Dijkstra and jump
point search.
"""

import statistics
import sys
import time
from collections.abc import Callable

import waypost as wp
from benchmarks import report
from waypost.maps import movingai
from waypost.world.jump_search import JumpSearch
from waypost.world.problem import Problem, spread
from waypost.world.search import Search

PER_MAP = 100
ROUNDS = 9
SEARCHES: dict[str, Callable[[wp.Grid], Search | JumpSearch]] = {
    "A*": Search,
    "weighted A*": lambda grid: Search(grid, h_weight=2),
    "Dijkstra": lambda grid: Search(grid, h_weight=0),
    "JPS": JumpSearch,
}


def measure(search: Search | JumpSearch, problems: list[Problem]) -> tuple[int, float, float]:
    """Expansions of all problems, and the median and the least over rounds of the seconds they take."""
    expansions = 0
    for problem in problems:  # also warms up
        search.solve(problem.start, problem.goal)
        expansions += search.expansions
    rounds = []
    for _ in range(ROUNDS):
        begin = time.perf_counter()
        for problem in problems:
            search.solve(problem.start, problem.goal)
            search.path(problem.goal)
        rounds.append(time.perf_counter() - begin)
    return expansions, statistics.median(rounds), min(rounds)


def main() -> None:
    report.start(f"A* speed, {PER_MAP} scenarios per map")
    totals = {name: [0, 0.0, 0.0] for name in SEARCHES}
    for map_name in report.PAPER_2013:
        path = report.maps_folder() / "dao" / f"{map_name}.map"
        grid = wp.load_map(path)
        scenarios = [s for s in movingai.read_scenarios(f"{path}.scen") if s.length > 0]
        problems = [movingai.scenario_problem(s, grid) for s in spread(scenarios, PER_MAP)]
        line = f"  {map_name}:"
        for name, make in SEARCHES.items():
            expansions, seconds, least = measure(make(grid), problems)
            for i, value in enumerate((expansions, seconds, least)):
                totals[name][i] += value
            line += f"  {name} {expansions / seconds / 1e6:4.1f} M/s {1e6 * seconds / PER_MAP:6,.0f} us/query"
        print(line, flush=True)
    per_query = {name: 1e6 * spent / PER_MAP / len(report.PAPER_2013) for name, (_, spent, _) in totals.items()}
    for name, microseconds in per_query.items():
        print(f"  {name}: {microseconds:,.0f} us per query over all maps, {per_query['A*'] / microseconds:.1f}x A*")
    expanded, median, best = totals["A*"]
    print(f"  A*, fastest round of each map: {expanded / best / 1e6:.1f} million expansions per second")
    speed = expanded / median / 1e6
    held = [
        report.bar("A* on all ten maps", speed, "million expansions per second", at_least=25),
        report.bar("jump point search, full path", per_query["JPS"], "us per query", at_most=150),
    ]
    sys.exit(not all(held))


if __name__ == "__main__":
    main()
