"""PNG and PGM images as maps: white is open, black is a wall; one pixel is one cell."""

import io
import os
import re
import struct
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from waypost.errors import MapError, ParameterError, shown
from waypost.maps.plain_pgm import as_binary
from waypost.system.extras import need
from waypost.system.files import read_bytes, write_atomically
from waypost.world.grid import Grid, check_size

__all__ = ["MOST_PLAIN_PIXELS", "Pixels", "check_pixels", "load_pixels", "pixel_bands", "read_image", "write_image"]

Pixels = Any
"""A decoded Pillow image of one of the modes L, LA, RGB, RGBA and I;16 or I (16 bits in 32)."""

DEFAULT_THRESHOLD = 128
_OPAQUE_FROM = 128
MOST_PIXELS = 1 << 26  # 8192 x 8192; also below the size at which Pillow itself begins to warn
MOST_PLAIN_PIXELS = 1 << 28  # of a byte each in the file, so that no small file promises them: binary PGM
_MOST_IMAGE_BYTES = 1 << 29
PIXELS_AT_ONCE = 1 << 20  # wide intermediate results are made of a few rows at a time

_PNG = b"\x89PNG\r\n\x1a\n"
_PNG_CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
_DEFLATE_RATIO = 1032  # no deflate stream holds more bytes than this many times its own size
_PGM_HEADER = re.compile(rb"P[25](?:\s|#[^\n]*\n)+(\d{1,9})(?:\s|#[^\n]*\n)+(\d{1,9})(?:\s|#[^\n]*\n)+(\d{1,5})\s")
_LONGEST_PGM_HEADER = 4096
_MOST_CHUNKS = 1 << 17  # twice what the largest image has where each holds 8 KB


def read_image(path: str | os.PathLike[str], *, threshold: int = DEFAULT_THRESHOLD) -> npt.NDArray[np.bool_]:
    """The open cells of a PNG or PGM image as a (height, width) array.

    A pixel is open where its luminance (ITU-R 601) is at least `threshold` of 255; 16-bit images are compared on the
    same scale. A pixel whose alpha is below 128 of 255 is a wall, whatever its colour.
    """
    if isinstance(threshold, bool) or not isinstance(threshold, (int, np.integer)) or not 1 <= threshold <= 255:
        raise ParameterError(f"threshold must be a whole number from 1 to 255, not {shown(threshold)}")
    image = load_pixels(path)
    is_open = np.empty((image.height, image.width), np.bool_)
    for rows, band in pixel_bands(image):
        if band.mode.startswith("I"):
            is_open[rows] = np.asarray(band) >= threshold * 257  # 65535 = 255 * 257
            continue
        is_open[rows] = np.asarray(band.convert("L")) >= threshold
        if band.mode in ("LA", "RGBA"):
            is_open[rows] &= np.asarray(band.getchannel("A")) >= _OPAQUE_FROM
    return is_open


def write_image(path: str | os.PathLike[str], grid: Grid) -> None:
    """Write a grid as a PNG of one bit per cell: white is open, black is a wall."""
    check_pixels(grid.width, grid.height, "the map")
    image = need("PIL.Image", "PNG images", "maps")
    content = io.BytesIO()
    image.fromarray(grid.is_open).save(content, "PNG")
    write_atomically(path, content.getvalue())


