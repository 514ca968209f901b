"""The race: extremes first, then ever fewer settings on ever more of the same problems (docs/how-to/tune.md)."""

import math
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from waypost.errors import WaypostError
from waypost.indexes.forecast import MapShape
from waypost.planners.entry import Entry
from waypost.tuning import intervals
from waypost.tuning.clock import clock
from waypost.tuning.folder import Folder
from waypost.tuning.limits import Bounds, Objective
from waypost.tuning.space import Candidate, cut, ladder
from waypost.tuning.trial import Trial, Violation

__all__ = ["RUNGS", "Race"]

RUNGS = (16, 64, 256, 1024)
_FIRST = (1, 4)
_SURVIVORS = {64: 32, 256: 8, 1024: 4}
"""At most so many go on to so many problems."""
_ALIKE: dict[Objective, float] = {"suboptimality": 1.02, "time": 1.03, "memory": 1.0}
"""Settings whose objectives differ by less are as good as each other: then the next one decides, in this order."""
_SLIGHT: dict[Objective, float] = {"suboptimality": 0.005, "time": 0.0, "memory": 1024.0}
"""The same in percentage points and bytes, besides."""
_CLEAR: dict[Objective, float] = {"suboptimality": 1.0, "time": 1.25, "memory": 1.25}
"""How many times worse a setting must be, besides being worse in 99 of 100 cases, to be out."""
_CLOCKED_FROM = 64  # problems on: so many settings, the fastest, are then timed in turns
_MOST_CLOCKED = 12
_FAR, _FAR_PERCENT = 3.0, 0.5  # times, and percentage points besides, behind the best: other settings are not tried
_LOOK_SECONDS = 2.0  # of a build, to see what a setting would be like that is out
_DEAR, _DEAR_SECONDS = 10.0, 0.5
"""So many times what most builds take, and seconds at least: such a build is begun only where a limit allows it."""


