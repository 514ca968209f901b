"""Rows of a paper in one small file, so that a report made elsewhere, or in part, can be finished later.

A zip file: for each suite a Parquet file of all its episodes so far, and its problems.
"""

import io
import zipfile
from pathlib import Path
from typing import Any

from waypost.bench.papers.results import PaperResults
from waypost.bench.results import EPISODES, Store
from waypost.errors import WaypostError, shown
from waypost.system.extras import need
from waypost.system.files import atomic_file, check_writable

__all__ = ["load_rows", "save_rows"]

pa = need("pyarrow", "results of benchmarks", "bench")
pq = need("pyarrow.parquet", "results of benchmarks", "bench")

_SAME = (
    "run", "setting", "planner", "revision", "params", "index_params", "map", "scenarios", "diagonals", "costs",
    "max_moves", "episode_seconds", "timing", "machine", "call_floor_us", "timing_workers",
)  # fmt: skip
"""Columns that are the same for all episodes of a part."""
_PROBLEMS = "problems/"


def save_rows(results: PaperResults, path: Path) -> None:
    """Write all rows so far."""
    check_writable(path)
    with atomic_file(path) as place, zipfile.ZipFile(place, "w", zipfile.ZIP_STORED) as archive:
        for name, suite in results.suites.items():
            store = suite.outcome.store
            store.merge(run.identity for run in suite.outcome.runs)
            table = pq.read_table(store.folder / EPISODES)
            sink = io.BytesIO()
            pq.write_table(table, sink, compression="zstd", compression_level=19)
            _put(archive, f"{name}/{EPISODES}", sink.getvalue())
            for part in sorted((store.folder / "problems").glob("*.arrow")):
                _put(archive, f"{name}/{_PROBLEMS}{part.name}", part.read_bytes())


def _put(archive: zipfile.ZipFile, name: str, content: bytes) -> None:
    """The same bytes for the same rows: no time of day is in them."""
    archive.writestr(zipfile.ZipInfo(name), content)


def load_rows(path: Path, folder: Path) -> int:
    """Put rows into a folder of results where it has none of the same run; returns how many episodes were put there."""
    try:
        with zipfile.ZipFile(path) as archive:
            contents = {name: archive.read(name) for name in archive.namelist()}
    except (OSError, zipfile.BadZipFile) as error:
        raise WaypostError(f"{shown(str(path))} holds no rows of a paper: {error}") from None
    count = 0
    for name in sorted({Path(entry).parts[0] for entry in contents}):
        store = Store(folder / name)
        store.folder.mkdir(parents=True, exist_ok=True)
        with store.locked():
            begin = f"{name}/{_PROBLEMS}"
            for entry in (entry for entry in contents if entry.startswith(begin)):
                place = store.folder / "problems" / Path(entry).name  # a name alone: nothing leads out of the folder
                if not place.exists():
                    place.write_bytes(contents[entry])
            count += _load_episodes(store, contents.get(f"{name}/{EPISODES}", b""))
    return count


def _load_episodes(store: Store, content: bytes) -> int:
    try:
        table = pq.read_table(io.BytesIO(content)) if content else pa.table({})
    except (pa.ArrowException, OSError) as error:
        raise WaypostError(f"rows of {store.folder.name} are damaged: {' '.join(str(error).split())[:200]}") from None
    if not table.num_rows:
        return 0
    count = 0
    runs = table.column("run").to_pylist()
    first = 0
    while first < len(runs):  # rows of a run follow each other, in their order
        end = first
        while end < len(runs) and runs[end] == runs[first]:
            end += 1
        part = table.slice(first, end - first)
        if not store.done(runs[first]):
            _add(store, runs[first], part)
            count += end - first
        first = end
    return count


def _add(store: Store, run: str, part: Any) -> None:
    columns = {name: part.column(name).to_numpy() for name in part.column_names if name not in _SAME}
    same = {name: part.column(name)[0].as_py() for name in _SAME if name in part.column_names}
    store.add(run, int(columns["episode"][0]), columns, same)
