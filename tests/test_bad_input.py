"""Bad input gets one clear sentence: a WaypostError or exit status 2 (how-it-fits, promise 6)."""

import os
import tracemalloc
from collections import UserList, deque

import numpy as np
import pytest

import waypost as wp
from waypost.indexes.store import read_index
from waypost.maps.generate.parameters import find_kind
from waypost.maps.ros import read_occupancy
from waypost.maps.scale import crop, enlarge
from waypost.maps.scenarios import read_scenarios, write_scenarios
from waypost.runs import picture
from waypost.runs.crowd import Crowd, Places
from waypost.world.problem import solve_optimally

HEADER = "type octile\nheight {}\nwidth {}\nmap\n"

BAD_MAPS = {
    "cut off in a row": (HEADER.format(3, 4) + "....\n....\n..", "cut off: .* 3 rows of 4 cells, but .* ends in row 2"),
    "cut off after a row": (HEADER.format(3, 4) + "....\n....\n", "cut off: .* ends in row 1"),
    "header larger than the data": (HEADER.format(300, 400) + "....\n" * 3, "row 0 has 4 cells, .* width 400"),
    "many rows promised": (HEADER.format(3000, 4) + "....\n" * 3, "cut off: the header promises 3000 rows"),
    "10^12 cells": (HEADER.format(10**6, 10**6) + "....\n", "too large: 1000000 x 1000000"),
    "a number of a hundred digits": (HEADER.format("9" * 100, 4) + "....\n", "not a MovingAI map"),
    "no cells": (HEADER.format(0, 4), "is empty: it is 4 wide and 0 high"),
    "nothing after the header": (HEADER.format(3, 4), "cut off"),
    "rows too short": (HEADER.format(2, 4) + "...\n....\n", "row 0 has 3 cells, but the header says width 4"),
    "rows too long": (HEADER.format(2, 4) + "....\n.....\n", "row 1 has 5 cells"),
    "too many rows": (HEADER.format(2, 4) + "....\n" * 3, "has 3 rows, but the header says height 2"),
    "unknown terrain": (HEADER.format(2, 4) + "..x.\n....\n", r"unknown terrain 'x' at \(2, 0\)"),
    "non-ASCII": (HEADER.format(1, 4) + "..é.\n", "byte 35 is not ASCII"),
    "all walls": (HEADER.format(2, 4) + "@@@@\n" * 2, "no open cell: all 4 x 2 cells are walls"),
    "negative size": (HEADER.format(-2, 4) + "....\n", "not a MovingAI map"),
    "no height": ("type octile\nwidth 4\nmap\n....\n", "must give height and width"),
    "height twice": ("type octile\nheight 2\nheight 2\nwidth 4\nmap\n" + "....\n" * 2, "its header gives height twice"),
    "width twice": ("type octile\nwidth 4\nheight 2\nwidth 5\nmap\n" + "....\n" * 2, "its header gives width twice"),
    "type twice": ("type octile\ntype tile\nheight 2\nwidth 4\nmap\n" + "....\n" * 2, "its header gives type twice"),
    "map twice": (HEADER.format(2, 4) + "map\n" + "....\n" * 2, "row 0 has 3 cells, but the header says width 4"),
    "not a map": ("hello world, this is a letter\n", "not a MovingAI map"),
    "empty file": ("", "not a MovingAI map"),
    "one endless line": ("x" * 100_000, "not a MovingAI map"),
}


@pytest.mark.parametrize(("content", "complaint"), BAD_MAPS.values(), ids=BAD_MAPS)
def test_bad_maps(tmp_path, content, complaint):
    path = tmp_path / "bad.map"
    path.write_bytes(content.encode())
    tracemalloc.start()
    try:
        with pytest.raises(wp.WaypostError, match=complaint) as refusal:
            wp.load_map(path)
        assert tracemalloc.get_traced_memory()[1] < 2_000_000, "memory was taken before the size was checked"
    finally:
        tracemalloc.stop()
    assert "\n" not in str(refusal.value)


def test_every_truncation_of_a_map_is_refused(tmp_path):
    whole = (HEADER.format(3, 4) + "....\n" * 3).encode()
    path = tmp_path / "cut.map"
    for length in range(len(whole) - 1):
        path.write_bytes(whole[:length])
        with pytest.raises(wp.WaypostError):
            wp.load_map(path)


