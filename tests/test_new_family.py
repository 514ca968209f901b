"""A new family of planners in a copy of this repository: new files, and one line in the table of planners."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.worlds import deep

ROOT = Path(__file__).parents[1]
FAMILY = ROOT / "examples" / "new_family"
COPIED = ("src", "tests", "docs", "benchmarks", "examples")
CONCERNED = ["readme", "contract", "contract_fleets", "contract_indexes"]
WHOLE_TREE = [
    "tests/test_architecture.py",
    "tests/test_prose.py",
    "tests/test_repetition.py",
    "tests/test_specification.py",
    "tests/kernels/test_compiling.py::test_arrays_are_made_and_taken_only_by_those_who_free_them",
]


@pytest.fixture(scope="module")
def copied(tmp_path_factory):
    """The copy, with nothing edited but the table of planners."""
    place = tmp_path_factory.mktemp("copy")
    ignored = shutil.ignore_patterns("__pycache__")
    for folder in COPIED:
        shutil.copytree(ROOT / folder, place / folder, ignore=ignored)
    for path in (*ROOT.glob("*.md"), ROOT / "pyproject.toml", ROOT / "Makefile"):
        shutil.copy(path, place)
    for folder in ("src", "tests", "docs"):
        for path in sorted((FAMILY / folder).rglob("*")):
            added = place / path.relative_to(FAMILY)
            if path.is_file() and "__pycache__" not in path.parts:
                assert not added.exists(), "a new family edits no file"
                added.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(path, added)
    table = place / "docs" / "planners" / "index.md"
    rows = table.read_text().splitlines(keepends=True)
    last = max(number for number, row in enumerate(rows) if row.startswith("| [`"))
    rows.insert(last + 1, (FAMILY / "table-row.md").read_text())
    table.write_text("".join(rows))
    return place


def run(place, *arguments, **environment):
    """Run Python in the copy."""
    path = os.pathsep.join([str(place / "src"), str(place)])
    environment = os.environ | {"PYTHONPATH": path} | environment
    done = subprocess.run([sys.executable, *arguments], capture_output=True, text=True, cwd=place, env=environment)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_it_is_found(copied):
    assert "LRTA* by way of a plaza" in run(copied, "-m", "waypost", "list", COLUMNS="200")


def test_it_keeps_the_layers(copied):
    assert "0 broken" in run(copied, "-c", "from importlinter.cli import lint_imports_command as lint; lint()")


@deep
def test_its_types_are_right(copied):
    assert "Success" in run(copied, "-m", "mypy", "src/waypost/planners/plaza")


@deep
def test_it_keeps_the_rules_of_the_whole_tree(copied):
    assert "passed" in run(copied, "-m", "pytest", *WHOLE_TREE, "-rA")


def test_it_walks_as_its_twin(copied):
    """Kernels as plain Python, so that nothing is compiled for a few worlds."""
    twins = [str(path.relative_to(copied)) for path in (copied / "tests" / "planners" / "kernels").glob("test_*.py")]
    assert "passed" in run(copied, "-m", "pytest", *twins, "-k", "plaza", "-rA", NUMBA_DISABLE_JIT="1")


@deep
def test_it_keeps_the_contract(copied):
    concerned = [f"tests/test_{name}.py" for name in CONCERNED]
    assert "passed" in run(copied, "-m", "pytest", *concerned, "tests/planners/plaza", "-k", "plaza or Plaza", "-rA")
