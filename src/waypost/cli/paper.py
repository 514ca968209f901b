"""The command that runs a paper again: paper."""

from pathlib import Path
from typing import Annotated

import typer

from waypost.cli.app import app
from waypost.cli.completion import complete_paper

_MINUTES = 60


@app.command(
    epilog="Examples: waypost paper 2009 --quick; waypost paper 2013 --maps ~/movingai --workers 16; "
    "waypost paper 2009 --rows 2009.zip --minutes 0"
)
def paper(
    name: Annotated[
        str,
        typer.Argument(
            metavar="PAPER", help="2008, 2009, 2010, 2011 or 2013, or a .toml file.", autocompletion=complete_paper
        ),
    ],
    quick: Annotated[bool, typer.Option("--quick", help="To scale, in minutes.")] = False,
    maps: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Folder of benchmark maps; WAYPOST_MAPS if left out.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="DIR", help="Where results go: waypost-paper/PAPER.")
    ] = None,
    workers: Annotated[
        int,
        typer.Option(
            min=1, max=1024, help="Processes that build and walk; more than one disturb each other's timings."
        ),
    ] = 1,
    minutes: Annotated[
        float, typer.Option(min=0, help="Nothing is begun later; run it again to go on. 0: only write the report.")
    ] = _MINUTES,
    rows: Annotated[Path | None, typer.Option(metavar="ZIP", help="Take rows that --keep-rows has written.")] = None,
    keep_rows: Annotated[
        Path | None, typer.Option(metavar="ZIP", help="Write all rows so far into one small file.")
    ] = None,
    page: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Also write a page of Markdown without benchmark maps.")
    ] = None,
) -> None:
    """Run a paper's experiments and write a report: its tables and figures beside ours, claims, causes, sensitivity.

    The exit status is 1 if a claim is missed for which no cause is recorded.
    """
    from waypost.bench.papers.archive import load_rows, save_rows
    from waypost.bench.papers.claims import counted, unexplained
    from waypost.bench.papers.description import read_paper
    from waypost.bench.papers.report import report_blocks, write_page, write_report
    from waypost.bench.papers.results import PaperResults
    from waypost.bench.papers.running import run_paper
    from waypost.bench.papers.scale import Scale
    from waypost.bench.papers.verdicts import judged
    from waypost.bench.worlds import maps_folder
    from waypost.system.progress import note

    described = read_paper(name)
    scale = Scale(quick=quick, standin=maps_folder(maps) is None)
    folder = out or Path("waypost-paper") / f"{described.name}{'-quick' if quick else ''}"
    if rows:
        print(f"Took {load_rows(rows, folder):,} episodes from {rows}")
    if scale.standin:
        note("There is no folder of benchmark maps (--maps or WAYPOST_MAPS): generated stand-ins are used instead.")
    ran = run_paper(described, folder, scale, maps=maps, workers=workers, seconds=60 * minutes)
    results = PaperResults(described, ran, scale)
    claims = judged(described, results)
    blocks = report_blocks(described, results, claims, scale, folder / "pictures")
    written = [*write_report(described, blocks, folder)]
    if page:
        write_page(blocks, page)
        written.append(page)
    if keep_rows:
        save_rows(results, keep_rows)
        written.append(keep_rows)
    for path in written:
        print(f"Wrote {path}")
    for line in counted(claims):
        print(line)
    if not results.complete:
        print("NOT COMPLETE: run it again to go on.")
    missed = [one for one in unexplained(claims) if results[one.suite].outcome.complete]
    for one in missed:
        print(f"Missed without a known cause: {one.claim.text}")
    if missed:
        raise typer.Exit(1)