def test_files_that_are_not_there(tmp_path):
    with pytest.raises(wp.WaypostError, match=r"there is no map file at .*gone\.map"):
        wp.load_map(tmp_path / "gone.map")
    with pytest.raises(wp.WaypostError, match="bundled maps: caves"):
        wp.load_map("cavs")
    for name in ("folder.map", "folder"):
        (tmp_path / name).mkdir()
        with pytest.raises(wp.WaypostError, match="is a directory"):
            wp.load_map(tmp_path / name)
    os.mkfifo(tmp_path / "pipe.map")
    with pytest.raises(wp.WaypostError, match="not a plain file"):
        wp.load_map(tmp_path / "pipe.map")
    (tmp_path / "loop.map").symlink_to("loop.map")
    for name in ("loop.map", "x" * 300 + ".map", "a\0.map"):
        with pytest.raises(wp.WaypostError, match="there is no map file"):
            wp.load_map(os.path.join(tmp_path, name))
    (tmp_path / "a.txt").touch()
    with pytest.raises(wp.WaypostError, match="not a format that can be read"):
        wp.load_map(tmp_path / "a.txt")


@pytest.mark.parametrize(
    ("array", "options", "complaint"),
    [
        (np.zeros((0, 5), bool), {}, "empty: it is 5 wide and 0 high"),
        (np.zeros((3, 5), bool), {}, "no open cell"),
        (np.zeros(5, bool), {}, r"two-dimensional .* not one of shape \(5,\)"),
        (np.zeros((2, 2, 2), bool), {}, "two-dimensional"),
        (np.zeros((2, 2)), {}, "say which value of this float64 array is open"),
        (np.array([[0, np.nan]]), {"open": 0}, "NaN at row 0, column 1"),
        ([[1, 2], [3]], {"open": 1}, "rows of equal length"),
        (np.ma.masked_equal([[1, 2]], 2), {"open": 1}, "masked"),
        (np.zeros((2, 2), [("a", int)]), {"open": 1}, "plain values"),
        (np.ones((2, 2), bool), {"diagonals": ["never"]}, "diagonals must be one of"),
        (np.ones((2, 2), bool), {"diagonals": "sometimes"}, "diagonals must be one of 'both-open'"),
        (np.ones((2, 2), bool), {"costs": "2"}, "costs must be one of 'sqrt2', '1.4'"),
    ],
)
def test_bad_arrays(array, options, complaint):
    with pytest.raises(wp.WaypostError, match=complaint):
        wp.grid_from_array(array, **options)


def test_arrays_that_are_not_boolean_are_not_guessed_at():
    with pytest.raises(wp.WaypostError, match="grid_from_array"):
        wp.Grid(np.ones((2, 2)))
    too_large = np.broadcast_to(np.ones((1, 1), bool), (100_000, 100_000))
    with pytest.raises(wp.WaypostError, match="too large"):
        wp.Grid(too_large)
    with pytest.raises(wp.WaypostError, match="grid_from_array takes arrays"):
        wp.load_map(np.ones((2, 2), bool))
    with pytest.raises(wp.WaypostError, match="a drawing is text"):
        wp.grid_from_text(b"..")
    with pytest.raises(wp.WaypostError, match="built for a Grid"):
        wp.build("astar", np.ones((2, 2), bool))


def masked(value):
    return np.ma.array(value, mask=True)


def test_masks_are_not_ignored():
    cells = np.zeros((2, 2), int)
    for given in (masked(cells == 0), [masked([True, True])], [[masked(True), True]], ((masked(True), True),)):
        with pytest.raises(wp.WaypostError, match="a masked array does not say what its masked cells are"):
            wp.grid_from_array(given)
    with pytest.raises(wp.WaypostError, match="a masked array does not say what its masked cells are"):
        wp.Grid(masked(cells == 0))
    for values in (masked([0]), masked(0), [masked(0)], {0: 1}, {}):
        with pytest.raises(wp.WaypostError, match="open must be a value, or a list or set of values, without any mask"):
            wp.grid_from_array(cells, open=values)
    assert wp.grid_from_array(cells, open={0, 7}).open_count == 4


