"""`tune`: the planner and its parameters for a map and a user's limits."""

import math
import os
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from waypost.bench.pareto import non_dominated
from waypost.catalog import CATALOG, find
from waypost.choosing import choose
from waypost.errors import ParameterError, shown
from waypost.indexes.forecast import shape_of
from waypost.maps.load import bundled_maps, load_problems
from waypost.planner import check_grid
from waypost.planners.entry import AnyPlanner, Entry
from waypost.system.threads import thread_count
from waypost.tuning.answer import Choice, Shortfall, Tuning
from waypost.tuning.clock import clock
from waypost.tuning.folder import Folder, chosen_problems
from waypost.tuning.limits import Limits
from waypost.tuning.race import RUNGS, Race
from waypost.tuning.space import Candidate, candidates
from waypost.tuning.trial import Trial
from waypost.world.grid import Grid
from waypost.world.problem import Problem

__all__ = ["tune"]

_RUNNERS_UP = 3
_REASONS = 3
_LOOKED_AT = 5  # settings that are walked to find out which comes nearest

Problems = Sequence[Problem] | str | os.PathLike[str]


def tune(
    grid: Grid,
    limits: Limits | Mapping[str, Any] | None = None,
    *,
    problems: Problems | None = None,
    folder: str | os.PathLike[str] | None = None,
    map_name: str = "",
    planners: Iterable[AnyPlanner] | None = None,
    threads: int | None = None,
    tell: Callable[[Race], None] | None = None,
) -> Tuning:
    """Find the planner and the parameters that are best for a map within limits.

    >>> import waypost as wp
    >>> found = wp.tune(grid, wp.Limits(memory="200KB", suboptimality="1%"))  # doctest: +SKIP
    >>> found.save("tuned.toml")  # doctest: +SKIP
    >>> planner = wp.build(**wp.tuned("tuned.toml"))  # doctest: +SKIP

    Problems are drawn from the map, or those of a .scen file, or a list: best are those of the game itself. All rows
    go to a folder of results, by default below `waypost-tune`; a race that was interrupted or killed goes on from
    there, and one with other limits takes what it can use. An interrupt (Ctrl-C) gives the best found so far.
    Of all planners, or of those given by their names, each is tried with what the catalog says is worth it.
    `map_name` is the file or the bundled map that the grid is from, so that `tuned` can load it again. `tell` is called
    with the race whenever something is known.
    """
    check_grid(grid)
    limits = _limits(limits)
    place = Path(folder) if folder is not None else Path("waypost-tune") / _folder_name(grid, map_name)
    raced = [c for entry in _entries(planners) for c in candidates(entry)]
    walked = chosen_problems(grid, _problems(problems, grid))
    bench = Folder(grid, walked, raced, place, thread_count(threads))
    with bench.opened():
        race = Race(bench, raced, limits.bounds, shape_of(grid), tell or (lambda _: None))
        complete, chosen = True, None
        try:
            chosen = race.run(_firsts(grid, raced))
        except KeyboardInterrupt:
            complete, chosen = False, race.best
        return _answer(race, grid, map_name, limits, chosen, complete)


def _limits(given: Limits | Mapping[str, Any] | None) -> Limits:
    if isinstance(given, Limits):
        return given
    if given is not None and not isinstance(given, Mapping):
        raise ParameterError(f"limits are a waypost.Limits, or values by their names, not {shown(given)}")
    try:
        return Limits(**(given or {}))
    except TypeError:
        known = ", ".join(Limits.__dataclass_fields__)
        wrong = next((name for name in given or {} if name not in Limits.__dataclass_fields__), "")
        raise ParameterError(f"there is no limit called {shown(wrong)}; there are {known}") from None


def _entries(planners: Iterable[AnyPlanner] | None) -> list[Entry]:
    if planners is None:
        return list(CATALOG.values())
    if isinstance(planners, str):
        raise ParameterError(f"planners are several names, such as [{planners!r}]")
    entries = {entry.name: entry for entry in map(find, planners)}
    if not entries:
        raise ParameterError("there is no planner to try; name at least one")
    return list(entries.values())


def _problems(given: Problems | None, grid: Grid) -> Sequence[Problem] | None:
    if isinstance(given, (str, os.PathLike)):
        return load_problems(given, grid)
    return given


