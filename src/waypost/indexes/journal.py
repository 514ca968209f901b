"""Journal of a build: finished parts appended to a file, so that a killed build goes on (docs/file-format.md)."""

import hashlib
import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from waypost.errors import IndexFileError, WaypostError
from waypost.indexes.layout import Shape, canonical, from_canonical, read_shape, shape_of, spell_shape
from waypost.system.files import explained_writing, lock

__all__ = ["Journal"]

_OPENING = b"waypost journal 1\n"
_LENGTH_BYTES = 8
_MOST_HEADER_BYTES = 1 << 20
_DIGEST_BYTES = 16

Piece = tuple[int, int]
Arrays = tuple[npt.NDArray[Any], ...]


class _Header(NamedTuple):
    """What a record says of itself: which items of which part of the build, and the arrays made of them."""

    title: str
    total: int
    first: int
    last: int
    seconds: float
    shapes: tuple[Shape, ...]

    def encode(self) -> bytes:
        """The header as it stands in the file."""
        return canonical([*self[:-1], [spell_shape(shape) for shape in self.shapes]]).encode()

    @classmethod
    def decode(cls, text: bytes) -> "_Header":
        """The header that a text is, or ValueError."""
        try:
            title, total, first, last, seconds, shapes = from_canonical(text.decode("ascii"))
            header = cls(title, total, first, last, seconds, tuple(read_shape(title, shape) for shape in shapes))
            whole = all(type(number) is int for number in header[1:4]) and type(seconds) is float
            if isinstance(title, str) and whole and 0 <= first < last <= total:
                return header
        except (TypeError, IndexFileError):
            pass
        raise ValueError("not a header of a journal")


class Journal:
    """Parts of one build in a file that is only ever appended to; a second process cannot open it."""

    def __init__(self, path: str | os.PathLike[str], identity: Mapping[str, Any]) -> None:
        self.path = Path(path)
        self.seconds = 0.0
        """What the parts found here had taken when the last of them was written."""
        self._found: dict[str, dict[Piece, tuple[int, Arrays]]] = {}
        self._lock = Lock()
        with explained_writing(path):
            self._file = open(self.path, "a+b")  # noqa: SIM115 - stays open as long as the build runs
        try:
            self._begin(_sealed(_OPENING, canonical(dict(identity)).encode()))
        except BaseException:
            self._file.close()
            raise

    def parts(self, title: str, total: int) -> dict[Piece, Arrays]:
        """What an earlier run of the build made of range(total), by ranges that do not overlap; only once."""
        parts: dict[Piece, Arrays] = {}
        end = 0
        for (first, last), (of_total, arrays) in sorted(self._found.pop(title, {}).items()):
            if first >= end and of_total == total:
                parts[first, last] = arrays
                end = last
        return parts

    def add(self, title: str, total: int, piece: Piece, arrays: Arrays, seconds: float) -> None:
        """Append what was made of a range; it is with the system when this returns, and survives the process."""
        values = [np.ascontiguousarray(array, array.dtype.newbyteorder("<")) for array in arrays]
        shapes = tuple(shape_of("part", array) for array in values)
        header = _Header(title, total, *piece, float(seconds), shapes).encode()
        record = _sealed(b"", header, *(array.tobytes() for array in values))
        with self._lock, explained_writing(self.path):
            self._file.write(record)
            self._file.flush()

    def close(self) -> None:
        """Let go of the file; it stays."""
        with suppress(OSError):  # what could not be written, such as to a full disk, has been said by then
            self._file.close()

    def discard(self) -> None:
        """Delete the file."""
        self.close()
        with explained_writing(self.path):
            self.path.unlink(missing_ok=True)

    def _begin(self, head: bytes) -> None:
        """Take the file over: read what is good, cut off what is not, and be at its end."""
        if not lock(self._file):
            raise WaypostError(f"another process is building into {self.path}; wait for it, or name another file")
        size = self._file.seek(0, os.SEEK_END)
        self._file.seek(0)
        there = self._file.read(min(size, len(head)))
        if there != head[: len(there)]:
            what = "of another build" if there.startswith(_OPENING) else "not a journal of Waypost"
            raise IndexFileError(f"{self.path} is {what}; delete it, or keep it and name another file")
        if there != head:  # killed while it was writing its first line
            self._cut(0)
            self._file.write(head)
            self._file.flush()
            return
        good = len(head)
        for header, arrays, end in self._records(good, size):
            good = end
            self._found.setdefault(header.title, {})[header.first, header.last] = header.total, arrays
            self.seconds = max(self.seconds, header.seconds)
        if good < size:
            self._cut(good)

    def _cut(self, end: int) -> None:
        with explained_writing(self.path):
            self._file.truncate(end)
            self._file.seek(end)

    def _records(self, begin: int, size: int) -> Iterator[tuple[_Header, Arrays, int]]:
        """Records from this place on and where each ends, up to the first that is cut or damaged."""
        while True:
            length_bytes = self._file.read(_LENGTH_BYTES)
            length = int.from_bytes(length_bytes, "little")
            if len(length_bytes) < _LENGTH_BYTES or length > min(size - begin, _MOST_HEADER_BYTES):
                return
            text = self._file.read(length)
            try:
                header = _Header.decode(text)
            except ValueError:
                return
            sizes = [shape.bytes for shape in header.shapes]
            end = begin + _LENGTH_BYTES + length + sum(sizes) + _DIGEST_BYTES
            if end > size:  # before memory is taken
                return
            blocks = [self._file.read(count) for count in sizes]
            if self._file.read(_DIGEST_BYTES) != _digest(length_bytes, text, *blocks):
                return
            yield header, tuple(map(_array, header.shapes, blocks)), end
            begin = end


def _array(shape: Shape, block: bytes) -> npt.NDArray[Any]:
    return np.frombuffer(block, shape.dtype).reshape(shape.sizes)


def _sealed(opening: bytes, text: bytes, *blocks: bytes) -> bytes:
    """A text with its length before it, then blocks, then a digest of all that."""
    pieces = (opening, len(text).to_bytes(_LENGTH_BYTES, "little"), text, *blocks)
    return b"".join((*pieces, _digest(*pieces)))


def _digest(*pieces: bytes) -> bytes:
    digest = hashlib.blake2b(digest_size=_DIGEST_BYTES)
    for piece in pieces:
        digest.update(piece)
    return digest.digest()
