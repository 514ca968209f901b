"""Results on disk: small parts that are either complete or not there, and Parquet made of them.

runs/<identity of the run>/<first episode>-<episodes>.<digest>.arrow: what has been measured; present means done.
problems/<identity of the choice>.<digest>.arrow: problems and their optima.
indexes/<identity of the build>.waypost: what planners computed offline.
episodes.parquet: all rows of the suite, made of the parts at the end.

Parts are Arrow files, which take next to no time to write and to read back.
One that is damaged, or cannot be read, is removed and run again.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from waypost.bench.episodes import Columns
from waypost.bench.packing import pack, unpack
from waypost.bench.parts import Part, find_parts, read_part, remove, write_part
from waypost.errors import WaypostError
from waypost.system.extras import need
from waypost.system.files import PART_ENDING, atomic_file, explained_writing, lock, read_bytes

__all__ = ["EPISODES", "Store", "read_episodes"]

EPISODES = "episodes.parquet"

pa = need("pyarrow", "results of benchmarks", "bench")
ipc = need("pyarrow.ipc", "results of benchmarks", "bench")
pq = need("pyarrow.parquet", "results of benchmarks", "bench")

SAME = (
    "run", "setting", "planner", "revision", "params", "index_params", "map", "scenarios", "diagonals", "costs",
    "max_moves", "episode_seconds", "timing", "machine", "call_floor_us", "timing_workers",
)  # fmt: skip
"""Columns that are the same for all episodes of a part."""
_PROBLEM_COLUMNS = ("problem", "start", "goal", "optimal")
_DAMAGED = "damaged: run again, with what followed in the same run"
_DAMAGED_PROBLEMS = "damaged: problems are chosen again"
_DOUBLED = "damaged: removed, as another part holds the same"
_UNCHECKED = "of an earlier Waypost, with no digest to tell damage by: run again"
_UNCHECKED_PROBLEMS = "of an earlier Waypost, with no digest to tell damage by: problems are chosen again"
_EPISODES = re.compile(r"(\d+)-(\d+)")


class Store:
    """A folder of results that one process at a time writes to."""

    def __init__(self, folder: Path, indexes: Path | None = None) -> None:
        self.folder = folder
        self.index_folder = indexes or folder / "indexes"  # suites on the same maps may share them
        self._lost: dict[str, list[Path]] = {}  # what became of parts, and which

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Hold the folder; the lock goes with the process, however that ends. Clears away what a killed one left."""
        try:
            for part in (self.folder / "runs", self.folder / "problems", self.index_folder):
                part.mkdir(parents=True, exist_ok=True)
            held = open(self.folder / ".lock", "ab")  # noqa: SIM115 - held, not read
        except OSError as error:
            raise WaypostError(f"cannot write results to {self.folder}: {error.strerror}") from None
        with held:
            if not lock(held):
                raise WaypostError(f"another run is writing to {self.folder}; wait for it, or give another --out")
            for leftover in list(self.folder.rglob(f".*{PART_ENDING}")):
                remove(leftover)
            yield

    def done(self, identity: str) -> int:
        """How many episodes of a run are there; parts that are damaged or do not follow on from the first are removed.

        Parts without a digest, of an earlier Waypost, stay where they are and do not count.
        """
        folder = self.folder / "runs" / identity
        if not folder.is_dir() and (folder.exists() or folder.is_symlink()):
            self._lose(_DAMAGED, [folder])
            remove(folder)
        episodes = 0
        damaged = []
        for first, count, part in self._parts(identity):
            follows_on = first == episodes
            if follows_on and part.is_whole():
                episodes += count
                continue
            if follows_on:
                damaged.append((first, part.path))
            remove(part.path)
        self._lose(_DAMAGED, [path for first, path in damaged if first >= episodes])
        self._lose(_DOUBLED, [path for first, path in damaged if first < episodes])
        unchecked = self._parts(identity, checked=False)
        self._lose(_UNCHECKED, [part.path for first, _, part in unchecked if first >= episodes])
        return episodes

    def lost(self) -> Iterator[str]:
        """What became of those of the parts looked for so far that are of no use, in a line for each reason."""
        for what, paths in self._lost.items():
            yield f"{_listed(paths)} {what}."

    def _lose(self, what: str, paths: list[Path]) -> None:
        if paths:
            self._lost.setdefault(what, []).extend(paths)

    def add(self, identity: str, first: int, columns: Columns, same: Mapping[str, Any]) -> None:
        """Write episodes of a run, the first of which has this number; `same` holds what is the same for all."""
        count = len(columns["episode"])
        zeros = pa.array(np.zeros(count, np.int32))
        arrays = {}
        for name, value in same.items():
            is_text = isinstance(value, str)
            arrays[name] = (
                pa.DictionaryArray.from_arrays(zeros, [value]) if is_text else pa.array(np.full(count, value))
            )
        arrays |= {name: pa.array(values) for name, values in columns.items()}
        arrays["status"] = arrays["status"].dictionary_encode()
        folder = self.folder / "runs" / identity
        with explained_writing(folder):
            folder.mkdir(exist_ok=True)
        write_part(folder, f"{first:08d}-{count}", _encoded(pa.table(arrays)))

    def read(self, identities: Iterable[str], names: Iterable[str]) -> Columns:
        """Columns of all episodes of some runs, in their order."""
        columns = list(names)
        tables = [_table(part).select(columns) for part in self._parts_of(identities)]
        if not tables:
            return {name: np.empty(0) for name in columns}
        table = pa.concat_tables(tables)
        return {name: table.column(name).to_numpy() for name in columns}

    def distinct(self, identities: Iterable[str], name: str) -> list[Any]:
        """The different values of a column over some runs."""
        found: dict[Any, None] = {}
        for part in self._parts_of(identities):
            found |= dict.fromkeys(_table(part).column(name).unique().to_pylist())
        return list(found)

    def merge(self, identities: Iterable[str]) -> Path:
        """All rows of some runs as one file, a part at a time."""
        path = self.folder / EPISODES
        with atomic_file(path) as place:
            writer = None
            try:
                for part in self._parts_of(identities):
                    table = _table(part)
                    # Without Arrow's schema readers see texts, not dictionaries, which few of them can group by.
                    writer = writer or pq.ParquetWriter(
                        place, table.schema, store_schema=False, **_layout(table.schema)
                    )
                    writer.write_table(table)
            finally:
                (writer or pq.ParquetWriter(place, pa.schema([]))).close()
        return path

    def packed(self, identities: Iterable[str]) -> bytes:
        """All rows of some runs in few bytes."""
        return pack(pq.read_table(self.merge(identities)))

    def unpack(self, content: bytes) -> int:
        """Take rows that `packed` has made, of runs that have none here; returns how many episodes were taken."""
        table = unpack(content, str(self.folder))
        runs = table.column("run").to_numpy() if table.num_rows else np.empty(0, object)
        firsts = [0, *(np.flatnonzero(runs[1:] != runs[:-1]) + 1).tolist(), len(runs)] if len(runs) else []
        taken = 0
        for first, last in pairwise(firsts):  # rows of a run follow each other, in their order
            if self.done(runs[first]):
                continue
            part = table.slice(first, last - first)
            columns = {name: part.column(name).to_numpy() for name in part.column_names if name not in SAME}
            same = {name: part.column(name)[0].as_py() for name in SAME if name in part.column_names}
            self.add(runs[first], int(columns["episode"][0]), columns, same)
            taken += last - first
        return taken

    def load_problems(self, identity: str) -> npt.NDArray[np.int64] | None:
        """Rows of problems chosen earlier, if they are there and whole; damaged ones are removed."""
        whole, unchecked, damaged = None, [], []
        for part in sorted(find_parts(self.folder / "problems", identity)):
            if not part.digest:
                unchecked.append(part.path)
            elif not part.is_whole():
                damaged.append(part.path)
                remove(part.path)
            else:
                whole = part
        self._lose(_DAMAGED_PROBLEMS if whole is None else _DOUBLED, damaged)
        if whole is None:
            self._lose(_UNCHECKED_PROBLEMS, unchecked)
            return None
        table = _table(whole)
        return np.stack([table.column(name).to_numpy() for name in _PROBLEM_COLUMNS], axis=1)

    def save_problems(self, identity: str, rows: npt.NDArray[np.int64]) -> None:
        """Keep rows of problems."""
        table = pa.table(dict(zip(_PROBLEM_COLUMNS, map(pa.array, rows.T.copy()), strict=True)))
        write_part(self.folder / "problems", identity, _encoded(table))

    def _parts_of(self, identities: Iterable[str]) -> Iterator[Part]:
        return (part for identity in identities for _, _, part in self._parts(identity))

    def _parts(self, identity: str, *, checked: bool = True) -> list[tuple[int, int, Part]]:
        """The parts of a run with a digest, or those without: first episode, how many, and the part."""
        return sorted(
            (int(episodes[1]), int(episodes[2]), part)
            for part in find_parts(self.folder / "runs" / identity, "[0-9]")
            if bool(part.digest) == checked and (episodes := _EPISODES.fullmatch(part.name))
        )


