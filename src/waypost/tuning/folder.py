"""Where settings are raced: a folder of results as `waypost bench` has them, so that a killed race goes on."""

import json
import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from waypost.bench.call_floor import call_floor_us
from waypost.bench.episodes import Columns, Workbench, identity
from waypost.bench.offline import build_indexes
from waypost.bench.results import Store
from waypost.bench.runner import Outcome, planned_runs, same_for_all
from waypost.bench.suite import make_suite
from waypost.errors import WaypostError
from waypost.making import build
from waypost.maps.load import save_map
from waypost.maps.movingai import write_scenarios
from waypost.preparing.telling import make_ready
from waypost.runs.metrics import index_facts
from waypost.system import machine
from waypost.system.files import explained_writing, read_bytes, write_atomically
from waypost.tuning.resident import resident_bytes
from waypost.tuning.space import Candidate
from waypost.tuning.toml_text import toml_text
from waypost.world.grid import Grid
from waypost.world.problem import Problem, sample_problems

__all__ = ["Clocked", "Facts", "Folder", "chosen_problems"]

MOST_PROBLEMS = 1536
"""To choose by and to confirm with; of the problems of a user's log so many are drawn."""
_FRESH_SHARE = 3  # of which one part confirms
_SEED = 0
_TIMES_LONGEST = 10  # an agent that walks so many times as far as the longest of the shortest ways has lost its own
_FEWEST_MOVES = 1000
_AGES = 1e9
_MOST_NOTE_BYTES = 1 << 24
COLUMNS = (
    "arrived", "suboptimality_percent", "move_us_mean", "work_per_move_mean", "work_per_move_max", "online_kb",
)  # fmt: skip


class Clocked(NamedTuple):
    """What was timed in rotation with others."""

    move_us: float
    """The median over problems of the mean time of a move."""
    p999_us: float
    """Of all moves, timed one by one; NaN if they were not."""


class Facts(NamedTuple):
    """What is known of a planner before it walks."""

    index_bytes: int
    """With the tables derived from it and from the map."""
    work_bound: float
    build_seconds: float


def chosen_problems(grid: Grid, given: Sequence[Problem] | None) -> list[Problem]:
    """The problems of a race in the order in which they are taken: of those given, or drawn from the map."""
    if given is None:
        return sample_problems(grid, MOST_PROBLEMS, _SEED)
    solvable = [p for p in given if p.start != p.goal and grid.connected(p.start, p.goal)]
    if not solvable:
        raise WaypostError("none of these problems has a way from start to goal on this map")
    order = np.random.default_rng(_SEED).permutation(len(solvable))[:MOST_PROBLEMS]
    return [solvable[i] for i in order.tolist()]


