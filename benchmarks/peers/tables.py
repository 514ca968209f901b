"""The report as Markdown."""

import statistics

from benchmarks.peers.library import Library
from benchmarks.peers.results import YARDSTICK, Figures, Run, by_speed, of, times_slower

COLUMNS = (
    "library",
    "rules",
    "path length / optimum",
    "mean ms",
    "median ms",
    "max ms",
    "times A*",
    "first call ms",
    "ready s",
    "memory MB",
    "problems",
)


def map_table(row: list[Figures]) -> str:
    """One map: a line per library, fastest first."""
    yardstick = of(row, YARDSTICK)
    lines = [f"| {' | '.join(COLUMNS)} |", "|" + "---|" * len(COLUMNS)]
    for f in by_speed(row, yardstick):
        cells = (
            _name(f),
            _rules(f),
            _ratio(f),
            _number(f.mean_ms),
            _number(f.median_ms),
            _number(f.max_ms),
            _number(times_slower(f, yardstick)) if yardstick else "",
            _number(f.first_ms),
            _number(f.ready_seconds),
            f"{f.memory_bytes / 1e6:,.0f}",
            str(len(f.query_ms)),
        )
        lines.append(f"| {' | '.join(cells)} |")
    lines += [f"| {_name(f)} | {f.missing} |{' |' * (len(COLUMNS) - 2)}" for f in row if f.missing]
    return "\n".join(lines)


def summary_table(run: Run) -> str:
    """For the README: rules and mean time of every library on every map, in the order of the first map."""
    rows = list(run.values())
    lines = [
        f"| library | corner rule | {' | '.join(f'{name}, ms' for name in run)} |",
        "|---|---|" + "---|" * len(run),
    ]
    for f in by_speed(rows[0], of(rows[0], YARDSTICK)):
        means = [other.mean_ms for row in rows if (other := of(row, f.library)) and not other.missing]
        rules = "kept" if f.legal else "cut"
        lines.append(f"| {_name(f)} | {rules} | {' | '.join(map(_number, means))} |")
    return "\n".join(lines)


def easy_table(one_step: list[Figures], unreachable: list[Figures]) -> str:
    """Queries whose answer is near: one step, and no path."""
    lines = ["| library | one step | no path, said after |", "|---|---|---|"]
    pairs = [(of(one_step, f.library), of(unreachable, f.library)) for f in one_step]
    whole = [(step, none) for step, none in pairs if step and none]
    lines += [
        f"| {_name(step)} | {_easy(step)} | {_easy(none)} |"
        for step, none in sorted(whole, key=lambda pair: pair[0].median_ms)
    ]
    return "\n".join(lines)


def given_table(libraries: tuple[Library, ...]) -> str:
    """What each library was prepared with, and what a query then does."""
    lines = ["| library | given |", "|---|---|"]
    lines += [f"| {library.name} | {library.given.removesuffix('.')} |" for library in libraries]
    return "\n".join(lines)


def versions(run: Run) -> str:
    """Libraries and their versions, each once."""
    found = {f.library.split()[0]: f.version for row in run.values() for f in row if not f.missing}
    return ", ".join(f"{name} {version}" for name, version in found.items())


def _name(figures: Figures) -> str:
    return f"**{figures.library}**" if figures.ours else figures.library


def _rules(figures: Figures) -> str:
    if figures.wrong:
        return "WRONG paths"
    return "kept" if figures.legal else f"cuts corners in {figures.cuts} of {len(figures.query_ms)}"


def _ratio(figures: Figures) -> str:
    if not figures.ratios:
        return ""
    return "1, exact" if figures.exact else f"{statistics.fmean(figures.ratios):.3f}"


def _easy(figures: Figures) -> str:
    return "WRONG" if figures.wrong else _duration(figures.median_ms)


def _number(value: float) -> str:
    """Three significant digits and no exponent."""
    digits = 0 if value >= 100 else 1 if value >= 10 else 2 if value >= 1 else 3
    return f"{value:,.{digits}f}"


def _duration(ms: float) -> str:
    """A time in the unit that suits it."""
    factor, unit = (1e3, "us") if ms < 1 else (1, "ms") if ms < 1000 else (1e-3, "s")
    return f"{ms * factor:.3g} {unit}"
