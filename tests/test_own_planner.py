"""The example of a package with planners of its own, in a process that knows nothing but that it is installed.

`make test-wheel` has pip install it into a clean environment, and checks its planners there.
"""

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.support.worlds import deep

EXAMPLE = Path(__file__).parents[1] / "examples" / "own_planner"


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Runs Python where the package is as if installed: its modules, and what it says of itself."""
    place = tmp_path_factory.mktemp("installed")
    shutil.copytree(EXAMPLE / "src", place, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
    project = tomllib.loads((EXAMPLE / "pyproject.toml").read_text())["project"]
    about = place / "own_planner-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n")
    points = project["entry-points"]["waypost.planners"].items()
    (about / "entry_points.txt").write_text("[waypost.planners]\n" + "".join(f"{k} = {v}\n" for k, v in points))
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(place), *sys.path]), "COLUMNS": "200"}

    def run(*arguments):
        command = [sys.executable, "-m", *map(str, arguments)]
        done = subprocess.run(command, capture_output=True, text=True, cwd=place, env=environment)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    return run


def test_it_is_listed(run):
    listed = run("waypost", "list")
    assert "Breadth-first search" in listed
    assert "beacons" in listed


@pytest.mark.parametrize("name", [pytest.param("bfs", marks=deep), "beacons"])
def test_it_is_drawn(run, name, tmp_path):
    drawing = tmp_path / "way.png"
    run("waypost", "solve", "caves", "--from", "5,60", "--to", "150,20", "--planner", name, "--draw", drawing)
    assert drawing.read_bytes().startswith(b"\x89PNG")


@deep
def test_its_index_is_built_and_used(run, tmp_path):
    index = tmp_path / "rooms.waypost"
    run("waypost", "build", "rooms", "--planner", "beacons", "-o", index)
    assert "beacons" in run("waypost", "info", index)
    assert "Down to a beacon" in run("waypost", "run", "rooms", "--index", index, "--problems", "3")


@deep
def test_its_suite_runs(run, tmp_path):
    run("waypost", "bench", EXAMPLE / "suite.toml", "--out", tmp_path / "results")
    found = "".join(path.read_text() for path in (tmp_path / "results").rglob("*.md"))
    assert "bfs" in found
    assert "beacons" in found


def test_it_keeps_the_contract(run):
    settings = EXAMPLE / "pyproject.toml"
    assert "[100%]" in run("pytest", "-q", "-p", "no:cacheprovider", "-c", settings, EXAMPLE / "tests")
