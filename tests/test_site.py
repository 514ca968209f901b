"""The documentation site: every page stands in the navigation, and every public name has a section and an example."""

import re
import tomllib

import pytest

import waypost as wp
from tests.support.pages import ROOT

DOCS = ROOT / "docs"
SECTION = re.compile(r"^::: waypost\.(\w+)\n+```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
REFERENCE = "\n".join(page.read_text() for page in sorted((DOCS / "reference").glob("*.md")))
EXAMPLES = dict(SECTION.findall(REFERENCE))
MADE_BY_CALLS = {"Agent", "Batch", "Fleet", "Planner", "Step", "Trace", "Tuning"}


def pages_of(entry):
    """Pages that an entry of the navigation names, or its parts do."""
    if isinstance(entry, str):
        yield entry
    else:
        for part in entry.values() if isinstance(entry, dict) else entry:
            yield from pages_of(part)


def test_every_page_stands_in_the_navigation_once():
    """But for pages of planners, which the table of planners may lead to alone."""
    navigation = tomllib.loads((ROOT / "zensical.toml").read_text())["project"]["nav"]
    pages = {page.relative_to(DOCS).as_posix() for page in DOCS.rglob("*.md")}
    there = sorted(pages_of(navigation))
    assert there == sorted(set(there) & pages)
    in_table = {f"planners/{name}" for name in re.findall(r"\(([\w-]+\.md)", (DOCS / "planners/index.md").read_text())}
    assert pages - set(there) <= in_table


@pytest.mark.parametrize("name", wp.__all__)
def test_every_public_name_is_documented_with_an_example(name):
    """tests/test_pages.py runs the examples."""
    assert name in EXAMPLES, f"docs/reference has no section ::: waypost.{name} with an example after it"
    used = re.search(rf"\bwp\.{name}\b", EXAMPLES[name])
    assert used or name in MADE_BY_CALLS, f"the example of {name} does not use it"
