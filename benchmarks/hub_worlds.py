"""Hub labels on a hundred thousand random small worlds: costs against Dijkstra, walks against the twin, move by move.

`python -m benchmarks.hub_worlds [WORLDS]` ends with the first world in which something differs. Killed, it goes on
behind the last thousand that were right, as long as no kernel has changed.
"""

import sys
import time
from pathlib import Path

import numpy as np

from benchmarks import report
from tests.oracle.dijkstra import all_costs
from tests.oracle.rules import COSTS, DIAGONALS, check_walk, walk_cost
from tests.planners.hub.twin_maps import some_map
from tests.planners.hub.twins import Pair, random_params
from tests.support.worlds import random_open, random_place
from waypost.machine_code import sources

WORLDS = 100_000
AT_ONCE = 1000
GOALS = 4
OTHER_RULES = 20  # one world in so many, where every cell is a node
DONE = Path("build") / f"hub-worlds-{sources.package_digest()[:16]}.txt"
"""A line for each thousand that is right: its number, and how many problems that were."""


def check_world(random: np.random.Generator, number: int) -> int:
    """One world: costs of some goals and walks there; returns how many problems were solved."""
    rule = DIAGONALS[number // OTHER_RULES % len(DIAGONALS)] if number % OTHER_RULES == 0 else "both-open"
    costs = list(COSTS)[number % 2]
    if rule != "both-open":
        is_open = random_open(random, largest=6)
    elif number % 3:
        is_open = random_open(random, largest=12)
    else:
        is_open = some_map(random, rule, costs)
    start, goals = random_place(random, is_open), [random_place(random, is_open) for _ in range(GOALS)]
    exact = all_costs(is_open, rule, costs, start)
    near = [goal for goal in goals if goal in exact] or [start]
    pair = Pair("hub", (is_open, rule, costs), start, near[0], **random_params(random))
    wanted = [exact.get(goal, -1) for goal in goals]
    assert pair.planner.cost([start] * GOALS, goals, threads=1).tolist() == wanted
    for goal in near:
        pair.reset(start, goal)
        pair.follow()
        path = [tuple(place) for place in pair.planner.path(start, goal).tolist()]
        check_walk(is_open, rule, path, start, goal)
        assert walk_cost(rule, costs, path) == exact[goal]
    return GOALS


def main() -> None:
    report.start("Hub labels on random small worlds")
    worlds = int(sys.argv[1]) if len(sys.argv) > 1 else WORLDS
    DONE.parent.mkdir(exist_ok=True)
    done = {int(line.split()[0]) for line in DONE.read_text().splitlines()} if DONE.exists() else set()
    print(f"  {len(done) * AT_ONCE:,} worlds were done before: {DONE}")
    began = time.process_time()
    for batch in sorted(set(range(worlds // AT_ONCE)) - done):
        asked = 0
        for number in range(batch * AT_ONCE, (batch + 1) * AT_ONCE):
            try:
                asked += check_world(np.random.default_rng((24, number)), number)
            except Exception as error:
                error.add_note(f"in world {number:,}")
                raise
        with DONE.open("a") as file:
            file.write(f"{batch} {asked}\n")
    problems = sum(int(line.split()[1]) for line in DONE.read_text().splitlines())
    print(f"  {worlds:,} worlds, {problems:,} problems: no cost, move or walk differs")
    print(f"  {time.process_time() - began:.0f} s in this run")


if __name__ == "__main__":
    main()