class Race:
    """All candidates of a map, and how they stand."""

    def __init__(
        self,
        folder: Folder,
        raced: Sequence[Candidate],
        bounds: Bounds,
        shape: MapShape,
        tell: Callable[["Race"], None],
    ) -> None:
        self.folder, self.bounds, self.shape = folder, bounds, shape
        labels = (setting.label for setting in folder.suite.settings)
        self.trials = {candidate: Trial(candidate, label) for candidate, label in zip(raced, labels, strict=True)}
        self.stage = ""
        self._tell = lambda: tell(self)
        self._most = folder.to_choose

    def run(self, firsts: Sequence[Candidate]) -> Trial | None:
        """The best that keeps the limits, also on problems that it was not chosen by; None if nothing does."""
        self._cut()
        self._try_defaults(firsts)
        self._refine_all()
        while True:
            alive = self._halved()
            if alive and self._confirmed(chosen := self._chosen(alive)):
                self.stage = "done"
                return chosen
            if not self._revive() and not alive:
                return None
            self._refine_all()

    @property
    def fit(self) -> list[Trial]:
        """Those that have walked and keep all limits as far as is known, the best first."""
        fit = [t for t in self.trials.values() if t.has_walked and not t.violations(self.bounds)]
        return sorted(fit, key=self.standing)

    @property
    def best(self) -> Trial | None:
        """The best of them so far that is in the race."""
        return next((trial for trial in self.fit if not trial.fell), None)

    @property
    def sure_best(self) -> Trial | None:
        """The best of those that keep the limits for sure, as far as they have come: what others are measured by."""
        return next((trial for trial in self.fit if not trial.fell and trial.keeps_for_sure(self.bounds)), None)

    def standing(self, trial: Trial) -> tuple[Any, ...]:
        """Sorts trials: first those that keep the limits, by the objective, then the others by how far off they are."""
        return self.excess(trial), *(trial.value_of(each, self.bounds) for each in self._order), trial.label

    @property
    def _order(self) -> list[Objective]:
        """The objective, and what decides between settings that are as good."""
        return [self.bounds.objective, *(each for each in _ALIKE if each != self.bounds.objective)]

    def excess(self, trial: Trial) -> float:
        """How many times too much the worst of its figures is; 0 if it keeps the limits, infinite if nobody knows."""
        if not trial.has_walked and not trial.needs:
            return math.inf
        return max((violation.ratio for violation in self.broken(trial)), default=0.0)

    def broken(self, trial: Trial) -> list[Violation]:
        """Limits that it breaks: as measured, or as far as formulas say."""
        return [*trial.violations(self.bounds)] if trial.has_walked else [*trial.needs]

    def look_at(self, trial: Trial, last: int) -> bool:
        """Find out what a trial that is out would be like; whether that was tried, since it does not take long."""
        if math.isinf(self.excess(trial)) or self._build_seconds(trial) > _LOOK_SECONDS:
            return False
        try:
            trial.facts = self.folder.build(trial.candidate)
            self._walk(trial, min(last, self._most))
        except WaypostError as error:
            trial.fell, trial.needs = str(error), ()
        return True

    def _cut(self) -> None:
        """Take those out that cannot be what is wanted."""
        self.stage = "promises and formulas"
        for trial in self.trials.values():
            found = cut(trial.candidate, self.bounds, self.shape, self.folder.threads)
            if found:
                trial.fell = found.reason
                if found.limit:
                    limits = {"memory": self.bounds.bytes, "build": self.bounds.build_seconds}
                    limit = limits.get(found.limit, self.bounds.response_work)
                    trial.needs = (Violation(found.limit, found.value, limit, sure=True),)
        self._tell()

    def _try_defaults(self, firsts: Sequence[Candidate]) -> None:
        """Each planner as it comes, what is built soonest first; before all those that most users should have."""
        self.stage = "defaults"
        defaults = [self._default(trials) for trials in self._by_planner()]
        for trial in (*(self.trials[first] for first in firsts), *sorted(defaults, key=self._build_seconds)):
            self._try(trial, RUNGS[0])

    def _refine_all(self) -> None:
        """Other settings of each planner, those of the best one first."""
        self.stage = "settings"
        planners = [
            trials for trials in self._by_planner() if not all(trial.fell and not trial.needs for trial in trials)
        ]
        for trials in sorted(planners, key=lambda trials: self.standing(min(trials, key=self.standing))):
            here = min(trials, key=self.standing)
            offline, online = _stepped(here.candidate.entry)
            for name in offline:
                here = self._best_along(here, name)
            for of_build in self._by_build(trials):
                here = min(of_build, key=self.standing)
                for name in online:
                    here = self._best_along(here, name)

    def _best_along(self, here: Trial, name: str) -> Trial:
        """The best setting that differs from this one in one parameter at most."""
        values = ladder(here.candidate.entry, name)
        row = [self.trials[here.candidate.but(name, value)] for value in values]
        if self._is_far_behind(here):
            self._leave(row, f"another setting of it is far behind: {here.label}", self.sure_best)
            return here
        param = here.candidate.entry.params[name]
        if param.monotone and param.offline and len(row) > 2:
            self._bisect(row)
        else:
            self._try(row[-1], RUNGS[0])
            if param.monotone and self._walks_badly(row[-1]):
                self._leave(row, f"even {row[-1].label} walks too badly")
            for trial in (row[0], *row[1:-1]):
                self._try(trial, RUNGS[0])
        return min((here, *row), key=self.standing)

    def _walks_badly(self, trial: Trial) -> bool:
        """Whether a trial breaks a limit for the ways that it walks."""
        return any(violation.limit in {"arrival", "suboptimality"} for violation in self.broken(trial))

    @staticmethod
    def _leave(row: Iterable[Trial], why: str, better: Trial | None = None) -> None:
        """Take those out that were not tried yet."""
        for trial in row:
            if not (trial.fell or trial.walked):
                trial.fell, trial.beaten_by = why, better

    def _bisect(self, row: Sequence[Trial]) -> None:
        """Of settings that cost more and more, and walk better and better, the last that is cheap enough, or the first
        that walks well enough; those between need not be built."""
        wants_good = self.bounds.objective == "suboptimality"
        low, high = -1, len(row)
        middle = high - 1 if wants_good else 0  # an extreme first: if it will do, nothing is better
        while high - low > 1:
            self._try(row[middle], RUNGS[0])
            costly = any(v.limit in {"memory", "build", "response_work"} for v in self.broken(row[middle]))
            stops = costly or (not wants_good and not self.broken(row[middle]))
            low, high = (low, middle) if stops else (middle, high)
            middle = (low + high) // 2

    def _halved(self) -> list[Trial]:
        """Those in the race after all problems to choose by: at each rung the worse half goes."""
        for rung in (min(rung, self._most) for rung in RUNGS[1:]):
            self.stage = f"{rung:,} problems"
            most = _SURVIVORS.get(rung, _SURVIVORS[RUNGS[-1]])
            for rank, trial in enumerate(self._alive()):
                if rank < most:
                    self._try(trial, rung)
                elif (best := self.sure_best) and best is not trial:
                    self._lose(trial, best, f"was not among the best {most} after {trial.walked:,} problems")
            if rung == _CLOCKED_FROM and self.bounds.objective == "time":
                self._clocked(self._alive())
        for trial in self._alive():
            if broken := trial.violations(self.bounds):
                trial.fell, trial.needs = str(broken[0]), broken
        return self._alive()

    def _alive(self) -> list[Trial]:
        """Those that have walked and are in the race, the best first; some may yet turn out to break a limit."""
        return sorted((t for t in self.trials.values() if t.has_walked and not t.fell), key=self.standing)

    def _clocked(self, alive: Sequence[Trial]) -> list[Trial]:
        """The fastest of those left, timed in turns: rows alone are timed while the machine does other things."""
        self.stage = "timing in turns"
        fastest = sorted(alive, key=self.standing)[:_MOST_CLOCKED]
        for trial in alive:
            if trial not in fastest:
                self._lose(
                    trial, fastest[0], f"was not among the fastest {_MOST_CLOCKED} after {trial.walked} problems"
                )
        clock(self.folder, fastest, single_moves=math.isfinite(self.bounds.response_us))
        self._tell()
        return fastest

    def _chosen(self, alive: Sequence[Trial]) -> Trial:
        """The best of those left: timed in turns where time counts, sure of its limits where any is."""
        if any(trial.clocked is None for trial in alive):
            alive = self._clocked(alive)
        still = [trial for trial in alive if not trial.violations(self.bounds)] or list(alive)
        sure = [trial for trial in still if trial.keeps_for_sure(self.bounds)] or still
        for objective in self._order:
            least = min(trial.value_of(objective, self.bounds) for trial in sure)
            enough = least * _ALIKE[objective] + _SLIGHT[objective]
            sure = [trial for trial in sure if trial.value_of(objective, self.bounds) <= enough]
        return min(sure, key=self.standing)

    def _confirmed(self, trial: Trial) -> bool:
        """Whether it keeps the limits on problems that nothing was chosen by."""
        self.stage = "fresh problems"
        last = self._most + self.folder.fresh
        self.folder.walk(trial.candidate, last)
        fresh = Trial(trial.candidate, trial.label, trial.facts)
        fresh.walked, fresh.clocked = self.folder.fresh, trial.clocked
        fresh.rows = self.folder.rows(trial.candidate, self._most, last)
        broken = [*trial.violations(self.bounds), *(fresh.violations(self.bounds) if self.folder.fresh else ())]
        if broken:
            trial.fell = f"on fresh problems {broken[0]}"
            trial.needs = tuple(broken)
        self._tell()
        return not broken

    def _revive(self) -> bool:
        """Take those in again that are out because of one that has itself gone; whether there are any."""
        count = 0
        for trial in self.trials.values():
            while trial.beaten_by and trial.beaten_by.fell:
                above = trial.beaten_by.beaten_by
                trial.beaten_by, trial.fell = above, trial.fell if above else ""
                count += not trial.fell
        return count > 0

    def _try(self, trial: Trial, last: int) -> None:
        """Have a trial walk so many problems, unless it falls before."""
        last = min(last, self._most)
        if trial.fell or trial.walked >= last:
            return
        if self._is_too_dear(trial):
            trial.fell = f"takes some {self._build_seconds(trial):.0f} s to build, which no limit allows (build)"
            return
        try:
            trial.facts = self.folder.build(trial.candidate)
            if not self._fall(trial):
                for rung in (*(few for few in _FIRST if few < last), last):  # a walker that loses its way does so soon
                    if trial.walked < rung and not trial.fell:
                        self._walk(trial, rung)
                        self._fall(trial) or (rung == last and self._is_beaten(trial))
        except WaypostError as error:
            trial.fell = str(error)
        self._tell()

    def _walk(self, trial: Trial, last: int) -> None:
        self.folder.walk(trial.candidate, last)
        trial.rows, trial.walked = self.folder.rows(trial.candidate, 0, last), last

    def _fall(self, trial: Trial) -> bool:
        """Take a trial out that breaks a limit for sure."""
        broken = tuple(violation for violation in trial.violations(self.bounds) if violation.sure)
        if broken:
            trial.fell, trial.needs = str(broken[0]), broken
        return bool(broken)

    def _is_beaten(self, trial: Trial) -> bool:
        """Take a trial out that is worse than the best one, in 99 of 100 cases."""
        best, objective = self.sure_best, self.bounds.objective
        if best is None or best is trial:
            return False
        (values, statistic), (others, _) = (each.objective_of(objective, self.bounds) for each in (trial, best))
        common = min(values.size, others.size)
        values, others = values[:common], others[:common]
        if statistic(values) <= statistic(others) * _CLEAR[objective]:
            return False
        if not intervals.is_worse(values, others, statistic):
            return False
        self._lose(trial, best, f"is beaten by {best.label} after {trial.walked:,} problems")
        return True

    @staticmethod
    def _lose(trial: Trial, better: Trial, why: str) -> None:
        if trial is not better:
            trial.fell, trial.beaten_by = why, better

    def _is_far_behind(self, here: Trial) -> bool:
        """Whether a trial keeps the limits, and others are so much better that its planner is not looked at again."""
        best = self.sure_best
        if best is None or best.planner == here.planner or self.excess(here) or not here.has_walked:
            return False
        objective = self.bounds.objective
        spare = _FAR_PERCENT if objective == "suboptimality" else 0.0
        return here.value_of(objective, self.bounds) > _FAR * best.value_of(objective, self.bounds) + spare

    def _is_too_dear(self, trial: Trial) -> bool:
        """Whether its build takes much longer than others, and nobody has said how long a build may be."""
        if trial.walked or math.isfinite(self.bounds.build_seconds):
            return False
        return self._build_seconds(trial) > max(_DEAR_SECONDS, _DEAR * self._usual_seconds)

    @cached_property
    def _usual_seconds(self) -> float:
        """Of a build on this map: half of all planners with an index take no longer."""
        defaults = [self._default(trials) for trials in self._by_planner()]
        return float(np.median([self._build_seconds(t) for t in defaults if t.candidate.entry.index] or [0.0]))

    def _build_seconds(self, trial: Trial) -> float:
        """What its build takes by its formula; without one, nothing is known against it."""
        found = trial.candidate.forecast(self.shape)
        return found.seconds / self.folder.threads if found else 0.0

    def _by_planner(self) -> list[list[Trial]]:
        found: dict[str, list[Trial]] = {}
        for trial in self.trials.values():
            found.setdefault(trial.planner, []).append(trial)
        return list(found.values())

    def _by_build(self, trials: Iterable[Trial]) -> list[list[Trial]]:
        """Those of a planner that share an index which is there and small enough, the best index first."""
        found: dict[object, list[Trial]] = {}
        for trial in trials:
            found.setdefault(trial.candidate.offline, []).append(trial)
        good = [each for each in found.values() if any(trial.has_walked for trial in each)]
        return sorted(good, key=lambda each: self.standing(min(each, key=self.standing)))

    @staticmethod
    def _default(trials: Iterable[Trial]) -> Trial:
        return next(trial for trial in trials if not trial.candidate.given)


def _stepped(entry: Entry) -> tuple[list[str], list[str]]:
    """Parameters with more than one value to try: those of the index, and the agent's, which share a build."""
    several = [name for name in entry.params if len(ladder(entry, name)) > 1]
    offline = [name for name in several if entry.params[name].offline]
    return offline, [name for name in several if name not in offline]
