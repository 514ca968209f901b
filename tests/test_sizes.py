"""Planners for several sizes of units: each is the planner of that size's grid, and all are in one file."""

import copy
import pickle

import numpy as np
import pytest

import waypost as wp
from tests.support.chance import seeded
from waypost.indexes.store import open_index, write_index

MAP = """
    ..............
    .####.#####...
    .#......#.....
    .#......#..#..
    ....##........
    ....##........
    .#......#.....
    ..............
"""
SIZES = (1, 2)


@pytest.fixture(scope="module")
def grid():
    return wp.grid_from_text(MAP)


@pytest.fixture(scope="module")
def planner(grid):
    return wp.build("dba", grid, sizes=(2, 1), sector=4)


@pytest.fixture
def file(planner, tmp_path):
    planner.save(tmp_path / "both.waypost")
    return tmp_path / "both.waypost"


def ends(grid, size):
    """Two places of a unit that are connected."""
    cells = np.flatnonzero(grid.for_size(size).component == 1)
    return grid.xy(cells[0]), grid.xy(cells[-1])


def of_all_kinds(planner, start, goal, **size):
    """What each way of asking answers."""
    fleet = planner.fleet([start], goal, threads=1, **size)
    walked = [fleet.xy[0].tolist()]
    while not fleet.events.arrived.size:
        fleet.tick()
        walked.append(fleet.xy[0].tolist())
    batch = planner.batch([start], [goal], paths=True, threads=1, **size)
    return {
        "path": planner.path(start, goal, **size).tolist(),
        "corners": planner.path(start, goal, corners=True, **size).tolist(),
        "agent": [[x, y] for x, y in planner.agent(start, goal, **size)],
        "batch": batch.path(0).tolist(),
        "cost": batch.costs.tolist(),
        "fleet": walked,
        "problem": planner.problem(start, goal, **size),
    }


def squares(grid, path, size):
    return all(grid.is_open[y : y + size, x : x + size].all() for x, y in path)


@pytest.mark.parametrize("kind", [copy.copy, copy.deepcopy, lambda planner: pickle.loads(pickle.dumps(planner))])  # noqa: S301
@pytest.mark.parametrize("size", SIZES)
def test_units_of_each_size_go_as_on_the_grid_of_their_size(grid, planner, size, kind):
    alone = wp.build("dba", grid.for_size(size), sector=4)
    expected = of_all_kinds(alone, *ends(grid, size))
    assert squares(grid, expected["path"], size)
    assert planner.sizes == kind(planner).sizes == SIZES
    for each in (planner, kind(planner)):
        assert of_all_kinds(each, *ends(grid, size), size=size) == expected
        assert of_all_kinds(each.for_size(size), *ends(grid, size)) == expected


def test_one_file_holds_all_sizes(grid, planner, file):
    loaded = wp.load(file, grid)
    assert loaded.sizes == SIZES
    assert loaded.facts == planner.facts
    assert loaded.facts["build_seconds"] > planner.for_size(2).facts["build_seconds"]
    for size in SIZES:
        expected = of_all_kinds(planner, *ends(grid, size), size=size)
        assert of_all_kinds(loaded, *ends(grid, size), size=size) == expected
    again = file.with_name("again.waypost")
    loaded.save(again)
    wp.build("dba", grid, sizes=SIZES, sector=4, threads=1).save(file)
    assert again.read_bytes() == file.read_bytes(), "the same, whatever it was made from and by how many threads"


def test_the_parts_are_files_of_one_size(grid, planner, file, tmp_path):
    for size in SIZES:
        wp.build("dba", grid.for_size(size), sector=4).save(tmp_path / "one.waypost")
        part = open_index(file).arrays[f"size_{size}"]
        assert part.tobytes() == (tmp_path / "one.waypost").read_bytes()
        assert part.__array_interface__["data"][0] % 64 == 0, "so that its arrays are aligned, too"
    wp.build("dba", grid, sizes=[1], sector=4).save(file)
    wp.build("dba", grid, sector=4).save(tmp_path / "one.waypost")
    assert file.read_bytes() == (tmp_path / "one.waypost").read_bytes(), "units of one cell are nothing new"


def test_other_sizes_than_one(grid, tmp_path):
    planner = wp.build("dba", grid, sizes=(2,), sector=4)
    assert planner.sizes == (2,)
    assert planner.path(*ends(grid, 2)).tolist() == planner.path(*ends(grid, 2), size=2).tolist()
    planner.save(tmp_path / "two.waypost")
    assert wp.load(tmp_path / "two.waypost", grid).grid.fingerprint == grid.for_size(2).fingerprint
    with pytest.raises(wp.WaypostError, match="dba was built for units of size 2, not 1; see sizes of build"):
        planner.path((0, 0), (0, 1), size=1)


def test_planners_without_an_index_have_sizes_too(grid):
    planner = wp.build("jps", grid, sizes=SIZES)
    start, goal = ends(grid, 2)
    assert squares(grid, planner.path(start, goal, size=2), 2)
    again = pickle.loads(pickle.dumps(planner))  # noqa: S301
    assert again.path(start, goal, size=2).tolist() == planner.path(start, goal, size=2).tolist()
    assert repr(planner) == "Planner('jps', 14x8, sizes=(1, 2))"
    with pytest.raises(wp.WaypostError, match="jps was built for units of size 1, not 2"):
        wp.build("jps", grid).fleet(size=2)


