"""ROS map_server maps: a yaml file and the occupancy image it names, as ROS 2's map_server reads them."""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from waypost.errors import MapError, ParameterError, shown
from waypost.maps.image import MOST_PLAIN_PIXELS, Pixels, check_pixels, load_pixels, pixel_bands
from waypost.maps.references import file_inside
from waypost.system.extras import need
from waypost.system.files import read_bytes, write_atomically
from waypost.world.frame import Frame, finite_number, metres_per_cell, origin_of
from waypost.world.grid import Grid

__all__ = [
    "FREE",
    "OCCUPIED",
    "UNKNOWN",
    "RosCells",
    "RosMap",
    "image_beside",
    "image_of",
    "read_occupancy",
    "read_ros",
    "write_ros",
]

FREE, OCCUPIED, UNKNOWN = 0, 100, -1

MODES = ("trinary", "scale", "raw")
_FIELDS = ("image", "resolution", "origin", "negate", "occupied_thresh", "free_thresh")
_MOST_YAML_BYTES = 1 << 16
_MOST_YAML_DEPTH = 8
_MOST_YAML_EVENTS = 1000  # the parser takes its time for each, and a map_server file has some twenty

# What map_saver writes: its free grey, and thresholds that read it back.
_WRITTEN_FREE, _WRITTEN_OCCUPIED = 254, 0
_WRITTEN_THRESHOLDS = "occupied_thresh: 0.65\nfree_thresh: 0.25\n"


class RosMap(NamedTuple):
    """A map_server map: occupancy from 0 (free) to 100 (occupied) or -1 (unknown), upper row first, and its frame."""

    occupancy: npt.NDArray[np.int8]
    frame: Frame


class RosCells(NamedTuple):
    """Where a map_server map is open, and its frame."""

    is_open: npt.NDArray[np.bool_]
    frame: Frame


class _Settings(NamedTuple):
    image: str
    resolution: float
    origin: tuple[float, float, float]
    negate: bool
    occupied_thresh: float
    free_thresh: float
    mode: str


def read_ros(path: str | os.PathLike[str], *, unknown_open: bool = False) -> RosCells:
    """The open cells of a map_server map: those of occupancy 0, and with `unknown_open` the unknown ones too."""
    occupancy, frame = read_occupancy(path)
    is_open = occupancy == FREE
    if unknown_open:
        is_open |= occupancy == UNKNOWN
    return RosCells(is_open, frame)


def read_occupancy(path: str | os.PathLike[str]) -> RosMap:
    """The occupancy of a map_server map, and the frame that relates its cells to metres."""
    settings = _read_settings(path)
    image = load_pixels(settings.image)
    occupancy = np.empty((image.height, image.width), np.int8)
    table = None
    for rows, band in pixel_bands(image):
        shades, most = _shades(band, average_alpha=settings.mode == "trinary")
        if table is None:
            table = _occupancy_of_shades(most, settings)
        occupancy[rows] = table[shades]
        if settings.mode == "scale" and band.mode in ("LA", "RGBA"):
            occupancy[rows][np.asarray(band.getchannel("A")) < 255] = UNKNOWN
    return RosMap(occupancy, Frame(settings.resolution, *settings.origin, image.width, image.height))


def write_ros(
    path: str | os.PathLike[str],
    grid: Grid,
    *,
    resolution: float | None = None,
    origin: tuple[float, float, float] | None = None,
) -> None:
    """Write a grid as a map_server yaml file and a .pgm image of the same name beside it.

    What is not given is that of the grid's frame; a grid without one has cells of a metre, and its corner at (0, 0).
    """
    there = grid.frame or Frame(1.0, 0.0, 0.0, 0.0, grid.width, grid.height)
    metres = there.resolution if resolution is None else metres_per_cell(resolution)
    pose = (there.origin_x, there.origin_y, there.yaw) if origin is None else origin_of(origin)
    check_pixels(grid.width, grid.height, "the map", MOST_PLAIN_PIXELS)
    image = image_beside(path)
    write_atomically(image, _grey_image(grid))
    text = (  # a JSON string is a YAML string too, whatever the name
        f"image: {json.dumps(image.name)}\nmode: trinary\nresolution: {metres!r}\norigin: {[*pose]!r}\n"
        f"negate: 0\n{_WRITTEN_THRESHOLDS}"
    )
    write_atomically(path, text.encode())


def _grey_image(grid: Grid) -> Iterator[bytes]:
    """The cells as a binary PGM file, some rows at a time."""
    yield b"P5\n%d %d\n255\n" % (grid.width, grid.height)
    for band in grid.open_bands():
        yield np.where(band, np.uint8(_WRITTEN_FREE), np.uint8(_WRITTEN_OCCUPIED)).tobytes()


