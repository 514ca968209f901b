"""What every index of the catalog promises (design 6.4). A new index is covered by its catalog line alone."""

import json
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
from safetensors.numpy import load_file as load_safetensors

import waypost as wp
from tests import neighbour_index
from tests.oracle import rules
from tests.worlds import DRAWINGS, JIT_IS_OFF
from waypost import catalog
from waypost.errors import IndexFileError, ParameterError, WaypostError
from waypost.indexes.store import write_index
from waypost.maps import generate
from waypost.maps.text import read_drawing

PLANNERS = [neighbour_index.ENTRY.name, *(name for name, entry in catalog.CATALOG.items() if entry.index)]
RULES = [(rule, costs) for rule in rules.DIAGONALS for costs in rules.COSTS]
SMALL = {name: read_drawing(drawing)[0] for name, drawing in DRAWINGS.items()} | {
    "caves": generate.GENERATORS["caves"](31, 23, seed=5)
}
TINY, SAME_SIZE = wp.grid_from_text("...#\n.#..\n...."), wp.grid_from_text("...#\n..#.\n....")
NO_JIT_STEP = 13 if JIT_IS_OFF else 1  # where kernels are plain Python, so many cases are taken for one

each_planner = pytest.mark.parametrize("name", PLANNERS)
each_map = pytest.mark.parametrize("is_open", SMALL.values(), ids=SMALL)


@pytest.fixture(autouse=True)
def _entered(monkeypatch):
    neighbour_index.enter(monkeypatch.setitem)


def problems_of(grid, count=5):
    return wp.sample_problems(grid, count, 1) if grid.component_sizes.max() > 1 else []


def moves_of(planner):
    walks = [wp.simulate(planner.agent(), problem, max_moves=20_000) for problem in problems_of(planner.grid)]
    return [(walk.cells.tolist(), walk.work.tolist()) for walk in walks]


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
@each_map
def test_a_loaded_planner_is_the_one_that_was_saved(name, is_open, tmp_path):
    for rule, costs in RULES[:: 3 if JIT_IS_OFF else 1]:
        grid = wp.Grid(is_open, diagonals=rule, costs=costs)
        built = wp.build(name, grid)
        content = saved(built, tmp_path / "a.waypost")
        loaded = wp.load(tmp_path / "a.waypost", grid)
        assert loaded.entry is built.entry
        assert loaded.params == built.params
        assert loaded.facts == built.facts
        assert loaded.work_bound == built.work_bound
        assert (loaded.index.bytes, loaded.index.states) == (built.index.bytes, built.index.states)
        assert saved(loaded, tmp_path / "b.waypost") == content
        assert moves_of(loaded) == moves_of(built)


@each_planner
@each_map
def test_the_bytes_do_not_depend_on_threads(name, is_open, tmp_path):
    grid = wp.Grid(is_open)
    contents = {saved(wp.build(name, grid, threads=n), tmp_path / f"{n}.waypost") for n in (1, 2, 3)}
    assert len(contents) == 1


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
def test_forged_files_are_refused_by_the_index(name, tmp_path):
    """A checksum is no signature: a file may be whole and wrong."""
    planner = wp.build(name, TINY)
    about = {"planner": name, "revision": planner.entry.revision, "grid": TINY}
    for arrays, params in (({}, planner.params), (planner.index.arrays, {"nonsense": 1})):
        write_index(tmp_path / "a.waypost", **about, arrays=arrays, params=params)
        with pytest.raises(IndexFileError, match="cannot be used, build the index again: ") as error:
            wp.load(tmp_path / "a.waypost", TINY)
        one_sentence(error, tmp_path / "a.waypost")


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
def test_arrays_are_read_only_and_kernels_cannot_tell_whence_they_are(name, tmp_path):
    built = wp.build(name, TINY)
    built.save(tmp_path / "a.waypost")
    loaded = wp.load(tmp_path / "a.waypost", TINY)
    assert sorted(built.index.arrays) == sorted(loaded.index.arrays)
    for key, array in built.index.arrays.items():
        for one in (array, loaded.index.arrays[key]):
            assert not one.flags.writeable
            assert one.flags.c_contiguous
            assert one.flags.aligned
            assert one.dtype == array.dtype
            assert one.dtype.isnative


