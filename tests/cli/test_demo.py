"""The demo on a small map: it tells its whole story, and ends whatever happens to its walks."""

import re

import numpy as np
import pytest
from PIL import Image

from waypost import readiness
from waypost.cli import demo
from waypost.readiness import Prepared

SMALL = ("--size", "150x120", "--problems", 2, "--agents", 60)


@pytest.fixture
def story(waypost, tmp_path):
    """What the demo says on a small map, and its picture."""

    def story(*options):
        status, out, err = waypost("demo", *SMALL, *options, "--out", tmp_path / "demo.png")
        assert (status, err) == (0, "")
        return out, np.asarray(Image.open(tmp_path / "demo.png"))

    return story


def rows(out):
    """Planners and figures of all tables."""
    return [[cell.strip() for cell in line.strip("│").split("│")] for line in out.splitlines() if line[:1] == "│"]


def test_it_compares_all_planners_and_ends_with_a_picture(story):
    out, picture = story()
    assert "The map: 150 x 120 cells, " in out
    assert [row[0] for row in rows(out)] == ["dba", "jps", "astar", "tba", "lss", "lrta", "dba", "jps", "astar"]
    assert all(re.search(r"\d", cell) for row in rows(out) for cell in row[1:]), "each has a figure in each column"
    assert all(float(row[3].removesuffix(" %")) == 0 for row in rows(out)[1:3]), "of shortest ways"
    assert "With dba all have arrived after" in out
    assert max(len(line) for line in out.splitlines() if not line.startswith("Wrote")) <= 80
    assert picture.shape[1] > 3 * 150


def test_walks_that_are_given_up_are_said_to_be(story, monkeypatch):
    monkeypatch.setattr(demo, "MOST_MOVES", 5)
    out, _ = story()
    assert "lrta gave up 2 of its 2 walks." in out
    assert rows(out)[5][3].startswith("> ")
    assert not re.search(r"\d/\d+ ", out), "in words"


def test_it_says_what_is_compiled_before_it_compiles(story, monkeypatch):
    monkeypatch.setattr(readiness, "left_to_compile", lambda *planners: (len(planners), 25.4))
    monkeypatch.setattr(readiness, "prepared", lambda *planners: Prepared(6, 40, 13.2, 26.0))
    out, _ = story("--problems", 1)
    assert "once on a machine, 6 functions are compiled: 25 s of work." in out
    assert "That took 13 s (26 s of the processor)." in out
