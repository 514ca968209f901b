"""A report as a list of blocks, written as Markdown or as one HTML page that needs no other file."""

import base64
import html
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Block", "Cells", "Heading", "Lines", "Picture", "as_html", "as_markdown"]


@dataclass(frozen=True)
class Heading:
    """Of a section."""

    text: str
    level: int = 2


@dataclass(frozen=True)
class Lines:
    """Sentences, one on each line, or items of a list."""

    lines: tuple[str, ...]
    is_list: bool = False


@dataclass(frozen=True)
class Cells:
    """A table: the first column is text, others are figures."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Picture:
    """A PNG file."""

    path: Path
    caption: str
    shows_benchmark_map: bool = False
    """Benchmark maps are not ours to publish: a page of the documentation leaves such a picture out."""


Block = Heading | Lines | Cells | Picture

_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; color: #20262e; max-width: 1100px; margin: 2em auto; padding: 0 1em; }
table { border-collapse: collapse; font-size: 13px; margin: 1em 0; display: block; overflow-x: auto; }
th, td { border: 1px solid #d9dde2; padding: 2px 8px; text-align: right; } th { background: #f2f4f6; }
th:first-child, td:first-child { text-align: left; } img { max-width: 100%; } code { background: #f2f4f6; }
figure { margin: 1em 0; } figcaption { color: #5b6570; font-size: 13px; }
"""


def as_markdown(blocks: Iterable[Block], folder: Path, *, public: bool = False) -> str:
    """Markdown whose pictures are named from a folder; a public page has no pictures of benchmark maps."""
    parts = []
    for block in blocks:
        match block:
            case Heading(text, level):
                parts.append([f"{'#' * level} {text}"])
            case Lines(lines, is_list):
                parts.append([f"- {line}" if is_list else line for line in lines])
            case Cells(head, rows):
                parts.append(list(_markdown_table(head, rows)))
            case Picture(path, caption, hidden):
                if public and hidden:
                    continue
                place = Path(os.path.relpath(path, folder)).as_posix()
                parts.append([f"![{caption}]({place})"])
    return "\n\n".join("\n".join(lines) for lines in parts if lines) + "\n"


def _markdown_table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(head)} |"
    yield "|---" + "|---:" * (len(head) - 1) + "|"
    for row in rows:
        yield f"| {' | '.join(cell.replace('|', '/') for cell in row)} |"


def as_html(title: str, blocks: Iterable[Block]) -> str:
    """One page, its pictures inside."""
    body = "\n".join(_html_of(block) for block in blocks)
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{html.escape(title)}</title>'
        f"<style>{_STYLE}</style></head><body>\n{body}\n</body></html>\n"
    )


def _html_of(block: Block) -> str:
    match block:
        case Heading(text, level):
            return f"<h{level}>{_inline(text)}</h{level}>"
        case Lines(lines, True):
            return "<ul>" + "".join(f"<li>{_inline(line)}</li>" for line in lines) + "</ul>"
        case Lines(lines):
            return f"<p>{' '.join(map(_inline, lines))}</p>"
        case Cells(head, rows):
            top = "".join(f"<th>{_inline(cell)}</th>" for cell in head)
            body = "".join("<tr>" + "".join(f"<td>{_inline(cell)}</td>" for cell in row) + "</tr>" for row in rows)
            return f"<table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>"
        case Picture(path, caption):
            data = base64.b64encode(path.read_bytes()).decode()
            image = f'<img alt="{html.escape(caption)}" src="data:image/png;base64,{data}">'
            return f"<figure>{image}<figcaption>{_inline(caption)}</figcaption></figure>"


def _inline(text: str) -> str:
    """What Markdown marks inside a line: code, bold text and links."""
    text = html.escape(text, quote=False)
    text = re.sub(r"`([^`]+)`", r"<code>\1</code>", text)
    text = re.sub(r"\*\*([^*]+)\*\*", r"<strong>\1</strong>", text)
    return re.sub(r"\[([^\]]+)\]\(([^)]+)\)", r'<a href="\2">\1</a>', text)
