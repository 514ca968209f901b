"""Tiled files written out by the tests, whole or with a flaw."""

import base64
import gzip
import json
import zlib

import numpy as np

PACKERS = {"": bytes, "zlib": zlib.compress, "gzip": gzip.compress}


def packed(gids, compression="zlib"):
    return base64.b64encode(PACKERS[compression](np.asarray(gids, "<u4").tobytes())).decode()


def csv(gids):
    return ",".join(str(gid) for gid in np.asarray(gids).ravel())


def tmx_data(gids, encoding="csv", compression=""):
    kind = f' compression="{compression}"' if compression else ""
    text = csv(gids) if encoding == "csv" else packed(gids, compression)
    return f'<data encoding="{encoding}"{kind}>{text}</data>'


def tmx_layer(name, width, height, data, number=1):
    return f'<layer id="{number}" name="{name}" width="{width}" height="{height}">{data}</layer>'


def tmx(width, height, inside, infinite=0, orientation="orthogonal", before=""):
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>\n{before}<map version="1.10" tiledversion="1.10.2" '
        f'orientation="{orientation}" renderorder="right-down" width="{width}" height="{height}" tilewidth="16" '
        f'tileheight="16" infinite="{infinite}" nextlayerid="9" nextobjectid="9">\n{inside}\n</map>\n'
    )


def tsx(inside="", first=None, source=None):
    """A tileset: a file of its own, one inside a map (`first`), or a reference to a file (`source`)."""
    if source is not None:
        return f'<tileset firstgid="{first or 1}" source="{source}"/>'
    number = f' firstgid="{first}"' if first else ""
    return (
        f'<tileset{number} version="1.10" tiledversion="1.10.2" name="tiles" tilewidth="16" tileheight="16" '
        f'tilecount="64" columns="8"><image source="tiles.png" width="128" height="128"/>{inside}</tileset>'
    )


def tsx_tile(number, name, value="true", kind="bool"):
    return (
        f'<tile id="{number}"><properties><property name="{name}" type="{kind}" value="{value}"/></properties></tile>'
    )


def json_layer(name, width, height, data, **more):
    common = {"id": 1, "opacity": 1, "visible": True, "type": "tilelayer", "x": 0, "y": 0}
    content = {} if data is None else {"data": data}
    return common | {"name": name, "width": width, "height": height} | content | more


def json_tileset(first, *tiles):
    size = {"tilewidth": 16, "tileheight": 16, "tilecount": 64, "columns": 8, "margin": 0, "spacing": 0}
    image = {"image": "tiles.png", "imagewidth": 128, "imageheight": 128}
    return {"firstgid": first, "name": "tiles", "tiles": list(tiles)} | size | image


def json_tile(number, name, value=True, kind="bool"):
    return {"id": number, "properties": [{"name": name, "type": kind, "value": value}]}


def json_map(width, height, layers, tilesets=(), **more):
    raw = {
        "type": "map",
        "version": "1.10",
        "tiledversion": "1.10.2",
        "orientation": "orthogonal",
        "renderorder": "right-down",
        "width": width,
        "height": height,
        "tilewidth": 16,
        "tileheight": 16,
        "infinite": False,
        "nextlayerid": 9,
        "nextobjectid": 9,
        "layers": layers,
        "tilesets": list(tilesets),
    }
    return json.dumps(raw | more)
