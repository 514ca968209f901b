"""Rows of a paper in one small file, so that a report made elsewhere, or in part, can be finished later.

A zip file: for each suite a Parquet file of all its episodes so far, its problems, and what was noted beside them.
"""

import io
import zipfile
from pathlib import Path

from waypost.bench.papers.company import COMPANY
from waypost.bench.papers.refusals import REFUSALS
from waypost.bench.papers.results import PaperResults
from waypost.bench.results import EPISODES, Store
from waypost.errors import WaypostError, shown
from waypost.system.files import read_bytes, write_atomically

__all__ = ["load_rows", "save_rows"]

_PROBLEMS = "problems/"
_NOTES = (REFUSALS, COMPANY)


def save_rows(results: PaperResults, path: Path) -> None:
    """Write all rows so far."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_STORED) as archive:
        for name, suite in results.suites.items():
            store = suite.outcome.store
            _put(archive, f"{name}/{EPISODES}", store.packed(run.identity for run in suite.outcome.runs))
            for note in _NOTES:
                if (store.folder / note).exists():
                    _put(archive, f"{name}/{note}", (store.folder / note).read_bytes())
            for part in sorted((store.folder / "problems").glob("*.arrow")):
                _put(archive, f"{name}/{_PROBLEMS}{part.name}", part.read_bytes())
    write_atomically(path, content.getvalue())


def _put(archive: zipfile.ZipFile, name: str, content: bytes) -> None:
    """The same bytes for the same rows: no time of day is in them."""
    archive.writestr(zipfile.ZipInfo(name), content)


def load_rows(path: Path, folder: Path) -> int:
    """Put rows into a folder of results where it has none of the same run; returns how many episodes were put there."""
    try:
        with zipfile.ZipFile(io.BytesIO(read_bytes(path, "file of rows"))) as archive:
            contents = {name: archive.read(name) for name in archive.namelist()}
    except zipfile.BadZipFile as error:
        raise WaypostError(f"{shown(str(path))} holds no rows of a paper: {error}") from None
    count = 0
    for name in sorted({Path(entry).parts[0] for entry in contents}):
        if name in ("..", "/"):
            raise WaypostError(f"{shown(str(path))} names a place outside of the folder of results")
        store = Store(folder / name)
        store.folder.mkdir(parents=True, exist_ok=True)
        with store.locked():
            begin = f"{name}/{_PROBLEMS}"
            for entry in (entry for entry in contents if entry.startswith(begin)):
                place = store.folder / "problems" / Path(entry).name  # a name alone: nothing leads out of the folder
                if not place.exists():
                    write_atomically(place, contents[entry])
            for note in _NOTES:
                if f"{name}/{note}" in contents and not (store.folder / note).exists():
                    write_atomically(store.folder / note, contents[f"{name}/{note}"])
            if f"{name}/{EPISODES}" in contents:
                count += store.unpack(contents[f"{name}/{EPISODES}"])
    return count
