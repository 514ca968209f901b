"""The report of a suite: tables in Markdown, GPPC results, and what was run on what."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from waypost.bench.claims import RATIO_OF_SUMS_PERCENT, Claim
from waypost.bench.numbers import number, with_error
from waypost.bench.pareto import front, left_out
from waypost.bench.runner import Outcome
from waypost.bench.suite import Published, Suite
from waypost.bench.summary import (
    HEADLINE,
    RATIO_OF_SUMS,
    Stats,
    Summary,
    break_even_agents,
    moves_to_pay_off,
    on_common_problems,
)
from waypost.bench.tables import fill
from waypost.bench.verdicts import Verdict, judge
from waypost.runs.metrics import METRICS, gppc_csv, gppc_rows
from waypost.system.files import write_atomically

__all__ = [
    "VERDICT_HEAD", "begun", "brief", "claim_line", "verdict_row", "what_was_run", "write_gppc", "write_report",
]  # fmt: skip

_OVERVIEW = (
    "suboptimality_percent", "moves", "move_us_mean", "move_us_max", "first_move_us", "total_us",
    "expansions_per_move_mean", "work_per_move_max", "cumulative_kb",
)  # fmt: skip
_GPPC_NAMES = (
    "arrived", "problem", "moves", "length_cells", "optimal_cells", "total_us", "first_20_moves_us", "move_us_max",
)  # fmt: skip
_FEW = 10
VERDICT_HEAD = ("setting", "figure", "demand", "times less", "held")
"""What `verdict_row` gives."""


def write_report(outcome: Outcome, summaries: Sequence[Summary], plots: Iterable[Path]) -> Path:
    """Write summary.md, and say where."""
    path = outcome.store.folder / "summary.md"
    write_atomically(path, ("\n".join(_lines(outcome, summaries, plots)) + "\n").encode())
    return path


def write_gppc(outcome: Outcome) -> list[Path]:
    """Write the results of each setting in the columns of the Grid-Based Path Planning Competition."""
    folder = outcome.store.folder / "gppc"
    folder.mkdir(exist_ok=True)
    paths = []
    for setting in outcome.suite.settings:
        paths.append(folder / f"{file_name(setting.label)}.csv")
        rows = (
            row
            for run in outcome.runs
            if run.setting == setting
            for columns in (outcome.store.read([run.identity], _GPPC_NAMES),)
            for row in gppc_rows(run.source.name, run.scenarios, columns["problem"].tolist(), columns)
        )
        write_atomically(paths[-1], gppc_csv(rows))
    return paths


def file_name(label: str) -> str:
    """A setting's label as part of a file name."""
    return "".join(c if c.isalnum() or c in "-_.=" else "_" for c in label.replace(", ", ",")).strip("_")


def what_was_run(outcome: Outcome) -> list[str]:
    """What was run on what, line by line."""
    suite = outcome.suite
    names = list(dict.fromkeys(run.source.name for run in outcome.runs))
    listed = ", ".join(names) if len(names) <= _FEW else f"{names[0]} to {names[-1]}"
    problems = sum(len(run) for run in outcome.runs) // len(suite.settings)
    identities = [run.identity for run in outcome.runs]
    floors = [f"{us:.2f}" for us in outcome.store.distinct(identities, "call_floor_us")]
    lines = [
        f"{_count(len(names), 'map')}: {listed}",
        f"{_count(problems, 'problem')}: {suite.problems}",
        f"Diagonal moves {suite.diagonals}, cost {suite.costs}; {_limits(suite)}",
        *(f"Machine: {machine}" for machine in outcome.store.distinct(identities, "machine")),
    ]
    if not suite.each_move:
        lines.append("Timed walk by walk, at full speed: times of single moves are not known")
    elif floors:  # there are none before the first episode
        floor = " or ".join(floors)
        lines.append(f"A move that plans nothing takes {floor} us there: the floor under every time per move")
    if suite.rounds > 1:
        lines.append(f"Each walk was made {suite.rounds} times; of each move the shortest time counts")
    if max(outcome.store.distinct(identities, "timing_workers"), default=1) > 1:
        lines.append("Several processes ran at once, so the timings disturbed each other")
    if not outcome.complete:
        lines.append(f"NOT COMPLETE: {outcome.episodes:,} of {sum(map(len, outcome.runs)):,} episodes so far")
    return lines


