"""MovingAI benchmark files: .map and .scen, read with every variation found in the wild, and written."""

import os
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from waypost.errors import MapError
from waypost.files import read_bytes, write_atomically
from waypost.grid import Grid, check_size
from waypost.problem import Problem

__all__ = ["Scenario", "read_map", "read_scenarios", "scenario_problem", "write_map", "write_scenarios"]

_OPEN = b".GS"
_BLOCKED = b"@OTW"
_LONGEST_HEADER_LINE = 200
_MOST_DIGITS = 12  # enough for any size we would refuse with its number

_UNKNOWN = 2
_TERRAIN = np.full(256, _UNKNOWN, np.uint8)
_TERRAIN[list(_OPEN)] = 1
_TERRAIN[list(_BLOCKED)] = 0


class Scenario(NamedTuple):
    """One line of a .scen file. A length of 0 means start == goal or unreachable."""

    bucket: int
    map_name: str
    width: int
    height: int
    start: tuple[int, int]
    goal: tuple[int, int]
    length: float


def read_map(path: str | os.PathLike[str]) -> npt.NDArray[np.bool_]:
    """The open cells of a .map file as a (height, width) array; `.` `G` `S` are open, `@` `O` `T` `W` are walls."""
    content = read_bytes(path, "map file")
    _refuse_non_ascii(content, path)
    if b"\r" in content:
        content = content.replace(b"\r\n", b"\n")
    width, height, body_at = _read_header(content, path)
    check_size(width, height, str(path))
    return _read_rows(content, body_at, width, height, path)


def write_map(path: str | os.PathLike[str], grid: Grid) -> None:
    """Write a grid as a .map file."""
    rows = np.full((grid.height, grid.width + 1), ord("\n"), np.uint8)
    rows[:, :-1] = np.where(grid.is_open, ord("."), ord("@"))
    header = f"type octile\nheight {grid.height}\nwidth {grid.width}\nmap\n"
    write_atomically(path, header.encode() + rows.tobytes())


def read_scenarios(path: str | os.PathLike[str]) -> list[Scenario]:
    """All lines of a .scen file, tab- or space-separated, in the order of the file."""
    content = read_bytes(path, "scenario file")
    _refuse_non_ascii(content, path)
    lines = ((i, line) for i, line in enumerate(content.decode("ascii").splitlines(), start=1) if line.strip())
    return [_read_scenario(line, f"{path}, line {i}") for i, line in lines if line.split()[0] != "version"]


def scenario_problem(scenario: Scenario, grid: Grid) -> Problem:
    """The problem of a scenario on a grid of the size it names; optimal costs are left to our own search."""
    if (scenario.width, scenario.height) != (grid.width, grid.height):
        raise MapError(
            f"the scenario is for a map of {scenario.width} x {scenario.height}, but this map is "
            f"{grid.width} x {grid.height}"
        )
    return Problem(grid.open_cell(scenario.start, "scenario start"), grid.open_cell(scenario.goal, "scenario goal"))