GRID = wp.grid_from_text("....\n....")
IN_ITSELF = []
IN_ITSELF += [IN_ITSELF, IN_ITSELF]
ODD_CALLS = {
    "path, nearest": (lambda p: p.path((0, 0), (3, 1), nearest=np.arange(2)), "nearest must be True or False"),
    "path, max_moves": (lambda p: p.path((0, 0), (3, 1), max_moves=masked(9)), "max_moves must be a whole number"),
    "path, a deque": (lambda p: p.path(deque([True, 0]), (3, 1)), "start must be two whole numbers"),
    "path, a user's list": (lambda p: p.path((0, 0), UserList([True, 0])), "goal must be two whole numbers"),
    "path, objects": (lambda p: p.path(np.array([True, False], object), (3, 1)), "start must be two whole numbers"),
    "path, a list in itself": (lambda p: p.path(IN_ITSELF, (3, 1)), "start must be two whole numbers"),
    "batch, a mask": (lambda p: p.batch([(masked(0), 0)], [(3, 1)]), "starts must be an"),
    "batch, a constant": (lambda p: p.batch([(0, 0)], [(np.ma.masked, 1)]), "goals must be an"),
    "batch, bytes": (lambda p: p.batch(deque([bytearray(2)]), [(3, 1)]), "starts must be an"),
    "batch, a list in itself": (lambda p: p.batch(IN_ITSELF, [(3, 1)]), "starts must be an"),
    "batch, threads": (lambda p: p.batch([(0, 0)], [(3, 1)], threads=masked(9)), "threads must be a whole number"),
    "batch, paths": (lambda p: p.batch([(0, 0)], [(3, 1)], paths=np.arange(2)), "paths must be True or False"),
    "agent, record": (lambda p: p.agent(record=np.arange(2)), "record must be True or False"),
    "reset, a mask": (lambda p: p.agent().reset(wp.Problem(masked(7), 7)), "is not an open cell"),
    "reset, True": (lambda p: p.agent().reset(wp.Problem(7, True)), "is not an open cell"),
    "fleet, nearest": (lambda p: p.fleet([(0, 0)], (3, 1), nearest=np.arange(2)), "nearest must be True or False"),
    "build, a mask": (lambda _: wp.build("lss", GRID, lookahead=masked(5)), "lookahead of lss must be a whole number"),
    "build, a row": (lambda _: wp.build("lss", GRID, lookahead=np.array([5])), "lookahead of lss must be a whole"),
    "build, rows": (lambda _: wp.build("lss", GRID, lookahead=[[1], [1, 2]]), "lookahead of lss must be a whole"),
    "build, a truth": (lambda _: wp.build("lss", GRID, lookahead=np.array(True)), "lookahead of lss must be a whole"),
    "build, a name": (lambda _: wp.build(2**20_000, GRID), "there is no planner called a very large int"),
    "generate, a name": (lambda _: find_kind(2**20_000, {"city": None}), "no kind of map called a very large"),
    "load": (lambda _: wp.load("a\nb", GRID), r"there is no Waypost index at a\\nb$"),
    "load a map": (lambda _: wp.load_map("a\nb.map"), r"there is no map file at 'a\\nb.map'"),
    "load problems": (lambda _: wp.load_problems("a\u2028b", GRID), r"there is no scenario file at a\\u2028b$"),
    "save": (lambda p: p.save("no/a\nb"), r"cannot write no/a\\nb: "),
}