def begun(summaries: Sequence[Summary]) -> tuple[list[Summary], str]:
    """Those settings that have any episodes, and a sentence that names the others, if there are any."""
    others = [summary.label for summary in summaries if not summary.episodes]
    return [s for s in summaries if s.episodes], f"Not run yet: {', '.join(others)}." if others else ""


def brief(
    summaries: Sequence[Summary], names: Iterable[str], heads: Mapping[str, str] = MappingProxyType({})
) -> tuple[list[str], list[list[str]]]:
    """A table of what stands for all episodes (`HEADLINE`) in some metrics: its head, in these words, and its rows."""
    metrics = [METRICS[name] for name in names if any(_is_known(s.mean(name)) for s in summaries)]
    head = ["setting", "arrived", *(heads.get(metric.name, metric.title) for metric in metrics)]
    rows = [
        [_label(s), f"{s.arrived}/{s.episodes}", *(number(s.mean(metric.name)) for metric in metrics)]
        for s in summaries
    ]
    return head, rows


def _overview(outcome: Outcome, summaries: Sequence[Summary]) -> Iterator[str]:
    """The table that compares settings in full."""
    head, rows = brief(summaries, _OVERVIEW)
    head.insert(3, RATIO_OF_SUMS)
    for row, summary in zip(rows, summaries, strict=True):
        row.insert(3, number(summary.ratio_of_sums_percent))
    base = next((s for s in summaries if s.label == outcome.suite.baseline), None)
    partly = []
    if base:
        head += [f"Break-even with {base.label} (agents)", f"Pays off against {base.label} (moves)"]
        for row, summary in zip(rows, summaries, strict=True):
            if summary is base:
                row.extend(["", ""])
                continue
            ours, theirs = on_common_problems(outcome, summary, base)
            row.extend(_comparison(ours, theirs))
            if ours.episodes < ours.planned:
                partly.append(f"{summary.label} {ours.episodes:,}/{ours.planned:,}")
    yield from _table(head, rows)
    if base and partly:
        yield from ("", f"Compared with {base.label} over the problems that both arrived at: {', '.join(partly)}.")


def _comparison(ours: Summary, theirs: Summary) -> list[str]:
    """With how many agents and after how many moves a setting wins, over the same problems."""
    if not ours.episodes:
        return ["-", "-"]
    return [number(break_even_agents(ours, theirs)), moves_to_pay_off(ours, theirs)]


def _lines(outcome: Outcome, summaries: Sequence[Summary], plots: Iterable[Path]) -> Iterator[str]:
    suite = outcome.suite
    shown, not_run = begun(summaries)
    yield f"# {suite.title}"
    yield from ("", suite.about) if suite.about else ()
    yield ""
    yield from (f"- {line}" for line in what_was_run(outcome))
    yield from ("", "## Overview", "", HEADLINE, "")
    yield from _overview(outcome, shown)
    yield from ("", not_run) if not_run else ()
    yield from _disqualified(suite, summaries)
    yield from _published(suite.published, summaries)
    yield from _claims(suite, summaries)
    for comparison in suite.comparisons:
        head, rows, note = fill(comparison, suite.settings, summaries)
        yield from ("", f"## {comparison.title}", "")
        yield from _table(head, rows)
        yield from ("", note) if note else ()
    for metrics in suite.fronts:
        yield from _front(metrics, summaries)
    for path in plots:
        yield from ("", f"![{path.stem}]({path.relative_to(outcome.store.folder).as_posix()})")
    for metric in METRICS.values():
        means = [summary.mean(metric.name) for summary in shown]
        if any(_is_known(mean) and (mean or not metric.special) for mean in means):
            yield from ("", f"## {metric.title}", "")
            rows = [[_label(s), *(number(value) for value in _values(s.metrics[metric.name]))] for s in shown]
            yield from _table(["setting", "mean", "standard error", "median", "p99", "max"], rows)


def _front(metrics: tuple[str, ...], summaries: Sequence[Summary]) -> Iterator[str]:
    titles = [METRICS[name].title for name in metrics]
    yield from ("", f"## Not beaten on {' and '.join(filter(None, (', '.join(titles[:-1]), titles[-1])))}", "")
    rows = [[_label(s), *(number(s.mean(name)) for name in metrics)] for s in front(summaries, metrics)]
    yield from _table(["setting", *titles], rows)
    note = left_out(summaries, metrics)
    yield from ("", note) if note else ()


