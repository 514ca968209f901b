"""ROS map_server maps: a yaml file and the occupancy image it names, as ROS 2's map_server reads them."""

import json
import math
import os
from dataclasses import astuple, dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from waypost.errors import MapError, ParameterError, shown
from waypost.maps.image import Pixels, check_pixels, load_pixels, pixel_bands
from waypost.maps.references import file_inside
from waypost.system.checks import are_numbers, whole_number
from waypost.system.extras import need
from waypost.system.files import read_bytes, write_atomically
from waypost.world.grid import Grid

__all__ = [
    "FREE",
    "OCCUPIED",
    "UNKNOWN",
    "RosFrame",
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
_MOST_TIMES = 1 << 31  # no map has more cells in a row
_MOST_YAML_BYTES = 1 << 16
_MOST_YAML_DEPTH = 8
_MOST_YAML_EVENTS = 1000  # the parser takes its time for each, and a map_server file has some twenty

# What map_saver writes: its free grey, and thresholds that read it back.
_WRITTEN_FREE, _WRITTEN_OCCUPIED = 254, 0
_WRITTEN_THRESHOLDS = "occupied_thresh: 0.65\nfree_thresh: 0.25\n"


@dataclass(frozen=True)
class RosFrame:
    """Where a map lies in the world: converts between metres and cells.

    The origin is the lower left corner of the image, turned counterclockwise by `yaw` radians; cells count from the
    upper left, so `height`, the number of rows, is part of the frame.
    """

    resolution: float
    origin_x: float
    origin_y: float
    yaw: float
    height: int

    def __post_init__(self) -> None:
        if not (_are_finite(*astuple(self)) and self.resolution > 0):
            raise ParameterError(f"a frame is finite numbers, and a resolution above 0, not {shown(astuple(self))}")

    def to_cell(self, x_metres: float, y_metres: float) -> tuple[int, int]:
        """The (x, y) of the cell that holds a place in the world; it may lie outside the map."""
        if not _are_finite(x_metres, y_metres):
            raise ParameterError(f"a place in the world is two finite numbers, not {shown((x_metres, y_metres))}")
        dx, dy = x_metres - self.origin_x, y_metres - self.origin_y
        right = (math.cos(self.yaw) * dx + math.sin(self.yaw) * dy) / self.resolution
        up = (math.cos(self.yaw) * dy - math.sin(self.yaw) * dx) / self.resolution
        if not (math.isfinite(right) and math.isfinite(up)):
            raise ParameterError(f"{shown((x_metres, y_metres))} is too far from the map for numbers to tell")
        return math.floor(right), self.height - 1 - math.floor(up)

    def to_metres(self, x: float, y: float) -> tuple[float, float]:
        """The place in the world of the centre of cell (x, y)."""
        if not _are_finite(x, y):
            raise ParameterError(f"a cell is at two finite numbers x, y, not at {shown((x, y))}")
        right, up = (x + 0.5) * self.resolution, (self.height - y - 0.5) * self.resolution
        return (
            self.origin_x + math.cos(self.yaw) * right - math.sin(self.yaw) * up,
            self.origin_y + math.sin(self.yaw) * right + math.cos(self.yaw) * up,
        )

    def cropped(self, x: int, y: int, height: int) -> "RosFrame":
        """The frame of the part of the map whose upper left cell is (x, y) and which has this many rows."""
        corner = self.to_metres(x - 0.5, y + height - 0.5)
        return RosFrame(self.resolution, *corner, self.yaw, height)

    def enlarged(self, factor: int) -> "RosFrame":
        """The frame of the map when each of its cells has become factor x factor cells."""
        factor = whole_number("the factor by which a map is enlarged", factor, lowest=1, highest=_MOST_TIMES)
        return replace(self, resolution=self.resolution / factor, height=self.height * factor)


def _are_finite(*numbers: Any) -> bool:
    try:
        return are_numbers(numbers) and all(map(math.isfinite, numbers))
    except (TypeError, OverflowError):
        return False


class RosMap(NamedTuple):
    """A map_server map: occupancy from 0 (free) to 100 (occupied) or -1 (unknown), upper row first, and its frame."""

    occupancy: npt.NDArray[np.int8]
    frame: RosFrame


class _Settings(NamedTuple):
    image: str
    resolution: float
    origin: tuple[float, float, float]
    negate: bool
    occupied_thresh: float
    free_thresh: float
    mode: str


def read_ros(path: str | os.PathLike[str], *, unknown_open: bool = False) -> npt.NDArray[np.bool_]:
    """The open cells of a map_server map: those of occupancy 0, and with `unknown_open` the unknown ones too."""
    occupancy = read_occupancy(path).occupancy
    is_open: npt.NDArray[np.bool_] = occupancy == FREE
    if unknown_open:
        is_open |= occupancy == UNKNOWN
    return is_open


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
    return RosMap(occupancy, RosFrame(settings.resolution, *settings.origin, image.height))


def write_ros(
    path: str | os.PathLike[str],
    grid: Grid,
    *,
    resolution: float = 1.0,
    origin: tuple[float, float, float] = (0.0, 0.0, 0.0),
) -> None:
    """Write a grid as a map_server yaml file and a .pgm image of the same name beside it."""
    metres = _number(resolution, "resolution")
    if metres <= 0:
        raise ParameterError(f"resolution must be more than 0 metres per cell, not {shown(resolution)}")
    pose = _origin(origin)
    check_pixels(grid.width, grid.height, "the map")
    image = image_beside(path)
    pixels = np.where(grid.is_open, np.uint8(_WRITTEN_FREE), np.uint8(_WRITTEN_OCCUPIED))
    write_atomically(image, b"P5\n%d %d\n255\n" % (grid.width, grid.height) + pixels.tobytes())
    text = (  # a JSON string is a YAML string too, whatever the name
        f"image: {json.dumps(image.name)}\nmode: trinary\nresolution: {metres!r}\norigin: {[*pose]!r}\n"
        f"negate: 0\n{_WRITTEN_THRESHOLDS}"
    )
    write_atomically(path, text.encode())


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
        resolution = _number(fields["resolution"], "resolution")
        low, high = (_number(fields[name], name) for name in ("free_thresh", "occupied_thresh"))
        origin = _origin(fields["origin"])
    except ParameterError as error:
        raise MapError(f"{path}: {error}") from None
    if resolution <= 0:
        raise MapError(f"{path}: resolution must be more than 0 metres per cell, not {resolution}")
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


def _number(value: object, name: str) -> float:
    try:
        # Text too: YAML takes 5e-2, unlike 5.0e-2, for a word.
        number = float(value) if isinstance(value, (int, float, str)) and not isinstance(value, bool) else math.nan
    except (ValueError, OverflowError):
        number = math.nan
    if not math.isfinite(number):
        raise ParameterError(f"{name} must be a finite number, not {shown(value)}")
    return number


def _origin(value: object) -> tuple[float, float, float]:
    if not isinstance(value, (list, tuple)) or len(value) != 3:
        raise ParameterError(f"origin must be three numbers [x, y, yaw], not {shown(value)}")
    x, y, yaw = (_number(part, "origin") for part in value)
    return x, y, yaw
