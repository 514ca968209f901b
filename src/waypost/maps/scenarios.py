"""MovingAI .scen files, read many lines at a time in little more memory than the file has, and written."""

import os
import re
from array import array
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from waypost.errors import MapError, shown
from waypost.maps.kernels import scenario_lines
from waypost.system.files import read_bytes, write_atomically
from waypost.world.grid import Grid
from waypost.world.problem import Problem

__all__ = ["Scenario", "read_ascii", "read_problems", "read_scenarios", "scenario_problem", "write_scenarios"]

_NOT_ASCII = re.compile(rb"[\x80-\xff]")
_FIELDS = 9
_BYTES_AT_ONCE = 1 << 16  # also more than any line has
_FEW_BYTES = 1 << 14  # of lines that become objects
_LINES_AT_ONCE = 1 << 12


class Scenario(NamedTuple):
    """One line of a .scen file. A length of 0 means start == goal or unreachable."""

    bucket: int
    map_name: str
    width: int
    height: int
    start: tuple[int, int]
    goal: tuple[int, int]
    length: float


class _Table(NamedTuple):
    """Scenarios of some lines: their numbers in rows, names of maps, and lengths."""

    numbers: npt.NDArray[Any]
    """Bucket, width, height, start x and y, goal x and y; as Python has them where they are endless."""
    maps: Iterable[str]
    lengths: Iterable[float]

    def scenarios(self) -> Iterator[Scenario]:
        """One by one."""
        bucket, width, height, sx, sy, gx, gy = self.numbers.T.tolist()
        starts, goals = zip(sx, sy, strict=True), zip(gx, gy, strict=True)
        names = map(_name, self.maps)
        return map(Scenario._make, zip(bucket, names, width, height, starts, goals, self.lengths, strict=True))

    def packed(self) -> "_Table":
        """The same in a few bytes for each line, to be kept; not of no lines."""
        least = min(int(self.numbers.min()), -1 - int(self.numbers.max()))
        numbers = self.numbers.astype(np.min_scalar_type(least))  # of a negative number, thus signed
        return _Table(numbers, _Joined("\n".join(self.maps)), array("d", self.lengths))


class _Joined:
    """Names of maps as one text; none of them holds the end of a line."""

    def __init__(self, text: str) -> None:
        self._text = text

    def __iter__(self) -> Iterator[str]:
        return iter(self._text.split("\n"))


def read_ascii(path: str | os.PathLike[str], what: str) -> bytes:
    """The content of a MovingAI file."""
    content = read_bytes(path, what)
    if not content.isascii() and (found := _NOT_ASCII.search(content)):
        raise MapError(f"{path} is not a MovingAI file: byte {found.start()} is not ASCII")
    return content


def read_scenarios(path: str | os.PathLike[str]) -> list[Scenario]:
    """All lines of a .scen file, tab- or space-separated, in the order of the file."""
    content = read_ascii(path, "scenario file")
    # A bad line is found before any becomes an object, several times as large.
    tables = [table.packed() for table in _tables(content, path) if len(table.numbers)]
    return [scenario for table in tables for scenario in table.scenarios()]


