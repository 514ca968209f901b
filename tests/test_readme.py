"""What the documentation shows is true: its pictures are what commands draw, its links and targets exist."""

import re

import numpy as np
import pytest
from PIL import Image

from docs.draw_pictures import commands
from tests.support.pages import PAGES, ROOT, links
from waypost.catalog import CATALOG
from waypost.planners.learning.agent import Learning

README = (ROOT / "README.md").read_text()
PLANNERS = (ROOT / "docs" / "planners" / "index.md").read_text()


PICTURES = commands()


@pytest.mark.parametrize("name", PICTURES)
def test_pictures_are_what_their_commands_draw(name, waypost, tmp_path):
    assert waypost(*PICTURES[name][1:-1], tmp_path / name)[0] == 0
    shown = ROOT / "docs" / "images" / name
    # Pixels, not bytes: zlib may pack them differently elsewhere.
    assert np.array_equal(*(np.asarray(Image.open(path)) for path in (shown, tmp_path / name)))
    assert shown.stat().st_size < 80_000


@pytest.mark.parametrize("name", ["demo.png", "bench-demo.png"])
def test_pictures_with_times_are_small(name):
    """Of which `make pictures` makes others each time; what they show is tested on small maps."""
    shown = ROOT / "docs" / "images" / name
    with Image.open(shown) as picture:
        assert picture.width > 1000
    assert shown.stat().st_size < 400_000


@pytest.mark.parametrize("name", CATALOG)
def test_every_planner_has_a_page(name):
    assert f"`{name}`" in PLANNERS
    pages = [page for page in PAGES if page.parent.name == "planners" and page.stem not in {"index", "learning-rules"}]
    about = [page.stem for page in pages if f"`{name}`" in page.read_text()]
    assert about
    if CATALOG[name].agent is Learning:
        shown = {words[words.index("--planner") + 1] for words in commands().values() if "--planner" in words}
        assert {"lrta-cost": "lrta", "lrta-dt-g": "lrta-oracle-g"}.get(name, name) in shown


TARGETS = ("bench", "check", "clean", "demo", "docs", "pictures", "test")


def test_make_targets_exist():
    makefile = (ROOT / "Makefile").read_text()
    for page in PAGES:
        for target in re.findall(r"make ([a-z][a-z-]+[a-z])", page.read_text()):
            if target.startswith(TARGETS) and not target.endswith("bench-"):
                assert re.search(rf"^{target}:", makefile, re.MULTILINE), f"{page.name} shows make {target}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_links_lead_somewhere(page):
    for target, _ in links(page):
        assert target.exists(), f"{page.name} links to {target}"


FIRST = "\n".join(README.splitlines()[:40])


def test_the_first_lines_say_what_it_is_for_and_when_not_to_use_it():
    assert "Real-time pathfinding on large grid maps" in FIRST
    assert "You do not need it" in FIRST
    for planner in ("`jps`", "`dba`", "`lss`"):
        assert planner in FIRST[FIRST.index("## Is it for me?") :]
    assert "Not today" in FIRST


@pytest.mark.parametrize("target", ["demo", "test"])
def test_the_first_lines_have_both_commands_and_how_long_they_take(target):
    assert re.search(rf"^make {target} +# .*\b(minutes?|seconds)\b", FIRST, re.MULTILINE)


def test_the_readme_is_short_and_works_on_a_package_index():
    assert len(README.splitlines()) <= 200
    assert all(re.match(r"https://|#", link) for link in re.findall(r"\]\(([^)]+)\)", README))
    situations = README.split("## Which planner?")[1].split("##")[0].count("\n|") - 2
    assert situations <= 9
