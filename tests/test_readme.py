"""What the documentation shows is true: its Python runs, its commands and files exist."""

import re
import shlex
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import waypost as wp
from docs.draw_pictures import commands
from tests.support.tiled_files import tmx, tmx_data, tmx_layer, tsx, tsx_tile
from waypost.catalog import CATALOG
from waypost.planners.learning.agent import Learning

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
README = PAGES[0].read_text()


def blocks(language, text=README):
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


def test_python_blocks_run(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    world = {}
    for block in blocks("python"):
        exec(block, world)  # noqa: S102
    assert world["path"][0].tolist() == [5, 60]
    assert "no path leads from (10, 10) to (290, 10)" in capsys.readouterr().out
    assert world["planner"].path((10, 10), (290, 10), nearest=True)[-1].tolist() == [149, 10]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["caves.waypost", "caves.waypost.facts.json"]


def test_map_formats_run(waypost, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    walls = tmx_layer("Walls", 3, 2, tmx_data([[0, 1, 0], [0, 0, 2]]))
    Path("town.tmx").write_text(tmx(3, 2, tsx(tsx_tile(1, "collides"), first=1) + walls))
    page = (ROOT / "docs" / "map-formats.md").read_text()
    world = {}
    for block in blocks("python", page):
        exec(block, world)  # noqa: S102
    assert world["frame"].to_metres((0, world["frame"].height - 1)) == pytest.approx((-9.975, -4.975))
    for line in "".join(blocks("sh", page)).splitlines():
        assert waypost(*shlex.split(line, comments=True)[1:])[0] == 0


def test_the_file_format_page_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    world = {}
    for block in blocks("python", (ROOT / "docs" / "file-format.md").read_text()):
        exec(block, world)  # noqa: S102
    assert world["index"].params == {"cap": 250}


def test_the_page_about_indexes_runs(waypost, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    page, world = (ROOT / "docs" / "add-an-index.md").read_text(), {}
    for block in blocks("python", page):
        exec(block, world)  # noqa: S102
    assert (world["index"].bytes, world["index"].arrays["exits"].max()) == (10553, 4)
    for line in "".join(blocks("sh", page)).splitlines():
        assert waypost(*shlex.split(line, comments=True)[1:])[0] == 0


def test_the_page_about_trees_runs(waypost, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for line in "".join(blocks("sh", (ROOT / "docs" / "planners" / "trees.md").read_text())).splitlines():
        assert waypost(*shlex.split(line, comments=True)[1:])[0] == 0
    drawn = (np.asarray(Image.open(path)) for path in ("tree.png", ROOT / "docs" / "images" / "tree.png"))
    assert np.array_equal(*drawn), "a tree of an index is the tree made on demand"


def test_the_learning_page_runs(capsys):
    world = {}
    for block in blocks("python", (ROOT / "docs" / "planners" / "learning.md").read_text()):
        exec(block, world)  # noqa: S102
    assert world["walk"].status is wp.RunStatus.OUT_OF_MOVES
    assert len(world["walk"].cells) == 51
    assert not len(world["cells"])
    assert capsys.readouterr().out == "the agent has not reached (44, 81) within 200 moves\n"


def test_the_code_of_many_agents_runs():
    world = {}
    for block in blocks("python", (ROOT / "docs" / "fleets.md").read_text()):
        exec(block, world)  # noqa: S102
    assert len(world["fleet"]) == 1000
    assert world["tick"].waiting == 0


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
    pages = [page for page in PAGES if page.parent.name == "planners" and page.stem != "learning-rules"]
    about = [page.stem for page in pages if f"`{name}`" in page.read_text()]
    assert about
    if CATALOG[name].agent is Learning:
        shown = {words[words.index("--planner") + 1] for words in commands().values() if "--planner" in words}
        assert {"lrta-cost": "lrta", "lrta-dt-g": "lrta-oracle-g"}.get(name, name) in shown
        assert f"`{name}`" in (ROOT / "README.md").read_text()


COMMANDS = [line for block in blocks("sh") for line in block.splitlines() if line.startswith("waypost ")]


@pytest.mark.parametrize("line", COMMANDS)
def test_commands_run(line, waypost, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    status, out, _ = waypost(*shlex.split(line, comments=True)[1:])
    assert status == 0
    assert out


def test_make_targets_exist():
    makefile = (ROOT / "Makefile").read_text()
    for page in PAGES:
        for target in re.findall(r"make ([a-z][a-z-]+[a-z])", page.read_text()):
            if target.startswith(("bench", "test", "check", "demo", "clean", "pictures")) and not target.endswith(
                "bench-"
            ):
                assert re.search(rf"^{target}:", makefile, re.MULTILINE), f"{page.name} shows make {target}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_links_lead_somewhere(page):
    for link in re.findall(r"\]\((?!https?://)([^)#]+)\)", page.read_text()):
        assert (page.parent / link).exists(), f"{page.name} links to {link}"
