"""Pages of the documentation: where their links lead, and their blocks of code, run as a reader would run them."""

import re
import shlex
import textwrap
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from waypost.bench.suite import read_suite

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
HOME = re.compile(r"https://(?:github\.com/waypost/waypost/blob|raw\.githubusercontent\.com/waypost/waypost)/main/")
"""How a page names a file of this repository where a relative link leads nowhere: on a package index, on the site."""

_FENCE = re.compile(
    r"(?:<!-- not run: (?P<why>.+?) -->\n+ *)?^(?P<indent> *)```(?P<language>\w*)\n(?P<code>.*?)^ *```$", re.M | re.S
)
RUN = {"python", "sh", "toml"}
SHOWN = {"text", "dockerfile", ""}
"""What the block before it prints; what needs a container; layouts and rules."""


class Block(NamedTuple):
    """A fenced block."""

    language: str
    code: str
    why_not: str
    """Why it is not run, where a comment before it says so."""


def blocks(page: Path) -> Iterator[Block]:
    """All fenced blocks of a page, in their order."""
    for found in _FENCE.finditer(page.read_text()):
        yield Block(found["language"], textwrap.dedent(found["code"]), found["why"] or "")


def python_of(page: Path) -> list[str]:
    """The Python of a page that is run."""
    return [block.code for block in blocks(page) if block.language == "python" and not block.why_not]


def links(page: Path) -> Iterator[tuple[Path, str]]:
    """The files of this repository that a page links to, and the section of each."""
    for link, section in re.findall(r"\]\(([^)#\s]*)(?:#([^)]+))?\)", page.read_text()):
        if HOME.match(link):
            yield ROOT / HOME.sub("", link), section
        elif not re.match(r"[a-z]+://", link):
            yield page.parent / link if link else page, section


def run_page(page, waypost, capsys):
    """Run the blocks of a page one after the other where the test stands; returns the names that its Python has made.

    A block of `text` is what the Python before it has printed.
    """
    world, printed = {}, ""
    for block in blocks(page):
        if block.language == "text":
            assert printed == block.code, f"{page.name} shows something else than is printed"
        elif block.why_not:
            continue
        elif block.language == "python":
            exec(block.code, world)  # noqa: S102
            printed = capsys.readouterr().out
        elif block.language == "sh":
            for words in commands(block):
                if words[0] == "waypost":
                    assert waypost(*words[1:])[0] == 0, words
        elif block.language == "toml" and "problems" in tomllib.loads(block.code):
            Path("my-suite.toml").write_text(block.code)
            read_suite("my-suite.toml")
    return world


def commands(block: Block) -> Iterator[list[str]]:
    """The words of each line of a shell block."""
    for line in block.code.splitlines():
        if words := shlex.split(line, comments=True):
            yield words
