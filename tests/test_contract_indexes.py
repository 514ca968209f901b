"""What every index of the catalog promises beyond its contract: other processes, killed builds, other readers."""

import json
import os
import pickle
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
from safetensors.numpy import load_file as load_safetensors

import waypost as wp
from tests.oracle import rules
from tests.support import neighbour_index
from tests.support.worlds import DRAWINGS, JIT_IS_OFF, deep
from waypost import catalog
from waypost.errors import IndexFileError, WaypostError
from waypost.indexes.building import Works
from waypost.maps import generate
from waypost.maps.text import read_drawing
from waypost.testing import check_planner

PLANNERS = [neighbour_index.ENTRY.name, *(name for name, entry in catalog.CATALOG.items() if entry.index)]
RULES = [(rule, costs) for rule in rules.DIAGONALS for costs in rules.COSTS]
SMALL = {name: read_drawing(drawing)[0] for name, drawing in DRAWINGS.items()} | {
    "caves": generate.GENERATORS["caves"](31, 23, seed=5)
}
TINY, SAME_SIZE = wp.grid_from_text("...#\n.#..\n...."), wp.grid_from_text("...#\n..#.\n....")
NO_JIT_STEP = 13 if JIT_IS_OFF else 1  # where kernels are plain Python, so many cases are taken for one

each_planner = pytest.mark.parametrize("name", PLANNERS)
few_planners = pytest.mark.parametrize(
    "name", [name if name in {"dba", "knn"} else pytest.param(name, marks=deep) for name in PLANNERS]
)
"""Where processes are started: all of them in a deep run."""
each_map = pytest.mark.parametrize("is_open", SMALL.values(), ids=SMALL)


@pytest.fixture(autouse=True)
def _entered(monkeypatch):
    neighbour_index.enter(monkeypatch.setitem)


def problems_of(grid, count=5):
    return wp.sample_problems(grid, count, 1) if grid.component_sizes.max() > 1 else []


def one_sentence(error, path=None):
    text = str(error.value)
    assert text.isprintable()
    assert len(text) < 500 + len(str(path))
    assert path is None or str(path) in text
    return text


def saved(planner, path):
    planner.save(path)
    return path.read_bytes()


@each_planner
def test_saving_deletes_the_journal_once(name, tmp_path):
    journal = tmp_path / "journal"
    planner = wp.build(name, TINY, checkpoint=journal)
    assert journal.exists()
    planner.save(tmp_path / "a.waypost")
    assert not journal.exists()
    wp.build(name, TINY, checkpoint=journal)
    planner.save(tmp_path / "b.waypost")
    assert journal.exists(), "it belongs to the second build"


@each_planner
def test_facts_of_a_build(name):
    planner = wp.build(name, TINY, threads=2)
    assert planner.facts["threads"] == 2
    assert planner.facts["build_seconds"] > 0
    assert planner.facts["waypost"] == wp.__version__
    assert "Numba" in planner.facts["machine"]
    assert planner.facts["date"].startswith("20")
    assert planner.index.bytes == sum(array.nbytes for array in planner.index.arrays.values())
    assert planner.index.states >= 0


@each_planner
def test_files_open_with_safetensors(name, tmp_path):
    planner = wp.build(name, TINY)
    planner.save(tmp_path / "a.waypost")
    found = load_safetensors(tmp_path / "a.waypost")
    assert sorted(key for key in found if key[0] != "~") == sorted(planner.index.arrays)
    for key, array in planner.index.arrays.items():
        assert np.array_equal(found[key], array)


@each_planner
def test_another_revision_is_refused(name, tmp_path, monkeypatch):
    path = tmp_path / "a.waypost"
    wp.build(name, TINY).save(path)
    entry = catalog.find(name)
    renewed = catalog.Entry(**{**vars(entry), "revision": entry.revision + 1})
    monkeypatch.setitem(catalog.CATALOG, name, renewed)
    with pytest.raises(IndexFileError, match=f"revision {entry.revision}, and this Waypost has revision") as error:
        wp.load(path, TINY)
    assert "build the index again" in one_sentence(error, path)
    monkeypatch.delitem(catalog.CATALOG, name)
    with pytest.raises(IndexFileError, match="and this Waypost has none; build the index again"):
        wp.load(path, TINY)


