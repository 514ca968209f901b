"""Markdown is written one sentence per line, leads somewhere, and says where code is by folder, not by file."""

import re

import pytest

from tests.support.pages import PAGES, ROOT, links

PROSE = [*PAGES, ROOT / "CHANGELOG.md"]
FAMILIES = {path.parent.name for path in (ROOT / "src" / "waypost" / "planners").glob("*/__init__.py")}
LONGEST = 240
"""Characters of a line as it is read, links without their addresses."""

LABEL = re.compile(r"^(?:(?:[-*]|\d+\.) +)?(?:\*\*[^*]+\*\* *)?")
"""What a line may begin with: the mark of a list, and a few words in bold."""
SENTENCE_END = re.compile(r"(?<!e\.g)(?<!i\.e)(?<!et al)(?<!\.\.)(?<!\s\d)[.!?][\"')*_]*\s+(?=\S)")


def lines(page):
    """Numbered lines of prose, without code, tables, headings, pictures and addresses of links."""
    fenced = False
    for number, line in enumerate(page.read_text().splitlines(), 1):
        if line.strip().startswith("```"):
            fenced = not fenced
        elif not fenced and not line.strip().startswith(("|", "#", "![", "<!--")):
            yield number, re.sub(r"\]\([^)]*\)", "]", re.sub(r"`[^`]+`", "code", line.strip()))


def sentences(line):
    return SENTENCE_END.split(LABEL.sub("", line, count=1))


def test_sentences_are_told_apart():
    assert sentences("- **It is so.** One, e.g. this (Lee et al. 2013). h is two?") == [
        "One, e.g. this (Lee et al. 2013)",
        "h is two?",
    ]
    assert len(sentences("1. The same once more, as in 2. and 3. above, ... and so on.")) == 1


@pytest.mark.parametrize("page", PROSE, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_one_sentence_per_line(page):
    for number, line in lines(page):
        assert len(sentences(line)) == 1, f"{page.name}:{number} holds several sentences"
        assert len(line) <= LONGEST, f"{page.name}:{number} is a long sentence; make it two"


def slugs(page):
    """What a page's headings are called in links."""
    text = re.sub(r"```.*?```", "", page.read_text(), flags=re.DOTALL)
    for heading in re.findall(r"^#+ (.*)$", text, re.MULTILINE):
        yield re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


@pytest.mark.parametrize("page", PROSE, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_to_sections_lead_somewhere(page):
    for target, section in links(page):
        assert not section or section in slugs(target), f"{page.name} links to {target.name}#{section}"


def test_every_page_can_be_reached_from_the_readme():
    reached, ahead = set(), [ROOT / "README.md"]
    while ahead:
        page = ahead.pop().resolve()
        if page in reached:
            continue
        reached.add(page)
        for target, _ in links(page):
            ahead += target.glob("*.md") if target.is_dir() else [target] * (target.suffix == ".md")
    assert {page.resolve() for page in PAGES} <= reached


def test_pages_of_planners_name_folders_of_families():
    named = set()
    for page in (ROOT / "docs" / "planners").glob("*.md"):
        text = page.read_text()
        assert not re.search(r"[\w/]+\.py\b", text), f"{page.name} names a file; files move"
        named |= set(re.findall(r"The code is in `planners/(\w+)`", text))
    assert named == FAMILIES - {"walking"}, "a family has a page that says where its code is; walkers are of all"


QUAINT = re.compile(
    r"though it (?:be|were)\b|for want of|given besides|\bbe it (?!is)|\banew\b(?!\()|for ever\b|to and fro\b"
    r"|as the crow flies|manieth"
)


def test_plain_english():
    sources = (path for folder in ("src", "benchmarks", "examples") for path in (ROOT / folder).rglob("*.py"))
    for path in [*PROSE, *sources]:
        assert not QUAINT.search(path.read_text()), path.relative_to(ROOT)
