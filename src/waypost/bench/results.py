"""Results on disk: small parts that are either complete or not there, and Parquet made of them.

runs/<identity of the run>/<first episode>-<episodes>.<digest>.arrow: what has been measured; present means done.
problems/<identity of the choice>.<digest>.arrow: problems and their optima.
indexes/<identity of the build>.waypost: what planners computed offline.
episodes.parquet: all rows of the suite, made of the parts at the end.

Parts are Arrow files, which take next to no time to write and to read back. A damaged one is removed, and run again.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from waypost.bench.episodes import Columns
from waypost.bench.parts import Part, find_parts, read_part, write_part
from waypost.errors import WaypostError
from waypost.system.extras import need
from waypost.system.files import PART_ENDING, atomic_file, lock

__all__ = ["Store"]

pa = need("pyarrow", "results of benchmarks", "bench")
ipc = need("pyarrow.ipc", "results of benchmarks", "bench")
pq = need("pyarrow.parquet", "results of benchmarks", "bench")

_PROBLEM_COLUMNS = ("problem", "start", "goal", "optimal")
_EPISODES = re.compile(r"(\d+)-(\d+)")


class Store:
    """A folder of results that one process at a time writes to."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.index_folder = folder / "indexes"
        self._damaged: list[Path] = []
        self._unchecked: list[Path] = []

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Hold the folder; the lock goes with the process, however that ends. Clears away what a killed one left."""
        try:
            for part in ("runs", "problems", "indexes"):
                (self.folder / part).mkdir(parents=True, exist_ok=True)
            held = open(self.folder / ".lock", "ab")  # noqa: SIM115 - held, not read
        except OSError as error:
            raise WaypostError(f"cannot write results to {self.folder}: {error.strerror}") from None
        with held:
            if not lock(held):
                raise WaypostError(f"another run is writing to {self.folder}; wait for it, or give another --out")
            for leftover in self.folder.rglob(f".*{PART_ENDING}"):
                leftover.unlink(missing_ok=True)
            yield

    def done(self, identity: str) -> int:
        """How many episodes of a run are there; parts that are damaged or do not follow on from the first are removed.

        Parts without a digest, of an earlier Waypost, stay where they are and do not count.
        """
        episodes = 0
        for first, count, part in self._parts(identity):
            follows_on = first == episodes
            if follows_on and part.is_whole():
                episodes += count
                continue
            if follows_on:
                self._damaged.append(part.path)
            part.path.unlink()
        self._unchecked += [part.path for first, _, part in self._parts(identity, checked=False) if first >= episodes]
        return episodes

    def lost(self) -> Iterator[str]:
        """Which of the parts looked for so far are run again, and why, in a line for each reason."""
        if self._damaged:
            yield f"{_listed(self._damaged)} damaged: run again, with what followed in the same run."
        if self._unchecked:
            yield f"{_listed(self._unchecked)} of an earlier Waypost, with no digest to tell damage by: run again."

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
        path = self.folder / "episodes.parquet"
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

    def load_problems(self, identity: str) -> npt.NDArray[np.int64] | None:
        """Rows of problems chosen earlier, if they are there and whole; damaged ones are removed."""
        unchecked = []
        for part in find_parts(self.folder / "problems", identity):
            if not part.digest:
                unchecked.append(part.path)
            elif part.is_whole():
                table = _table(part)
                return np.stack([table.column(name).to_numpy() for name in _PROBLEM_COLUMNS], axis=1)
            else:
                self._damaged.append(part.path)
                part.path.unlink()
        self._unchecked += unchecked
        return None

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
