"""Expansions per second of exact A* on the ten maps of the 2013 paper: parents kept, 8 neighbours, no pruning."""

import sys
import time

import waypost as wp
from benchmarks import report
from waypost.maps import movingai
from waypost.problem import spread
from waypost.search import Search

PER_MAP = 100
ROUNDS = 5


def main() -> None:
    report.start("A* speed")
    all_expansions = 0
    all_seconds = 0.0
    for name in report.PAPER_2013:
        path = report.maps_folder() / "dao" / f"{name}.map"
        grid = wp.load_map(path)
        scenarios = [s for s in movingai.read_scenarios(f"{path}.scen") if s.length > 0]
        problems = [movingai.scenario_problem(s, grid) for s in spread(scenarios, PER_MAP)]
        search = Search(grid)
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
        seconds = sorted(rounds)[ROUNDS // 2]
        print(
            f"  {name}: {expansions / seconds / 1e6:5.1f} M/s, {1e6 * seconds / len(problems):6,.0f} us and "
            f"{expansions / len(problems):7,.0f} expansions per query"
        )
        all_expansions += expansions
        all_seconds += seconds
    held = report.bar("all ten maps", all_expansions / all_seconds / 1e6, "million expansions per second", at_least=25)
    sys.exit(not held)


if __name__ == "__main__":
    main()