@each_planner
def test_files_open_with_safetensors(name, tmp_path):
    planner = wp.build(name, TINY)
    planner.save(tmp_path / "a.waypost")
    found = load_safetensors(tmp_path / "a.waypost")
    assert sorted(key for key in found if key[0] != "~") == sorted(planner.index.arrays)
    for key, array in planner.index.arrays.items():
        assert np.array_equal(found[key], array)


def places_in(content):
    """All places in a file; of a long one those where its texts and shapes are, and some hundreds of the others."""
    apart = (len(content) // 1500 | 1) * NO_JIT_STEP  # odd, so that all eight bits come up
    return *range(0, min(2000, len(content)), NO_JIT_STEP), *range(2000, len(content), apart)


@each_planner
def test_each_flipped_byte_and_each_cut_is_refused(name, tmp_path):
    path = tmp_path / "a.waypost"
    content = saved(wp.build(name, TINY), path)
    for at in places_in(content):
        flipped = bytearray(content)
        flipped[at] ^= 1 << at % 8
        for damaged in (flipped, content[:at]):
            path.write_bytes(damaged)
            with pytest.raises(IndexFileError) as error:
                wp.load(path, TINY)
            one_sentence(error, path)


@each_planner
def test_another_map_or_version_is_refused(name, tmp_path):
    path = tmp_path / "a.waypost"
    content = saved(wp.build(name, TINY), path)
    for other in (SAME_SIZE, wp.Grid(TINY.is_open, diagonals="always"), wp.load_map("caves")):
        if catalog.find(name).index.any_map:
            loaded = wp.load(path, other)
            assert loaded.grid is other
            assert len(moves_of(loaded)) == 5
            continue
        with pytest.raises(IndexFileError, match="was built for another map") as error:
            wp.load(path, other)
        one_sentence(error, path)
    path.write_bytes(content.replace(b'"format":"1"', b'"format":"2"'))
    with pytest.raises(IndexFileError, match="is of format 2, and this Waypost reads format 1") as error:
        wp.load(path, TINY)
    one_sentence(error, path)


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


@each_planner
def test_parameters_of_the_agent_can_be_given_anew_those_of_the_index_only_repeated(name, tmp_path):
    path = tmp_path / "a.waypost"
    built = wp.build(name, TINY)
    built.save(path)
    for key, param in built.entry.params.items():
        value = built.params[key]
        other = next((n for n in (param.lowest, param.highest) if n != value), value)
        other = type(param.default)(other)
        assert wp.load(path, TINY, **{key: value}).params == built.params
        if not param.offline:
            assert wp.load(path, TINY, **{key: other}).params == built.params | {key: other}
        elif other != value:
            with pytest.raises(ParameterError, match=f"was built with {key}=") as error:
                wp.load(path, TINY, **{key: other})
            one_sentence(error, path)
    with pytest.raises(ParameterError, match="has no parameter called 'nonsense'"):
        wp.load(path, TINY, nonsense=1)


@each_planner
def test_a_file_is_used_by_another_process(name, tmp_path):
    grid = wp.Grid(SMALL["caves"])
    wp.save_map(grid, tmp_path / "a.map")
    planner = wp.build(name, grid)
    planner.save(tmp_path / "a.waypost")
    problem = wp.sample_problems(grid, 1, 3)[0]
    start, goal = grid.xy(problem.start), grid.xy(problem.goal)
    script = (
        "import json, sys, waypost as wp; from tests import neighbour_index; neighbour_index.enter();"
        "planner = wp.load(sys.argv[1], wp.load_map(sys.argv[2]));"
        "print(json.dumps(planner.path(*json.loads(sys.argv[3])).tolist()))"
    )
    files = [str(tmp_path / name) for name in ("a.waypost", "a.map")]
    command = [sys.executable, "-c", script, *files, json.dumps([start, goal])]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == planner.path(start, goal).tolist()


@each_planner
def test_wrong_arrays_are_refused(name):
    planner = wp.build(name, TINY)
    index, offline = planner.entry.index, planner.entry.offline(planner.params)
    arrays = planner.index.arrays
    index.from_arrays(TINY, offline, arrays)
    wrong = [{}, arrays | {"more": np.zeros(1, np.int32)}]
    for key, array in arrays.items():
        others = {k: a for k, a in arrays.items() if k != key}
        wrong += [
            others,
            others | {"other_name": array},
            others | {key: array.astype(np.float32 if array.dtype != np.float32 else np.int64)},
            others | {key: array[None]},
            *([others | {key: array[:0]}] if array.size else []),
        ]
    for bad in wrong:
        with pytest.raises(IndexFileError) as error:
            index.from_arrays(TINY, offline, bad)
        one_sentence(error)


@each_planner
def test_wrong_values_are_refused_or_harmless(name):
    """Kernels run without bounds checks: a value must be refused, or agents must still move legally."""
    planner = wp.build(name, TINY)
    entry, offline = planner.entry, planner.entry.offline(planner.params)
    refused = 0
    for key, array in planner.index.arrays.items():
        if array.dtype.kind not in "iu":
            continue
        limits = np.iinfo(array.dtype)
        for at in {0, array.size // 2, array.size - 1} if array.size else ():
            for value in (limits.max, limits.min, TINY.component.size, TINY.component.size - 1):
                if not limits.min <= value <= limits.max:
                    continue
                changed = array.copy()
                changed.flat[at] = value
                try:
                    index = entry.index.from_arrays(TINY, offline, planner.index.arrays | {key: changed})
                except IndexFileError:
                    refused += 1
                    continue
                if index.arrays[key].tobytes() != array.tobytes():
                    walk_legally(wp.Planner(entry, TINY, planner.params, index))
    assert refused or not any(array.size for array in planner.index.arrays.values())


def walk_legally(planner):
    for problem in problems_of(planner.grid):
        try:
            walk = wp.simulate(planner.agent(), problem, max_moves=50)
        except WaypostError:
            continue
        points = planner.grid.xys(walk.cells).tolist()
        rules.check_walk(planner.grid.is_open, planner.grid.diagonals, points, points[0], points[-1])


def killed_while_it_builds(command, journal, so_many_more_bytes):
    """Run a build until its journal has grown, then kill it; whether it was still running."""
    before = journal.stat().st_size if journal.exists() else 0
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    until = time.monotonic() + 120
    while process.poll() is None and time.monotonic() < until:
        if journal.exists() and journal.stat().st_size > before + so_many_more_bytes:
            process.send_signal(signal.SIGKILL)
            break
        time.sleep(0.002)
    return process.wait() != 0


@each_planner
@pytest.mark.skipif(JIT_IS_OFF or not hasattr(signal, "SIGKILL"), reason="takes long, or there is no SIGKILL")
def test_a_build_that_is_killed_again_and_again_writes_the_same_file(name, tmp_path):
    random = np.random.default_rng(7)
    file = tmp_path / "a.waypost"
    journal = tmp_path / "a.waypost.partial"
    expected = saved(wp.build(name, wp.load_map("rooms"), threads=1), tmp_path / "undisturbed.waypost")
    command = [sys.executable, "-m", "tests.slow_build", name, "rooms", str(file), "0.02"]
    kills = [killed_while_it_builds(command, journal, int(random.integers(1, 3000))) for _ in range(3)]
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


def test_index_planners_are_catalogued_well():
    for name in PLANNERS:
        entry = catalog.find(name)
        params = catalog.check_params(entry, {})
        assert set(entry.offline(params)) == {key for key, param in entry.params.items() if param.offline}
    for entry in catalog.CATALOG.values():
        assert entry.index or not any(param.offline for param in entry.params.values())