class Folder:
    """The runs of all candidates on one map, with rows, indexes and a suite that says what they are."""

    def __init__(
        self, grid: Grid, problems: Sequence[Problem], raced: Sequence[Candidate], place: Path, threads: int
    ) -> None:
        self.grid = grid
        self.threads = threads
        self.store = Store(place)
        self._problems = list(problems)
        self._raced = list(raced)
        self._bench = Workbench()
        self._notes = place / "notes.json"
        self._kept: dict[str, Any] = {}
        self._walked: dict[Candidate, int] = {}
        self.fresh = len(problems) // _FRESH_SHARE if len(problems) >= _FRESH_SHARE else 0
        """The last problems, which nothing is chosen by."""

    @property
    def to_choose(self) -> int:
        """How many problems there are to choose by."""
        return len(self._problems) - self.fresh

    @contextmanager
    def opened(self) -> Iterator[None]:
        """Hold the folder, with map and problems in it."""
        with self.store.locked():
            maps = self.store.folder / "maps"
            with explained_writing(maps):
                maps.mkdir(exist_ok=True)
            name = f"{self.grid.fingerprint[:12]}.map"
            save_map(self.grid, maps / name)
            self._problems = self._solved()
            write_scenarios(maps / f"{name}.scen", self.grid, self._problems, name)
            self.suite = make_suite("tuned", self._values(name, self._raced))
            self._keep_problems(maps)
            runs = planned_runs(self.suite, self.store, maps, 1)
            self.runs = dict(zip(self._raced, runs, strict=True))
            self._kept = self._read_notes()
            self._same = {"machine": machine.describe(), "call_floor_us": call_floor_us(), "timing_workers": 1}
            yield

    def done(self, candidate: Candidate) -> int:
        """How many problems a candidate has walked."""
        if candidate not in self._walked:
            self._walked[candidate] = self.store.done(self.runs[candidate].identity)
        return self._walked[candidate]

    def build(self, candidate: Candidate) -> Facts:
        """Have its index, and say what it takes; raises `WaypostError` where it cannot be had."""
        make_ready(candidate.entry.name)
        run = self.runs[candidate]
        build_indexes([run], self.threads, show=False)
        key = identity({**run.setting.key, "map": run.fingerprint})
        if key not in self._kept:
            planner, _ = self._bench.at_hand(run)
            bound = planner.work_bound
            seconds = index_facts(planner).build_seconds
            self._keep(key, [resident_bytes(planner), math.inf if bound is None else bound, seconds])
        return Facts(*self._kept[key])

    def walk(self, candidate: Candidate, last: int) -> None:
        """Have it walk the problems up to this one."""
        run = self.runs[candidate]
        first, last = self.done(candidate), min(last, len(run))
        while first < last:
            columns = self._bench.measure(run, first, _AGES, lambda _=1, /: None, last)
            self.store.add(run.identity, first, columns, same_for_all(run) | self._same)
            self._walked[candidate] = first = first + len(columns["episode"])

    def rows(self, candidate: Candidate, first: int, last: int) -> Columns:
        """What came of some problems that it has walked."""
        columns = self.store.read([self.runs[candidate].identity], COLUMNS)
        return {name: values[first:last] for name, values in columns.items()}

    def problems(self, first: int, last: int) -> list[Problem]:
        """Some of the problems."""
        return next(iter(self.runs.values())).problems.problems(first, last)

    def planner_of(self, candidate: Candidate) -> Any:
        """A planner at hand, and an agent of it."""
        return Workbench().at_hand(self.runs[candidate])

    def kept(self, key: str) -> Any:
        """What was measured apart from rows, if it was."""
        return self._kept.get(key)

    def keep(self, key: str, value: Any) -> None:
        """Remember it over kills."""
        self._keep(key, value)

    def outcome(self, shown: Sequence[Candidate]) -> Outcome:
        """The rows of some candidates as of a suite, which is written beside them for `waypost bench`."""
        values = self._values(self.suite.maps[0].patterns[0], shown)
        suite = make_suite("tuned", values)
        write_atomically(self.store.folder / "suite.toml", toml_text(values).encode())
        runs = tuple(
            replace(self.runs[candidate], setting=setting)
            for candidate, setting in zip(shown, suite.settings, strict=True)
        )
        self.store.merge(run.identity for run in runs)
        episodes = sum(self.store.done(run.identity) for run in runs)
        return Outcome(suite, self.store, runs, episodes, episodes)

    def _values(self, map_name: str, raced: Sequence[Candidate]) -> dict[str, Any]:
        """The suite as its file has it."""
        return {
            "title": f"Tuned for a map of {self.grid.width} x {self.grid.height} cells",
            "about": "Settings that `waypost tune` has tried; the last third of the problems confirms the choice.",
            "timing": "walk",
            "diagonals": self.grid.diagonals,
            "costs": self.grid.costs_name,
            "maps": [{"files": map_name}],
            "problems": {"scenarios": len(self._problems)},
            "limits": {"moves": self._most_moves},
            "planner": [candidate.table for candidate in raced],
            "plot": [
                {"x": x, "y": "suboptimality_percent"} for x in ("move_us_mean", "cumulative_kb", "work_per_move_max")
            ],
        }

    def _solved(self) -> list[Problem]:
        """The problems with their optima, found all at once by jump points."""
        cells = np.array([(problem.start, problem.goal) for problem in self._problems])
        starts, goals = self.grid.xys(cells[:, 0]), self.grid.xys(cells[:, 1])
        costs = build("jps", self.grid, progress=False).cost(starts, goals, threads=self.threads)
        return [replace(problem, optimal=cost) for problem, cost in zip(self._problems, costs.tolist(), strict=True)]

    @property
    def _most_moves(self) -> int:
        """Of a walk that may still arrive."""
        longest = max(problem.optimal or 0 for problem in self._problems) / self.grid.costs.straight
        return max(_FEWEST_MOVES, int(_TIMES_LONGEST * longest))

    def _keep_problems(self, maps: Path) -> None:
        """Choose the problems of the suite as `waypost bench` would, with the optima that are known."""
        (source,) = self.suite.find_maps(maps)
        key = identity(self.suite.problems.key(source, self.grid.fingerprint))
        if self.store.load_problems(key) is None:
            rows = [(i, problem.start, problem.goal, problem.optimal) for i, problem in enumerate(self._problems)]
            self.store.save_problems(key, np.array(rows, np.int64))

    def _keep(self, key: str, value: Any) -> None:
        self._kept[key] = value
        write_atomically(self._notes, json.dumps(self._kept, sort_keys=True).encode())

    def _read_notes(self) -> dict[str, Any]:
        """What an earlier race has kept; what cannot be read is measured again."""
        try:
            found = json.loads(read_bytes(self._notes, "notes of a race", _MOST_NOTE_BYTES))
        except (WaypostError, ValueError, RecursionError):
            return {}
        return {key: value for key, value in found.items() if _is_sound(value)} if isinstance(found, dict) else {}


def _is_sound(value: Any) -> bool:
    """Whether a note is what a race writes: the facts of a planner, or times of several by their runs."""
    if isinstance(value, dict):
        return all(_are_numbers(each, len(Clocked._fields)) for each in value.values())
    return _are_numbers(value, len(Facts._fields))


def _are_numbers(value: Any, count: int) -> bool:
    return isinstance(value, list) and len(value) == count and all(type(each) in (int, float) for each in value)