def read_problems(path: str | os.PathLike[str], grid: Grid) -> list[Problem]:
    """The problems of a .scen file on a grid, unreachable ones included."""
    cells = [np.empty((0, 2), np.int32)]
    count = 0
    for table in _tables(read_ascii(path, "scenario file"), path):
        cells.append(_cells(table, grid))
        if not grid.component[cells[-1]].all():
            _explain_places(table, grid, path, count)
        count += len(table.numbers)
    return list(map(Problem, *np.concatenate(cells).T.tolist()))


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
    if not (isinstance(map_name, str) and map_name.isascii() and map_name.isprintable()):  # no tabs, no line ends
        raise MapError(f"a scenario file is lines of ASCII, so it cannot name the map {shown(map_name)}")
    lines = ["version 1"]
    for problem in problems:
        if not isinstance(problem, Problem):
            raise MapError(f"a scenario file holds Problems, not {shown(problem)}; see sample_problems")
        length = grid.length(problem.optimal or 0)
        (sx, sy), (gx, gy) = grid.xy(problem.start), grid.xy(problem.goal)
        fields = (int(length) // 4, map_name, grid.width, grid.height, sx, sy, gx, gy, f"{length:.8f}")
        lines.append("\t".join(map(str, fields)))
    write_atomically(path, ("\n".join(lines) + "\n").encode())


def _tables(content: bytes, path: str | os.PathLike[str]) -> Iterator[_Table]:
    """The scenarios of a file, some thousand at a time, each to be used before the next."""
    text = np.frombuffer(content, np.uint8)
    numbers = np.empty((_LINES_AT_ONCE, scenario_lines.NUMBERS), np.int64)
    names, lengths = np.empty((_LINES_AT_ONCE, 2), np.int64), np.empty(_LINES_AT_ONCE)
    at = before = 0
    while at < len(content):
        end = min(at + _BYTES_AT_ONCE, len(content))
        count, at = scenario_lines.read_plain(text, at, end, numbers, names, lengths)
        if count:
            yield _Table(numbers[:count], _texts(content, names[:count]), lengths[:count].tolist())
            before += count
            continue
        lines = _some_lines(content, at, f"{path}, line {before + 1}")
        yield _read_tidied(lines, numbers, names, lengths) or read_lines(lines, path, before)
        at += sum(map(len, lines))
        before += len(lines)


def _texts(content: bytes, places: npt.NDArray[np.int64]) -> Iterator[str]:
    for first, last in places.tolist():
        yield content[first:last].decode("ascii")


def _read_tidied(
    lines: Iterable[str], numbers: npt.NDArray[Any], names: npt.NDArray[Any], lengths: npt.NDArray[Any]
) -> _Table | None:
    """The scenarios of lines that are plain but for blanks and lines of nothing; None if one of them is not."""
    tidy = _tidied(lines)
    content = "\n".join([*tidy, ""]).encode("ascii")
    text = np.frombuffer(content, np.uint8)
    count, _ = scenario_lines.read_plain(text, 0, len(content), numbers, names, lengths)
    if count < len(tidy):
        return None
    return _Table(numbers[:count], _texts(content, names[:count]), lengths[:count].tolist())


def _tidied(lines: Iterable[str]) -> list[str]:
    """Lines that hold something, without blanks at their ends and with single tabs, so that most of them are plain."""
    tidy = []
    for line in map(str.strip, lines):
        parted = line if line.count("\t") == _FIELDS - 1 else "\t".join(line.split())
        if parted and parted.partition("\t")[0] != "version":
            tidy.append(parted)
    return tidy


def _some_lines(content: bytes, at: int, where: str) -> list[str]:
    """Complete lines from here on, with their ends."""
    for size in (_FEW_BYTES, _BYTES_AT_ONCE):
        lines = content[at : at + size].decode("ascii").splitlines(keepends=True)
        if at + size < len(content):
            lines.pop()  # it may go on
        if lines:
            return lines
    raise MapError(f"{where}: a scenario has {_FIELDS} fields, this line has more than {_BYTES_AT_ONCE:,} characters")


def read_lines(lines: Iterable[str], path: str | os.PathLike[str], before: int) -> _Table:
    """The scenarios of lines, however they are written; the first has the number `before` + 1."""
    rows, maps, lengths = [], [], []
    for number, line in enumerate(map(str.strip, lines), start=before + 1):
        fields = line.split("\t")  # a map's name may hold blanks if tabs separate the fields
        if len(fields) != _FIELDS:
            fields = line.split()
        if not fields or fields[0] == "version":
            continue
        if len(fields) != _FIELDS:
            raise MapError(f"{path}, line {number}: a scenario has {_FIELDS} fields, this line has {len(fields)}")
        try:
            rows.append([int(fields[i]) for i in (0, 2, 3, 4, 5, 6, 7)])
            length = float(fields[8])
        except ValueError:
            raise MapError(f"{path}, line {number}: the fields after the map's name must be numbers") from None
        if not 0 <= length < float("inf"):
            raise MapError(
                f"{path}, line {number}: the length must be a finite number of at least 0, not {fields[8][:80]}"
            )
        maps.append(fields[1])
        lengths.append(length)
    try:
        numbers = np.array(rows, np.int64)
    except OverflowError:
        numbers = np.array(rows, object)
    return _Table(numbers.reshape(-1, scenario_lines.NUMBERS), maps, lengths)


@lru_cache(maxsize=256)
def _name(path: str) -> str:
    return Path(path).name


def _cells(table: _Table, grid: Grid) -> npt.NDArray[np.int32]:
    """Start and goal of each scenario; 0, which is a wall, where one is not on a map of this size."""
    sizes, xs, ys = table.numbers[:, 1:3], table.numbers[:, 3::2], table.numbers[:, 4::2]
    fits = (sizes == (grid.width, grid.height)).all(axis=1, keepdims=True)
    fits = fits & (xs >= 0) & (xs < grid.width) & (ys >= 0) & (ys < grid.height)
    return np.where(fits, (ys + 1) * grid.stride + xs + 1, 0).astype(np.int32)


def _explain_places(table: _Table, grid: Grid, path: str | os.PathLike[str], before: int) -> None:
    """Say which of the scenarios is not about this map, or not about open cells of it."""
    for number, scenario in enumerate(table.scenarios(), start=before + 1):
        try:
            scenario_problem(scenario, grid)
        except MapError as error:
            raise MapError(f"{path}, scenario {number}: {error}") from None
