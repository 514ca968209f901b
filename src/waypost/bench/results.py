"""Results on disk: small parts that are either complete or not there, and Parquet made of them.

runs/<identity of the run>/<first episode>-<episodes>.arrow: what has been measured; present means done.
problems/<identity of the choice>.arrow: problems and their optima.
indexes/<identity of the build>.waypost: what planners computed offline.
episodes.parquet: all rows of the suite, made of the parts at the end.

Parts are Arrow files, which take next to no time to write and to read back.
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from waypost.bench.episodes import Columns
from waypost.errors import WaypostError
from waypost.extras import need
from waypost.files import PART_ENDING, atomic_file, lock

__all__ = ["Store"]

pa = need("pyarrow", "results of benchmarks", "bench")
ipc = need("pyarrow.ipc", "results of benchmarks", "bench")
pq = need("pyarrow.parquet", "results of benchmarks", "bench")

_PROBLEM_COLUMNS = ("problem", "start", "goal", "optimal")


class Store:
    """A folder of results that one process at a time writes to."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.index_folder = folder / "indexes"

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
        """How many episodes of a run are there; parts that do not follow on from the first are removed."""
        episodes = 0
        for first, count, path in self._parts(identity):
            if first == episodes:
                episodes += count
            else:
                path.unlink()
        return episodes

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
        _write(folder / f"{first:08d}-{count}.arrow", pa.table(arrays))

    def read(self, identities: Iterable[str], names: Iterable[str]) -> Columns:
        """Columns of all episodes of some runs, in their order."""
        columns = list(names)
        tables = [_read(path, columns) for path in self._paths(identities)]
        if not tables:
            return {name: np.empty(0) for name in columns}
        table = pa.concat_tables(tables)
        return {name: table.column(name).to_numpy() for name in columns}

    def distinct(self, identities: Iterable[str], name: str) -> list[Any]:
        """The different values of a column over some runs."""
        found: dict[Any, None] = {}
        for path in self._paths(identities):
            found |= dict.fromkeys(_read(path, [name]).column(name).unique().to_pylist())
        return list(found)

    def merge(self, identities: Iterable[str]) -> Path:
        """All rows of some runs as one file, a part at a time."""
        path = self.folder / "episodes.parquet"
        with atomic_file(path) as place:
            writer = None
            try:
                for part in self._paths(identities):
                    table = _read(part)
                    # Without Arrow's schema readers see texts, not dictionaries, which few of them can group by.
                    writer = writer or pq.ParquetWriter(
                        place, table.schema, store_schema=False, **_layout(table.schema)
                    )
                    writer.write_table(table)
            finally:
                (writer or pq.ParquetWriter(place, pa.schema([]))).close()
        return path

    def load_problems(self, identity: str) -> npt.NDArray[np.int64] | None:
        """Rows of problems chosen earlier, if they are there."""
        path = self.folder / "problems" / f"{identity}.arrow"
        if not path.exists():
            return None
        table = _read(path, _PROBLEM_COLUMNS)
        return np.stack([table.column(name).to_numpy() for name in _PROBLEM_COLUMNS], axis=1)

    def save_problems(self, identity: str, rows: npt.NDArray[np.int64]) -> None:
        """Keep rows of problems."""
        table = pa.table(dict(zip(_PROBLEM_COLUMNS, map(pa.array, rows.T.copy()), strict=True)))
        _write(self.folder / "problems" / f"{identity}.arrow", table)

    def _paths(self, identities: Iterable[str]) -> Iterator[Path]:
        return (path for identity in identities for _, _, path in self._parts(identity))

    def _parts(self, identity: str) -> list[tuple[int, int, Path]]:
        found = []
        for path in (self.folder / "runs" / identity).glob("[0-9]*-*.arrow"):
            first, count = path.stem.split("-")
            found.append((int(first), int(count), path))
        return sorted(found)


def _read(path: Path, columns: Iterable[str] | None = None) -> Any:
    try:
        table = ipc.open_file(pa.memory_map(str(path))).read_all()
        return table if columns is None else table.select(list(columns))
    except (OSError, pa.ArrowInvalid, KeyError):
        raise WaypostError(f"{path} is damaged; delete it, and what it held is run again") from None


def _write(path: Path, table: Any) -> None:
    options = ipc.IpcWriteOptions(compression="lz4")
    with atomic_file(path) as place, ipc.new_file(str(place), table.schema, options=options) as writer:
        writer.write_table(table)


def _layout(schema: Any) -> dict[str, Any]:
    """Dictionaries for texts only: numbers hardly repeat, and trying them out takes most of the time."""
    texts = [field.name for field in schema if pa.types.is_dictionary(field.type)]
    return {"compression": "snappy", "use_dictionary": texts, "write_statistics": False}
