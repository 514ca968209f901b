"""What a suite runs on: maps from files, from the package or from a generator, and problems chosen on them."""

import hashlib
import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from waypost.bench.keys import Table
from waypost.errors import MapError, WaypostError, shown
from waypost.maps.generate import GENERATORS, check, generate
from waypost.maps.load import bundled_maps, load_map, load_problems
from waypost.maps.scale import enlarge
from waypost.system.files import read_bytes
from waypost.world.grid import DiagonalCost, DiagonalRule, Grid
from waypost.world.problem import MOST_PROBLEMS, Problem, sample_problems, solve_optimally, spread

__all__ = ["MAPS_VARIABLE", "MapChoice", "MapSource", "ProblemChoice", "ProblemSet", "read_maps", "read_problems"]

MAPS_VARIABLE = "WAYPOST_MAPS"
_MOST_SCALE = 1000


@dataclass(frozen=True)
class MapSource:
    """One map and where it comes from."""

    name: str
    """As results call it: a bundled map, what was generated, or the file's place below the folder of maps."""
    path: str = ""
    generated: tuple[str, int, int, int] | None = None
    """Kind, width, height and seed of a generated map."""
    params: tuple[tuple[str, Any], ...] = ()
    scale: int = 1
    """Cells along the side that each cell of a file becomes."""

    def load(self, diagonals: DiagonalRule, costs: DiagonalCost) -> Grid:
        """The map itself."""
        if self.generated is None:
            grid = load_map(self.path, diagonals=diagonals, costs=costs)
            return grid if self.scale == 1 else enlarge(grid, self.scale)
        kind, width, height, seed = self.generated
        is_open = generate(kind, width, height, seed, **dict(self.params))
        return Grid(is_open, diagonals=diagonals, costs=costs, source=self.name)


@dataclass(frozen=True)
class MapChoice:
    """Maps as a suite names them; patterns are found in the folder of maps when the suite is run."""

    sources: tuple[MapSource, ...] = ()
    patterns: tuple[str, ...] = ()
    scale: int = 1
    """Of the maps by patterns."""

    def find(self, folder: Path | None) -> Iterable[MapSource]:
        """All maps, in the order in which they are named."""
        yield from self.sources
        if self.patterns and folder is None:
            raise WaypostError(
                f"the suite takes {self.patterns[0]} from a folder of benchmark maps; "
                f"name it with --maps or {MAPS_VARIABLE}"
            )
        for pattern in self.patterns:
            if folder is None or not folder.is_dir():
                raise WaypostError(f"there is no folder of maps at {folder}")
            found = _files(folder, pattern)
            if not found:
                missing = f"{pattern}/*.map" if (folder / pattern).is_dir() else pattern
                raise WaypostError(f"the folder of maps {folder} has no {shown(missing)}")
            for path in found:
                name = path.relative_to(folder).as_posix()
                yield MapSource(name if self.scale == 1 else f"{name} x {self.scale}", str(path), scale=self.scale)


def _files(folder: Path, pattern: str) -> list[Path]:
    """Files by a pattern; a folder stands for the .map files in it."""
    try:
        found = [folder / pattern] if (folder / pattern).is_dir() else sorted(folder.glob(pattern))
    except (ValueError, IndexError) as error:  # as pathlib refuses patterns
        raise WaypostError(f"{shown(pattern)} is no pattern of files: {error}") from None
    return [path for place in found for path in (sorted(place.glob("*.map")) if place.is_dir() else [place])]


def maps_folder(given: Path | None) -> Path | None:
    """The folder of benchmark maps: as given, or as the environment says."""
    named = os.environ.get(MAPS_VARIABLE)
    return given or (Path(named) if named else None)


def read_maps(table: Table) -> MapChoice:
    """Maps as one table of a suite names them."""
    kinds = [kind for kind in ("bundled", "generate", "files") if kind in table]
    if len(kinds) != 1:
        raise table.complaint("name maps by one of bundled, generate and files")
    if kinds[0] == "bundled":
        return MapChoice(tuple(MapSource(name, name) for name in _bundled(table)))
    if kinds[0] == "generate":
        return MapChoice(tuple(_generated(table)))
    patterns, scale = table.texts("files"), table.whole("scale", 1, lowest=1, highest=_MOST_SCALE)
    table.end()
    for pattern in patterns:
        if not pattern or Path(pattern).is_absolute() or ".." in Path(pattern).parts:
            raise table.complaint(f"files are named by their place below the folder of maps, not by {shown(pattern)}")
    return MapChoice(patterns=patterns, scale=scale)


