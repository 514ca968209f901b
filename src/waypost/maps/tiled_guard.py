"""What is checked of Tiled files before pytiled-parser opens them: it trusts paths, sizes and compressed data."""

import base64
import binascii
import json
import os
import re
import zlib
from collections import Counter
from collections.abc import Iterator
from functools import partial
from typing import Any, NamedTuple
from xml.etree import ElementTree

from waypost.errors import MapError, shown
from waypost.maps.references import file_inside
from waypost.system.files import read_bytes
from waypost.world.grid import check_size

__all__ = ["check_tiled"]

_MOST_FILE_BYTES = 1 << 25
_MOST_TILES = 1 << 23  # over all layers: the parser makes a Python number of each
_MOST_FILES = 1000
_MOST_THINGS = 1 << 20  # elements, lists and objects of a file: each takes many times the bytes of its text
_MOST_VALUES = 1 << 21  # of a JSON file, besides the tiles
_SKIPPED = re.compile("([0-9]{1,9}) tiles, left out")  # written by a file itself, the parser refuses it
_LONG_LISTS = re.compile(  # of whole numbers; texts are passed over, as they could hold one
    r'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)|'
    r"\[(?=[ \t\n\r0-9,]{200})[ \t\n\r]*+(?:0|[1-9][0-9]*+)"
    r"(?:[ \t\n\r]*+,[ \t\n\r]*+(?:0|[1-9][0-9]*+))*+[ \t\n\r]*+\]",
    re.DOTALL,
)
_WINDOWS = {"": None, "zlib": zlib.MAX_WBITS, "gzip": zlib.MAX_WBITS | 16}
_BYTES_PER_TILE = 4

Raw = dict[str, Any]


class _Part(NamedTuple):
    """The tiles of a layer or of one of its chunks, as the file has them: as a list only in JSON."""

    where: str
    width: int
    height: int
    data: object
    encoding: str
    compression: str


def check_tiled(path: str | os.PathLike[str]) -> None:
    """Refuse a Tiled map that leads out of its folder, lacks a file, or holds more or fewer tiles than it says."""
    raw = _read_raw(path)
    _check_map(raw, path)
    waiting = [file_inside(name, path, what) for name, what in _named_files(raw)]
    seen: set[str] = set()
    while waiting:
        file = waiting.pop()
        if file in seen:
            continue
        seen.add(file)
        if len(seen) > _MOST_FILES:
            raise MapError(f"{path} names more than {_MOST_FILES:,} other files")
        waiting += [file_inside(name, file, what, path) for name, what in _named_files(_read_raw(file))]


def _check_map(raw: Raw | ElementTree.Element, path: str | os.PathLike[str]) -> None:
    is_map = raw.tag == "map" if isinstance(raw, ElementTree.Element) else {"layers", "tilesets"} <= raw.keys()
    if not is_map:
        raise MapError(f"{path} is not a Tiled map")
    orientation = raw.get("orientation")
    if orientation != "orthogonal":
        raise MapError(f"{path} must be an orthogonal map, not {shown(orientation)}")
    infinite = raw.get("infinite") in ("1", True)
    width, height = (_whole(raw.get(name), f"{path}: the map's {name}") for name in ("width", "height"))
    if not infinite:
        check_size(width, height, str(path))
    tiles = 0
    for part, is_chunk in _parts(raw, str(path)):
        if is_chunk and not infinite:
            raise MapError(f"{part.where} is stored in chunks, but the map is not infinite")
        if not infinite and (part.width, part.height) != (width, height):
            raise MapError(f"{part.where} is {part.width} x {part.height} tiles, but the map is {width} x {height}")
        check_size(part.width, part.height, part.where)
        tiles += part.width * part.height
        if tiles > _MOST_TILES:
            raise MapError(f"{path} is too large: its layers have more than {_MOST_TILES:,} tiles")
        _check_data(part)