def read_episodes(folder: Path, names: Iterable[str]) -> Columns:
    """Columns of all episodes that a suite has written to a folder, or one sentence saying why there are none."""
    path, wanted = folder / EPISODES, list(names)
    try:
        file = pq.ParquetFile(pa.py_buffer(read_bytes(path, "file of results")))
        missing = [name for name in wanted if name not in file.schema_arrow.names]
        table = None if missing else file.read(columns=wanted)
    except (pa.ArrowException, OSError) as error:
        raise WaypostError(f"{path} is damaged, or no file of results: {' '.join(str(error).split())[:200]}") from None
    if table is None:
        raise WaypostError(
            f"{path} has no column {missing[0]}: it has no episodes, or another version of Waypost wrote it; "
            "run its suite again"
        )
    return {name: table.column(name).to_numpy() for name in wanted}


def _table(part: Part) -> Any:
    return ipc.open_file(pa.py_buffer(read_part(part))).read_all()


def _encoded(table: Any) -> memoryview:
    sink = pa.BufferOutputStream()
    with ipc.new_file(sink, table.schema, options=ipc.IpcWriteOptions(compression="lz4")) as writer:
        writer.write_table(table)
    return memoryview(sink.getvalue())


def _listed(paths: list[Path]) -> str:
    """The number of parts, and one of them by name."""
    if len(paths) == 1:
        return f"1 part of the results ({paths[0]}) is"
    return f"{len(paths):,} parts of the results ({paths[0]} and others) are"


def _layout(schema: Any) -> dict[str, Any]:
    """Dictionaries for texts only: numbers hardly repeat, and trying them out takes most of the time."""
    texts = [field.name for field in schema if pa.types.is_dictionary(field.type)]
    return {"compression": "snappy", "use_dictionary": texts, "write_statistics": False}