@few_planners
def test_a_file_is_used_by_another_process(name, tmp_path):
    grid = wp.Grid(SMALL["caves"])
    wp.save_map(grid, tmp_path / "a.map")
    planner = wp.build(name, grid)
    planner.save(tmp_path / "a.waypost")
    problem = wp.sample_problems(grid, 1, 3)[0]
    start, goal = grid.xy(problem.start), grid.xy(problem.goal)
    script = (
        "import json, sys, waypost as wp; from tests.support import neighbour_index; neighbour_index.enter();"
        "planner = wp.load(sys.argv[1], wp.load_map(sys.argv[2]));"
        "print(json.dumps(planner.path(*json.loads(sys.argv[3])).tolist()))"
    )
    files = [str(tmp_path / name) for name in ("a.waypost", "a.map")]
    command = [sys.executable, "-c", script, *files, json.dumps([start, goal])]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == planner.path(start, goal).tolist()


FEW_PARTS = 10
"""A build of fewer is over before it can be killed."""


def size_of(path):
    """Of a file that another process may remove at any moment."""
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0


def killed_while_it_builds(command, journal, so_many_more_bytes):
    """Run a build until its journal has grown, then kill it; whether it was still running."""
    before = size_of(journal)
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    until = time.monotonic() + 120
    while process.poll() is None and time.monotonic() < until:
        if size_of(journal) > before + so_many_more_bytes:
            process.send_signal(signal.SIGKILL)
            break
        time.sleep(0.002)
    return process.wait() != 0


