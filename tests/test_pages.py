"""The blocks of code of every page run, one after the other, as a reader would run them."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import waypost as wp
from tests.support.pages import PAGES, ROOT, RUN, SHOWN, blocks, commands, run_page
from tests.support.tiled_files import tmx, tmx_data, tmx_layer, tsx, tsx_tile
from waypost.catalog import CATALOG

PROGRAMS = {"waypost", "make", "pip"}  # what a page may tell a reader to type; make targets are looked up
ELSEWHERE = {"docs/bench.md"}  # tests/bench/test_docs.py
WITH_CODE = [
    page
    for page in PAGES
    if page.relative_to(ROOT).as_posix() not in ELSEWHERE and any(block.language in RUN for block in blocks(page))
]


def name_of(page):
    return page.relative_to(ROOT).as_posix()


def town():
    """The Tiled map that the page about map formats loads."""
    walls = tmx_layer("Walls", 3, 2, tmx_data([[0, 1, 0], [0, 0, 2]]))
    Path("town.tmx").write_text(tmx(3, 2, tsx(tsx_tile(1, "collides"), first=1) + walls))


def readme(world):
    assert world["path"][0].tolist() == [5, 60]
    assert world["planner"].path((10, 10), (290, 10), nearest=True)[-1].tolist() == [149, 10]


def map_formats(world):
    assert world["frame"].to_metres((0, world["frame"].height - 1)) == pytest.approx((-9.975, -4.975))


def file_format(world):
    assert world["index"].params == {"cap": 250}


def add_an_index(world):
    assert (world["index"].bytes, world["index"].arrays["exits"].max()) == (10553, 4)


def trees(world):
    drawn = (np.asarray(Image.open(path)) for path in ("tree.png", ROOT / "docs" / "images" / "tree.png"))
    assert np.array_equal(*drawn), "a tree of an index is the tree made on demand"


def learning(world):
    assert world["walk"].status is wp.RunStatus.OUT_OF_MOVES
    assert len(world["walk"].cells) == 51
    assert not len(world["cells"])


def fleets(world):
    assert len(world["fleet"]) == 1000
    assert world["tick"].waiting == 0


BEFORE = {"docs/map-formats.md": town}
AFTER = {
    "README.md": readme,
    "docs/add-an-index.md": add_an_index,
    "docs/file-format.md": file_format,
    "docs/fleets.md": fleets,
    "docs/map-formats.md": map_formats,
    "docs/planners/learning.md": learning,
    "docs/planners/trees.md": trees,
}


@pytest.fixture
def no_new_planners():
    """Planners that a page registers are gone after it."""
    known = set(CATALOG)
    yield
    for name in set(CATALOG) - known:
        del CATALOG[name]


@pytest.mark.usefixtures("no_new_planners")
@pytest.mark.parametrize("page", WITH_CODE, ids=name_of)
def test_the_code_of_a_page_runs(page, waypost, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    BEFORE.get(name_of(page), lambda: None)()
    world = run_page(page, waypost, capsys)
    AFTER.get(name_of(page), lambda _: None)(world)


def test_every_block_is_run_or_says_why_not():
    left_out = []
    for page in PAGES:
        for block in blocks(page):
            assert block.language in RUN | SHOWN, f"{name_of(page)} has a block of {block.language}"
            left_out += [block.why_not] * bool(block.why_not)
            if block.language == "sh":
                assert {words[0] for words in commands(block)} <= PROGRAMS, name_of(page)
    assert len(left_out) <= 5, left_out