def image_beside(path: str | os.PathLike[str]) -> Path:
    """Where `write_ros` writes the image of a yaml file."""
    return Path(path).with_suffix(".pgm")


def image_of(path: str | os.PathLike[str]) -> str:
    """The image that a yaml file names."""
    return _read_settings(path).image


def _shades(band: Pixels, average_alpha: bool) -> tuple[npt.NDArray[Any], int]:
    """The brightness of each pixel as a sum over channels, and the sum of a white one.

    The mean of red, green and blue; in trinary mode map_server averages alpha in with them.
    """
    if band.mode.startswith("I"):
        return np.asarray(band), 65535
    if band.mode in ("LA", "RGBA"):
        channels = np.asarray(band.convert("RGBA"))[:, :, : 4 if average_alpha else 3]
    elif band.mode == "RGB":
        channels = np.asarray(band)
    else:
        return np.asarray(band), 255
    return channels.sum(axis=2, dtype=np.uint16), 255 * channels.shape[2]


def _occupancy_of_shades(most: int, settings: _Settings) -> npt.NDArray[np.int8]:
    """The occupancy of every brightness from black (0) to white (`most`)."""
    shade = np.arange(most + 1) / most
    if settings.mode == "raw":  # the pixel is the occupancy; thresholds and negate are not asked
        value = np.rint(shade * 255)
        return np.where(value <= OCCUPIED, value, UNKNOWN).astype(np.int8)
    p = shade if settings.negate else (most - np.arange(most + 1)) / most
    low, high = settings.free_thresh, settings.occupied_thresh
    between = np.full(most + 1, float(UNKNOWN))
    if settings.mode == "scale" and low < high:
        between = np.rint((p - low) / (high - low) * 100)
    return np.where(p > high, OCCUPIED, np.where(p < low, FREE, between)).astype(np.int8)


def _read_settings(path: str | os.PathLike[str]) -> _Settings:
    fields = _read_yaml(path)
    missing = [name for name in _FIELDS if name not in fields]
    if missing:
        raise MapError(f"{path} is not a map_server file: it lacks {', '.join(missing)}")
    mode = fields.get("mode", "trinary")
    if mode not in MODES:
        raise MapError(f"{path}: mode must be one of {', '.join(MODES)}, not {shown(mode)}")
    if fields["negate"] not in (0, 1):
        raise MapError(f"{path}: negate must be 0 or 1, not {shown(fields['negate'])}")
    try:
        resolution = metres_per_cell(fields["resolution"])
        low, high = (finite_number(fields[name], name) for name in ("free_thresh", "occupied_thresh"))
        origin = origin_of(fields["origin"])
    except ParameterError as error:
        raise MapError(f"{path}: {error}") from None
    if not 0 <= low <= high <= 1:
        raise MapError(f"{path}: thresholds must keep 0 <= free_thresh <= occupied_thresh <= 1, not {low} and {high}")
    image = file_inside(fields["image"], path, "image")
    return _Settings(image, resolution, origin, bool(fields["negate"]), high, low, mode)


def _read_yaml(path: str | os.PathLike[str]) -> dict[Any, Any]:
    """A small yaml file without aliases, which could make it grow without end, and without repeated names."""
    yaml = need("yaml", "ROS map files", "maps")
    content = read_bytes(path, "ROS map file", _MOST_YAML_BYTES)
    depth = 0
    try:
        for count, event in enumerate(yaml.parse(content, Loader=yaml.SafeLoader)):
            if count > _MOST_YAML_EVENTS:
                raise MapError(f"{path}: a map_server file has a dozen names with values, not hundreds")
            depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
            if depth > _MOST_YAML_DEPTH or getattr(event, "anchor", None) is not None:
                raise MapError(f"{path}: a map_server file has no anchors or aliases and is not deeply nested")
        root = yaml.compose(content, Loader=yaml.SafeLoader)
        names = [key.value for key, _ in root.value] if isinstance(root, yaml.MappingNode) else []
        for name in names:
            if names.count(name) > 1:
                raise MapError(f"{path} is not a map_server file: it gives {shown(name)} twice")
        fields = yaml.safe_load(content)
    except MapError:
        raise
    except Exception as error:  # the parser's own errors, and whatever its number and date constructors raise
        raise MapError(f"{path} is not a yaml file: {shown(str(error))}") from None
    if not isinstance(fields, dict):
        raise MapError(f"{path} is not a map_server file: it holds no names with values")
    return fields
