"""The head of an index file: what it says of itself and where its arrays lie, in one spelling (docs/file-format.md)."""

import json
import math
import re
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from waypost.errors import IndexFileError, shown

__all__ = [
    "FORMAT",
    "Head",
    "Shape",
    "begins_as_index",
    "canonical",
    "from_canonical",
    "padding",
    "read_shape",
    "shape_of",
    "spell_shape",
    "whole",
]

FORMAT = 1
"""The version of the format that is written, and the newest that is read."""


_ALIGNMENT = 64  # bytes to a line of the processor's cache
_OPENING = (
    b'{"__metadata__":{"checksum":"'  # of every header: keys are sorted, and names of arrays are in small letters
)
_MOST_HEADER_BYTES = 1 << 20
_MOST_ARRAY_BYTES = 1 << 60
_MOST_DIMENSIONS = 8
_LENGTH_BYTES = 8
_PAD = "~"  # begins the names of padding; sorted behind all other names
_NAME = re.compile("[a-z][a-z0-9_]{0,63}")
_WHOLE = re.compile("0|[1-9][0-9]{0,8}")

_DTYPES = {
    name: np.dtype(f"<{name[0].lower()}{int(name[1:]) // 8}")
    for name in ("F32", "F64", "I8", "I16", "I32", "I64", "U8", "U16", "U32", "U64")
}
_DTYPE_NAMES = {dtype: name for name, dtype in _DTYPES.items()}


class Shape(NamedTuple):
    """What an array is, without its values."""

    dtype: np.dtype[Any]
    sizes: tuple[int, ...]

    @property
    def bytes(self) -> int:
        """How many bytes the values take."""
        return math.prod(self.sizes) * self.dtype.itemsize


class Head(NamedTuple):
    """Texts that say what the file is, and the shapes of its arrays; all else follows from these."""

    texts: Mapping[str, str]
    shapes: Mapping[str, Shape]

    def places(self) -> dict[str, int]:
        """Where each array begins, counted from the end of the header."""
        places, end = {}, 0
        for name, shape in sorted(self.shapes.items()):
            places[name] = end
            end += shape.bytes + padding(shape.bytes)
        return places

    def data_bytes(self) -> int:
        """All bytes behind the header."""
        return sum(shape.bytes + padding(shape.bytes) for shape in self.shapes.values())

    def encode(self) -> bytes:
        """The length and the header as they stand in the file."""
        header: dict[str, Any] = {"__metadata__": dict(self.texts)}
        places = self.places()
        for name, shape in self.shapes.items():
            end = places[name] + shape.bytes
            header[name] = _entry(shape, places[name], end)
            if gap := padding(shape.bytes):
                header[_PAD + name] = _entry(Shape(_DTYPES["U8"], (gap,)), end, end + gap)
        text = canonical(header).encode()
        text += b" " * padding(_LENGTH_BYTES + len(text))
        return len(text).to_bytes(_LENGTH_BYTES, "little") + text

    @classmethod
    def decode(cls, content: memoryview) -> "Head":
        """The head of a file whose every part is where it must be; takes no memory but for the header."""
        header = _header(content)
        texts = header.pop("__metadata__")
        _check_texts(texts)
        head = cls(texts, {name: _named_shape(name, entry) for name, entry in header.items() if name[:1] != _PAD})
        encoded = head.encode()
        if encoded != content[: len(encoded)]:
            raise IndexFileError("is damaged: its arrays do not lie end to end; build the index again")
        missing = len(encoded) + head.data_bytes() - len(content)
        if missing > 0:
            raise IndexFileError(f"is cut short: the last {missing:,} bytes are missing; copy or build it again")
        if missing < 0:
            raise IndexFileError(f"has {-missing:,} bytes behind its end; copy or build the index again")
        return head


def begins_as_index(content: memoryview) -> bool:
    """Whether a file looks like an index file, damaged or not."""
    return content[_LENGTH_BYTES:][: len(_OPENING)] == _OPENING