def test_a_build_of_several_sizes_goes_on_from_its_journals(grid, tmp_path):
    journal = tmp_path / "both.partial"
    planner = wp.build("dba", grid, sizes=SIZES, sector=4, checkpoint=journal)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["both.partial.size1", "both.partial.size2"]
    again = wp.build("dba", grid, sizes=SIZES, sector=4, checkpoint=journal)
    again.save(tmp_path / "again.waypost")
    planner.end_build()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["again.waypost", "again.waypost.facts.json"]


@pytest.mark.parametrize(
    ("sizes", "complaint"),
    [
        ((), "sizes must be a list of different whole numbers"),
        ((1, 1), "sizes must be a list of different whole numbers"),
        (2, "sizes must be a list of different whole numbers, such as .1, 2., not 2"),
        ("12", "sizes must be a list of different whole numbers"),
        ((0,), "a size must be a whole number of at least 1"),
        ((1.5,), "a size must be a whole number of at least 1"),
        ((256,), "a size must be a whole number of at most 255"),
        ((1, 9), "the map for units of 9 x 9 cells has no open cell"),
    ],
)
def test_sizes_that_are_refused(grid, sizes, complaint):
    with pytest.raises(wp.WaypostError, match=complaint):
        wp.build("dba", grid, sizes=sizes)


def test_a_file_of_another_map_or_with_other_parameters(grid, file):
    other = wp.grid_from_text(MAP.replace("#", ".", 1))
    with pytest.raises(wp.WaypostError, match=r"both.waypost \(units of 1 x 1 cells\) was built for another map"):
        wp.load(file, other)
    with pytest.raises(wp.WaypostError, match="was built with sector=4, not 8"):
        wp.load(file, grid, sector=8)


def rewritten(file, grid, change):
    """The same file after a change of its parameters and arrays, with a checksum that is right."""
    stored = open_index(file)
    params, arrays = dict(stored.params), {name: array.copy() for name, array in stored.arrays.items()}
    change(params, arrays)
    write_index(file, planner=stored.planner, revision=stored.revision, grid=grid, params=params, arrays=arrays)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (lambda params, arrays: arrays.pop("size_2"), "does not hold the sizes that it names"),
        (lambda params, arrays: params.update(sizes="2,1"), "does not hold the sizes that it names"),
        (lambda params, arrays: params.update(sizes=""), "does not hold the sizes that it names"),
        (lambda params, arrays: params.update(sizes=12), "does not hold the sizes that it names"),
        (lambda params, arrays: params.update(sizes="1,02"), "does not hold the sizes that it names"),
        (
            lambda params, arrays: params.update(sizes="1,999") or arrays.update(size_999=arrays.pop("size_2")),
            "does not",
        ),
        (lambda params, arrays: arrays.update(size_2=arrays["size_2"].view(np.uint32)), "not a file of bytes"),
        (lambda params, arrays: arrays.update(size_2=arrays["size_2"].reshape(2, -1)), "not a file of bytes"),
        (
            lambda params, arrays: arrays.update(size_2=arrays["size_1"]),
            r"units of 2 x 2 cells\) was built for another",
        ),
        (lambda params, arrays: arrays.update(size_2=arrays["size_2"][:-64].copy()), r"2 cells\) is cut short"),
        (lambda params, arrays: arrays.update(size_2=arrays["size_2"][:0].copy()), r"2 cells\) is not an index file"),
    ],
)
def test_files_that_hold_something_else(grid, file, change, complaint):
    rewritten(file, grid, change)
    with pytest.raises(wp.WaypostError, match=complaint) as refusal:
        wp.load(file, grid)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize(("name", "params"), [("hcdps", {}), ("dba", {"sizes": (1, 2)})])
def test_a_part_of_another_planner_or_of_several_sizes(grid, file, tmp_path, name, params):
    wp.build(name, grid, **params).save(tmp_path / "part.waypost")
    part = np.fromfile(tmp_path / "part.waypost", np.uint8)
    rewritten(file, grid, lambda params, arrays: arrays.update(size_1=part))
    with pytest.raises(wp.WaypostError, match=r"units of 1 x 1 cells\) is damaged: it is not the index of one size"):
        wp.load(file, grid)


def test_every_byte_counts(grid, file):
    content = bytearray(file.read_bytes())
    for place in seeded(71).integers(0, len(content), 40).tolist():
        content[place] ^= 1
        file.write_bytes(content)
        with pytest.raises(wp.WaypostError):
            wp.load(file, grid)
        content[place] ^= 1


def test_sizes_on_the_command_line(waypost, refused, tmp_path):
    index = tmp_path / "caves.waypost"
    status, out, _ = waypost("build", "caves", "-o", index, "--sizes", "1,2")
    assert status == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["caves.waypost", "caves.waypost.facts.json"]
    assert f"Wrote {index}: " in out
    assert "1,2" in waypost("info", index)[1]
    start, goal = (f"{x},{y}" for x, y in ends(wp.load_map("caves"), 2))
    ways = [
        waypost("solve", "caves", "--from", start, "--to", goal, "--size", 2, *options)[1]
        for options in (["--index", index], ["-P", "dba"])
    ]
    moves = [[line for line in way.splitlines() if line.lstrip("│ ").startswith("Moves")] for way in ways]
    assert moves[0] == moves[1] != []
    assert "built for units of size 1, 2, not 3" in refused(
        "solve", "caves", "--from=0,0", "--to=1,1", "--size=3", "--index", index
    )
    assert "--sizes must be whole numbers such as 1,2,3, not '1-2'" in refused(
        "build", "caves", "-o", index, "--sizes", "1-2"
    )
