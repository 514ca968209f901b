"""The answer of a race: the choice, what others trade for it, and why the rest fell, in words and as a file."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from waypost.bench.numbers import number
from waypost.bench.runner import Outcome
from waypost.bench.summary import summarise
from waypost.planners.names import PlannerName
from waypost.tuning.intervals import Interval
from waypost.tuning.limits import Limits, in_words
from waypost.tuning.settings_file import Tuned, write_tuned
from waypost.tuning.trial import Figures
from waypost.world.grid import Grid

__all__ = ["Choice", "Shortfall", "Tuning"]


@dataclass(frozen=True)
class Choice:
    """A planner with its parameters, and what was measured of it."""

    planner: PlannerName
    params: Mapping[str, Any]
    """Those that differ from the planner's defaults."""
    figures: Figures
    fresh: Figures | None = None
    """The same on problems that nothing was chosen by."""
    breaks: tuple[str, ...] = ()
    """Limits that it does not keep, in words: of a next best one where no other keeps them all."""

    def __str__(self) -> str:
        given = ", ".join(f"{name}={value}" for name, value in self.params.items())
        return f"{self.planner}({given})" if given else self.planner

    def traded_for(self, other: "Choice") -> str:
        """What one gets and gives by taking this one instead of another, in words."""
        ours, theirs = self.figures, other.figures
        words = [
            _times("as long per move", ours.move_us.value, theirs.move_us.value),
            _times("the memory", ours.memory, theirs.memory),
            _difference(ours.suboptimality.value, theirs.suboptimality.value),
        ]
        told = ", ".join(word for word in words if word) or "the same in all figures"
        return f"{told}; but {' and '.join(self.breaks)}" if self.breaks else told


@dataclass(frozen=True)
class Shortfall:
    """Where nothing keeps all limits: the setting that comes nearest, and what it would need."""

    setting: str
    needs: tuple[tuple[str, float, float], ...]
    """Limits that it breaks: the name, what it would need, and what the limit is."""
    why: str = ""
    """Where no setting comes near at any cost: the reasons that most of them fell for."""

    def __str__(self) -> str:
        if self.why:
            return f"no planner can be what is wanted: {self.why}"
        relaxed = " and ".join(
            f"{name} to {in_words(name, value)} (from {in_words(name, limit)}, {_ratio(value, limit)})"
            for name, value, limit in self.needs
        )
        return f"nothing keeps these limits; {self.setting} comes nearest: relax {relaxed}"