PIXELS = picture.draw_grid(GRID, 2)
FRAME = wp.Frame(1.0, 0.0, 0.0, 0.0, 4, 2)
ODD = (None, object(), [], (0,), {}, float("nan"), 2**2000, True, masked(1))  # none of them is anything below
ODD_TOOLS = {
    "draw, a map": (picture.draw_grid, "what is drawn is a Grid"),
    "draw, a run": (picture.draw_run, "a picture of a run shows a Trace"),
    "draw, dots": (lambda odd: picture.draw_dots(GRID, [odd], PIXELS[:1, 0]), "places must be an"),
    "pictures side by side": (picture.tiled, "pictures are arrays of bytes"),
    "pictures in a row": (lambda odd: picture.tiled([PIXELS], odd), "columns must be a whole number"),
    "a picture, where": (lambda odd: picture.write_png(odd, PIXELS), "a place to write to must be the name of a file"),
    "a picture, what": (lambda odd: picture.write_png("no/a.png", odd), "pictures are arrays of bytes"),
    "an animation": (lambda odd: picture.write_animation("no/a.png", odd), "pictures are arrays of bytes"),
    "its speed": (lambda odd: picture.write_animation("no/a.png", [PIXELS], odd), "frames per second must be"),
    "larger": (lambda odd: enlarge(GRID, odd), "the factor by which a map is enlarged|the enlarged map is too large"),
    "smaller": (lambda odd: crop(GRID, 0, 0, 1, odd), "in whole cells|not within the map"),
    "metres": (lambda odd: FRAME.to_cell((0, odd)), "must be two finite numbers"),
    "cells": (lambda odd: FRAME.to_metres((0, odd)), "must be two finite numbers"),
    "larger cells": (FRAME.enlarged, "the factor by which a map is enlarged must be a whole number"),
    "a frame": (lambda odd: wp.Frame(odd, 0.0, 0.0, 0.0, 4, 2), "resolution must be a finite number"),
    "an occupancy": (read_occupancy, "a ROS map file must be the name of a file"),
    "scenarios": (read_scenarios, "a scenario file must be the name of a file"),
    "a map's name": (lambda odd: write_scenarios("no/a", GRID, [], odd), "a scenario file is lines of ASCII"),
    "problems": (lambda odd: write_scenarios("no/a", GRID, [odd], "a"), "a scenario file holds Problems"),
    "a solution": (lambda odd: list(solve_optimally(GRID, [odd])), "what is solved is a Problem"),
    "its start": (lambda odd: list(solve_optimally(GRID, [wp.Problem(odd, 7)])), "is not an open cell of this map"),
    "places": (lambda odd: Places(GRID, 1).draw(odd), "the number of places must be a whole number"),
    "a crowd": (lambda odd: Crowd(wp.build("dba", GRID), odd), "the number of places must be a whole number"),
    "an index": (lambda odd: read_index(odd, GRID), "index must be the name of a file"),
}


@pytest.mark.parametrize(("call", "complaint"), ODD_TOOLS.values(), ids=ODD_TOOLS)
def test_odd_arguments_of_tools(call, complaint):
    for odd in ODD:
        with pytest.raises(wp.WaypostError, match=complaint):
            call(odd)


def test_pictures_and_places_of_the_wrong_size():
    for scale in (0, -1, 1.5, "2", 10**9):
        with pytest.raises(wp.WaypostError, match="scale"):
            picture.draw_grid(GRID, scale)
    for place in ((-1, 0), (4, 0), (0, 2)):
        with pytest.raises(wp.WaypostError, match="outside the map"):
            picture.draw_dots(GRID, [place], PIXELS[:1, 0])
    trace = wp.simulate(wp.build("astar", GRID).agent(), wp.Problem(GRID.cell((0, 0)), GRID.cell((3, 1))))
    with pytest.raises(wp.WaypostError, match="must be a picture of this map at the scale 3"):
        picture.draw_run(trace, 3, PIXELS)
    for name in ("a\tb", "a\nb", "ä"):
        with pytest.raises(wp.WaypostError, match="cannot name the map"):
            write_scenarios("no/a.scen", GRID, [], name)
    with pytest.raises(wp.WaypostError, match="at most 10,000,000"):
        Places(GRID).draw(10**12)
    with pytest.raises(wp.WaypostError, match="seed must be a whole number of at least 0"):
        Places(GRID, -1)


@pytest.mark.parametrize(("call", "complaint"), ODD_CALLS.values(), ids=ODD_CALLS)
def test_odd_calls(call, complaint):
    with pytest.raises(wp.WaypostError, match=complaint) as refusal:
        call(wp.build("dba", GRID, threads=1))
    assert str(refusal.value).isprintable()


def test_sequences_of_plain_numbers_are_taken():
    planner = wp.build("astar", GRID)
    for start in (deque([0, 0]), UserList([0, 0]), np.array([0, 0], object), [np.int8(0), np.int64(0)], range(2)):
        assert planner.path(start, (3, 1))[-1].tolist() == [3, 1]
        assert len(planner.batch(deque([list(start)]), [(3, 1)])) == 1


