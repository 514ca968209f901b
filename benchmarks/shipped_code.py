"""Machine code of a wheel beside code for this very processor, by turns: python -m benchmarks.shipped_code [PYTHON]."""

import json
import os
import subprocess
import sys
import tempfile
from collections import defaultdict
from math import prod
from pathlib import Path

import llvmlite.binding as llvm

from benchmarks import report
from benchmarks.start import SHIPPED
from benchmarks.versus import MAP, WORK

ROUNDS = 15
TASKS = {
    "astar, us per path": "A*",
    "jps, us per path": "JPS",
    "dba, ns per move": "DBA* walks",
    "dba, ms to build": "DBA* build",
    "dba fleet, ns per agent and move": "fleet tick",
}


def main() -> None:
    python = Path(sys.argv[1]) if sys.argv[1:] else SHIPPED
    report.start("Machine code of a wheel beside native code")
    # Naming this machine's own processor has Waypost compile for it, and leave alone what was shipped.
    native = {"NUMBA_CPU_NAME": llvm.get_host_cpu_name(), "NUMBA_CPU_FEATURES": llvm.get_host_cpu_features().flatten()}
    with tempfile.TemporaryDirectory() as cache:
        kinds = {"native": native, "shipped": {}, "native again": native}
        least: dict[str, dict[str, float]] = {kind: defaultdict(lambda: float("inf")) for kind in kinds}
        for number in range(ROUNDS + 1):  # the first compiles
            for kind, settings in kinds.items():
                environment = os.environ | settings | {"WAYPOST_CACHE": cache, "PYTHONPATH": ""}
                command = [str(python), "-c", WORK, MAP, *TASKS]
                done = subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE, cwd=cache)
                for name, value in json.loads(done.stdout).items():
                    least[kind][name] = min(least[kind][name], value) if number else least[kind][name]
    ratios = {kind: {name: least[kind][name] / least["native"][name] for name in TASKS} for kind in kinds}
    held = []
    for name, title in TASKS.items():
        control = ratios["native again"][name]
        print(f"  {title}: native again {control:.3f}")
        held.append(report.bar(f"{title}, shipped", ratios["shipped"][name], "times native", at_most=1.05))
    mean = prod(ratios["shipped"].values()) ** (1 / len(TASKS))
    held.append(report.bar("mean of them", mean, "times native", at_most=1.02))
    sys.exit(not all(held))


if __name__ == "__main__":
    main()
