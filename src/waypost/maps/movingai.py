"""MovingAI benchmark files: .map and .scen, read with every variation found in the wild, and written."""

import os
import re
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from waypost.errors import MapError
from waypost.maps.scenarios import (
    Scenario,
    read_ascii,
    read_problems,
    read_scenarios,
    scenario_problem,
    write_scenarios,
)
from waypost.system.files import write_atomically
from waypost.world.grid import Grid, check_size

__all__ = [
    "Scenario",
    "read_map",
    "read_problems",
    "read_scenarios",
    "scenario_problem",
    "write_map",
    "write_scenarios",
]

_OPEN = b".GS"
_BLOCKED = b"@OTW"
_IS_OPEN = bytes(byte in _OPEN for byte in range(256))
_UNKNOWN = re.compile(rb"[^.GS@OTW]")
_SIZES = ("height", "width")
_LONGEST_HEADER_LINE = 200
_MOST_SIZE_DIGITS = 12  # enough for any size we would refuse with its number
_BYTES_AT_ONCE = 1 << 16  # of rows


def read_map(path: str | os.PathLike[str]) -> npt.NDArray[np.bool_]:
    """The open cells of a .map file as a (height, width) array; `.` `G` `S` are open, `@` `O` `T` `W` are walls."""
    content = read_ascii(path, "map file")
    if b"\r" in content:
        content = content.replace(b"\r\n", b"\n")
    width, height, body_at = _read_header(content, path)
    check_size(width, height, str(path))
    return _read_rows(content, body_at, width, height, path)


def write_map(path: str | os.PathLike[str], grid: Grid) -> None:
    """Write a grid as a .map file."""
    write_atomically(path, _lines(grid))


def _lines(grid: Grid) -> Iterator[bytes]:
    """The text of a .map file, some rows at a time."""
    yield f"type octile\nheight {grid.height}\nwidth {grid.width}\nmap\n".encode()
    for band in grid.open_bands():
        rows = np.full((len(band), grid.width + 1), ord("\n"), np.uint8)
        rows[:, :-1] = np.where(band, np.uint8(ord(".")), np.uint8(ord("@")))
        yield rows.tobytes()


def _read_header(content: bytes, path: str | os.PathLike[str]) -> tuple[int, int, int]:
    """Width, height and where the rows begin; `type`, `height` and `width` may stand in any order, each once."""
    given: dict[str, str] = {}
    at = 0
    while True:
        end = content.find(b"\n", at, at + _LONGEST_HEADER_LINE)
        words = content[at : end if end >= 0 else at + _LONGEST_HEADER_LINE].decode("ascii").split()
        if words == ["map"]:
            break
        is_size = len(words) == 2 and words[0] in _SIZES and words[1].isdigit() and len(words[1]) <= _MOST_SIZE_DIGITS
        if end < 0 or not (is_size or words[:1] == ["type"]):
            raise MapError(f"{path} is not a MovingAI map: expected type, height, width and map, found {words[:3]}")
        if words[0] in given:
            raise MapError(f"{path} is not a MovingAI map: its header gives {words[0]} twice")
        given[words[0]] = words[-1]
        at = end + 1
    sizes = [name for name in given if name in _SIZES]
    if len(sizes) < 2:
        raise MapError(f"{path} is not a MovingAI map: its header must give height and width, found only {sizes}")
    return int(given["width"]), int(given["height"]), end + 1 if end >= 0 else len(content)


def _read_rows(
    content: bytes, body_at: int, width: int, height: int, path: str | os.PathLike[str]
) -> npt.NDArray[np.bool_]:
    line = width + 1
    fitting = _fitting_rows(content, body_at, width, height)
    if fitting < height or not (content[body_at + height * line :] or b"\n").isspace():
        _explain_rows(content, body_at + fitting * line, fitting, width, height, path)
    return np.ndarray((height, width), np.bool_, content.translate(_IS_OPEN), body_at, (line, 1))


def _fitting_rows(content: bytes, body_at: int, width: int, height: int) -> int:
    """How many rows are known to be as the header says: all, or nearly as many as are before the first that is not."""
    line = width + 1
    at_once = max(1, _BYTES_AT_ONCE // line)
    for first in range(0, height, at_once):
        count, at = min(at_once, height - first), body_at + first * line
        rows = content[at : at + count * line]
        if len(rows) == height * line - first * line - 1:
            rows += b"\n"  # the last line may lack its end
        if not rows.translate(None, _OPEN + _BLOCKED) == rows[width::line] == b"\n" * count:
            return first
    return height


def _explain_rows(content: bytes, at: int, y: int, width: int, height: int, path: str | os.PathLike[str]) -> None:
    """Say what is wrong with rows that do not fit the header; those before row y, which begins here, do."""
    rows_before, body_at = y, at
    end = len(content.rstrip(b"\n"))
    while y < height:
        stop = content.find(b"\n", at, end)
        is_last = stop < 0
        stop = end if is_last else stop
        if is_last and stop - at < width:
            break
        if stop - at != width:
            raise MapError(f"{path}: row {y} has {stop - at} cells, but the header says width {width}")
        if unknown := _UNKNOWN.search(content, at, stop):
            where = f"unknown terrain {chr(unknown[0][0])!r} at ({unknown.start() - at}, {y})"
            raise MapError(f"{path}: {where}; expected one of . G S @ O T W")
        y, at = y + 1, stop + 1
        if is_last:
            break
    rows = rows_before + content.count(b"\n", body_at, end) + 1
    if rows > height:
        raise MapError(f"{path} has {rows} rows, but the header says height {height}")
    raise MapError(
        f"{path} is cut off: the header promises {height} rows of {width} cells, but the file ends in row {rows - 1}"
    )