BAD_PLACES = {
    "outside": ((9, 0), r"\(9, 0\) is outside the map of 3 x 2 cells"),
    "negative": ((-1, 0), "outside"),
    "wall": ((1, 0), r"\(1, 0\) is on a wall"),
    "floats": ((0.0, 1.0), r"must be two whole numbers \(x, y\), not \(0.0, 1.0\)"),
    "NaN": ((float("nan"), 0), "two whole numbers"),
    "three numbers": ((0, 0, 0), "two whole numbers"),
    "one number": (7, "two whole numbers"),
    "nothing": (None, "two whole numbers"),
    "text": ("ab", "two whole numbers"),
    "float array": (np.array([0.0, 1.0]), "two whole numbers"),
    "2-d array": (np.zeros((2, 2), int), "two whole numbers"),
    "huge": ((10**30, 0), "outside"),
    "endless": ((10**5000, 0), "outside"),
    "set": ({0, 1}, "two whole numbers"),
    "dict": ({"x": 0, "y": 1}, "two whole numbers"),
}


@pytest.mark.parametrize(("place", "complaint"), BAD_PLACES.values(), ids=BAD_PLACES)
def test_bad_places(place, complaint):
    planner = wp.build("astar", wp.grid_from_text(".#.\n..."))
    for what, pair in (("start", (place, (0, 0))), ("goal", ((0, 0), place))):
        with pytest.raises(wp.WaypostError, match=complaint) as refusal:
            planner.path(*pair)
        assert str(refusal.value).startswith(what)
        assert "\n" not in str(refusal.value)


BAD_SCENARIOS = {
    "another size": ("0\ta.map\t9\t9\t0\t0\t1\t0\t1\n", "map of 9 x 9, but this map is 3 x 2"),
    "on a wall": ("0\ta.map\t3\t2\t1\t0\t0\t0\t1\n", r"scenario start \(1, 0\) is on a wall"),
    "outside": ("0\ta.map\t3\t2\t0\t0\t5\t0\t1\n", "scenario goal .* outside"),
    "words alone": ("hello\n", "line 2: a scenario has 9 fields, this line has 1"),
    "too few fields": ("0\ta.map\t3\t2\t0\t0\n", "line 2: a scenario has 9 fields, this line has 6"),
    "words": ("0\ta.map\t3\t2\tx\t0\t1\t0\t1\n", "line 2: .* must be numbers"),
    "an endless number": (f"0\ta.map\t3\t2\t{10**30}\t0\t1\t0\t1\n", r"scenario start \(10+, 0\) is outside"),
    "an endless length": (f"0\ta.map\t3\t2\t0\t0\t2\t0\t{10**400}\n", "finite number of at least 0, not 10{1,79}$"),
    "an endless line": ("0 " * 100_000, "line 2: a scenario has 9 fields, this line has more than 65,536 characters"),
    "infinite length": ("0\ta.map\t3\t2\t0\t0\t2\t0\tinf\n", "finite"),
    "NaN length": ("0\ta.map\t3\t2\t0\t0\t2\t0\tnan\n", "finite"),
    "non-ASCII": ("0\tä.map\t3\t2\t0\t0\t2\t0\t1\n", "not ASCII"),
}


@pytest.mark.parametrize(("line", "complaint"), BAD_SCENARIOS.values(), ids=BAD_SCENARIOS)
def test_bad_scenarios(tmp_path, line, complaint):
    path = tmp_path / "a.scen"
    path.write_bytes(("version 1\n" + line).encode())
    with pytest.raises(wp.WaypostError, match=complaint):
        wp.load_problems(path, wp.grid_from_text(".#.\n..."))


def test_unknown_planners():
    grid = wp.grid_from_text("..")
    with pytest.raises(wp.WaypostError, match="no planner called 'a-star'; did you mean 'astar'"):
        wp.build("a-star", grid)
    for nonsense in ("zzz", ["astar"], None):
        with pytest.raises(wp.WaypostError, match="there is no planner called"):
            wp.build(nonsense, grid)
