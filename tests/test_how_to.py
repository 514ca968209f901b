"""The pages about robots, sizes and large maps: their Python and their commands run, in this order."""

import re
import shlex

import numpy as np
import pytest

from tests.test_readme import ROOT

BLOCK = re.compile(r"```(python|sh)\n(.*?)```", re.DOTALL)


@pytest.fixture
def page_run(waypost, tmp_path, monkeypatch):
    """Run all that a page shows; returns what its Python has then, and what its commands printed."""

    def page_run(name):
        monkeypatch.chdir(tmp_path)
        world, said = {}, []
        for language, block in BLOCK.findall((ROOT / "docs" / "how-to" / f"{name}.md").read_text()):
            if language == "python":
                exec(block, world)  # noqa: S102
                continue
            for line in block.splitlines():
                status, out, _ = waypost(*shlex.split(line, comments=True)[1:])
                assert status == 0, line
                said.append(out)
        return world, said

    return page_run


def test_robots(page_run):
    world, said = page_run("robots")
    assert world["poses"][[0, -1], :2] == pytest.approx(np.array([(-2.58, -1.72), (0.78, 0.28)]), abs=0.025)
    assert len(world["way"]) > len(world["corners"]) > len(world["smooth"].points)
    assert world["many"].lengths[0] == pytest.approx(world["smooth"].length)
    assert world["live"].open_count == 5
    assert " m long." in said[0]


def test_very_large_maps(page_run):
    world, said = page_run("very-large-maps")
    assert world["world"].open_count == 600 * 900 - 6 * 890
    assert world["grid"].open_count == 600 * 600
    assert "900 x 600 = 540,000 cells" in said[1]


def test_sizes(page_run):
    world, _ = page_run("sizes")
    assert world["both"].sizes == (1, 2)
    assert (world["cart"][-1] == world["forklift"][-1]).all()
    assert world["poses"][0, :2] == pytest.approx([1.5, 2.5])
