"""Maps that change, as the competition writes them."""

import os
from pathlib import Path

import numpy as np
import pytest

import waypost as wp
from waypost.errors import MapError
from waypost.living.stages import changed, put_down
from waypost.maps.changing import read_changing_map

PATCHES = """type patch
patches 2
patch 0
height 2
width 3
map
@@@
.@.
patch 1
height 1
width 1
map
G
"""
COMMANDS = """version 2
height 4
width 5
cost 1 octile
patch small.patch
commands
Q 0 0 0 4 0 4.0
P 0 0 1 1
P 0 1 2 2
Q 1 0 0 2 2 4.00000000000
Q 1 0 0 0 0 0
P 2 0 0 0
"""


def write(folder, commands=COMMANDS, patches=PATCHES):
    (folder / "small.patch").write_text(patches)
    (folder / "small.scen").write_text(commands)
    return folder / "small.scen"


def test_stages(tmp_path):
    for text in (COMMANDS, COMMANDS.replace("\n", "\r\n"), COMMANDS.rstrip()):
        read = read_changing_map(write(tmp_path, text))
        assert (read.name, read.width, read.height) == ("small", 5, 4)
        assert read.first_grid().open_count == 20
        assert [(len(stage.placed), len(stage.queries)) for stage in read.stages] == [(0, 1), (2, 2), (1, 0)]
        assert read.stages[1].queries[0] == ((0, 0), (2, 2), 4.0)
        world = wp.World(read.first_grid())
        is_open = np.ones((4, 5), bool)
        for stage in read.stages:
            put_down(world, stage)
            changed(is_open, stage.placed)
            assert (world.grid.is_open == is_open).all()
        assert is_open.astype(int).tolist() == [[0, 0, 0, 1, 1], [1, 0, 1, 0, 1], [1, 1, 1, 1, 1], [1, 1, 1, 1, 1]]
        assert world.version == 2


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("version 2", "version 1", "version must be 2, not '1'"),
        ("version 2\n", "", "version must be 2, not ''"),
        ("octile", "manhattan", "cost must be 1 octile"),
        ("commands\n", "", "line 6: expected version, height, width, cost, patch or commands"),
        ("height 4", "height x", "expected a whole number, found 'x'"),
        ("height 4", "height 4\nheight 4", "line 3: expected version"),
        ("height 4", "height 0", "small.scen"),
        ("patch small.patch", "patch ../small.patch", "patch must name a file in the same folder"),
        ("patch small.patch\n", "", "patch must name a file in the same folder"),
        ("patch small.patch", "patch other.patch", "other.patch"),
        ("P 0 0 1 1", "P 0 2 1 1", "line 8: there is no patch 2; the file of patches has 2"),
        ("P 0 0 1 1", "P 0 0 3 1", r"line 8: patch 0, put at \(3, 1\), leaves the map"),
        ("P 0 0 1 1", "P 0 0 -1 1", "line 8: expected a whole number, found '-1'"),
        ("P 0 0 1 1", "P 0 0 1", "line 8: expected 'P bucket patch x y' or"),
        ("Q 1 0 0 0 0 0", "Q 1 0 0 5 0 0", r"line 11: \(5, 0\) is outside the map"),
        ("Q 1 0 0 0 0 0", "Q 1 0 0 1 0 nan", "line 11: expected a length, found 'nan'"),
        ("Q 1 0 0 0 0 0", "Q 1 0 0 1 0 far", "line 11: expected a length, found 'far'"),
        ("Q 1 0 0 0 0 0", "X", "line 11: expected 'P bucket patch x y' or"),
        (COMMANDS, "", "has no line 'commands'"),
    ],
)
def test_odd_commands(tmp_path, old, new, complaint):
    assert old in COMMANDS
    with pytest.raises(wp.WaypostError, match=complaint):
        read_changing_map(write(tmp_path, COMMANDS.replace(old, new, 1)))


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("type patch", "type octile", "line 1: expected 'type patch', found 'type octile'"),
        ("patches 2", "patches many", "line 2: expected a whole number, found 'many'"),
        ("patches 2", "patches 2 3", "line 2: expected 'patches N'"),
        ("patches 2", "patches 999999999", "promises 999,999,999 patches"),
        ("patches 2", "patches 1", "line 9: more follows the last patch: 'patch 1'"),
        ("patches 2", "patches 3", "line after the last: expected 'patch 2'"),
        ("patch 1\n", "patch 7\n", "line 9: expected 'patch 1', found 'patch 7'"),
        ("map\nG", "mop\nG", "line 12: expected 'map', found 'mop'"),
        (".@.", ".@", "line 8: row 1 of patch 0 must have 3 cells"),
        (".@.", ".@x", "line 8: row 1 of patch 0 must have 3 cells"),
        ("map\nG\n", "map\n", "ends too soon: row 0 of patch 1"),
        ("width 1", "width 0", "patch 1"),
        ("G", "\xfc", "not ASCII"),
    ],
)
def test_odd_patches(tmp_path, old, new, complaint):
    assert old in PATCHES
    with pytest.raises(MapError, match=complaint):
        read_changing_map(write(tmp_path, patches=PATCHES.replace(old, new, 1)))


@pytest.mark.skipif("WAYPOST_MAPS" not in os.environ, reason="WAYPOST_MAPS names no folder of benchmark maps")
@pytest.mark.parametrize("name", ["astar", "jps"])
def test_all_lengths_of_the_dynamic_track(name):
    path = Path(os.environ["WAYPOST_MAPS"]) / "dynamic" / "dao_arena2.scen"
    if not path.exists():
        pytest.skip("the folder of benchmark maps has no dynamic/dao_arena2.scen")
    read = read_changing_map(path)
    assert sum(len(stage.queries) for stage in read.stages) == 2000
    world = wp.World(read.first_grid(), name)
    for stage in read.stages:
        put_down(world, stage)
        starts, goals, lengths = zip(*stage.queries, strict=True)
        found = world.planner.batch(starts, goals).lengths
        assert found == pytest.approx(lengths, abs=1e-4)  # whose root of 2 is a fraction
