"""Index files: written whole, in one spelling, and mapped into memory after every byte was checked."""

import dataclasses
import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from waypost.errors import IndexFileError, ParameterError, WaypostError, shown
from waypost.indexes import layout
from waypost.indexes.kernels import checksum
from waypost.indexes.layout import Head
from waypost.system.files import map_file, read_bytes, write_atomically
from waypost.world.grid import Grid

__all__ = [
    "StoredIndex",
    "check_map",
    "decode_index",
    "index_bytes",
    "is_index_file",
    "open_index",
    "read_index",
    "write_index",
]

_WHAT = "Waypost index"
_ENDING = ".waypost"
_FACTS_ENDING = ".facts.json"
_MOST_FACTS_BYTES = 1 << 20
_MAP_KEYS = ("costs", "diagonals", "fingerprint", "height", "open_cells", "width")
_KEYS = {*_MAP_KEYS, "checksum", "format", "parameters", "planner", "revision"}


@dataclasses.dataclass(frozen=True)
class StoredIndex:
    """What an index file holds; the arrays are read-only views of the file itself."""

    planner: str
    revision: int
    params: dict[str, Any]
    arrays: dict[str, npt.NDArray[Any]]
    map: dict[str, str]
    checksum: str
    facts: dict[str, Any]
    file_bytes: int


def write_index(
    path: str | os.PathLike[str],
    *,
    planner: str,
    revision: int,
    grid: Grid,
    params: Mapping[str, Any],
    arrays: Mapping[str, npt.NDArray[Any]],
    facts: Mapping[str, Any] | None = None,
) -> None:
    """Write an index of a grid: always the same bytes; facts about its making go into a file beside it."""
    facts = dict(facts or {})
    _plain("facts", facts)
    head = _head(planner, revision, grid, params, arrays)
    write_atomically(path, _pieces(head, arrays))
    if os.path.isfile(path):  # and not a device
        about = {"checksum": head.texts["checksum"], "facts": facts}
        about["digest"] = _facts_digest(about)
        write_atomically(_facts_path(path), json.dumps(about, indent=2, sort_keys=True).encode() + b"\n")


def index_bytes(
    *, planner: str, revision: int, grid: Grid, params: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]]
) -> bytes:
    """What a file of an index of a grid would hold."""
    return b"".join(_pieces(_head(planner, revision, grid, params, arrays), arrays))


def _head(
    planner: str, revision: int, grid: Grid, params: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]]
) -> Head:
    """What stands before the arrays, the checksum of everything included."""
    shapes = {name: layout.shape_of(name, array) for name, array in arrays.items()}
    texts = {
        **_map_texts(grid),
        "format": str(layout.FORMAT),
        "parameters": _plain("parameters", dict(params)),
        "planner": planner,
        "revision": str(revision),
    }
    texts["checksum"] = _checksum(Head(texts, shapes), _blocks(arrays))
    return Head(texts, shapes)


def _pieces(head: Head, arrays: Mapping[str, npt.NDArray[Any]]) -> Iterator[bytes | memoryview]:
    """A file, piece by piece."""
    yield head.encode()
    yield from (block.data for block in _blocks(arrays))


def read_index(path: str | os.PathLike[str], grid: Grid) -> StoredIndex:
    """The index that a file holds for this grid, after a check of every byte."""
    index = open_index(path)
    check_map(path, index, grid)
    return index


def check_map(path: str | os.PathLike[str], index: StoredIndex, grid: Grid) -> None:
    """Refuse an index that was built for another grid."""
    here = _map_texts(grid)
    if index.map != here:
        differing = ", ".join(
            f"{key} {index.map[key]} there and {here[key]} here" for key in _differing(index.map, here)
        )
        raise IndexFileError(f"{path} was built for another map: {differing}; load that map or build the index again")


def open_index(path: str | os.PathLike[str]) -> StoredIndex:
    """What an index file holds, whatever map it is of, after a check of every byte."""
    stored = decode_index(path, map_file(path, _WHAT))
    return dataclasses.replace(stored, facts=_read_facts(path, stored.checksum))


def decode_index(path: str | os.PathLike[str], content: memoryview) -> StoredIndex:
    """What the bytes of an index file hold, without its facts; `path` names it if it is refused."""
    try:
        head = Head.decode(content)
        planner, revision, params = _identity(head.texts)
        data = content[len(content) - head.data_bytes() :]
        bare = Head({key: text for key, text in head.texts.items() if key != "checksum"}, head.shapes)
        if _checksum(bare, [np.frombuffer(data, np.uint64)]) != head.texts["checksum"]:
            raise IndexFileError("is damaged: its content does not have its checksum; copy or build the index again")
    except IndexFileError as error:
        raise IndexFileError(f"{path} {error}") from None
    places = head.places()
    return StoredIndex(
        planner=planner,
        revision=revision,
        params=params,
        arrays={name: np.ndarray(shape.sizes, shape.dtype, data, places[name]) for name, shape in head.shapes.items()},
        map={key: head.texts[key] for key in _MAP_KEYS},
        checksum=head.texts["checksum"],
        facts={},
        file_bytes=len(content),
    )


