"""Large files that are no maps: refused in a few times their size of memory, however they are wrong."""

import tracemalloc

import numpy as np
import pytest

import waypost as wp
from waypost.maps import movingai

HEADER = "type octile\nheight {}\nwidth {}\nmap\n"
ROW = "." * 999 + "\n"
LINE = "7\tmaps/dao/arena.map\t9\t9\t1\t2\t3\t4\t31.45584412\n"
SHORT = "0 a 9 9 0 0 0 0 0\n"

MAPS = {
    "short rows": (HEADER.format(999, 999) + ".\n" * 3_000_000, "row 0 has 1 cells"),
    "short rows, CRLF": (HEADER.format(999, 999) + ".\r\n" * 2_000_000, "row 0 has 1 cells"),
    "rows of one cell, the last unknown": (HEADER.format(3_000_000, 1) + ".\n" * 2_999_999 + "x\n", r"\(0, 2999999\)"),
    "rows of one cell, cut off": (HEADER.format(3_000_001, 1) + ".\n" * 3_000_000, "ends in row 2999999"),
    "too many rows": (HEADER.format(2, 1) + ".\n" * 3_000_000, "has 3000000 rows, but the header says height 2"),
    "no rows": (HEADER.format(2, 1) + "\n" * 6_000_000, "cut off: .* ends in row 0"),
    "one endless row": (HEADER.format(999, 999) + "." * 6_000_000, "row 0 has 6000000 cells"),
    "unknown terrain in the last row": (HEADER.format(6000, 999) + ROW * 5999 + "x" * 999, r"'x' at \(0, 5999\)"),
    "cut off in the last row": (HEADER.format(6000, 999) + ROW * 5999 + "...", "cut off: .* ends in row 5999"),
    "all walls": (HEADER.format(6000, 999) + ROW.replace(".", "@") * 6000, "all 999 x 6000 cells are walls"),
    "header lines": ("height 5\n" * 600_000, "its header gives height twice"),
    "type lines": ("type octile\n" * 500_000, "its header gives type twice"),
    "something behind blank lines": (HEADER.format(1, 1) + ".\n" + "\n" * 6_000_000 + "x", "has 6000002 rows"),
}
SCENARIOS = {
    "a word in the last line": (LINE * 100_000 + LINE.replace("\t4\t", "\tx\t"), "line 100001: .* must be numbers"),
    "outside in the last line": (LINE * 100_000 + LINE.replace("\t4\t", "\t9\t"), "scenario 100001: scenario goal"),
    "another map": (LINE.replace("\t9\t9\t", "\t8\t9\t") * 100_000, "scenario 1: the scenario is for a map of 8 x 9"),
    "short lines, the last too short": (SHORT * 60_000 + "0\n", "line 60001: .* this line has 1"),
    "short lines, all odd": (SHORT.replace("\n", " \n") * 60_000 + "0\n", "line 60001: .* this line has 1"),
    "one endless line": ("0 " * 3_000_000, "line 1: .* more than 65,536 characters"),
}


DRAWINGS = {
    "short rows": ("..\n" * 1_000_000 + ".", "row 1000000 of the drawing has 1 cells, but row 0 has 2"),
    "rows with blanks": ("  ..  \r\n" * 500_000 + "?.", r"has '\?' at \(0, 500000\)"),
    "one row": ("." * 3_000_000 + "?", r"has '\?' at \(3000000, 0\)"),
    "long rows": (ROW * 3000 + "." * 998 + "?", r"has '\?' at \(998, 3000\)"),
    "a mark twice": ("a" + ROW[1:] + ROW * 3000 + "." * 998 + "a", r"at \(0, 0\) and \(998, 3001\)"),
}


def tmj(tiles, width, height):
    """A Tiled map of one layer, which holds these tiles."""
    size = f'"width": {width}, "height": {height}'
    layer = f'{{"type": "tilelayer", "name": "Collision", {size}, "data": {tiles}}}'
    return f'{{"orientation": "orthogonal", "infinite": false, "tilesets": [], {size}, "layers": [{layer}]}}'


TILES = ",".join(["0"] * 1_000_000)
TILED = {
    "too few tiles": (
        tmj(f"[{TILES}]", 1001, 1000),
        "should hold 1,001,000 tiles of tile data, but it holds 1,000,000",
    ),
    "too many tiles": (tmj(f"[{TILES}]", 999, 1000), "should hold 999,000 tiles .* holds at least 1,000,000"),
    "another map": (tmj(f"[{TILES}]", 1000, 1000).replace("orthogonal", "isometric"), "must be an orthogonal map"),
    "cut off": (tmj(f"[{TILES}]", 1000, 1000)[:-1], "is not a Tiled file"),
    "in a text": (tmj(f'"[{TILES}]"', 1000, 1000), "is stored as 'str'"),
    "a text that never ends": (tmj(f'"[{TILES}]', 1000, 1000), "is not a Tiled file: 'Unterminated string"),
    "quotes and half an escape": ('{"a": "' + '\\"' * 1_000_000 + "\\", "is not a Tiled file: 'Unterminated string"),
    "negative tiles": (tmj(f"[{TILES.replace('0', '-1')},{TILES},{TILES}]", 9, 9), "holds more than 2,097,152 values"),
}


def refusal_within_three_sizes(load, path, content, complaint):
    path.write_bytes(content.encode())
    tracemalloc.start()
    try:
        with pytest.raises(wp.WaypostError, match=complaint) as refusal:
            load(path)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert "\n" not in str(refusal.value)
    assert len(str(refusal.value)) < 600
    assert peak < 3 * len(content)


@pytest.mark.parametrize(("content", "complaint"), MAPS.values(), ids=MAPS)
def test_maps(tmp_path, content, complaint):
    refusal_within_three_sizes(wp.load_map, tmp_path / "bad.map", content, complaint)


@pytest.mark.parametrize(("content", "complaint"), TILED.values(), ids=TILED)
def test_tiled_maps(tmp_path, content, complaint):
    pytest.importorskip("pytiled_parser")  # and its memory, which is not the file's
    refusal_within_three_sizes(wp.load_map, tmp_path / "bad.tmj", content, complaint)


@pytest.mark.parametrize(("content", "complaint"), DRAWINGS.values(), ids=DRAWINGS)
def test_drawings(tmp_path, content, complaint):
    refusal_within_three_sizes(lambda _: wp.grid_from_text(content), tmp_path / "drawing", content, complaint)


@pytest.mark.parametrize(("content", "complaint"), SCENARIOS.values(), ids=SCENARIOS)
def test_scenarios(tmp_path, content, complaint):
    grid = wp.Grid(np.ones((9, 9), bool))
    refusal_within_three_sizes(lambda path: wp.load_problems(path, grid), tmp_path / "bad.scen", content, complaint)
    if "scenario " not in complaint:
        refusal_within_three_sizes(movingai.read_scenarios, tmp_path / "bad.scen", content, complaint)
