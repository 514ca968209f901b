"""The command that runs benchmarks: bench."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from waypost.cli.app import app
from waypost.cli.completion import complete_suite
from waypost.cli.show import new_table, show
from waypost.errors import WaypostError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from waypost.bench.runner import Outcome
    from waypost.bench.summary import Summary

_SHOWN = {
    "suboptimality_percent": "subopt. (%)",
    "move_us_mean": "us per move",
    "move_us_max": "longest move (us)",
    "work_per_move_max": "most work in a move",
    "cumulative_kb": "memory (KB)",
}
"""Metrics and their heads, of short words, so that they are whole in 80 columns."""


@app.command(epilog="Examples: waypost bench demo; waypost bench my.toml --maps ~/movingai --out results")
def bench(
    suite: Annotated[
        str | None,
        typer.Argument(
            metavar="SUITE", help="A suite that comes with Waypost, or a .toml file.", autocompletion=complete_suite
        ),
    ] = None,
    maps: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Folder of benchmark maps; WAYPOST_MAPS if left out.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="DIR", help="Where results go: waypost-bench/SUITE.")
    ] = None,
    workers: Annotated[int, typer.Option(min=1, max=1024, help="Threads that make problems, optima and indexes.")] = 1,
    timing_workers: Annotated[
        int,
        typer.Option(min=1, max=1024, help="Processes that run episodes; more than one disturb each other's timings."),
    ] = 1,
    front: Annotated[
        list[str] | None,
        typer.Option(metavar="A,B[,C]", help="Also show the settings not beaten on these metrics; repeatable."),
    ] = None,
    plots: Annotated[bool, typer.Option(help="Draw plots.")] = True,
    list: Annotated[bool, typer.Option("--list", help="List the suites that come with Waypost, and stop.")] = False,
) -> None:
    """Run a suite: what is already there is not run again, so an interrupted run goes on where it stopped."""
    if list:
        _list_suites()
        return
    if suite is None:
        raise WaypostError("name a suite, or list them with --list")
    from waypost.bench.suite import read_suite
    from waypost.runs.metrics import check_metrics
    from waypost.system.progress import note

    described = read_suite(suite)
    fronts = [check_metrics(tuple(names.split(",")), 2, 3) for names in front or []]
    if plots:
        import waypost.bench.plot  # noqa: F401 - says now, and not after the run, that matplotlib is missing
    from waypost.bench.report import write_gppc, write_report
    from waypost.bench.runner import run_suite
    from waypost.bench.summary import summarise

    folder = out or Path("waypost-bench") / described.name
    if described.takes and not (folder / "episodes.parquet").exists():
        note(f"{described.title}: takes {described.takes}.")
    outcome = run_suite(described, folder, maps=maps, workers=workers, timing_workers=timing_workers)
    summaries = [*summarise(outcome)]
    drawn = _draw(outcome, summaries) if plots else []
    report = write_report(outcome, summaries, [path for path in drawn if path.suffix == ".svg"])
    competition = write_gppc(outcome)
    _show(outcome, summaries, fronts)
    for path in (report, folder / "episodes.parquet", *drawn):
        print(f"Wrote {path}")
    print(f"Wrote {competition[0].parent}: {len(competition)} files in GPPC columns")


def _draw(outcome: "Outcome", summaries: "Sequence[Summary]") -> list[Path]:
    from waypost.bench.plot import draw_plots

    return draw_plots(outcome, summaries)


def _list_suites() -> None:
    from waypost.bench.suite import read_title, shipped_suites

    table = new_table("Suites", "name", "what it compares")
    for name in shipped_suites():
        table.add_row(name, read_title(name))
    show(table)


def _show(outcome: "Outcome", summaries: "Sequence[Summary]", fronts: "Sequence[tuple[str, ...]]") -> None:
    from waypost.bench.pareto import front, left_out
    from waypost.bench.report import VERDICT_HEAD, begun, brief, claim_line, verdict_row, what_was_run
    from waypost.bench.summary import HEADLINE
    from waypost.bench.tables import fill
    from waypost.bench.verdicts import judge

    shown, not_run = begun(summaries)
    _print(outcome.suite.title, *brief(shown, _SHOWN, _SHOWN))
    if not_run:
        print(not_run)
    for metrics in fronts:
        _print("Not beaten on these", *brief(front(summaries, metrics), metrics))
        if note := left_out(summaries, metrics):
            print(note)
    for claim in outcome.suite.claims:
        verdicts = judge(claim, outcome.suite.settings, summaries)
        rows = [verdict_row(verdict) for verdict in verdicts]
        _print(claim_line(claim, verdicts), VERDICT_HEAD, rows)
    for comparison in outcome.suite.comparisons:
        head, rows, note = fill(comparison, outcome.suite.settings, summaries)
        _print(comparison.title, head, rows)
        if note:
            print(note)
    for line in (HEADLINE, *what_was_run(outcome)):
        print(line)
    others = ", the others earlier" if outcome.fresh < outcome.episodes else ""
    print(f"{outcome.fresh:,} of {outcome.episodes:,} episodes were run now{others}.")


def _print(title: str, head: "Sequence[str]", rows: "Sequence[Sequence[str]]") -> None:
    table = new_table(title, *head)
    for row in rows:
        table.add_row(*row)
    show(table)
