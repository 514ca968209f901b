"""The command that runs benchmarks: bench."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from waypost.cli.app import app
from waypost.cli.completion import complete_suite
from waypost.cli.show import new_table, show, show_figures
from waypost.errors import WaypostError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from waypost.bench.runner import Outcome
    from waypost.bench.summary import Summary

SHOWN = {
    "suboptimality_percent": "subopt. (%)",
    "move_us_mean": "us per move",
    "move_us_max": "longest move (us)",
    "work_per_move_max": "most work in a move",
    "cumulative_kb": "memory (KB)",
}
"""Metrics and their heads, of short words, so that they are whole in 80 columns."""


@app.command(
    epilog="Examples: waypost bench demo; waypost bench my.toml --maps ~/movingai --out results; "
    "waypost bench --compare results-of-may results-of-june"
)
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
    by_map: Annotated[bool, typer.Option("--by-map", help="Also show a table for each map.")] = False,
    compare: Annotated[
        tuple[Path, Path] | None,
        typer.Option(metavar="A B", help="Compare two folders of results, map by map, and stop."),
    ] = None,
    list: Annotated[bool, typer.Option("--list", help="List the suites that come with Waypost, and stop.")] = False,
) -> None:
    """Run a suite: what is already there is not run again, so an interrupted run goes on where it stopped."""
    if list:
        _list_suites()
        return
    if compare is not None:
        _compare(*compare)
        return
    if suite is None:
        raise WaypostError("name a suite, or list them with --list")
    from waypost.bench.changing import is_about_changes

    if is_about_changes(suite):
        _bench_changes(suite, maps, out)
        return
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
    if by_map:
        _show_maps(outcome)
    for path in (report, folder / "episodes.parquet", *drawn):
        print(f"Wrote {path}")
    print(f"Wrote {competition[0].parent}: {len(competition)} files in GPPC columns")


def _bench_changes(name: str, maps: Path | None, out: Path | None) -> None:
    """A suite on maps that change: its one table."""
    from waypost.bench.changing import COLUMNS, cells_of, read_changing_suite, run_changing_suite

    suite = read_changing_suite(name)
    folder = out or Path("waypost-bench") / suite.name
    rows = run_changing_suite(suite, folder, maps)
    for of in dict.fromkeys(row.map for row in rows):
        table = new_table(f"{suite.title}: {of}", *COLUMNS.values())
        for row in rows:
            if row.map == of:
                table.add_row(*cells_of(row))
        show(table)
    for file in ("report.md", "changes.csv"):
        print(f"Wrote {folder / file}")


def _draw(outcome: "Outcome", summaries: "Sequence[Summary]") -> list[Path]:
    from waypost.bench.plot import draw_plots

    return draw_plots(outcome, summaries)


def _list_suites() -> None:
    from waypost.bench.suite import read_title, shipped_suites

    table = new_table("Suites", "name", "what it compares")
    for name in shipped_suites():
        table.add_row(name, read_title(name))
    show(table)


def _compare(a: Path, b: Path) -> None:
    from waypost.bench.side_by_side import compare, read_results, remarks
    from waypost.bench.summary import HEADLINE

    results = read_results(a, SHOWN), read_results(b, SHOWN)
    for title, head, rows in compare(*results, SHOWN):
        show_figures(f"{title}: {a} → {b}", head, rows)
    print(f"{HEADLINE} Only problems count that arrived in both.")
    for line in remarks(*results):
        print(line)


def _show_maps(outcome: "Outcome") -> None:
    """A table for each map."""
    from dataclasses import replace

    from waypost.bench.report import begun, brief
    from waypost.bench.summary import summarise

    for source in dict.fromkeys(run.source for run in outcome.runs):
        of_map = replace(outcome, runs=tuple(run for run in outcome.runs if run.source == source))
        shown, _ = begun([*summarise(of_map)])
        show_figures(source.name, *brief(shown, SHOWN, SHOWN))


def _show(outcome: "Outcome", summaries: "Sequence[Summary]", fronts: "Sequence[tuple[str, ...]]") -> None:
    from waypost.bench.pareto import front, left_out
    from waypost.bench.report import VERDICT_HEAD, begun, brief, claim_line, verdict_row, what_was_run
    from waypost.bench.summary import HEADLINE
    from waypost.bench.tables import fill
    from waypost.bench.verdicts import judge

    shown, not_run = begun(summaries)
    show_figures(outcome.suite.title, *brief(shown, SHOWN, SHOWN))
    if not_run:
        print(not_run)
    for metrics in fronts:
        show_figures("Not beaten on these", *brief(front(summaries, metrics), metrics))
        if note := left_out(summaries, metrics):
            print(note)
    for claim in outcome.suite.claims:
        verdicts = judge(claim, outcome.suite.settings, summaries)
        rows = [verdict_row(verdict) for verdict in verdicts]
        show_figures(claim_line(claim, verdicts), VERDICT_HEAD, rows)
    for comparison in outcome.suite.comparisons:
        head, rows, note = fill(comparison, outcome.suite.settings, summaries)
        show_figures(comparison.title, head, rows)
        if note:
            print(note)
    for line in (HEADLINE, *what_was_run(outcome)):
        print(line)
    others = ", the others earlier" if outcome.fresh < outcome.episodes else ""
    print(f"{outcome.fresh:,} of {outcome.episodes:,} episodes were run now{others}.")
