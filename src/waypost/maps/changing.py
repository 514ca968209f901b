"""Maps that change, as the dynamic track of the Grid-Based Path Planning Competition has them: patches and commands."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from waypost.errors import MapError, shown
from waypost.maps.scenarios import read_ascii
from waypost.world.grid import Grid, Point, check_size

__all__ = ["ChangingMap", "Placed", "Query", "Stage", "read_changing_map"]

_OPEN, _BLOCKED = b".GS", b"@OTW"
_MOST_PATCHES = 1 << 20
_KNOWN = {"version": "2", "cost": "1 octile"}

Table = npt.NDArray[np.bool_]


class Placed(NamedTuple):
    """A patch put down: its upper left cell, and what it makes of the cells under it."""

    x: int
    y: int
    is_open: Table


class Query(NamedTuple):
    """A way to find, and how long the shortest one is; 0 where start is goal."""

    start: Point
    goal: Point
    length: float


class Stage(NamedTuple):
    """A change of the map, and what is asked before the next one."""

    placed: tuple[Placed, ...]
    queries: tuple[Query, ...]


class ChangingMap(NamedTuple):
    """A map that is all open at first, and its stages. No corners are cut; a diagonal move costs the root of 2."""

    name: str
    width: int
    height: int
    stages: tuple[Stage, ...]

    def first_grid(self) -> Grid:
        """What it is before the first stage."""
        return Grid(np.ones((self.height, self.width), np.bool_), source=self.name)


def read_changing_map(path: str | os.PathLike[str]) -> ChangingMap:
    """Read a .scen file of version 2, and the file of patches that it names, from the same folder."""
    lines = _lines(path, "scenario file of a map that changes")
    said: dict[str, str] = {}
    for number, line in lines:
        if line == "commands":
            break
        key, _, value = line.partition(" ")
        if key not in ("version", "height", "width", "cost", "patch") or key in said:
            raise MapError(
                f"{path}, line {number}: expected version, height, width, cost, patch or commands, once each"
            )
        said[key] = " ".join(value.split())
    else:
        raise MapError(f"{path} has no line 'commands'; it is no scenario file of a map that changes")
    for key, wanted in _KNOWN.items():
        if said.get(key) != wanted:
            raise MapError(f"{path}: {key} must be {wanted}, not {shown(said.get(key, ''))}")
    width, height = (_whole(said.get(key, ""), f"{path}: {key}") for key in ("width", "height"))
    check_size(width, height, str(path))
    name = said.get("patch", "")
    if not name or name != Path(name).name:
        raise MapError(f"{path}: patch must name a file in the same folder, not {shown(name)}")
    patches = _read_patches(Path(path).parent / name)
    return ChangingMap(Path(path).stem, width, height, tuple(_stages(lines, path, width, height, patches)))


def _stages(
    lines: Iterator[tuple[int, str]], path: str | os.PathLike[str], width: int, height: int, patches: list[Table]
) -> Iterator[Stage]:
    placed: list[Placed] = []
    queries: list[Query] = []
    for number, line in lines:
        where = f"{path}, line {number}"
        kind, *words = line.split()
        if kind == "P" and len(words) == 4:
            if queries:
                yield Stage(tuple(placed), tuple(queries))
                placed, queries = [], []
            _, patch, x, y = (_whole(word, where) for word in words)
            if patch >= len(patches):
                raise MapError(f"{where}: there is no patch {patch}; the file of patches has {len(patches):,}")
            rows, columns = patches[patch].shape
            if x + columns > width or y + rows > height:
                raise MapError(f"{where}: patch {patch}, put at ({x}, {y}), leaves the map of {width} x {height} cells")
            placed.append(Placed(x, y, patches[patch]))
        elif kind == "Q" and len(words) == 6:
            _, *ends = (_whole(word, where) for word in words[:5])
            for x, y in (ends[:2], ends[2:]):
                if x >= width or y >= height:
                    raise MapError(f"{where}: ({x}, {y}) is outside the map of {width} x {height} cells")
            queries.append(Query((ends[0], ends[1]), (ends[2], ends[3]), _length(words[5], where)))
        else:
            raise MapError(f"{where}: expected 'P bucket patch x y' or 'Q bucket x y x y length', found {shown(line)}")
    if placed or queries:
        yield Stage(tuple(placed), tuple(queries))


def _read_patches(path: Path) -> list[Table]:
    """All patches of a file, in the order of their numbers."""
    lines = _lines(path, "file of patches")
    _expect(lines, path, "type", "patch")
    count = _expect_whole(lines, path, "patches")
    if count > _MOST_PATCHES:
        raise MapError(f"{path} promises {count:,} patches; at most {_MOST_PATCHES:,} are read")
    patches = []
    for patch in range(count):
        _expect(lines, path, "patch", str(patch))
        height, width = _expect_whole(lines, path, "height"), _expect_whole(lines, path, "width")
        check_size(width, height, f"{path}, patch {patch}")
        _expect(lines, path, "map", "")
        patches.append(_read_rows(lines, path, patch, width, height))
    for number, line in lines:
        raise MapError(f"{path}, line {number}: more follows the last patch: {shown(line)}")
    return patches


def _read_rows(lines: Iterator[tuple[int, str]], path: Path, patch: int, width: int, height: int) -> Table:
    rows: list[npt.NDArray[np.uint8]] = []
    while len(rows) < height:
        number, line = next(lines, (0, ""))
        row = line.encode()
        if len(row) != width or row.translate(None, _OPEN + _BLOCKED):
            where = f"{path}, line {number}" if number else f"{path}, which ends too soon"
            raise MapError(
                f"{where}: row {len(rows)} of patch {patch} must have {width} cells, each one of . G S @ O T W"
            )
        rows.append(np.frombuffer(row, np.uint8))
    return np.isin(np.array(rows), np.frombuffer(_OPEN, np.uint8))


def _lines(path: str | os.PathLike[str], what: str) -> Iterator[tuple[int, str]]:
    """The lines that are not empty, with their numbers."""
    for number, line in enumerate(read_ascii(path, what).decode("ascii").splitlines(), start=1):
        if stripped := line.strip():
            yield number, stripped


def _expect(lines: Iterator[tuple[int, str]], path: Path, key: str, value: str) -> None:
    number, line = next(lines, (0, ""))
    wanted = f"{key} {value}".strip()
    if " ".join(line.split()) != wanted:
        raise MapError(f"{path}, line {number or 'after the last'}: expected '{wanted}', found {shown(line)}")


def _expect_whole(lines: Iterator[tuple[int, str]], path: Path, key: str) -> int:
    number, line = next(lines, (0, ""))
    words = line.split()
    if len(words) != 2 or words[0] != key:
        raise MapError(f"{path}, line {number or 'after the last'}: expected '{key} N', found {shown(line)}")
    return _whole(words[1], f"{path}, line {number}")


def _whole(word: str, where: str) -> int:
    if not (word.isdigit() and len(word) <= 9):
        raise MapError(f"{where}: expected a whole number, found {shown(word)}")
    return int(word)


def _length(word: str, where: str) -> float:
    try:
        length = float(word)
    except ValueError:
        length = -1.0
    if not 0 <= length < 1e12:
        raise MapError(f"{where}: expected a length, found {shown(word)}")
    return length
