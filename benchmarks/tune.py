"""`waypost tune` beside a walk of every setting: how good its choices are, and what part of the work they take.

All rows are kept in build/bench-tune, so that a run that was killed goes on: python -m benchmarks.tune [MAP ...].
"""

import json
import math
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

import waypost as wp
from benchmarks import report
from waypost.catalog import CATALOG
from waypost.errors import WaypostError
from waypost.indexes.forecast import shape_of
from waypost.system.files import write_atomically
from waypost.tuning import intervals
from waypost.tuning.clock import clock
from waypost.tuning.folder import Folder
from waypost.tuning.limits import Limits
from waypost.tuning.race import Race
from waypost.tuning.space import Candidate, candidates
from waypost.tuning.trial import Trial

FOLDER = Path("build/bench-tune")
MAPS = (
    "rooms", "maze", "caves", "city", "outdoor",
    "dao/den204d.map", "dao/den520d.map", "dao/orz900d.map", "bg/AR0300SR.map", "wc3/adrenaline.map",
)  # fmt: skip
LIMITS: dict[str, dict[str, Any]] = {
    "small and good": {"memory": "200KB", "suboptimality": "1%"},
    "as good as it gets in little": {"memory": "50KB"},
    "bounded moves": {"response_work": 5000, "memory": "500KB"},
    "as little as can be": {"suboptimality": "2%", "objective": "memory"},
    "a fleet": {"agents": 1000, "memory": "1MB", "suboptimality": "0.5%"},
}
PROBLEMS = 256
FRESH = 512
FRESH_SEED = 99
CLOCKED = 8
KILLS = 20
SPARE = {"suboptimality": 0.005, "time": 0.0, "memory": 1024.0}
"""What makes no difference to a user: percentage points, microseconds, bytes."""
MOST_BUILD_SECONDS = 120.0  # of a setting that the exhaustive walk takes in


def grid_of(name: str) -> wp.Grid:
    return wp.load_map(name if "/" not in name else os.path.join(os.environ["WAYPOST_MAPS"], name))


def place_of(name: str) -> Path:
    return FOLDER / name.replace("/", "-")


class Exhaustive:
    """Every setting of a map on the same problems, and the CPU seconds that it took."""

    def __init__(self, name: str) -> None:
        self.grid, self.place = grid_of(name), place_of(name)
        self.raced = [c for entry in CATALOG.values() for c in candidates(entry)]
        problems = wp.sample_problems(self.grid, PROBLEMS + FRESH, FRESH_SEED)
        self.folder = Folder(self.grid, problems, self.raced, self.place / "exhaustive", 1)
        self.folder.fresh = FRESH
        self.costs = _read(self.place / "costs.json")
        self.trials: dict[Candidate, Trial] = {}

    def walk(self) -> None:
        """Whatever has not walked yet; within `folder.opened`."""
        shape = shape_of(self.grid)
        for number, candidate in enumerate(self.raced):
            trial = Trial(candidate, str(self.folder.runs[candidate].setting.label))
            forecast = candidate.forecast(shape)
            if forecast is None or forecast.seconds < MOST_BUILD_SECONDS:
                before = time.process_time()
                try:
                    trial.facts = self.folder.build(candidate)
                    self.folder.walk(candidate, PROBLEMS)
                    trial.rows, trial.walked = self.folder.rows(candidate, 0, PROBLEMS), PROBLEMS
                except WaypostError as error:
                    trial.fell = str(error)
                spent = time.process_time() - before
                self.costs.setdefault(trial.label, spent)
                if number % 10 == 0:
                    self.keep()
            self.trials[candidate] = trial
        self.keep()

    def keep(self) -> None:
        """Write down what each setting has taken."""
        _write(self.place / "costs.json", self.costs)

    @property
    def seconds(self) -> float:
        """Of all walks and builds."""
        return float(sum(self.costs.values()))

    def fit(self, limits: Limits) -> list[Trial]:
        """Those that keep limits on these problems, the best first."""
        bounds = limits.bounds
        fit = [
            trial
            for trial in self.trials.values()
            if trial.walked and not trial.violations(bounds) and (bounds.agents == 1 or trial.candidate.entry.walks)
        ]
        if math.isfinite(bounds.response_work):
            fit = [trial for trial in fit if trial.candidate.entry.real_time]
        return sorted(fit, key=lambda trial: trial.value_of(bounds.objective, bounds))


def _read(path: Path) -> dict[str, Any]:
    return json.loads(path.read_text()) if path.exists() else {}


