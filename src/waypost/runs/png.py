"""Pixels written as PNG files and animations, some rows at a time."""

import os
import struct
import zlib
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from waypost.errors import ParameterError, WaypostError, shown
from waypost.runs.canvas import Pixels
from waypost.system.checks import whole_number
from waypost.system.files import check_name, write_atomically

__all__ = ["check_picture", "size_of", "write_animation", "write_png"]

_PNG = b"\x89PNG\r\n\x1a\n"
_ENDINGS = (".png", ".apng")
_MOST_PER_SECOND = 2**16 - 1  # frames of an animation, by its format
_BYTES_AT_ONCE = 1 << 20
_LARGE = 1 << 22  # pixels; more are packed ten times as fast into a fifth more bytes


def check_picture(path: str | os.PathLike[str]) -> None:
    """Refuse a name that says another format than PNG, before the work whose picture should go there."""
    check_name(path, "a place to write to")
    if os.path.splitext(os.fspath(path))[1].lower() not in ("", *_ENDINGS):
        raise WaypostError(f"{shown(os.fspath(path))} is not written: pictures are PNG, so end its name in .png")


def write_png(path: str | os.PathLike[str], pixels: Pixels) -> None:
    """Write (height, width, 3) pixels as a PNG file."""
    check_picture(path)
    size_of([pixels])
    write_atomically(path, _parts(pixels))


def write_animation(path: str | os.PathLike[str], pictures: Sequence[Pixels], frames_per_second: int = 20) -> None:
    """Write pictures of equal size as an animated PNG that begins again at its end; browsers play it."""
    check_picture(path)
    height, width, _ = size_of(pictures)
    frames_per_second = whole_number("frames per second", frames_per_second, lowest=1, highest=_MOST_PER_SECOND)
    parts = [_PNG, _header(pictures[0]), _chunk(b"acTL", struct.pack(">II", len(pictures), 0))]
    number = 0
    for i, pixels in enumerate(pictures):
        frame = struct.pack(">IIIIIHHBB", number, width, height, 0, 0, 1, frames_per_second, 0, 0)
        parts.append(_chunk(b"fcTL", frame))
        # The first picture is an ordinary one, for viewers that know nothing of animations.
        number += 1
        for packed in _packed(pixels):
            if i == 0:
                parts.append(_chunk(b"IDAT", packed))
            else:
                parts.append(_chunk(b"fdAT", struct.pack(">I", number) + packed))
                number += 1
    write_atomically(path, [*parts, _chunk(b"IEND", b"")])


def size_of(pictures: Sequence[Pixels]) -> tuple[int, ...]:
    """The shape that all of some pictures have."""
    is_list = isinstance(pictures, (list, tuple))
    shapes = {picture.shape if _is_picture(picture) else () for picture in pictures} if is_list else set()
    if len(shapes) != 1 or () in shapes:
        raise ParameterError("pictures are arrays of bytes, (height, width, 3) and all of one size, at least one")
    return shapes.pop()


def _is_picture(pixels: Any) -> bool:
    return isinstance(pixels, np.ndarray) and pixels.dtype == np.uint8 and pixels.ndim == 3 and pixels.shape[2] == 3


def _parts(pixels: Pixels) -> Iterator[bytes]:
    """A file of one picture."""
    yield _PNG
    yield _header(pixels)
    for packed in _packed(pixels):
        yield _chunk(b"IDAT", packed)
    yield _chunk(b"IEND", b"")


def _header(pixels: Pixels) -> bytes:
    height, width, _ = pixels.shape
    return _chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))


def _packed(pixels: Pixels) -> Iterator[bytes]:
    """The compressed rows, in pieces that are not empty."""
    height, width, _ = pixels.shape
    packer = zlib.compressobj(9 if height * width <= _LARGE else 6)
    at_once = max(1, _BYTES_AT_ONCE // (3 * width + 1))
    for first in range(0, height, at_once):
        band = pixels[first : first + at_once]
        rows = np.zeros((len(band), 1 + 3 * width), np.uint8)  # a leading 0 on every row: no filter
        rows[:, 1:] = band.reshape(len(band), 3 * width)
        if packed := packer.compress(rows.data):
            yield packed
    yield packer.flush()


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
