"""PGM images written as text (P2), turned into the bytes of binary ones (P5): decoders read numbers one by one."""

import re
from collections.abc import Iterator

import numpy as np

from waypost.errors import MapError

__all__ = ["as_binary"]

AT_ONCE = 1 << 20  # bytes; numbers take four times as many
_NUMBERS = b"0123456789 \t\n\v\f\r"
_COMMENT = re.compile(rb"#[^\n\r]*")
_BLANK = re.compile(rb"\s")


def as_binary(body: bytes, width: int, height: int, brightest: int, source: str) -> bytes:
    """The image whose numbers are the text `body`, which follows the header; what comes after the last is ignored."""
    wanted = width * height
    pieces: list[bytes] = []
    found = 0
    for text in _chunks(_COMMENT.sub(b" ", body)):
        if odd := text.translate(None, _NUMBERS):
            raise MapError(f"{source} cannot be read as an image: {odd[:10]!r} stands among its numbers")
        numbers = np.fromstring(text, np.int64, sep=" ")[: wanted - found]
        most = int(numbers.max(initial=0))
        if most > brightest:
            raise MapError(
                f"{source} cannot be read as an image: a pixel is {most:,}, and the brightest is {brightest:,}"
            )
        pieces.append(numbers.astype(np.uint8 if brightest < 256 else ">u2").tobytes())
        found += numbers.size
        if found == wanted:
            return b"P5\n%d %d\n%d\n" % (width, height, brightest) + b"".join(pieces)
    raise MapError(f"{source} is cut off: its header promises {wanted:,} pixels, and there are {found:,}")


def _chunks(text: bytes) -> Iterator[bytes]:
    """A text in pieces of about a megabyte, none of which ends within a number."""
    first = 0
    while first < len(text):
        blank = _BLANK.search(text, first + AT_ONCE)
        last = blank.end() if blank else len(text)
        yield text[first:last]
        first = last
