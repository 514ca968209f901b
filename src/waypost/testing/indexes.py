"""Checks of a planner's index: the same bytes always, the same moves from a file, and nothing wrong is ever used."""

import os
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from waypost.errors import IndexFileError, ParameterError, WaypostError
from waypost.indexes.base import Index
from waypost.indexes.store import write_index
from waypost.maps.text import grid_from_text
from waypost.planner import Planner, load
from waypost.runs.simulation import simulate
from waypost.testing.oracle import rules
from waypost.testing.subject import MOST_MOVES, Subject, problems_of, refused
from waypost.testing.worlds import RULES
from waypost.world.grid import Grid

__all__ = ["CHECKS"]

_TINY = "...#\n.#..\n...."
_SAME_SIZE = "...#\n..#.\n...."
_APART = 13 if os.environ.get("NUMBA_DISABLE_JIT") == "1" else 1  # in plain Python, so many cases are taken for one
_ALL_OF_A_FILE = 2000  # bytes; of those behind, some hundreds are tried


def loads_what_it_saved(subject: Subject) -> None:
    """On all maps, under all rules: the same moves, and the same bytes when saved again."""
    with tempfile.TemporaryDirectory() as folder:
        file, again = Path(folder, "a.waypost"), Path(folder, "b.waypost")
        for number, (rule, costs) in enumerate(RULES[:: 1 if _APART == 1 else 3]):
            for grid in subject.some_of(list(subject.grids(diagonals=rule, costs=costs)), number):
                built = subject.build(grid)
                built.save(file)
                loaded = load(file, grid)
                assert loaded.entry is built.entry
                assert (loaded.params, loaded.facts) == (built.params, built.facts)
                assert loaded.work_bound == built.work_bound
                one, other = _index_of(loaded), _index_of(built)
                assert (one.bytes, one.states) == (other.bytes, other.states)
                loaded.save(again)
                assert file.read_bytes() == again.read_bytes(), "saved again, it has other bytes"
                assert _moves_of(loaded) == _moves_of(built), "loaded, it makes other moves"


def builds_the_same_bytes_on_any_number_of_threads(subject: Subject) -> None:
    """On all maps; the journal of a build goes when its index is saved."""
    with tempfile.TemporaryDirectory() as folder:
        file, journal = Path(folder, "a.waypost"), Path(folder, "journal")
        for grid in subject.grids():
            contents = set()
            for threads in (1, 2, 3):
                planner = subject.build(grid, threads=threads, checkpoint=journal)
                planner.save(file)
                contents.add(file.read_bytes())
                assert not journal.exists()
            assert len(contents) == 1, "its bytes depend on the number of threads"


def has_arrays_that_nobody_can_write_to(subject: Subject) -> None:
    """Built or loaded: compiled code must not tell them apart."""
    grid = grid_from_text(_TINY)
    built = subject.build(grid)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "a.waypost")
        built.save(file)
        loaded = load(file, grid)
        for key, array in _index_of(built).arrays.items():
            for one in (array, _index_of(loaded).arrays[key]):
                assert not one.flags.writeable
                assert one.flags.c_contiguous
                assert one.flags.aligned
                assert one.dtype == array.dtype
                assert one.dtype.isnative
        del loaded  # lets go of the file


def refuses_each_damaged_file(subject: Subject) -> None:
    """Every byte changed, every place cut."""
    grid = grid_from_text(_TINY)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "a.waypost")
        subject.build(grid).save(file)
        content = file.read_bytes()
        near = _APART * (subject.one_of | 1)  # odd, so that all eight bits come up
        far = (len(content) // 1500 | 1) * near
        for at in (*range(0, min(_ALL_OF_A_FILE, len(content)), near), *range(_ALL_OF_A_FILE, len(content), far)):
            flipped = bytearray(content)
            flipped[at] ^= 1 << at % 8
            for damaged in (flipped, content[:at]):
                file.write_bytes(damaged)
                with refused("", IndexFileError):
                    load(file, grid)


def refuses_another_map_format_or_forged_file(subject: Subject) -> None:
    """A checksum is no signature: a file may be whole and wrong."""
    grid = grid_from_text(_TINY)
    planner = subject.build(grid)
    index = _index_of(planner)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "a.waypost")
        planner.save(file)
        for other in (grid_from_text(_SAME_SIZE), Grid(grid.is_open, diagonals="always"), Grid(subject.is_open)):
            if index.any_map:
                assert load(file, other).grid is other
            else:
                with refused("was built for another map", IndexFileError):
                    load(file, other)
        file.write_bytes(file.read_bytes().replace(b'"format":"1"', b'"format":"2"'))
        with refused("is of format 2, and this Waypost reads format 1", IndexFileError):
            load(file, grid)
        about = {"planner": subject.name, "grid": grid, "facts": {}}
        revision = planner.entry.revision
        for arrays, params, number, complaint in (
            ({}, planner.params, revision, "cannot be used, build the index again: "),
            (index.arrays, {"nonsense": 1}, revision, "cannot be used, build the index again: "),
            (index.arrays, planner.params, revision + 1, "revision .*build the index again"),
        ):
            write_index(file, **about, arrays=arrays, params=params, revision=number)  # type: ignore[arg-type]
            with refused(complaint, IndexFileError):
                load(file, grid)