def is_index_file(path: str | os.PathLike[str]) -> bool:
    """Whether a file is an index by its content, or is called one."""
    if not os.path.isfile(path):
        return False
    return os.fspath(path).endswith(_ENDING) or layout.begins_as_index(map_file(path, _WHAT))


def _map_texts(grid: Grid) -> dict[str, str]:
    """What tells one map from another; the fingerprint alone would do, and the rest says how they differ."""
    return {
        "costs": f"{grid.costs.straight} {grid.costs.diagonal}",
        "diagonals": grid.diagonals,
        "fingerprint": grid.fingerprint,
        "height": str(grid.height),
        "open_cells": str(grid.open_count),
        "width": str(grid.width),
    }


def _differing(there: Mapping[str, str], here: Mapping[str, str]) -> list[str]:
    """The keys in which two maps differ; the fingerprint only where nothing that people can read does."""
    keys = [key for key in here if there[key] != here[key]]
    return [key for key in keys if key != "fingerprint"] or keys


def _identity(texts: Mapping[str, str]) -> tuple[str, int, dict[str, Any]]:
    """Planner, revision and parameters."""
    try:
        revision, params = layout.whole(texts["revision"]), layout.from_canonical(texts["parameters"])
        good = set(texts) == _KEYS and _are_plain(params)
    except (ValueError, LookupError):
        good = False
    if not good:
        raise IndexFileError("is damaged: it does not say what it is an index of; build the index again")
    return texts["planner"], revision, params


def _plain(what: str, values: dict[str, Any]) -> str:
    """Numbers and texts by name, as JSON."""
    try:
        if _are_plain(values):
            return layout.canonical(values)
    except (TypeError, ValueError):  # not a number: NaN, infinity
        pass
    raise ParameterError(f"{what} of an index must be plain numbers and texts by name, not {shown(values)}")


def _are_plain(values: Any) -> bool:
    return isinstance(values, dict) and all(
        isinstance(name, str) and name.isprintable() and isinstance(value, (str, int, float))
        for name, value in values.items()
    )


def _blocks(arrays: Mapping[str, npt.NDArray[Any]]) -> Iterator[npt.NDArray[np.uint64]]:
    """Each array's bytes as they stand in the file, padding included."""
    for name in sorted(arrays):
        values = np.ascontiguousarray(arrays[name], arrays[name].dtype.newbyteorder("<")).reshape(-1)
        block = np.zeros((values.nbytes + layout.padding(values.nbytes)) // 8, np.uint64)
        block.view(np.uint8)[: values.nbytes] = values.view(np.uint8)
        block.setflags(write=False)  # as mapped ones are: another type to compiled code
        yield block


def _checksum(head: Head, blocks: Iterable[npt.NDArray[np.uint64]]) -> str:
    """A digest of everything in the file but the digest itself."""
    lanes = np.arange(1, checksum.LANES + 1, dtype=np.uint64)
    for block in blocks:
        checksum.mix(lanes, block)
    return hashlib.blake2b(head.encode() + lanes.tobytes(), digest_size=16).hexdigest()


def _facts_path(path: str | os.PathLike[str]) -> str:
    return os.fspath(path) + _FACTS_ENDING


def _read_facts(path: str | os.PathLike[str], wanted_checksum: str) -> dict[str, Any]:
    """The facts beside an index file; none if they cannot be read, are damaged, or are of another index before it."""
    try:
        about = json.loads(read_bytes(_facts_path(path), "file of facts", _MOST_FACTS_BYTES))
        digest = about.pop("digest", None)  # an earlier Waypost wrote none
        if set(about) != {"checksum", "facts"} or digest not in (None, _facts_digest(about)):
            return {}
        return about["facts"] if about["checksum"] == wanted_checksum and _are_plain(about["facts"]) else {}
    except (WaypostError, ValueError, TypeError, LookupError, AttributeError, RecursionError):
        return {}


def _facts_digest(about: Mapping[str, Any]) -> str:
    """Of facts and the checksum of their index, so that a damaged figure is not taken for a measured one."""
    return hashlib.blake2b(layout.canonical(dict(about)).encode(), digest_size=16).hexdigest()
