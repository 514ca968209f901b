"""Whether two commits do the same: every walk of every planner, and every byte of every index.

python -m benchmarks.same OLD [NEW]; without NEW, what stands in the working tree. On the bundled maps, and on ten of
the benchmark maps where WAYPOST_MAPS says where they are. Planners are those that both commits have.
"""

import argparse
import json
import os
import sys

from benchmarks import report
from benchmarks.commits import checked_out, run_in

MAPS = (
    "bg/AR0012SR.map", "bg/AR0405SR.map", "bg/AR0602SR.map", "dao/arena2.map", "dao/den502d.map", "dao/hrt201n.map",
    "mazes/maze512-32-0.map", "random/random512-10-0.map", "rooms/8room_000.map",
    "wc3/adrenaline.map",
)  # fmt: skip

# What a process finds on one map, by public calls that every commit has.
WORK = """
import hashlib, json, sys, tempfile
from pathlib import Path
import numpy as np
import waypost as wp
from waypost.catalog import CATALOG

PARAMS = {"knn": {"records": 500}, "knn-2009": {"records": 500}, "trees": {"goals_kept": 100}}
HEAVY = ("dlrta", "lrta-pdb-g", "lrta-pdb-pdb")

grid = wp.load_map(sys.argv[1])
problems = wp.sample_problems(grid, 12, 1)
many = wp.sample_problems(grid, 300, 2)
found = {}
for name, entry in CATALOG.items():
    params = dict(PARAMS.get(name, {}))
    if name in HEAVY and grid.open_count > 20_000:
        params["level"] = 7
    try:
        planner = wp.build(name, grid, threads=2, **params)
    except wp.WaypostError as refusal:  # more labels than the budget, say
        found[f"{name}: walks"] = str(refusal)
        continue
    if entry.index:
        with tempfile.TemporaryDirectory() as folder:
            planner.save(Path(folder, "index"))
            found[f"{name}: index"] = hashlib.sha256(Path(folder, "index").read_bytes()).hexdigest()
    agent, digest = planner.agent(), hashlib.sha256()
    for problem in problems:
        try:
            agent.reset(problem)
            walk = agent.walk(3_000)
            digest.update(np.ascontiguousarray(walk.cells).tobytes() + np.ascontiguousarray(walk.work).tobytes())
        except wp.WaypostError as refusal:  # a tree that is too large for its file, say
            digest.update(str(refusal).encode())
    found[f"{name}: walks"] = digest.hexdigest()
    if entry.walks:
        starts, goals = ([grid.xy(getattr(problem, end)) for problem in many] for end in ("start", "goal"))
        digest = hashlib.sha256()
        try:
            fleet = planner.fleet(starts, goals)
            for _ in range(200):
                fleet.tick()
                digest.update(np.ascontiguousarray(fleet.xy).tobytes())
        except wp.WaypostError as refusal:
            digest.update(str(refusal).encode())
        found[f"{name}: fleet"] = digest.hexdigest()
print(json.dumps(found))
"""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.same")
    parser.add_argument("old")
    parser.add_argument("new", nargs="?")
    asked = parser.parse_args()
    report.start(f"{asked.new or 'the working tree'} does what {asked.old} did")
    folder, different = os.environ.get("WAYPOST_MAPS"), 0
    with checked_out(asked.old, asked.new) as trees:
        bundled = run_in(trees[0], "import json, waypost; print(json.dumps([*waypost.bundled_maps()]))")
        for place in [*bundled, *(os.path.join(folder, name) for name in MAPS if folder)]:
            old, new = (run_in(tree, WORK, place) for tree in trees)
            changed = [name for name in old if name in new and old[name] != new[name]]
            missing = sorted(old.keys() ^ new.keys())
            different += len(changed)
            kinds = {kind: sum(name.endswith(kind) for name in old) for kind in ("walks", "index", "fleet")}
            print(f"  {os.path.basename(place):24} {json.dumps(kinds)} different: {', '.join(changed) or 'none'}"
                  + (f"; only one has {', '.join(missing)}" if missing else ""), flush=True)  # fmt: skip
    sys.exit(f"{different} different" if different else 0)


if __name__ == "__main__":
    main()
