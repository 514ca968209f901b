"""Image files made byte by byte, so that their headers can promise anything."""

import struct
import zlib


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(width, height, rows, depth=8, colour=0, extra=b""):
    """A PNG whose header says width x height; `rows` is what is really compressed in it."""
    header = struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, 0)
    parts = chunk(b"IHDR", header) + extra + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + parts


def pgm(pixels, most=255):
    height, width = pixels.shape
    wide = pixels.astype(">u2" if most > 255 else "u1")
    return b"P5\n# made by a test\n%d %d\n%d\n" % (width, height, most) + wide.tobytes()
