"""Tiled maps (TMX and JSON): walls are the tiles of a collision layer, or tiles with a boolean property."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from waypost.errors import MapError, ParameterError, shown
from waypost.maps.tiled_guard import check_tiled
from waypost.system.extras import need
from waypost.world.grid import check_size

__all__ = ["read_tiled"]

DEFAULT_LAYER = "Collision"
_MOST_CELLS = 1 << 26  # a small file can span many: chunks may lie far apart, and layers may be empty
_TILE_BITS = 0x0FFFFFFF  # the upper bits say how a tile is turned

Box = tuple[int, int, int, int]
Gids = npt.NDArray[np.uint32]


def read_tiled(
    path: str | os.PathLike[str], *, layer: str | None = None, blocked_property: str | None = None
) -> npt.NDArray[np.bool_]:
    """The open cells of an orthogonal Tiled map as a (height, width) array.

    A cell is a wall where the tile layer called `layer` has a tile, or where a tile of any layer has the boolean
    custom property `blocked_property` set; without either, the layer is "Collision". An infinite map is as large as
    the chunks of all its layers together, and cell (0, 0) is their upper left corner.
    """
    for name, value in (("layer", layer), ("blocked_property", blocked_property)):
        if value is not None and not isinstance(value, str):
            raise ParameterError(f"{name} must be a name, not {shown(value)}")
    parser = need("pytiled_parser", "Tiled maps", "maps")
    check_tiled(path)
    try:
        return _open_cells(parser.parse_map(Path(path)), path, layer, blocked_property)
    except MapError:
        raise
    except KeyError as error:
        raise MapError(f"{path} cannot be read as a Tiled map: something in it lacks {shown(error.args[0])}") from None
    except RecursionError:
        raise MapError(f"{path} cannot be read as a Tiled map: its layers are nested too deeply") from None
    except Exception as error:  # whatever a malformed field leads to, in the parser or here
        raise MapError(f"{path} cannot be read as a Tiled map: {type(error).__name__} {shown(str(error))}") from None


def _open_cells(
    tiled: Any, path: str | os.PathLike[str], layer: str | None, blocked_property: str | None
) -> npt.NDArray[np.bool_]:
    layers = [(found.name, list(_blocks(found))) for found in _all_layers(tiled.layers) if _is_tile_layer(found)]
    left, top, right, bottom = _bounds(tiled, layers, path)
    is_wall = np.zeros((bottom - top, right - left), np.bool_)
    if layer is not None or blocked_property is None:
        wanted = DEFAULT_LAYER if layer is None else layer
        _check_layer(wanted, [name for name, _ in layers], path, was_said=layer is not None)
        for name, blocks in layers:
            if name == wanted:
                _mark(is_wall, (left, top), ((x, y, gids != 0) for x, y, gids in blocks))
    if blocked_property is not None:
        walls = _gids_with(tiled.tilesets, blocked_property, path)
        for _, blocks in layers:
            _mark(is_wall, (left, top), ((x, y, np.isin(gids & _TILE_BITS, walls)) for x, y, gids in blocks))
    return ~is_wall


def _all_layers(layers: Any) -> Iterator[Any]:
    """Layers in the order of the file, those in groups included."""
    for layer in layers or ():
        if hasattr(layer, "layers"):
            yield from _all_layers(layer.layers)
        else:
            yield layer


def _is_tile_layer(layer: Any) -> bool:
    return hasattr(layer, "chunks") and hasattr(layer, "data")


def _blocks(layer: Any) -> Iterator[tuple[int, int, Gids]]:
    """The rectangles of tiles that a layer consists of, with the place of their upper left tile."""
    if layer.chunks:
        for chunk in layer.chunks:
            x, y = chunk.coordinates
            yield int(x), int(y), np.asarray(chunk.data, np.uint32)
    elif layer.data:
        yield 0, 0, np.asarray(layer.data, np.uint32)


def _bounds(tiled: Any, layers: list[tuple[str, list[tuple[int, int, Gids]]]], path: str | os.PathLike[str]) -> Box:
    left, top, right, bottom = 0, 0, int(tiled.map_size.width), int(tiled.map_size.height)
    if tiled.infinite:
        boxes = [(x, y, x + gids.shape[1], y + gids.shape[0]) for _, blocks in layers for x, y, gids in blocks]
        if not boxes:
            raise MapError(f"{path} is empty: none of its layers has a chunk of tiles")
        left, top = (min(box[i] for box in boxes) for i in (0, 1))
        right, bottom = (max(box[i] for box in boxes) for i in (2, 3))
    width, height = right - left, bottom - top
    check_size(width, height, str(path))
    if width * height > _MOST_CELLS:
        raise MapError(f"{path} is too large: its tiles span {width} x {height} cells, more than {_MOST_CELLS:,}")
    return left, top, right, bottom


def _mark(is_wall: npt.NDArray[np.bool_], corner: tuple[int, int], blocks: Iterator[tuple[int, int, Any]]) -> None:
    for x, y, blocked in blocks:
        height, width = blocked.shape
        row, column = y - corner[1], x - corner[0]
        is_wall[row : row + height, column : column + width] |= blocked


def _check_layer(wanted: str, names: list[str], path: str | os.PathLike[str], was_said: bool) -> None:
    if wanted in names:
        return
    there = f"its tile layers are {', '.join(map(shown, names[:20]))}" if names else "it has no tile layers"
    hint = "" if was_said else "; say which with layer=, or give blocked_property="
    raise MapError(f"{path} has no tile layer called {shown(wanted)}: {there}{hint}")


def _gids_with(tilesets: dict[int, Any], name: str, path: str | os.PathLike[str]) -> list[int]:
    """Global ids of the tiles whose boolean property is set."""
    walls: list[int] = []
    others: set[str] = set()
    for first, tileset in tilesets.items():
        for tile in (tileset.tiles or {}).values():
            properties = tile.properties or {}
            others |= properties.keys()
            value = properties.get(name)
            if value is True:
                walls.append(int(first) + int(tile.id))
            elif value is not None and value is not False:
                raise MapError(f"{path}: the tile property {shown(name)} must be boolean, not {shown(value)}")
    if name not in others:
        names = ", ".join(map(shown, sorted(others, key=str)[:20])) or "none"
        raise MapError(f"{path} has no tile with the property {shown(name)}: its tiles have {names}")
    return walls