def write_scenarios(path: str | os.PathLike[str], grid: Grid, problems: Iterable[Problem], map_name: str) -> None:
    """Write problems as a .scen file with buckets of length 4; an unknown or unreachable length is written as 0."""
    if not map_name.isascii():
        raise MapError(f"a scenario file is ASCII, so it cannot name the map {map_name!r}")
    lines = ["version 1"]
    for problem in problems:
        length = grid.length(problem.optimal or 0)
        (sx, sy), (gx, gy) = grid.xy(problem.start), grid.xy(problem.goal)
        fields = (int(length) // 4, map_name, grid.width, grid.height, sx, sy, gx, gy, f"{length:.8f}")
        lines.append("\t".join(map(str, fields)))
    write_atomically(path, ("\n".join(lines) + "\n").encode())


def _refuse_non_ascii(content: bytes, path: str | os.PathLike[str]) -> None:
    if not content.isascii():
        at = next(i for i, byte in enumerate(content) if byte > 127)
        raise MapError(f"{path} is not a MovingAI file: byte {at} is not ASCII")


def _read_header(content: bytes, path: str | os.PathLike[str]) -> tuple[int, int, int]:
    """Width, height and where the rows begin; `height` and `width` may stand in either order."""
    sizes: dict[str, int] = {}
    at = 0
    while True:
        end = content.find(b"\n", at, at + _LONGEST_HEADER_LINE)
        words = content[at : end if end >= 0 else at + _LONGEST_HEADER_LINE].decode("ascii").split()
        if words == ["map"]:
            break
        is_size = len(words) == 2 and words[0] in ("height", "width") and words[1].isdigit()
        if end < 0 or not (is_size or words[:1] == ["type"]) or (is_size and len(words[1]) > _MOST_DIGITS):
            raise MapError(f"{path} is not a MovingAI map: expected type, height, width and map, found {words[:3]}")
        if is_size:
            sizes[words[0]] = int(words[1])
        at = end + 1
    if len(sizes) < 2:
        raise MapError(f"{path} is not a MovingAI map: its header must give height and width, found only {[*sizes]}")
    return sizes["width"], sizes["height"], end + 1 if end >= 0 else len(content)


def _read_rows(
    content: bytes, body_at: int, width: int, height: int, path: str | os.PathLike[str]
) -> npt.NDArray[np.bool_]:
    if len(content) - body_at < height * (width + 1) - 1:
        _explain_rows(content[body_at:], width, height, path)
    rows_end = body_at + height * (width + 1)
    body = np.frombuffer(content, np.uint8, min(len(content), rows_end) - body_at, body_at)
    if body.size < height * (width + 1):
        body = np.append(body, np.uint8(ord("\n")))  # the last line may lack its end
    rows = body.reshape(height, width + 1)
    terrain = _TERRAIN[rows[:, :-1]]
    if (rows[:, -1] != ord("\n")).any() or content[rows_end:].strip() or (terrain == _UNKNOWN).any():
        _explain_rows(content[body_at:], width, height, path)
    return terrain == 1


def _explain_rows(body: bytes, width: int, height: int, path: str | os.PathLike[str]) -> None:
    """Say what is wrong with rows that do not fit the header."""
    lines = body.rstrip(b"\n").split(b"\n")
    for y, line in enumerate(lines[:height]):
        last = y == len(lines) - 1
        if len(line) < width and last:
            break
        if len(line) != width:
            raise MapError(f"{path}: row {y} has {len(line)} cells, but the header says width {width}")
        for x, byte in enumerate(line):
            if _TERRAIN[byte] == _UNKNOWN:
                raise MapError(f"{path}: unknown terrain {chr(byte)!r} at ({x}, {y}); expected one of . G S @ O T W")
    if len(lines) > height:
        raise MapError(f"{path} has {len(lines)} rows, but the header says height {height}")
    raise MapError(
        f"{path} is cut off: the header promises {height} rows of {width} cells, "
        f"but the file ends in row {len(lines) - 1}"
    )


def _read_scenario(line: str, where: str) -> Scenario:
    fields = line.strip().split("\t")  # a map's name may hold blanks if tabs separate the fields
    if len(fields) != 9:
        fields = line.split()
    if len(fields) != 9:
        raise MapError(f"{where}: a scenario has 9 fields, this line has {len(fields)}")
    try:
        bucket, width, height, sx, sy, gx, gy = (int(fields[i]) for i in (0, 2, 3, 4, 5, 6, 7))
        length = float(fields[8])
    except ValueError:
        raise MapError(f"{where}: the fields after the map's name must be numbers") from None
    if not 0 <= length < float("inf"):
        raise MapError(f"{where}: the length must be a finite number of at least 0, not {fields[8]}")
    return Scenario(bucket, Path(fields[1]).name, width, height, (sx, sy), (gx, gy), length)