def _write(path: Path, values: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(path, json.dumps(values, indent=1).encode())


def tuned(name: str, title: str, grid: wp.Grid) -> dict[str, Any]:
    """What `tune` chooses in a folder of its own, and its CPU seconds; kept."""
    path = place_of(name) / f"tuned {title}.json"
    found = _read(path)
    if found:
        return found
    place = place_of(name) / f"race {title}"
    shutil.rmtree(place, ignore_errors=True)
    first: list[float] = []
    before = time.process_time()

    def tell(race: Race) -> None:
        if not first and race.best:
            first.append(time.process_time() - before)

    answer = wp.tune(grid, Limits(**LIMITS[title]), folder=place, threads=1, tell=tell)
    found = {
        "seconds": time.process_time() - before,
        "first": first[0] if first else math.nan,
        "planner": answer.choice.planner if answer.choice else "",
        "params": dict(answer.choice.params) if answer.choice else {},
        "told": str(answer),
        "tried": answer.tried,
    }
    _write(path, found)
    return found


def compare(name: str, title: str, all_of: Exhaustive) -> dict[str, Any]:
    """A choice beside the best of all settings: how much worse, and whether it keeps the limits on fresh problems."""
    found, limits = tuned(name, title, all_of.grid), Limits(**LIMITS[title])
    bounds, fit = limits.bounds, all_of.fit(limits)
    row: dict[str, Any] = {"map": name, "limits": title, "tuned": found["told"].splitlines()[0][:100]}
    row |= {"seconds": found["seconds"], "share": found["seconds"] / all_of.seconds, "feasible": len(fit)}
    if not found["planner"] or not fit:
        return row | {"kept": not fit, "worse": 0.0 if not fit and not found["planner"] else math.inf}
    chosen = next(
        t for c, t in all_of.trials.items() if c.entry.name == found["planner"] and c.given == found["params"]
    )
    rivals = list(dict.fromkeys([chosen, *fit[:CLOCKED]]))
    if bounds.objective == "time":
        clock(all_of.folder, rivals, single_moves=False)
    best = min(trial.value_of(bounds.objective, bounds) for trial in rivals if trial in fit)
    value = chosen.value_of(bounds.objective, bounds)
    all_of.folder.walk(chosen.candidate, PROBLEMS + FRESH)
    fresh = Trial(chosen.candidate, chosen.label, chosen.facts)
    fresh.walked = FRESH
    fresh.rows = all_of.folder.rows(chosen.candidate, PROBLEMS, PROBLEMS + FRESH)
    broken = [str(violation) for violation in fresh.violations(bounds)]
    spare = SPARE[bounds.objective]
    return row | {
        "kept": not broken,
        "broken": broken,
        "value": value,
        "best": best,
        "best setting": next(t.label for t in rivals if t.value_of(bounds.objective, bounds) == best),
        "worse": max(0.0, (value - spare) / best - 1) if best > 0 else float(value > spare),
        "suboptimality": intervals.mean(fresh.column("suboptimality_percent")),
    }


def run_map(name: str) -> list[dict[str, Any]]:
    all_of = Exhaustive(name)
    with all_of.folder.opened():
        all_of.walk()
        rows = [compare(name, title, all_of) for title in LIMITS]
    for row in rows:
        print(json.dumps(row), flush=True)
    print(f"{name}: every setting {all_of.seconds:.1f} CPU s, {len(all_of.costs)} settings", flush=True)
    return rows


KILLED = """
import sys
import waypost as wp
limits = wp.Limits(memory="60KB", suboptimality="3%", objective="memory")
found = wp.tune(wp.load_map("rooms"), limits, folder=sys.argv[1], planners=("jps", "hub", "dba", "hcdps", "pra-sector"))
print(found.python, found.choice.figures.memory, found.choice.figures.suboptimality)
"""


def killed() -> bool:
    """The same answer after kills at random times as without any."""
    place = FOLDER / "killed"
    shutil.rmtree(place, ignore_errors=True)

    def begin(folder: str) -> subprocess.Popen[str]:
        command = [sys.executable, "-c", KILLED, str(place / folder)]
        return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)

    began = time.monotonic()
    wanted, _ = begin("undisturbed").communicate()
    whole = time.monotonic() - began
    chance, kills = random.Random(0), 0  # noqa: S311
    while kills < KILLS:
        process = begin("killed")
        try:
            process.wait(timeout=chance.uniform(0.1, 0.7) * whole)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            kills += 1
        process.communicate()
        if process.returncode == 0:  # it has come to its end: begin again from nothing
            shutil.rmtree(place / "killed", ignore_errors=True)
    last, _ = begin("killed").communicate()
    print(f"undisturbed: {wanted.strip()}\nkilled {kills} times: {last.strip()}", flush=True)
    return report.bar("the same answer after kills", float(bool(wanted) and last == wanted), "", at_least=1)


def orz900d() -> list[bool]:
    """The limits of the first bar, and limits that nothing keeps."""
    grid, name = grid_of("dao/orz900d.map"), "dao/orz900d.map"
    found = tuned(name, "small and good", grid)
    print(f"{found['told']}\n{found['tried']} settings walked", flush=True)
    before = time.process_time()
    nothing = wp.tune(grid, Limits(memory="1KB", suboptimality="0.1%"), folder=FOLDER / "nothing")
    seconds = time.process_time() - before
    print(nothing, flush=True)
    return [
        report.bar("orz900d, 200 KB and 1 %", found["seconds"], "CPU s", at_most=120),
        report.bar("its first answer", found["first"], "CPU s", at_most=5),
        report.bar("a sentence where nothing fits", seconds, "CPU s", at_most=10),
    ]


def main(names: list[str]) -> bool:
    report.start("tune beside a walk of every setting, in CPU seconds")
    if names == ["orz900d"]:
        return all(orz900d())
    if names == ["killed"]:
        return killed()
    rows = [row for name in names or MAPS for row in run_map(name)]
    good = [
        report.bar("limits kept", 100 * float(np.mean([row["kept"] for row in rows])), "%", at_least=100),
        report.bar(
            "within 5 % of the best", 100 * float(np.mean([r["worse"] <= 0.05 for r in rows])), "%", at_least=95
        ),
        report.bar("of the CPU seconds of every setting", 100 * max(row["share"] for row in rows), "%", at_most=10),
    ]
    if not names:
        good += [*orz900d(), killed()]
    return all(good)


if __name__ == "__main__":
    sys.exit(0 if main(sys.argv[1:]) else 1)