def _check_data(part: _Part) -> None:
    """Refuse data that does not hold exactly the promised tiles; compressed data is never inflated beyond them."""
    wanted = part.width * part.height
    if isinstance(part.data, list) and not part.encoding:
        found, unit = len(part.data), "tiles"
    elif not part.encoding and (skipped := _SKIPPED.fullmatch(str(part.data))):
        found, unit = int(skipped[1]), "tiles"
    elif part.encoding == "csv" and isinstance(part.data, str):
        found, unit = part.data.count(",") + 1, "tiles"
    elif part.encoding == "base64" and part.compression in _WINDOWS:
        found, wanted, unit = _inflated_size(part), wanted * _BYTES_PER_TILE, "bytes"
    else:
        kind = part.compression or part.encoding or type(part.data).__name__
        raise MapError(f"{part.where} is stored as {shown(kind)}; save it as CSV, or as Base64 with zlib or gzip")
    if found != wanted:
        more = "at least " if found > wanted else ""
        raise MapError(f"{part.where} should hold {wanted:,} {unit} of tile data, but it holds {more}{found:,}")


def _inflated_size(part: _Part) -> int:
    """Bytes of tile data in a Base64 text, or one more than there should be if there are too many."""
    window = _WINDOWS[part.compression]
    try:
        packed = base64.b64decode(str(part.data or ""))
        if window is None:
            return len(packed)
        stream = zlib.decompressobj(window)
        most = part.width * part.height * _BYTES_PER_TILE + 1
        size = len(stream.decompress(packed, most))
    except (binascii.Error, ValueError, zlib.error):
        raise MapError(f"{part.where} is damaged: its {part.compression or 'Base64'} data cannot be read") from None
    if size < most and not stream.eof:
        raise MapError(f"{part.where} is damaged: its {part.compression} data is cut off")
    # After the end may follow another compressed part, which the parser would inflate too.
    return most if stream.unused_data.strip(b"\0") else size


def _parts(raw: Raw | ElementTree.Element, path: str) -> Iterator[tuple[_Part, bool]]:
    """Every layer or chunk that holds tiles, and whether it is a chunk."""
    for layer in _tile_layers(raw):
        where = f"{path}: layer {shown(layer.get('name', ''))}"
        if isinstance(layer, ElementTree.Element):
            data = layer.find("data")
            if data is None:
                continue
            encoding, compression = data.get("encoding") or "csv", data.get("compression", "")
            pieces = [(piece, piece.text) for piece in data.findall("chunk")]
            if not pieces and data.find("tile") is not None:
                raise MapError(f"{where} is stored as XML; save it as CSV, or as Base64 with zlib or gzip")
            whole = None if pieces else (layer, data.text)
        else:
            encoding, compression = layer.get("encoding"), layer.get("compression") or ""
            if encoding not in (None, "base64"):  # unlike None, the parser takes any other for Base64
                raise MapError(f"{where} is stored as {shown(encoding)}; save it as CSV, or as Base64")
            chunks = layer.get("chunks") or []
            if not isinstance(chunks, list) or not all(isinstance(piece, dict) for piece in chunks):
                raise MapError(f"{where} is damaged: its chunks are not a list of chunks")
            pieces = [(piece, piece.get("data")) for piece in chunks]
            whole = (layer, layer["data"]) if layer.get("data") is not None else None
        for piece, data_of_piece in [*pieces, *([whole] if whole else [])]:
            width, height = (_whole(piece.get(name), f"{where}: its {name}") for name in ("width", "height"))
            yield _Part(where, width, height, data_of_piece, str(encoding or ""), str(compression)), piece is not layer


def _tile_layers(raw: Raw | ElementTree.Element) -> Iterator[Any]:
    if isinstance(raw, ElementTree.Element):
        yield from raw.iter("layer")
    else:
        yield from (found for found in _dicts(raw) if found.get("type") == "tilelayer")


