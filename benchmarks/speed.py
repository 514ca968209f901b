"""Expansions per second of exact A* on the ten maps of the 2013 paper: parents kept, 8 neighbours, no pruning.

Beside it, in the same run, the time per query of weighted A* (gamma 0.5) and Dijkstra.
"""

import statistics
import sys
import time

import waypost as wp
from benchmarks import report
from waypost.maps import movingai
from waypost.problem import Problem, spread
from waypost.search import Search

PER_MAP = 100
ROUNDS = 9
SEARCHES = {"A*": (1, 1), "weighted A*": (1, 2), "Dijkstra": (1, 0)}


def measure(search: Search, problems: list[Problem]) -> tuple[int, float, float]:
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
        for name, (g_weight, h_weight) in SEARCHES.items():
            expansions, seconds, least = measure(Search(grid, g_weight=g_weight, h_weight=h_weight), problems)
            for i, value in enumerate((expansions, seconds, least)):
                totals[name][i] += value
            line += f"  {name} {expansions / seconds / 1e6:4.1f} M/s {1e6 * seconds / PER_MAP:6,.0f} us/query"
        print(line, flush=True)
    for name, (_, spent, _) in totals.items():
        print(f"  {name}: {1e6 * spent / PER_MAP / len(report.PAPER_2013):,.0f} us per query over all maps")
    expanded, median, best = totals["A*"]
    print(f"  A*, fastest round of each map: {expanded / best / 1e6:.1f} million expansions per second")
    speed = expanded / median / 1e6
    held = report.bar("A* on all ten maps", speed, "million expansions per second", at_least=25)
    sys.exit(not held)


if __name__ == "__main__":
    main()