def _bundled(table: Table) -> list[str]:
    names = table.texts("bundled")
    table.end()
    there = bundled_maps()
    for name in names:
        if name != "*" and name not in there:
            raise table.complaint(f"there is no bundled map called {shown(name)}; there are {', '.join(there)}")
    return there if "*" in names else list(names)


def _generated(table: Table) -> Iterable[MapSource]:
    kinds, (width, height), seeds = table.texts("generate"), table.sides("size"), table.wholes("seed", (0,))
    params = tuple(sorted(table.rest().items()))
    for kind in sorted(GENERATORS) if "*" in kinds else kinds:
        with table.placed():
            check(kind, width, height, **dict(params))
        for seed in seeds:
            shape = (f"{width}x{height}", f"seed={seed}", *(f"{name}={value}" for name, value in params))
            yield MapSource(f"{kind}({', '.join(shape)})", generated=(kind, width, height, seed), params=params)


@dataclass(frozen=True)
class ProblemChoice:
    """How problems are chosen on each map."""

    count: int
    from_scenarios: bool = False
    """Evenly spread over the scenario file beside the map; otherwise random."""
    seed: int = 0
    length: tuple[float, float] | None = None
    """Range of the optimal length of random problems, in cells."""

    def __str__(self) -> str:
        if self.from_scenarios:
            return f"{self.count} evenly spread over each map's scenario file"
        lengths = "" if self.length is None else ", optimal length {:g} to {:g} cells".format(*self.length)
        return f"{self.count} random ones on each map{lengths}, seed {self.seed}"

    def scenario_file(self, source: MapSource) -> str:
        """The scenario file of a map, or nothing."""
        return f"{source.path}.scen" if self.from_scenarios else ""

    def key(self, source: MapSource, fingerprint: str) -> dict[str, Any]:
        """All that decides which problems are chosen on a map of this fingerprint."""
        key: dict[str, Any] = {"map": fingerprint, "count": self.count}
        if self.from_scenarios:
            content = read_bytes(self.scenario_file(source), "scenario file")
            return key | {"scenarios": hashlib.blake2b(content, digest_size=16).hexdigest()}
        return key | {"seed": self.seed, "length": self.length}

    def choose(self, source: MapSource, grid: Grid) -> "ProblemSet":
        """Problems on a map with their optimal costs, but none without a path, nor any whose start is the goal."""
        if not self.from_scenarios:
            lowest, highest = self.length or (None, None)
            found = sample_problems(grid, self.count, self.seed, min_length=lowest, max_length=highest)
            chosen = list(enumerate(found))
        else:
            if source.generated or source.scale > 1 or not os.path.exists(source.path):
                raise MapError(f"{source.name} is not a map file, so it has no scenario file; choose random problems")
            lines = enumerate(load_problems(self.scenario_file(source), grid))
            has_path = [(i, p) for i, p in lines if p.start != p.goal and grid.connected(p.start, p.goal)]
            chosen = spread(has_path, self.count)
        if not chosen:
            raise WaypostError(f"there is no problem with a path on {source.name}")
        unsolved = [problem for _, problem in chosen if problem.optimal is None]
        solved = iter(solve_optimally(grid, unsolved))
        rows = [(i, p if p.optimal is not None else next(solved)) for i, p in chosen]
        return ProblemSet(np.array([(i, p.start, p.goal, p.optimal) for i, p in rows], np.int64))


@dataclass(frozen=True, eq=False)
class ProblemSet:
    """Problems on one map, in few bytes."""

    rows: npt.NDArray[np.int64]
    """A row per problem: its number in the scenario file or the draw, start cell, goal cell, optimal cost."""

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def digest(self) -> str:
        """A hash of all of them."""
        return hashlib.blake2b(np.ascontiguousarray(self.rows).tobytes(), digest_size=16).hexdigest()

    def problems(self, first: int, last: int) -> list[Problem]:
        """Some of them, as agents take them."""
        return [Problem(*row) for row in self.rows[first:last, 1:].tolist()]


def read_problems(table: Table) -> ProblemChoice:
    """How one table of a suite says that problems are chosen."""
    if ("random" in table) == ("scenarios" in table):
        raise table.complaint("choose problems by one of random and scenarios, each with how many")
    if "scenarios" in table:
        choice = ProblemChoice(table.whole("scenarios", lowest=1, highest=MOST_PROBLEMS), from_scenarios=True)
    else:
        length = table.pair("length", None)
        count = table.whole("random", lowest=1, highest=MOST_PROBLEMS)
        choice = ProblemChoice(count, seed=table.whole("seed", 0), length=length)
        if length and length[0] > length[1]:
            raise table.complaint(f"length must be a range [lowest, highest], not {list(length)}")
    table.end()
    return choice