def takes_new_parameters_for_its_agents_only(subject: Subject) -> None:
    """Those of the index may be repeated, and not changed."""
    grid = grid_from_text(_TINY)
    built = subject.build(grid)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "a.waypost")
        built.save(file)
        for key, param in built.entry.params.items():
            value = built.params[key]
            other = type(param.default)(next((n for n in (param.lowest, param.highest) if n != value), value))
            assert load(file, grid, **{key: value}).params == built.params
            if not param.offline:
                assert load(file, grid, **{key: other}).params == built.params | {key: other}
            elif other != value:
                with refused(f"was built with {key}=", ParameterError):
                    load(file, grid, **{key: other})
        with refused("has no parameter called 'nonsense'", ParameterError):
            load(file, grid, nonsense=1)


def refuses_wrong_arrays(subject: Subject) -> None:
    """Other names, types, dimensions and sizes."""
    grid = grid_from_text(_TINY)
    planner = subject.build(grid)
    index, offline, arrays = type(_index_of(planner)), planner.entry.offline(planner.params), _index_of(planner).arrays
    index.from_arrays(grid, offline, arrays)
    wrong: list[dict[str, Any]] = [{}, arrays | {"more": np.zeros(1, np.int32)}]
    for key, array in arrays.items():
        others = {k: a for k, a in arrays.items() if k != key}
        wrong += [
            others,
            others | {"other_name": array},
            others | {key: array.astype(np.float32 if array.dtype != np.float32 else np.int64)},
            others | {key: array[None]},
            *([others | {key: array[:0]}] if array.size else []),
        ]
    for bad in wrong:
        with refused("", IndexFileError):
            index.from_arrays(grid, offline, bad)


def refuses_wrong_values_or_still_moves_legally(subject: Subject) -> None:
    """Kernels run without bounds checks: a value must be refused, or do no harm."""
    grid = grid_from_text(_TINY)
    planner = subject.build(grid)
    arrays, offline = _index_of(planner).arrays, planner.entry.offline(planner.params)
    count = 0
    for key, array in arrays.items():
        if array.dtype.kind not in "iu" or not array.size:
            continue
        limits = np.iinfo(array.dtype)
        for at in {0, array.size // 2, array.size - 1}:
            for value in (limits.max, limits.min, grid.component.size, grid.component.size - 1):
                if not limits.min <= value <= limits.max:
                    continue
                changed = array.copy()
                changed.flat[at] = value
                try:
                    index = type(_index_of(planner)).from_arrays(grid, offline, arrays | {key: changed})
                except IndexFileError:
                    count += 1
                    continue
                if index.arrays[key].tobytes() != array.tobytes():
                    _walk_legally(Planner(planner.entry, grid, planner.params, index))
    assert count or not any(array.size for array in arrays.values()), "nothing at all was refused"


def _walk_legally(planner: Planner) -> None:
    for problem in problems_of(planner.grid, 5)[1:]:
        try:
            walk = simulate(planner.agent(), problem, max_moves=50)
        except WaypostError:
            continue
        points = planner.grid.xys(walk.cells).tolist()
        rules.check_walk(planner.grid.is_open, planner.grid.diagonals, points, points[0], points[-1])


def _index_of(planner: Planner) -> Index:
    assert planner.index is not None
    return planner.index


def _moves_of(planner: Planner) -> list[Any]:
    walks = [simulate(planner.agent(), problem, max_moves=MOST_MOVES) for problem in problems_of(planner.grid, 5)]
    return [(walk.cells.tolist(), walk.work.tolist()) for walk in walks]


CHECKS = (
    loads_what_it_saved,
    builds_the_same_bytes_on_any_number_of_threads,
    has_arrays_that_nobody_can_write_to,
    refuses_each_damaged_file,
    refuses_another_map_format_or_forged_file,
    takes_new_parameters_for_its_agents_only,
    refuses_wrong_arrays,
    refuses_wrong_values_or_still_moves_legally,
)