def shape_of(name: str, array: npt.NDArray[Any]) -> Shape:
    """The shape of an array that can be stored."""
    shape = Shape(array.dtype.newbyteorder("<"), array.shape)
    if not _NAME.fullmatch(name):
        raise IndexFileError(f"an array's name is small letters, digits and underscores, not {shown(name)}")
    if shape.dtype not in _DTYPE_NAMES or array.ndim > _MOST_DIMENSIONS:
        raise IndexFileError(
            f"array {name} must be of {', '.join(map(str, _DTYPE_NAMES))} and have at most {_MOST_DIMENSIONS} "
            f"dimensions, not {array.ndim}-dimensional {array.dtype}"
        )
    return shape


def padding(length: int) -> int:
    """How many bytes are missing to a multiple of 64, where every array begins and the file ends."""
    return -length % _ALIGNMENT


def canonical(value: Any) -> str:
    """The one JSON spelling of a value: sorted keys, no spaces, ASCII."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)


def from_canonical(text: str) -> Any:
    """What a canonical JSON text says; ValueError for any other text, however it is built."""
    try:
        value = json.loads(text)
        if canonical(value) == text:
            return value
    except RecursionError:
        pass
    raise ValueError("not canonical JSON")


def whole(text: str) -> int:
    """The whole number that a text spells, or ValueError; enough for versions and revisions."""
    if not _WHOLE.fullmatch(text):
        raise ValueError("not a whole number")
    return int(text)


def _header(content: memoryview) -> dict[str, Any]:
    """The JSON object at the beginning of the file, if it is one that this version reads."""
    if not begins_as_index(content):
        raise IndexFileError("is not an index file of Waypost: it does not begin as one")
    length = int.from_bytes(content[:_LENGTH_BYTES], "little")
    if length > _MOST_HEADER_BYTES:
        raise IndexFileError(
            f"is damaged: its header would be {length:,} bytes long, and at most {_MOST_HEADER_BYTES:,} are read"
        )
    if _LENGTH_BYTES + length > len(content):
        raise IndexFileError(f"is cut short: it ends within its header of {length:,} bytes; copy or build it again")
    try:
        header = from_canonical(bytes(content[_LENGTH_BYTES : _LENGTH_BYTES + length]).decode("ascii").rstrip(" "))
        version = whole(header["__metadata__"]["format"])
    except (ValueError, TypeError, LookupError):
        raise IndexFileError("is damaged: its header is not one that Waypost writes; build the index again") from None
    if version != FORMAT:
        hint = "a newer Waypost reads it" if version > FORMAT else "build the index again"
        raise IndexFileError(f"is of format {version}, and this Waypost reads format {FORMAT}; {hint}")
    return header


def _check_texts(texts: Mapping[str, Any]) -> None:
    for key, text in texts.items():
        if not (isinstance(text, str) and text.isascii() and text.isprintable()):
            raise IndexFileError(f"is damaged: {shown(key)} must be a printable text, not {shown(text)}")


def spell_shape(shape: Shape) -> dict[str, Any]:
    """A shape as JSON has it."""
    return {"dtype": _DTYPE_NAMES[shape.dtype], "shape": list(shape.sizes)}


def read_shape(name: str, entry: Any) -> Shape:
    """The shape that an entry of a header tells."""
    try:
        shape = Shape(_DTYPES[entry["dtype"]], tuple(entry["shape"]))
        sizes_are_whole = all(type(size) is int and size >= 0 for size in shape.sizes)
        good = sizes_are_whole and len(shape.sizes) <= _MOST_DIMENSIONS
    except (TypeError, LookupError):
        good = False
    # Without the zeros: numpy cannot make even an empty array of sizes whose product it cannot hold.
    if not good or math.prod(filter(None, shape.sizes)) * shape.dtype.itemsize > _MOST_ARRAY_BYTES:
        raise _no_array(name, entry)
    return shape


def _named_shape(name: str, entry: Any) -> Shape:
    if not _NAME.fullmatch(name):
        raise _no_array(name, entry)
    return read_shape(name, entry)


def _no_array(name: str, entry: Any) -> IndexFileError:
    return IndexFileError(f"is damaged: {shown(name)} is not an array that Waypost writes, but {shown(entry)}")


def _entry(shape: Shape, begin: int, end: int) -> dict[str, Any]:
    return {"data_offsets": [begin, end], **spell_shape(shape)}