def load_pixels(path: str | os.PathLike[str]) -> Pixels:
    """Decode a PNG or PGM image whose header promises no more than the file can hold and memory should."""
    content = read_bytes(path, "PNG or PGM image", _MOST_IMAGE_BYTES)
    _check_header(content, path)
    if content.startswith(b"P2") and (header := _PGM_HEADER.match(content[:_LONGEST_PGM_HEADER])):
        width, height, brightest = map(int, header.groups())
        content = as_binary(content[header.end() :], width, height, brightest, source=str(path))
    image_module = need("PIL.Image", "PNG and PGM images", "maps")
    try:
        image = _opened(image_module, content)
        image.load()
        if image.mode in ("1", "L", "P", "RGB") and "transparency" in image.info:
            image = image.convert("RGBA")
        elif image.mode == "P":
            image = image.convert("RGB")
        elif image.mode == "1":
            image = image.convert("L")
    except image_module.UnidentifiedImageError:
        raise MapError(f"{path} cannot be read as an image: its header is damaged") from None
    except Exception as error:  # decoders raise whatever their parsers stumble over
        raise MapError(f"{path} cannot be read as an image: {_one_line(error)}") from None
    if image.mode.startswith("I") and "transparency" in image.info:
        raise MapError(
            f"{path} has 16-bit grey pixels with a transparent shade; save it with 8 bits or an alpha channel"
        )
    if image.mode not in ("L", "LA", "RGB", "RGBA", "I", "I;16", "I;16B"):
        raise MapError(f"{path} has pixels of the kind {image.mode!r}; use a grey or RGB image, with or without alpha")
    return image


def pixel_bands(image: Pixels) -> Iterator[tuple[slice, Pixels]]:
    """An image in bands of rows, so that what is computed from it need not be in memory at once."""
    rows = max(1, PIXELS_AT_ONCE // image.width)
    for top in range(0, image.height, rows):
        bottom = min(image.height, top + rows)
        yield slice(top, bottom), image.crop((0, top, image.width, bottom))


def check_pixels(width: int, height: int, source: str, most: int | None = None) -> None:
    """Refuse an image that would take too much memory to decode; what could not be read is not written either."""
    check_size(width, height, source)
    most = MOST_PIXELS if most is None else most
    if width * height > most:
        raise MapError(f"{source} is too large for an image: {width} x {height} is more than {most:,} pixels")


def _check_header(content: bytes, path: str | os.PathLike[str]) -> None:
    """Refuse from the header alone what would be too large to decode, or what the file is too short to hold."""
    most = MOST_PIXELS
    if content.startswith(_PNG) and len(content) >= 26 and content[12:16] == b"IHDR":
        width, height, depth, colour = struct.unpack(">IIBB", content[16:26])
        row_bytes = 1 + width * depth * _PNG_CHANNELS.get(colour, 1) // 8
        least = height * row_bytes // _DEFLATE_RATIO
    elif header := _PGM_HEADER.match(content[:_LONGEST_PGM_HEADER]):
        width, height, brightest = (int(number) for number in header.groups())
        cells = width * height
        least = header.end() + (2 * cells - 1 if content[:2] == b"P2" else cells * (1 if brightest < 256 else 2))
        if content[:2] == b"P5" and brightest < 256:
            most = MOST_PLAIN_PIXELS
    else:
        raise MapError(f"{path} is not a PNG or PGM image: it begins with {shown(content[:8])}")
    check_pixels(width, height, str(path), most)
    if len(content) < least or (content.startswith(_PNG) and not _has_png_end(content, path)):
        raise MapError(
            f"{path} is cut off: its header promises {width} x {height} pixels, "
            f"but the file has only {len(content):,} bytes"
        )


def _has_png_end(content: bytes, path: str | os.PathLike[str]) -> bool:
    """Whether the chunks of a PNG follow one another up to the end mark; decoders stop asking at the last pixel."""
    at, count = len(_PNG), 0
    while at + 12 <= len(content):
        length, kind = struct.unpack_from(">I4s", content, at)
        at += 12 + length
        count += 1
        if kind == b"IEND":
            return at <= len(content)
        if kind == b"IHDR" and count > 1:  # decoders would go by the last one, which nobody has checked
            raise MapError(f"{path} cannot be read as an image: it has two headers")
        if count > _MOST_CHUNKS:
            raise MapError(f"{path} cannot be read as an image: it consists of more than {_MOST_CHUNKS:,} chunks")
    return False


def _opened(image_module: Any, content: bytes) -> Pixels:
    """An image that is not decoded yet; Pillow's own guard against small files that grow does not know plain ones."""
    if content.startswith(b"P5"):
        from PIL.PpmImagePlugin import PpmImageFile

        return PpmImageFile(io.BytesIO(content))
    return image_module.open(io.BytesIO(content), formats=["PNG", "PPM"])


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())[:200] or type(error).__name__