def _disqualified(suite: Suite, summaries: Sequence[Summary]) -> Iterator[str]:
    if math.isfinite(suite.limits.work_per_move):
        limit = f"{suite.limits.work_per_move:,.0f}"
        bounded, unbounded = (
            ", ".join(
                f"{s.label} ({number(s.most_work_in_a_move)})"
                for s in summaries
                if s.disqualified and s.real_time == real_time
            )
            for real_time in (True, False)
        )
        yield from ("", f"Disqualified for more work than {limit} in one move: {bounded or 'none'}.")
        if unbounded:
            yield from ("", f"Disqualified because nothing bounds their work in one move (most seen): {unbounded}.")


def _published(published: Sequence[Published], summaries: Sequence[Summary]) -> Iterator[str]:
    if not published:
        return
    ours = {summary.label: summary for summary in summaries}
    yield from (
        "",
        "## Published figures beside ours",
        "",
        "Other maps or machines than theirs: compare with care. Ours are means, as papers print them.",
        "",
    )
    rows = [
        [one.label, METRICS[name].title, number(figure), _beside(ours.get(one.beside), name), one.source]
        for one in published
        for name, figure in one.figures
    ]
    yield from _table(["planner", "metric", "published", "ours", "source"], rows)


def _claims(suite: Suite, summaries: Sequence[Summary]) -> Iterator[str]:
    """A paper's claims, and for each setting whether it held."""
    if not suite.claims:
        return
    yield from ("", "## Claims and whether they held here", "")
    for claim in suite.claims:
        verdicts = judge(claim, suite.settings, summaries)
        yield from (f"**{claim_line(claim, verdicts)}**", "")
        yield from _table(VERDICT_HEAD, (verdict_row(verdict) for verdict in verdicts))
        yield ""


def claim_line(claim: Claim, verdicts: Sequence[Verdict]) -> str:
    """A claim, where it is made, about which metric it is, and how often it held."""
    title = RATIO_OF_SUMS if claim.metric == RATIO_OF_SUMS_PERCENT else METRICS[claim.metric].title
    source = f" ({claim.source})" if claim.source else ""
    held = sum(verdict.held for verdict in verdicts)
    times = {None: "", 1.0: " (the paper: about as much)"}
    paper = times.get(claim.times, f" (the paper: {number(claim.times or 0)} times less)")
    return f"{claim.text}{source}: {title}{paper}, held for {held} of {len(verdicts)}"


def verdict_row(verdict: Verdict) -> list[str]:
    """A verdict as a row of a table."""
    beside = f" of {verdict.beside}" if verdict.beside else ""
    demand = f"{verdict.demand} {with_error(verdict.against)}{beside}"
    held = "held" if verdict.held else "NOT HELD"
    return [verdict.label, with_error(verdict.figure), demand, with_error(verdict.times), held]


def _beside(ours: Summary | None, name: str) -> str:
    """Our figure beside a published one, and of how many episodes it is where not all arrived."""
    if ours is None:
        return "-"
    of = "" if ours.all_arrived else f" ({ours.arrived:,}/{ours.episodes:,} arrived)"
    return number(ours.metrics[name].mean) + of


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(head)} |"
    yield "|---" + "|---:" * (len(head) - 1) + "|"
    for row in rows:
        yield f"| {' | '.join(row)} |"


def _values(stats: Stats) -> tuple[float, ...]:
    return stats.mean, stats.standard_error, stats.median, stats.p99, stats.max


def _limits(suite: Suite) -> str:
    limits = suite.limits
    texts = [f"an episode ends after {limits.moves:,} moves"]
    if math.isfinite(limits.episode_seconds):
        texts.append(f"or {limits.episode_seconds:g} s")
    if math.isfinite(limits.work_per_move):
        texts.append(f"; real-time cut-off {limits.work_per_move:,.0f} units of work in a move")
    return " ".join(texts).replace(" ;", ";")


def _label(summary: Summary) -> str:
    return f"{summary.label} (disqualified)" if summary.disqualified else summary.label


def _count(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def _is_known(value: float) -> bool:
    return not math.isnan(value)
