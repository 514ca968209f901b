"""Two commits side by side: the same work by each, in processes that take turns, so that both see the same machine.

python -m benchmarks.versus OLD [NEW] [--rounds N] [--only WORDS ...]; without NEW, what stands in the working tree.
"""

import argparse
from collections import defaultdict

from benchmarks import report
from benchmarks.commits import checked_out, run_in

MAP = "dao/orz900d.map"

# What a process measures, by public calls that every commit has; the least of some repetitions, in thread time.
WORK = """
import json, os, sys, time
import numpy as np
import waypost as wp

LEARNERS = "lrta", "rta", "lrta-k", "plrta", "lss", "rtaa", "lrts"

def least(work, repetitions=3, clock=time.thread_time_ns):
    times = []
    for _ in range(repetitions):
        began = clock()
        count = work()
        times.append((clock() - began) / count)
    return min(times)

found, wanted = {}, sys.argv[2:]

def measure(what, made):
    if not wanted or any(word in what for word in wanted):
        found[what] = made()

folder = os.environ.get("WAYPOST_MAPS")
place = os.path.join(folder, sys.argv[1]) if folder else "caves"
grid = wp.load_map(place)
problems = wp.sample_problems(grid, 60, 1)
ends = [grid.xys(np.array([getattr(problem, end) for problem in problems])) for end in ("start", "goal")]

def solved(name, most=20_000, **params):
    agent = wp.build(name, grid, threads=1, **params).agent()
    few = problems[:10] if name in LEARNERS else problems
    def work():
        moves = 0
        for problem in few:
            agent.reset(problem)
            moves += len(agent.walk(most).work)
        return moves
    work()
    return least(work)

def searched(name):
    agent = wp.build(name, grid, threads=1).agent()
    def work():
        for problem in problems:
            agent.reset(problem)
            agent.path_cost()
        return len(problems)
    work()
    return least(work) / 1000

def built(name, **params):
    def work():
        wp.build(name, grid, threads=1, **params)
        return 1
    return least(work, 5, time.process_time_ns) / 1e6

def batched(name, paths):
    planner = wp.build(name, grid, threads=1)
    few = [np.tile(places, (10, 1)) for places in ends]  # so many that what a batch costs in itself does not count
    def work():
        return int((planner.batch(*few, paths=paths, threads=1).costs >= 0).sum())
    return least(work, 5, time.process_time_ns) / 1000  # its threads are not this one

def asked(name):
    planner = wp.build(name, grid, threads=1)
    pairs = [(tuple(start), tuple(goal)) for start, goal in zip(*(places.tolist() for places in ends))]
    def work():
        for start, goal in pairs:
            planner.path(start, goal)
        return len(pairs)
    work()
    return least(work, 15) / 1000

def ticked():
    places = grid.xys(np.flatnonzero(grid.component == grid.component_sizes.argmax()))
    random = np.random.default_rng(0)
    starts, goals = (random.choice(places, 100_000) for _ in range(2))
    fleet = wp.build("dba", grid, threads=1).fleet(starts, goals, threads=1)
    for _ in range(60):
        fleet.tick()
    return least(lambda: sum(fleet.tick().moved for _ in range(10)), 9)

def stepped():
    agent = wp.build("dba", grid, threads=1).agent()
    def work():
        moves = 0
        for problem in problems[:20]:
            agent.reset(problem)
            while agent.cell != agent.goal:
                agent.step()
                moves += 1
        return moves
    return least(work)

measure("load_map, ms", lambda: least(lambda: bool(wp.load_map(place))) / 1e6)
for name in ("astar", "jps", "pra-sector", "pra-clique"):
    measure(f"{name}, us per path", lambda: searched(name))
for name in ("jps", "astar", "dba", "tba", "pra-sector"):
    measure(f"{name}, us per problem of a batch", lambda: batched(name, False))
    measure(f"{name}, us per path of a batch", lambda: batched(name, True))
    measure(f"{name}, us per planner.path()", lambda: asked(name))
for name, params in {
    "lrta": {}, "rta": {}, "lrta-k": {}, "plrta": {}, "lss": {}, "rtaa": {}, "lrts": {}, "tba": {}, "dba": {},
    "hcdps": {}, "knn": {"records": 2000}, "trees": {"goals_kept": 100}, "dlrta": {"level": 7}, "prlrta": {},
}.items():
    measure(f"{name}, ns per move", lambda: solved(name, **params))
for name, params in {
    "dba": {}, "hcdps": {}, "knn": {"records": 500}, "dlrta": {"level": 7}, "prlrta": {}, "pra-sector": {},
    "pra-clique": {},
}.items():
    measure(f"{name}, ms to build", lambda: built(name, **params))
measure("dba fleet, ns per agent and move", ticked)
measure("dba, ns per step()", stepped)
print(json.dumps(found))
"""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.versus")
    parser.add_argument("old")
    parser.add_argument("new", nargs="?")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--only", nargs="+", default=[], metavar="WORDS", help="measures whose names have any of these")
    asked = parser.parse_args()
    report.start(f"{asked.new or 'the working tree'} beside {asked.old}")
    with checked_out(asked.old, asked.new) as trees:
        least: list[dict[str, float]] = [defaultdict(lambda: float("inf")) for _ in trees]
        for number in range(asked.rounds + 1):  # the first compiles
            for tree, found in zip(trees, least, strict=True):
                for name, value in run_in(tree, WORK, MAP, *asked.only).items():
                    found[name] = min(found[name], value) if number else found[name]
    print(f"  least of {asked.rounds} rounds{'':22} old      new   change")
    for name, old in least[0].items():
        print(f"  {name:38} {old:8.1f} {least[1][name]:8.1f} {100 * (least[1][name] / old - 1):+7.1f} %")


if __name__ == "__main__":
    main()
