"""The rows of a paper's suites, by suite, setting and map, read once."""

from collections.abc import Iterable, Sequence
from functools import cached_property

import numpy as np

from waypost.bench.episodes import Columns
from waypost.bench.papers.description import Paper
from waypost.bench.papers.estimates import Estimate, estimate
from waypost.bench.papers.items import Row
from waypost.bench.papers.matching import Match
from waypost.bench.papers.quantities import QUANTITIES, columns_of
from waypost.bench.papers.running import Ran
from waypost.bench.papers.scale import Scale
from waypost.bench.suite import Setting
from waypost.bench.summary import Summary, summarise

__all__ = ["PaperResults", "SuiteResults"]


class SuiteResults:
    """What one suite has yielded so far."""

    def __init__(self, paper: Paper, ran: Ran, scale: Scale) -> None:
        self.use = ran.use
        self.outcome = ran.outcome
        self.refused = ran.refused
        self.company = ran.company
        self.suite = ran.outcome.suite
        self._scale = scale
        settings = self.suite.settings
        self.today = [setting for setting in settings if scale.is_of_today(paper, ran.use, setting)]
        """Planners of today, which the paper says nothing of."""
        self.own = [setting for setting in settings if setting not in self.today]
        self._estimates: dict[tuple[str, ...], Estimate] = {}
        self._columns: dict[tuple[str, tuple[str, ...]], list[Columns]] = {}

    def settings(self, match: Match) -> list[Setting]:
        """Those that a description means, at this scale, as far as they are in the suite."""
        return self._scale.match(self.use, match).of(self.suite.settings)

    def is_scaled(self, row: Row) -> bool:
        """Whether other values stand for those of the row."""
        return self._scale.match(self.use, row.of) != row.of

    @property
    def maps(self) -> list[str]:
        """Names of the maps, in the order of columns."""
        return list(dict.fromkeys(run.source.name for run in self.outcome.runs))

    def columns(self, setting: Setting, names: Iterable[str]) -> list[Columns]:
        """Some columns of a setting, map by map."""
        wanted = tuple(names)
        key = setting.label, wanted
        if key not in self._columns:
            self._columns[key] = [
                self.outcome.store.read([run.identity], wanted) for run in self.outcome.runs if run.setting == setting
            ]
        return self._columns[key]

    def estimate(self, settings: Sequence[Setting], quantity: str) -> Estimate:
        """What stands for settings together: for one, or for those of several seeds; map by map."""
        key = *(setting.label for setting in settings), quantity
        if key not in self._estimates:
            self._estimates[key] = self._estimated(settings, quantity)
        return self._estimates[key]

    def _estimated(self, settings: Sequence[Setting], quantity: str) -> Estimate:
        per_map = zip(*(self.columns(setting, columns_of([quantity])) for setting in settings), strict=True)
        merged = [{name: np.concatenate([c[name] for c in same]) for name in same[0]} for same in per_map]
        return estimate(QUANTITIES[quantity], [columns for columns in merged if len(columns["arrived"])])

    def groups(self, row: Row, cutoff: float = 0.0) -> list[list[Setting]]:
        """The settings of a row, those together that are pooled, without those that ever expand more than a cut-off."""
        found = [s for s in self.settings(row.of) if not cutoff or self._most_expanded(s) <= cutoff]
        return [found] if row.is_pooled and found else [[setting] for setting in found]

    def _most_expanded(self, setting: Setting) -> float:
        (name,) = QUANTITIES["most_expanded"].metrics
        return max((float(c[name].max(initial=0)) for c in self.columns(setting, (name,))), default=0.0)

    def map_means(self, settings: Sequence[Setting], quantity: str) -> list[float]:
        """The mean of each map; NaN where nothing arrived."""
        per_map = zip(*(self.columns(setting, columns_of([quantity])) for setting in settings), strict=True)
        values = (np.concatenate([QUANTITIES[quantity].of(columns) for columns in same]) for same in per_map)
        return [float(v.mean()) if v.size else float("nan") for v in values]

    def planned(self, setting: Setting) -> int:
        """How many episodes a setting has when all is run."""
        return sum(len(run) for run in self.outcome.runs if run.setting == setting)

    @cached_property
    def summaries(self) -> list[Summary]:
        """What claims and the tables of suites are judged by."""
        return [*summarise(self.outcome)]

    @cached_property
    def open_cells(self) -> dict[str, tuple[str, int, int, int]]:
        """Of each map: fingerprint, width, height, open cells."""
        found = {}
        for run in self.outcome.runs:
            if run.source.name not in found:
                grid = run.source.load(run.diagonals, run.costs)
                found[run.source.name] = run.fingerprint, grid.width, grid.height, int(np.asarray(grid.open_count))
        return found


class PaperResults:
    """Those of all suites."""

    def __init__(self, paper: Paper, ran: Iterable[Ran], scale: Scale) -> None:
        self.suites = {one.use.name: SuiteResults(paper, one, scale) for one in ran}

    def __getitem__(self, name: str) -> SuiteResults:
        return self.suites[name]

    @property
    def complete(self) -> bool:
        """Whether nothing is left to run."""
        return all(results.outcome.complete for results in self.suites.values())
