"""Scripts of edits and orders: done again, all stands as it stood, on any number of threads."""

import json

import numpy as np
import pytest

import waypost as wp
from tests.support.chance import seeded
from waypost.errors import MapError
from waypost.fleet import TROOP


def play(world, fleet, random, ticks, work):
    """Edits, orders and ticks by chance; the cells of all agents after each tick."""
    open_cells = np.flatnonzero(world.grid.component)
    seen = []
    for tick in range(ticks):
        if random.random() < 0.4:
            place = world.grid.xy(int(random.choice(open_cells)))
            world.edit([place], open=bool(random.random() < 0.5))
        if random.random() < 0.2:
            world.block([world.grid.xy(int(random.choice(open_cells)))], until=int(random.integers(1, 9)))
        if random.random() < 0.2:
            ids = np.unique(random.choice(fleet.ids, 5))
            goal = world.grid.xy(int(random.choice(open_cells)))
            if tick % 3:
                fleet.retarget(ids, goal, nearest=bool(tick % 2))
            elif world.grid.component[world.grid.cell(goal)]:
                fleet.teleport(ids, [goal])
        if tick == ticks // 2:
            fleet.remove([0, 3])
        fleet.tick(budget_work=work)
        seen.append(fleet.cells.tobytes() + fleet.status.tobytes())
    return seen


def ends(grid, random, count):
    cells = random.choice(np.flatnonzero(grid.component), (2, count))
    return grid.xys(cells[0]), grid.xys(cells[1])


@pytest.mark.parametrize("name", ["jps", "astar", "dba"])
def test_a_script_is_done_again(name, tmp_path):
    random = seeded(120)
    grid = wp.load_map("rooms")
    world = wp.World(grid, name, record=True)
    fleet = world.fleet(*ends(grid, random, 60), nearest=True, patience=2, threads=1)
    play(world, fleet, random, 40, 900)
    world.script.save(tmp_path / "all.script")
    again = wp.World.replay(tmp_path / "all.script", grid, threads=2)
    (twin,) = again.fleets
    assert again.world.fingerprint == world.fingerprint
    assert again.world.version == world.version
    for one, other in ((fleet, twin),):
        assert one.cells.tobytes() == other.cells.tobytes()
        assert one.goals.tobytes() == other.goals.tobytes()
        assert one.status.tobytes() == other.status.tobytes()
    again.world.script.save(tmp_path / "again.script")
    assert (tmp_path / "again.script").read_bytes() == (tmp_path / "all.script").read_bytes()


@pytest.mark.parametrize("name", ["jps", "dba"])
def test_any_number_of_threads_does_the_same(name):
    random = seeded(121)
    grid = wp.Grid(random.random((30, 40)) < 0.85)
    starts, goals = ends(grid, random, TROOP + 300)
    seen = []
    for threads in (1, 2, 3):
        world = wp.World(grid, name)
        fleet = world.fleet(starts, goals, threads=threads)
        seen.append(play(world, fleet, seeded(122), 12, 50_000))
    assert seen[0] == seen[1] == seen[2]


def test_a_world_that_records_has_no_clock(tmp_path):
    world = wp.World(wp.grid_from_text("...."), record=True)
    fleet = world.fleet([(0, 0)], [(3, 0)])
    with pytest.raises(wp.WaypostError, match="budget_work=N"):
        fleet.tick(1000.0)
    assert fleet.ticks == 0
    with pytest.raises(wp.WaypostError, match="record=True"):
        wp.World(wp.grid_from_text("....")).script.save(tmp_path / "none")
    with pytest.raises(wp.WaypostError, match="name of a file"):
        world.script.save(3)


def edited(lines, number, row):
    return [*lines[:number], json.dumps(row), *lines[number + 1 :]]


def test_scripts_that_are_no_scripts(tmp_path):
    grid = wp.grid_from_text("....\n....")
    world = wp.World(grid, record=True)
    world.edit([(0, 0), (1, 0), (3, 1)], open=False)
    place = tmp_path / "edits.script"
    world.script.save(place)
    assert len(world.script) == 1
    again = wp.World.replay(place, grid)
    assert again.world.grid.is_open.tolist() == [[False, False, True, True], [True, True, True, False]]
    assert not again.fleets
    with pytest.raises(MapError, match="begins on another map"):
        wp.World.replay(place, wp.grid_from_text("....\n...#"))
    whole = place.read_bytes()
    for damaged in (b"", whole[:-9], whole[5:], whole.replace(b"edit", b"edot"), b"[]\n" * 3, b"\xff\n", b"{}\n{}\n"):
        place.write_bytes(damaged)
        with pytest.raises(wp.WaypostError, match="is no script of a World, or is damaged"):
            wp.World.replay(place, grid)


def forged(tmp_path, grid, rows, **head):
    """A script that says this, with a checksum that fits."""
    world = wp.World(grid, record=True)
    script = world.script
    place = tmp_path / "forged.script"
    script.save(place)
    first = json.loads(place.read_bytes().splitlines()[0]) | head
    import hashlib

    text = "".join(json.dumps(row) + "\n" for row in (first, *rows)).encode()
    end = {"checksum": hashlib.blake2b(text, digest_size=16).hexdigest(), "end": world.fingerprint}
    place.write_bytes(text + json.dumps(end).encode() + b"\n")
    return place


@pytest.mark.parametrize(
    "row",
    [
        ["nonsense"], [], 3, None, {}, ["edit"], ["edit", 3], ["edit", [[0, 0, 9, 1]]], ["tick", 0, 5], ["add", 0],
        ["fleet", 1, 1], ["fleet", False, -1], ["block", -1, [[0, 0]]], ["block", 1, [[0.5, 0]]], ["edit", [[0, 0]]],
        ["tick", "a", None], ["edit", [["a", 0, 1, 1]]],
    ],
)  # fmt: skip
def test_rows_that_cannot_be_done(tmp_path, row):
    grid = wp.grid_from_text("....\n....")
    place = forged(tmp_path, grid, [["edit", []], row])
    with pytest.raises(wp.WaypostError, match="row 2 of the script cannot be done"):
        wp.World.replay(place, grid)


def test_scripts_of_other_planners_and_times(tmp_path):
    grid = wp.grid_from_text("....\n....")
    with pytest.raises(wp.WaypostError, match="newer Waypost, in format 2"):
        wp.World.replay(forged(tmp_path, grid, [], format=2), grid)
    with pytest.raises(wp.WaypostError, match="no planner called 'nobody'"):
        wp.World.replay(forged(tmp_path, grid, [], planner="nobody"), grid)
    with pytest.raises(wp.WaypostError, match="is no script"):
        wp.World.replay(forged(tmp_path, grid, [], params=3), grid)
    with pytest.raises(wp.WaypostError, match="ends on another map"):
        wp.World.replay(forged(tmp_path, grid, [["edit", [[0, 0, 1, 0]]]]), grid)