def _named_files(raw: Raw | ElementTree.Element) -> Iterator[tuple[object, str]]:
    """The other files that the parser would open: tilesets, and templates of objects."""
    if isinstance(raw, ElementTree.Element):
        yield from ((tileset.get("source"), "tileset") for tileset in raw.iter("tileset") if "source" in tileset.attrib)
        yield from ((thing.get("template"), "template") for thing in raw.iter("object") if "template" in thing.attrib)
        return
    for found in _dicts(raw):
        tilesets = found.get("tilesets")
        for tileset in [*(tilesets if isinstance(tilesets, list) else ()), found.get("tileset")]:
            if isinstance(tileset, dict) and tileset.get("source") is not None:
                yield tileset["source"], "tileset"
        if found.get("template") is not None:
            yield found["template"], "template"


def _dicts(raw: object) -> Iterator[Raw]:
    waiting = [raw]
    while waiting:
        found = waiting.pop()
        if isinstance(found, dict):
            yield found
            waiting.extend(value for value in found.values() if isinstance(value, (dict, list)))
        elif isinstance(found, list):
            waiting.extend(value for value in found if isinstance(value, (dict, list)))


def _read_raw(path: str | os.PathLike[str]) -> Raw | ElementTree.Element:
    """A Tiled file as XML without any DOCTYPE, or as JSON; which of the two is decided as the parser does."""
    content = read_bytes(path, "Tiled file", _MOST_FILE_BYTES)
    try:
        text = content.decode("utf-8")  # no other encoding, or a DOCTYPE could hide in it
        del content
        if max(text.count("<"), text.count("[") + text.count("{")) > _MOST_THINGS:
            raise MapError(f"{path} is too large for a Tiled file: it consists of more than {_MOST_THINGS:,} things")
        if not text.startswith("<"):
            text = _without_long_lists(text)
            if text.count(",") > _MOST_VALUES:
                raise MapError(f"{path} is too large for a Tiled file: it holds more than {_MOST_VALUES:,} values")
            raw = json.loads(text, object_pairs_hook=partial(_without_repeats, path))
            if not isinstance(raw, dict):
                raise MapError(f"{path} is not a Tiled file")
            return raw
        if "<!DOCTYPE" in text or "<!ENTITY" in text:
            raise MapError(f"{path} has a DOCTYPE, which no Tiled file needs, so it is not read")
        return ElementTree.fromstring(text)  # noqa: S314 - without a DOCTYPE there are no entities to expand
    except UnicodeDecodeError:
        raise MapError(f"{path} is not a Tiled file: it is not UTF-8 text") from None
    except (ElementTree.ParseError, json.JSONDecodeError, RecursionError) as error:
        raise MapError(f"{path} is not a Tiled file: {shown(str(error))}") from None


def _without_long_lists(text: str) -> str:
    """JSON with a note in place of each long list of numbers, which as objects would be several times as large."""
    pieces, at = [], 0
    for found in _LONG_LISTS.finditer(text):
        first, last = found.span()
        if text[first] == "[":
            pieces += [text[at:first], f'"{text.count(",", first, last) + 1} tiles, left out"']
            at = last
    return "".join([*pieces, text[at:]]) if pieces else text


def _without_repeats(path: str | os.PathLike[str], pairs: list[tuple[str, Any]]) -> Raw:
    """A JSON object, refused if it gives a name twice: readers differ in which of the two they take."""
    found = dict(pairs)
    if len(found) < len(pairs):
        ((name, _),) = Counter(name for name, _ in pairs).most_common(1)
        raise MapError(f"{path} is not a Tiled file: it gives {shown(name)} twice")
    return found


def _whole(value: object, what: str) -> int:
    text = str(value)
    if isinstance(value, bool) or not text.isascii() or not text.isdigit() or len(text) > 9:
        raise MapError(f"{what} must be a whole number, not {shown(value)}")
    return int(text)
