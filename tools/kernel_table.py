"""Write src/waypost/machine_code/signatures.json: the signature of every kernel, and which planners use it.

Each planner is rehearsed in a process of its own, so that all it uses is seen, then all kernels are compiled once more
for the time that each takes. `make kernel-table` runs this; with the name of a planner it only prints what that uses.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from waypost.kernels.compiling import ENTRY_POINTS
from waypost.machine_code import signatures

WORLD = "the world"
"""What no planner uses: maps, their generators and scenario files."""
USES = "planners", "batches", "fleets"


def used() -> dict[str, str]:
    """The kernels that this process has used, with their signatures."""
    kernels = {f"{kernel.__module__}.{kernel.__qualname__}": kernel for kernel in ENTRY_POINTS}
    return {
        name: signatures.written(signature)
        for name, kernel in sorted(kernels.items())
        for signature in kernel.signatures
        if name.startswith("waypost.")
    }


def rehearse_world() -> None:
    """Make maps of all kinds, write and read a file of each."""
    import numpy as np

    import waypost as wp
    from waypost.maps import generate, scenarios
    from waypost.world.search import Search

    for kind in generate.GENERATORS:
        grid = wp.Grid(generate.generate(kind, 80, 60, 1))
    with tempfile.TemporaryDirectory() as folder:
        place, problems = Path(folder) / "small.map", Path(folder) / "small.scen"
        wp.save_map(grid, place)
        grid = wp.load_map(place)
        scenarios.write_scenarios(problems, grid, wp.sample_problems(grid, 100, 1), place.name)
        wp.load_problems(problems, grid)
        wp.sample_problems(grid, 3, 1, min_length=5)
    grid.inflate(1.0).for_size(2)
    start, end = (grid.xy(cell) for cell in np.flatnonzero(grid.component)[:2].tolist())
    if grid.sees(start, end):
        grid.smooth([start, end])
    rehearse_edits(grid)
    search = Search(grid, h_weight=0)
    search.begin_all(int(grid.component.argmax()))
    search.advance()
    search.costs()


def rehearse_edits(grid: Any) -> None:
    """Edit a World of a map, with a fleet on it."""
    import waypost as wp

    world = wp.World(grid)
    world.for_size(2)
    first, *_, last = grid.xys(grid.component.nonzero()[0].astype("int32")).tolist()
    world.fleet([first] * 1000, last, nearest=True).tick()  # more turns than there is room for at first
    fleet = world.fleet([first] * 3, last, nearest=True, patience=0)
    for i in range(60):
        world.edit([last], open=bool(i % 2))
        if not i % 9:
            fleet.retarget([1], first)
            fleet.retarget([1], last)
        elif i % 4 == 1:
            fleet.retarget([1], fleet.xy[1])  # who was asked for has no way to go any more
        fleet.tick()
    world.block([last], until=5)
    world.edit(rectangle=(0, 0, grid.width, grid.height), open=False)
    world.edit(mask=grid.is_open)
    fleet.tick()


def survey(planner: str) -> dict[str, dict[str, str]]:
    """What a planner uses, what its batches use besides, and what its fleets use besides these."""
    from waypost import rehearsal

    if planner == WORLD:
        rehearse_world()
        return {"planners": used(), "batches": {}, "fleets": {}}
    found, known = {}, set()
    ways = rehearsal.rehearse, rehearsal.rehearse_batches, rehearsal.rehearse_fleet
    for use, rehearse in zip(USES, ways, strict=True):
        rehearse(planner)
        found[use] = {name: text for name, text in used().items() if name not in known}
        known |= set(found[use])
    return found


def seconds() -> dict[str, float]:
    """About how long each kernel takes to compile, one after the other in one process."""
    from waypost.preparing.missing import all_kernels
    from waypost.preparing.worker import compile_kernel

    return {name: round(compile_kernel(name), 2) for name in all_kernels()}


def ask(*arguments: str, cache: str | None = None) -> Any:
    """The answer of a process of its own."""
    everywhere = "WAYPOST_CACHE", "NUMBA_CACHE_DIR", "TMPDIR"  # that machine code is looked for
    environment = os.environ | (dict.fromkeys(everywhere, cache) if cache else {})
    command = [sys.executable, "-m", "tools.kernel_table", *arguments]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, env=environment).stdout)


def main() -> None:
    if sys.argv[1:]:
        print(json.dumps(seconds() if sys.argv[1] == "seconds" else survey(sys.argv[1])))
        return
    from waypost import catalog

    found: dict[str, str] = {}
    uses: dict[str, dict[str, list[str]]] = {use: {} for use in USES}
    write({}, {}, uses)  # what is stale must not be compiled
    for planner in (WORLD, *catalog.CATALOG):
        print(planner, file=sys.stderr, flush=True)
        answer = ask(planner)
        for use, kernels in answer.items():
            for name, text in kernels.items():
                if found.setdefault(name, text) != text:
                    raise SystemExit(f"{name} has two signatures:\n{found[name]}\n{text}")
            if planner != WORLD and kernels:
                uses[use][planner] = sorted(kernels)
    write(found, {}, uses)
    with tempfile.TemporaryDirectory() as cache:
        write(found, ask("seconds", cache=cache), uses)


def write(found: dict[str, str], times: dict[str, float], uses: dict[str, dict[str, list[str]]]) -> None:
    """The table, one kernel or planner to a line."""
    kernels = {name: [text, times.get(name, 0.0)] for name, text in sorted(found.items())}
    signatures.TABLE.write_text(json.dumps({"kernels": kernels} | uses, indent=0) + "\n")


if __name__ == "__main__":
    main()