def _folder_name(grid: Grid, map_name: str) -> str:
    stem = map_name if map_name in bundled_maps() else Path(map_name).stem
    return stem or grid.fingerprint[:12]


def _firsts(grid: Grid, raced: Sequence[Candidate]) -> list[Candidate]:
    """What most users should have on such a map: it is tried first."""
    rules = choose(grid)
    return [c for rule in rules for c in raced if c.entry.name == rule.planner and c.given == dict(rule.params)]


def _answer(race: Race, grid: Grid, map_name: str, limits: Limits, chosen: Trial | None, complete: bool) -> Tuning:
    """All that is known at the end of a race."""
    nearest = _nearest(race) if complete and chosen is None else None
    others = _runners_up(race, chosen)
    if chosen and complete and others:
        clock(race.folder, [chosen, *others], single_moves=False)
    walked = [trial for trial in race.trials.values() if trial.has_walked]
    front = _front(race, walked)
    shown_ones = list(dict.fromkeys([*([chosen] if chosen else []), *others, *front]))
    listed = [trial.candidate for trial in shown_ones]
    return Tuning(
        grid=grid,
        map_name=map_name,
        limits=limits,
        choice=_choice(race, chosen, confirmed=complete) if chosen else None,
        runners_up=tuple(_choice(race, trial) for trial in others),
        front=tuple(_choice(race, replace(trial, clocked=None)) for trial in front),  # all timed alike, by rows
        fallen=tuple((trial.label, trial.fell) for trial in race.trials.values() if trial.fell),
        shortfall=nearest,
        folder=race.folder.store.folder,
        outcome=race.folder.outcome(listed) if listed else None,
        tried=len(walked),
        complete=complete,
    )


def _choice(race: Race, trial: Trial, *, confirmed: bool = False) -> Choice:
    fresh = None
    if confirmed and race.folder.fresh:
        again = Trial(trial.candidate, trial.label, trial.facts, clocked=trial.clocked)
        again.walked = race.folder.fresh
        first = race.folder.to_choose
        again.rows = race.folder.rows(trial.candidate, first, first + again.walked)
        fresh = again.figures(race.bounds)
    breaks = tuple(str(violation) for violation in dict.fromkeys(trial.violations(race.bounds)))
    return Choice(trial.planner, trial.candidate.given, trial.figures(race.bounds), fresh, breaks)


def _runners_up(race: Race, chosen: Trial | None) -> list[Trial]:
    """The next best, one of each other planner first; those that break limits only where too few keep them."""
    walked = [trial for trial in race.trials.values() if trial.has_walked and not trial.stray and trial is not chosen]
    others = sorted(walked, key=race.standing)
    kept = sum(not trial.violations(race.bounds) for trial in others)
    others = others[: max(kept, _RUNNERS_UP)]
    planners = {chosen.planner} if chosen else set()
    firsts: list[Trial] = []
    rest: list[Trial] = []
    for trial in others:
        (rest if trial.planner in planners else firsts).append(trial)
        planners.add(trial.planner)
    return [*firsts, *rest][:_RUNNERS_UP]


def _front(race: Race, walked: Sequence[Trial]) -> list[Trial]:
    """Those that no other one beats."""
    arrived = [trial for trial in walked if not trial.stray]
    points = [
        (
            float(trial.column("suboptimality_percent").mean()),
            float(trial.column("move_us_mean").mean()),
            trial.memory(race.bounds),
        )
        for trial in arrived
    ]
    return [arrived[i] for i in non_dominated(points, ("lower", "lower", "lower"))]


def _nearest(race: Race) -> Shortfall | None:
    """The setting that is least far off, by what it walks if that can be found out soon."""
    for _ in range(_LOOKED_AT):
        trial = min(race.trials.values(), key=race.standing)
        if trial.has_walked or not race.look_at(trial, RUNGS[0]):
            break
    walked = [trial for trial in race.trials.values() if trial.has_walked]
    trial = min(walked or race.trials.values(), key=race.standing)
    broken = {v.limit: v for v in race.broken(trial)}
    if math.isinf(race.excess(trial)) and not broken:
        reasons = Counter(trial.fell for trial in race.trials.values())
        return Shortfall("", (), "; ".join(reason for reason, _ in reasons.most_common(_REASONS)))
    return Shortfall(trial.label, tuple((v.limit, v.value, v.bound) for v in broken.values()))
