"""Figures between two comments of a page, of which the first says which target writes them."""

from pathlib import Path

__all__ = ["END", "begin", "write"]

END = "<!-- figures: end -->"


def begin(target: str) -> str:
    """The comment before the figures of a target."""
    return f"<!-- figures: begin (written by make {target}) -->"


def write(path: Path, target: str, content: str) -> None:
    """Replace what stands between the two comments of a file."""
    path.write_text(_placed(path.read_text(), begin(target), content))


def _placed(page: str, start: str, content: str) -> str:
    head, found, rest = page.partition(start)
    _, closed, tail = rest.partition(END)
    if not (found and closed):
        raise ValueError(f"the page has no place for figures: it needs the comments {start} and {END}")
    return f"{head}{start}\n\n{content.strip()}\n\n{END}{tail}"