@few_planners
@pytest.mark.skipif(JIT_IS_OFF or not hasattr(signal, "SIGKILL"), reason="takes long, or there is no SIGKILL")
def test_a_build_that_is_killed_again_and_again_writes_the_same_file(name, tmp_path, monkeypatch):
    parts, totals = Works.parts, []
    monkeypatch.setattr(Works, "parts", lambda self, *args, **how: totals.append(args[1]) or parts(self, *args, **how))
    random = np.random.default_rng(7)
    file = tmp_path / "a.waypost"
    journal = tmp_path / "a.waypost.partial"
    expected = saved(wp.build(name, wp.load_map("rooms"), threads=1), tmp_path / "undisturbed.waypost")
    command = [sys.executable, "-m", "tests.support.slow_build", name, "rooms", str(file), "0.02"]
    kills = [killed_while_it_builds(command, journal, int(random.integers(1, 3000))) for _ in range(3)]
    if sum(totals) < FEW_PARTS:
        assert file.read_bytes() == expected
        return
    assert all(kills), "the build was over before it could be killed"
    assert not file.exists()
    with open(journal, "r+b") as half_written:  # as if the machine had lost power
        half_written.truncate(os.path.getsize(journal) - 5)
    done = subprocess.run([*command[:-1], "0"], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert "going on from" in done.stderr
    assert file.read_bytes() == expected
    assert not journal.exists()


def test_planners_without_an_index_have_nothing_to_save(tmp_path):
    planner = wp.build("astar", TINY, threads=1, checkpoint=tmp_path / "j")
    assert planner.index is None
    assert planner.work_bound is None
    with pytest.raises(WaypostError, match="astar computes nothing offline, so there is nothing to save"):
        planner.save(tmp_path / "a.waypost")
    assert not list(tmp_path.iterdir())


@each_planner
def test_a_planner_is_made_with_its_index_or_without_any(name):
    planner = wp.build(name, TINY)
    with pytest.raises(WaypostError, match=f"{name} needs its index; see build and load"):
        wp.Planner(planner.entry, TINY, planner.params)
    with pytest.raises(WaypostError, match="astar takes no index"):
        wp.Planner(catalog.find("astar"), TINY, {}, planner.index)


@each_planner
def test_an_index_fits_its_own_map_alone(name):
    planner = wp.build(name, TINY)
    equal = wp.Grid(TINY.is_open, diagonals=TINY.diagonals, costs=TINY.costs_name)
    assert wp.Planner(planner.entry, equal, planner.params, planner.index).index is planner.index
    larger = wp.Grid(np.ones((90, 90), bool))
    for other in (larger, SAME_SIZE, wp.Grid(TINY.is_open, diagonals="always")):
        if planner.entry.index.any_map:
            assert wp.Planner(planner.entry, other, planner.params, planner.index).grid is other
            continue
        with pytest.raises(
            WaypostError, match=r"the index was made for another map, of .* build an index for this map"
        ):
            wp.Planner(planner.entry, other, planner.params, planner.index)


@each_planner
def test_an_index_fits_the_parameters_that_it_was_made_with(name):
    """Not those of another planner with the same kind of index either."""
    planner = wp.build(name, TINY)
    entry = planner.entry
    agreed = {param: value for param, value in planner.params.items() if not entry.params[param].offline}
    assert wp.Planner(entry, TINY, agreed, planner.index).params == planner.params
    for param, about in entry.params.items():
        if about.offline:
            other = about.lowest if planner.params[param] != about.lowest else about.highest
            with pytest.raises(WaypostError, match=r"the index was made with .*, and not with .*; build an index with"):
                wp.Planner(entry, TINY, planner.params | {param: type(about.default)(other)}, planner.index)
    for another in catalog.CATALOG.values():
        if another is not entry and another.index is entry.index:
            with pytest.raises(WaypostError, match="the index was made with"):
                wp.Planner(another, TINY, {}, planner.index)


@each_planner
def test_an_index_is_asked_about_open_cells_alone(name):
    """Trees on demand were grown from any cell, and ended the interpreter."""
    odd = (-5, 0, 10**6, 2**31 - 1, -(10**9), 2**70, None, "x", True, 1.5, [8], np.ma.masked, TINY.cell((3, 0)))
    plain = wp.build(name, TINY)
    for index in (
        plain.index,
        *(wp.build(name, TINY, goals_kept=1).index for _ in plain.params.keys() & {"goals_kept"}),
    ):
        for ask in (index.arcs, index.arcs_from, index.depths_to):
            for cell in odd:
                with pytest.raises(WaypostError, match=r"is not an open cell of this map|has no picture of"):
                    ask(cell)


@each_planner
def test_an_index_is_pickled_with_its_planner(name):
    with pytest.raises(WaypostError, match="an index cannot be pickled; pickle its planner"):
        pickle.dumps(wp.build(name, TINY).index)


def test_an_index_is_of_the_kind_that_its_planner_has():
    dba, trees = wp.build("dba", TINY), wp.build("trees", TINY)
    for planner, other in ((dba, trees), (trees, dba)):
        with pytest.raises(WaypostError, match=f"the index of {planner.entry.name} is a [A-Za-z]*, not a [A-Za-z]*$"):
            wp.Planner(planner.entry, TINY, planner.params, other.index)
    with pytest.raises(WaypostError, match="built for a Grid, not for 'str'"):
        wp.Planner(dba.entry, "caves", dba.params, dba.index)


def test_the_contract_of_an_index_holds_for_a_planner_of_others():
    check_planner(neighbour_index.ENTRY.name)


def test_index_planners_are_catalogued_well():
    for name in PLANNERS:
        entry = catalog.find(name)
        params = catalog.check_params(entry, {})
        assert set(entry.offline(params)) == {key for key, param in entry.params.items() if param.offline}
    for entry in catalog.CATALOG.values():
        assert entry.index or not any(param.offline for param in entry.params.values())