@dataclass(frozen=True, eq=False)
class Tuning:
    """What `tune` found for one map."""

    grid: Grid
    map_name: str
    limits: Limits
    choice: Choice | None
    """The best setting within the limits; None if there is none."""
    runners_up: tuple[Choice, ...]
    """The next best ones, of other planners where there are any; then those that come nearest to the limits."""
    front: tuple[Choice, ...]
    """All settings that were walked and that no other one beats in suboptimality, time and memory."""
    fallen: tuple[tuple[str, str], ...]
    """Settings that are out, and why."""
    shortfall: Shortfall | None
    """Where there is no choice: what comes nearest."""
    folder: Path
    """All rows, as of a suite."""
    outcome: Outcome | None
    """Those of the choice, the next best and the front; None if nothing has walked."""
    tried: int
    """Settings that have walked."""
    complete: bool
    """Whether the race was run to its end, and the choice confirmed on fresh problems."""

    def __str__(self) -> str:
        return "\n".join(self.lines())

    @property
    def python(self) -> str:
        """The line of Python that builds the choice."""
        if self.choice is None:
            return ""
        given = "".join(f", {name}={value!r}" for name, value in self.choice.params.items())
        return f'wp.build("{self.choice.planner}", grid{given})'

    @property
    def command(self) -> str:
        """The command that uses the choice."""
        if self.choice is None:
            return ""
        given = "".join(f" -p {name}={value}" for name, value in self.choice.params.items())
        rules = {"--diagonals": (self.grid.diagonals, "both-open"), "--costs": (self.grid.costs_name, "sqrt2")}
        options = "".join(f" {option} {value}" for option, (value, usual) in rules.items() if value != usual)
        return f"waypost run {self.map_name or 'MAP'} --planner {self.choice.planner}{given}{options}"

    def lines(self) -> Iterator[str]:
        """The answer in words."""
        if self.choice is None:
            yield f"{self.shortfall}." if self.shortfall else "Nothing that keeps the limits was found so far."
            return
        yield f"{self.choice}: {_told(self.choice.figures)}"
        if self.choice.fresh:
            yield f"On {self.choice.fresh.problems:,} fresh problems: {_told(self.choice.fresh)}"
        if not self.complete:
            yield "The race was not run to its end: this is the best so far, and not confirmed."
        for other in self.runners_up:
            yield f"Instead {other}: {other.traded_for(self.choice)}"
        yield f"In Python: {self.python}"
        yield f"On the command line: {self.command}"

    def explain(self) -> str:
        """Why each setting that is out fell, in words."""
        reasons: dict[str, list[str]] = {}
        for setting, reason in self.fallen:
            reasons.setdefault(reason, []).append(setting)
        return "\n".join(f"{_listed(settings)}: {reason}" for reason, settings in reasons.items())

    def draw(self) -> list[Path]:
        """Draw the settings of the choice and of the front, as `waypost bench` draws a suite; returns the files."""
        if self.outcome is None:
            return []
        from waypost.bench.plot import draw_plots  # matplotlib, which an answer in words does not need

        return draw_plots(self.outcome, list(summarise(self.outcome)))

    def save(self, path: str | Path) -> None:
        """Write the choice to a file that `tuned` reads."""
        figures = self.choice.figures if self.choice else None
        write_tuned(
            path,
            Tuned(
                planner=self.choice.planner if self.choice else "",
                params=dict(self.choice.params) if self.choice else {},
                map_name=self.map_name,
                fingerprint=self.grid.fingerprint,
                diagonals=self.grid.diagonals,
                costs=self.grid.costs_name,
                limits=self.limits.given,
                figures={} if figures is None else _figures(figures),
                date=datetime.now(UTC).isoformat(timespec="seconds"),
            ),
        )


def _told(figures: Figures) -> str:
    """The figures of a setting with their intervals, in words."""
    parts = [
        f"suboptimality {_with_interval(figures.suboptimality)} %",
        f"{_with_interval(figures.move_us)} us per move",
        f"{in_words('memory', figures.memory)} of memory",
    ]
    if figures.index_bytes:
        parts.append(f"built in {number(figures.build_seconds)} s")
    if math.isfinite(figures.work_bound):
        parts.append(f"no move above {figures.work_bound:,.0f} units of work, some {number(figures.response_us)} us")
    return f"{', '.join(parts)}; {figures.problems:,} problems"


def _with_interval(interval: Interval) -> str:
    return f"{number(interval.value)} ({number(interval.low)} to {number(interval.high)})"


def _figures(figures: Figures) -> dict[str, Any]:
    """Figures as a file has them."""
    return {
        "problems": figures.problems,
        "suboptimality_percent": [round(each, 6) for each in figures.suboptimality],
        "move_us": [round(each, 6) for each in figures.move_us],
        "memory_bytes": int(figures.memory),
        "index_bytes": int(figures.index_bytes),
        "build_seconds": round(figures.build_seconds, 6),
    }


def _times(what: str, ours: float, theirs: float) -> str:
    """How two figures compare; nothing if they hardly differ."""
    if theirs <= 0 or not math.isfinite(ours / theirs) or 0.98 < ours / theirs < 1.02:
        return ""
    return f"{ours / theirs:.2g} times {what}"


def _difference(ours: float, theirs: float) -> str:
    if abs(ours - theirs) < 5e-3:
        return ""
    return f"walks {abs(ours - theirs):.2g} % {'longer' if ours > theirs else 'shorter'}"


def _ratio(value: float, limit: float) -> str:
    return f"{value / limit:.2g} times" if limit > 0 and math.isfinite(value) else "any at all"


def _listed(settings: list[str]) -> str:
    shown = ", ".join(settings[:3])
    return shown if len(settings) <= 3 else f"{shown} and {len(settings) - 3} more"
