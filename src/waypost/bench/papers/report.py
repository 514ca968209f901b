"""The report of a paper: header, tables and figures by number, claims, sensitivity, departures, what is missing."""

import math
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from waypost.bench.papers.claims import claim_blocks
from waypost.bench.papers.description import Paper, Titled
from waypost.bench.papers.document import Block, Cells, Heading, Lines, Picture, as_html, as_markdown
from waypost.bench.papers.figures import draw_figure
from waypost.bench.papers.filled import compact_cells, comparison_cells, figure, pair_cells, row_blocks, share_run
from waypost.bench.papers.header import header_blocks
from waypost.bench.papers.illustrations import ILLUSTRATIONS
from waypost.bench.papers.items import Item, Row
from waypost.bench.papers.read_off import read_off_cells
from waypost.bench.papers.results import PaperResults
from waypost.bench.papers.scale import Scale
from waypost.bench.papers.sensitivity import sensitivity_blocks
from waypost.bench.papers.today import today_blocks
from waypost.bench.papers.verdicts import Judged
from waypost.runs import picture
from waypost.system.files import write_atomically

__all__ = ["report_blocks", "write_page", "write_report"]


def report_blocks(
    paper: Paper, results: PaperResults, claims: list[Judged], scale: Scale, pictures: Path
) -> list[Block]:
    """The whole report; pictures are written to a folder."""
    pictures.mkdir(parents=True, exist_ok=True)
    return [
        *header_blocks(paper, results, scale),
        Heading("Tables and figures"),
        *(block for item in paper.items for block in _item(paper, item, results, scale, pictures)),
        *claim_blocks(claims),
        *today_blocks(results, pictures),
        *sensitivity_blocks(paper, results),
        *_titled("Departures of `published` that stay", paper.departures),
        *_titled("What cannot be reproduced, and why", paper.missing),
    ]


def write_report(paper: Paper, blocks: list[Block], folder: Path) -> tuple[Path, Path]:
    """Write report.html, which needs no other file, and report.md beside its pictures."""
    page, text = folder / "report.html", folder / "report.md"
    write_atomically(page, as_html(paper.title, blocks).encode())
    write_atomically(text, as_markdown(blocks, folder).encode())
    return page, text


def write_page(blocks: list[Block], page: Path) -> None:
    """Write a page of the documentation and its pictures beside it; none of a benchmark map is among them."""
    folder = page.parent / "pictures" / page.stem
    folder.mkdir(parents=True, exist_ok=True)
    public = [_beside(block, folder) if isinstance(block, Picture) else block for block in blocks]
    write_atomically(page, as_markdown(public, page.parent, public=True).encode())


def _beside(picture_block: Picture, folder: Path) -> Picture:
    """A picture that may be published, put into a folder."""
    if picture_block.shows_benchmark_map:
        return picture_block
    copy = folder / picture_block.path.name
    write_atomically(copy, picture_block.path.read_bytes())
    return replace(picture_block, path=copy)


def _item(paper: Paper, item: Item, results: PaperResults, scale: Scale, pictures: Path) -> Iterator[Block]:
    yield Heading(f"{item.number}: {item.title}", 3)
    if item.text:
        yield Lines(item.text)
    rows, columns = rows_of(paper, item)
    if rows:
        yield Lines((_how_full(item, rows, results, scale),))
    if item.panels:
        path = pictures / f"{_slug(item.number)}.png"
        if draw_figure(item, rows, columns, results[item.suite], path):
            yield Picture(path, f"{item.number}: hollow the paper's points, filled ours")
    if item.rows:
        silent = all(math.isnan(figure) for row in rows for figure in row.paper)
        if item.cutoff:
            yield Lines((f"Settings that ever expand more than {item.cutoff:,.0f} states in a move are left out.",))
        if silent:
            yield compact_cells(item, rows, columns, results)
        else:
            yield from row_blocks(item, rows, columns, results)
    elif item.rows_of:
        yield Lines((f"Its figures are those of {item.rows_of}.",))
    if item.pairs:
        yield pair_cells(item, results)
    if item.read_off:
        yield read_off_cells(item, results)
    if item.comparison:
        cells, note = comparison_cells(item, results)
        yield cells
        if note:
            yield Lines((note,))
    if item.illustration:
        yield from _illustration(item, results, pictures)
    if item.code:
        yield Lines((item.code,))


def rows_of(paper: Paper, item: Item) -> tuple[tuple[Row, ...], tuple[str, ...]]:
    """The rows of an item, its own or those of the table that it shows, and their columns."""
    if not item.rows_of:
        return item.rows, item.columns
    other = next(one for one in paper.items if one.number == item.rows_of)
    return other.rows, other.columns


def _how_full(item: Item, rows: tuple[Row, ...], results: PaperResults, scale: Scale) -> str:
    there, planned = share_run(rows, results[item.suite])
    what = "Quick, to scale" if scale.quick else "Full"
    on = ", on stand-ins" if scale.standin else ""
    state = "complete" if there == planned else "NOT COMPLETE"
    return f"{what}{on}: {state}, {there:,} of {planned:,} episodes."


def _illustration(item: Item, results: PaperResults, pictures: Path) -> Iterator[Block]:
    suite = results.suites.get(item.suite)
    drawn = ILLUSTRATIONS[item.illustration](suite)
    for i, (caption, pixels) in enumerate(drawn.pictures, 1):
        path = pictures / f"{_slug(item.number)}-{i}.png"
        picture.write_png(path, pixels)
        yield Picture(path, caption, drawn.shows_benchmark_map)
    if drawn.shows_benchmark_map:
        yield Lines(("Benchmark maps are not ours to publish, so that only the command's own report shows them.",))
    papers = [*item.facts, *(fact.paper for fact in drawn.facts[len(item.facts) :])]
    if not all(map(math.isnan, papers)):
        known = zip((fact.what for fact in drawn.facts), papers, (fact.ours for fact in drawn.facts), strict=False)
        yield Cells(("figure", "paper", "ours"), tuple((what, figure(a), figure(b)) for what, a, b in known))
    else:
        yield Cells(("figure", "ours"), tuple((fact.what, figure(fact.ours)) for fact in drawn.facts))


def _titled(heading: str, entries: tuple[Titled, ...]) -> Iterator[Block]:
    if not entries:
        return
    yield Heading(heading)
    for entry in entries:
        shows = (f"Shown by `{entry.command}`.",) if entry.command else ()
        yield Lines((f"**{entry.what}**", *entry.text, *shows))


def _slug(text: str) -> str:
    return "-".join(re.findall(r"[a-z0-9]+", text.lower()))
