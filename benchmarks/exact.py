"""Every reachable scenario of the MovingAI sets by jump point search, all cores: does each have its stored length?"""

import sys
import time

import numpy as np

import waypost as wp
from benchmarks import report
from waypost.maps import movingai


def main() -> None:
    report.start("Exact jump point search on every scenario of dao, rooms, mazes and random")
    begin = time.perf_counter()
    solved = wrong = 0
    for folder in ("dao", "rooms", "mazes", "random"):
        since = time.perf_counter()
        before = solved
        for path in sorted((report.maps_folder() / folder).glob("*.map")):
            planner = wp.build("jps", wp.load_map(path))
            scenarios = [s for s in movingai.read_scenarios(f"{path}.scen") if s.length > 0]
            starts, goals = np.array([s.start for s in scenarios]), np.array([s.goal for s in scenarios])
            stored = np.array([s.length for s in scenarios])
            found = planner.batch(starts, goals).lengths
            wrong += int(np.count_nonzero(~(np.abs(found - stored) <= 1e-5 * stored)))
            solved += len(scenarios)
        print(f"  {folder}: {solved - before:,} scenarios in {time.perf_counter() - since:.1f} s", flush=True)
    held = [
        report.bar(f"of {solved:,} scenarios differ from the stored length", wrong, "", at_most=0),
        report.bar("all of it, files and all", time.perf_counter() - begin, "s", at_most=60),
    ]
    sys.exit(not all(held))


if __name__ == "__main__":
    main()
