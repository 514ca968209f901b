"""What the documentation shows is right for type checkers, and what users mistype is not: mypy --strict and pyright.

Of pyright it is basedpyright, which pip installs whole, in pyright's standard mode; only a deep run waits for it.
"""

import json
import os
import re
import subprocess
import sys
from typing import get_args

import pytest

import waypost as wp
from tests.support.pages import PAGES, ROOT, python_of
from tests.support.worlds import IS_DEEP
from waypost.catalog import CATALOG, PRESET
from waypost.maps.load import READERS, WRITERS, Reading, Writing
from waypost.planners.names import BuiltInName, BuiltInParams

STRICT = "# mypy: warn-return-any, disallow-untyped-calls\n"  # of --strict, which our own settings leave out
FOR_DEVELOPERS = {"add-a-planner", "add-an-index"}  # sketches of what `examples` has whole

RIGHT = f"""{STRICT}
import waypost as wp

grid = wp.load_map("caves", diagonals="never", costs="1.4")
planner = wp.build("dba", grid, sector=12, threads=1, progress=False)
fleet = planner.fleet([(5, 60)], (150, 20))
"""
TYPOS = """
wp.load_mapp("caves")
wp.nosuch
wp.load_map("caves", diagonals="both_open")
wp.load_map("caves", diagonal="never")
wp.load_map("caves", costs="sqrt")
wp.save_map(grid, "caves.yaml", resolutoin=0.05)
wp.build("dbaa", grid)
wp.build("dba", grid, sektor=12)
wp.build("dba", grid, sector="a dozen")
wp.build("dba", grid, thread=2)
wp.prepare("dba", "jsp")
wp.RunStatus.ARIVED
planner.pth((5, 60), (8, 60))
planner.path((5, 60), (8, 60), nearst=True)
planner.index.bytes
planner.agent((5, 60), (8, 60)).setp()
planner.batch([(5, 60)], [(8, 60)]).length
fleet.tick(budget=1000)
fleet.statuss
grid.widht
"""
ERROR = re.compile(r"(\w+)\.py:(\d+):.*\berror\b")


def mypy(folder):
    """With the settings of this repository, so that what it knows of the package since `make check` is used again."""
    settings = ["--config-file", ROOT / "pyproject.toml", "--cache-dir", ROOT / ".mypy_cache"]
    return ["mypy", *settings, *sorted(folder.glob("*.py"))]


def basedpyright(folder):
    settings = {"include": [folder.name, f"{ROOT}/examples"], "exclude": [f"{ROOT}/examples/new_family"]}
    settings |= {"extraPaths": [f"{ROOT}/src", f"{ROOT}/examples/own_planner/src"], "typeCheckingMode": "standard"}
    file = folder.parent / "pyrightconfig.json"
    file.write_text(json.dumps(settings))
    return ["basedpyright", "--project", file, "--pythonpath", sys.executable]


DEEP = pytest.mark.skipif(not IS_DEEP, reason="takes six seconds: make test-deep")


@pytest.fixture(
    scope="module", params=[mypy, pytest.param(basedpyright, marks=DEEP)], ids=lambda checker: checker.__name__
)
def errors(request, tmp_path_factory):
    """What a checker complains of: pairs of a file and a line; and all that it says."""
    folder = tmp_path_factory.mktemp("checked") / "code"
    folder.mkdir()
    for page in PAGES:
        if (code := python_of(page)) and page.stem not in FOR_DEVELOPERS:
            name = "_".join(page.relative_to(ROOT).with_suffix("").parts).replace("-", "_")
            (folder / f"{name}.py").write_text(STRICT + "\n".join(code))
    for example in (ROOT / "examples").glob("*.py"):
        (folder / f"example_{example.name}").write_text(STRICT + example.read_text())
    (folder / "typos.py").write_text(RIGHT + TYPOS)
    environment = os.environ | {"MYPYPATH": str(ROOT / "src")}
    command = [sys.executable, "-m", *map(str, request.param(folder))]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    return {(name, int(line)) for name, line in ERROR.findall(done.stdout)}, done.stdout + done.stderr


def test_code_of_the_documentation_and_examples_has_no_errors(errors):
    found, said = errors
    assert found, said  # it has run
    assert {name for name, _ in found} <= {"typos"}, said


def test_every_typo_is_an_error(errors):
    found, said = errors
    first = RIGHT.count("\n") + 2
    assert sorted(found) == [("typos", first + i) for i in range(len(TYPOS.strip().splitlines()))], said


def test_names_of_planners_are_those_of_the_catalog():
    """A planner that is not named yet is built as one of another package, by `PlannerName`."""
    named = set(get_args(BuiltInName.__value__))
    ours = [entry for entry in CATALOG.values() if entry.name in named]
    assert named == {name for entry in ours for name in (entry.name, *entry.aliases)}
    assert len(ours) >= 29
    params = {name: type(param.default) for entry in ours for name, param in entry.params.items()}
    presets = {preset for entry in ours for preset in entry.presets}
    known = dict(BuiltInParams.__annotations__)
    assert set(get_args(known.pop(PRESET))) == presets
    assert known == params


@pytest.mark.parametrize(("table", "options"), [(READERS, Reading), (WRITERS, Writing)])
def test_options_of_maps_are_those_of_their_formats(table, options):
    of_formats = {name for function in table.values() for name in function.__kwdefaults__ or {}}
    assert set(options.__annotations__) == of_formats


def test_planners_of_other_packages_are_named_or_given():
    grid = wp.load_map("rooms")
    entry = CATALOG["astar"]
    assert wp.build(wp.PlannerName("astar"), grid).entry is wp.build(entry, grid).entry is entry
