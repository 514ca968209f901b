"""Map files made to do harm, by what they try: file name, content, and what the refusal must say."""

import base64
import gzip
import io
import zlib

import numpy as np

from tests.support.pictures import chunk, pgm, png
from tests.support.tiled_files import csv, json_layer, json_map, json_tileset, tmx, tmx_data, tmx_layer, tsx

WHITE = np.full((4, 5), 254, np.uint8)
GOOD_PNG = png(5, 4, b"\0\xff\xff\xff\xff\xff" * 4)
ROS = "image: {}\nresolution: 0.05\norigin: [0, 0, 0]\nnegate: 0\noccupied_thresh: 0.65\nfree_thresh: 0.25\n"
LAYER = tmx_layer("Collision", 3, 2, tmx_data([[0, 1, 0], [1, 0, 1]]))
LAUGHS = (
    '<!DOCTYPE lolz [<!ENTITY a "ha">'
    + "".join(f'<!ENTITY {b} "{f"&{a};" * 10}">' for a, b in zip("abcdefgh", "bcdefghi", strict=True))
    + "]>"
)
LEAK = '<!DOCTYPE map [<!ENTITY leak SYSTEM "file:///etc/hostname">]>'
BOMB = bytes(50_000_000)  # zeros: compressed to a thousandth


def packed_layer(data, compression):
    return tmx_layer("Collision", 3, 2, f'<data encoding="base64" compression="{compression}">{data}</data>')


def base64_of(content):
    return base64.b64encode(content).decode()


def npy(header, body=b""):
    text = header.encode().ljust(118) + b"\n"
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text + body


def npy_header(shape, kind="|b1"):
    return f"{{'descr': {kind!r}, 'fortran_order': False, 'shape': {shape}, }}"


def saved_bytes(save, *arguments, **options):
    content = io.BytesIO()
    save(content, *arguments, **options)
    return content.getvalue()


def npz():
    return saved_bytes(np.savez_compressed, np.zeros((3000, 3000)))


def text_bomb():
    return png(5, 4, bytes(24), extra=chunk(b"zTXt", b"Comment\0\0" + zlib.compress(BOMB, 9)))


YAML_LAUGHS = "a: &a [x, x, x, x]\n" + "".join(
    f"{b}: &{b} [{', '.join([f'*{a}'] * 9)}]\n" for a, b in zip("abcdefgh", "bcdefghi", strict=True)
)

# name: (file name, content, what the refusal says)
FILES = {
    "PNG of 10^6 x 10^6": ("a.png", png(10**6, 10**6, b""), "too large: 1000000 x 1000000"),
    "PNG of 2^32 x 1": ("a.png", png(2**32 - 1, 1, b""), "too large"),
    "PNG of no pixels": ("a.png", png(0, 4, b""), "is empty"),
    "PNG that inflates to 256 million pixels": (
        "a.png",
        png(16_000, 16_000, bytes(16_000 * 2001), depth=1),
        "too large for an image: 16000 x 16000 is more than 67,108,864 pixels",
    ),
    "PNG that promises far more than it holds": (
        "a.png",
        png(8000, 8000, b"\0" * 99),
        "cut off: its header promises 8000 x 8000",
    ),
    "PNG that holds less than it promises": ("a.png", png(50, 40, b"\0" * 99), "cannot be read as an image"),
    "PNG cut off in its data": ("a.png", GOOD_PNG[:-20], "cut off"),
    "PNG cut off in its header": ("a.png", GOOD_PNG[:20], "not a PNG or PGM image"),
    "PNG with damaged data": ("a.png", GOOD_PNG[:45] + b"xxxx" + GOOD_PNG[49:], "cannot be read as an image"),
    "PNG with an impossible depth": ("a.png", png(5, 4, bytes(24), depth=77), "cannot be read as an image"),
    "PNG with a bomb in its comment": ("a.png", text_bomb(), "cannot be read as an image"),
    "PNG that is a letter": ("a.png", b"Dear Sir or Madam,\n", "not a PNG or PGM image: it begins with b'Dear Sir'"),
    "PNG that is empty": ("a.png", b"", "not a PNG or PGM image"),
    "PNG that is a GIF": ("a.png", b"GIF89a\x01\0\x01\0\0\0\0;", "not a PNG or PGM image"),
    "PNG with a second header": (
        "a.png",
        GOOD_PNG[:33] + png(9000, 9000, b"")[8:33] + GOOD_PNG[33:],
        "cannot be read as an image: it has two headers",
    ),
    "PNG of many chunks": (
        "a.png",
        GOOD_PNG[:33] + chunk(b"aaAa", b"") * 140_000 + GOOD_PNG[33:],
        "consists of more than 131,072 chunks",
    ),
    "PGM of 10^6 x 10^6": ("a.pgm", b"P5 1000000 1000000 255\n", "too large"),
    "PGM of a hundred digits": ("a.pgm", b"P5 " + b"9" * 100 + b" 4 255\n", "not a PNG or PGM image"),
    "PGM cut off": ("a.pgm", pgm(WHITE)[:-1], "cut off: its header promises 5 x 4 pixels"),
    "PGM in text cut off": ("a.pgm", b"P2 100 100 255\n0 255", "cut off"),
    "PGM in text of words": ("a.pgm", b"P2 2 2 255\n0 255 hello 7", "cannot be read as an image"),
    "PGM in text with values too large": ("a.pgm", b"P2 2 2 255\n0 255 999 7", "cannot be read as an image"),
    "PGM that never ends its header": ("a.pgm", b"P5\n#" + b"x" * 100_000, "not a PNG or PGM image"),
    "PGM with no brightness": ("a.pgm", b"P5 2 2 0\n1234", "cannot be read as an image"),
    "yaml with aliases": ("a.yaml", YAML_LAUGHS, "no anchors or aliases"),
    "yaml with an anchor": ("a.yaml", "x: &x 3\n" + ROS.format("a.pgm"), "no anchors or aliases"),
    "yaml nested deeply": ("a.yaml", "[" * 30_000, "not deeply nested"),
    "yaml of a megabyte": ("a.yaml", "# " + "x" * 1_000_000, "too large for a ROS map file"),
    "yaml with a repeated name": ("a.yaml", ROS.format("a.pgm") + "negate: 1\n", "it gives 'negate' twice"),
    "yaml of many values": ("a.yaml", ROS.format("a.pgm") + "x: [" + "1," * 30_000 + "1]\n", "not hundreds"),
    "yaml that makes objects": ("a.yaml", "image: !!python/object/apply:os.system [ls]\n", "not a yaml file"),
    "yaml that is no mapping": ("a.yaml", "- 1\n- 2\n", "holds no names with values"),
    "yaml that is empty": ("a.yaml", "", "holds no names with values"),
    "yaml of two documents": ("a.yaml", "a: 1\n---\nb: 2\n", "not a yaml file"),
    "yaml that is a PNG": ("a.yaml", GOOD_PNG, "not a yaml file"),
    "yaml that names itself": ("a.yaml", ROS.format("a.yaml"), "not a PNG or PGM image"),
    "yaml with an absolute image": (
        "a.yaml",
        ROS.format("/etc/hostname"),
        "named relative to this file, not as '/etc/hostname'",
    ),
    "yaml with a Windows image": ("a.yaml", ROS.format(r"C:\a.pgm"), "named relative to this file"),
    "yaml with an image above": ("a.yaml", ROS.format("../outside.pgm"), "'../outside.pgm' is outside the folder"),
    "yaml with an image that is a link": ("a.yaml", ROS.format("link.pgm"), "'link.pgm' is outside the folder"),
    "yaml with an image in a link": ("a.yaml", ROS.format("up/outside.pgm"), "is outside the folder"),
    "yaml with an image that is a folder": ("a.yaml", ROS.format("folder"), "there is no such file"),
    "yaml with an image that is a pipe": ("a.yaml", ROS.format("pipe"), "there is no such file"),
    "yaml with an image that is no text": ("a.yaml", ROS.format('"\\ud800.pgm"'), "must be the name of a file"),
    "yaml with an image on two lines": ("a.yaml", ROS.format('"a\\nb.pgm"'), "must be the name of a file"),
    "TMX with a billion laughs": ("a.tmx", tmx(3, 2, LAYER + "&i;", before=LAUGHS), "has a DOCTYPE"),
    "TMX with an external entity": ("a.tmx", tmx(3, 2, LAYER + "&leak;", before=LEAK), "has a DOCTYPE"),
    "TMX in UTF-16": ("a.tmx", tmx(3, 2, LAYER, before=LEAK).encode("utf-16"), "not UTF-8"),
    "TMX with an entity of its own": ("a.tmx", tmx(3, 2, LAYER + "&x;"), "not a Tiled file"),
    "TMX cut off": ("a.tmx", tmx(3, 2, LAYER)[:-20], "not a Tiled file"),
    "TMX that is HTML": ("a.tmx", "<html><body>404</body></html>", "is not a Tiled map"),
    "TMX that is a PNG": ("a.tmx", GOOD_PNG, "not UTF-8"),
    "TMX of 10^6 x 10^6": ("a.tmx", tmx(10**6, 10**6, LAYER), "too large: 1000000 x 1000000"),
    "TMX of many tiles": (
        "a.tmx",
        tmx(4000, 4000, tmx_layer("Collision", 4000, 4000, tmx_data([1], "base64", "zlib"))),
        "layers have more than 8,388,608 tiles",
    ),
    "TMX of many cells without tiles": (
        "a.tmx",
        tmx(40_000, 40_000, tmx_layer("Collision", 40_000, 40_000, "")),
        "its tiles span 40000 x 40000 cells",
    ),
    "TMX of words for sizes": ("a.tmx", tmx("three", 2, LAYER), "width must be a whole number, not 'three'"),
    "TMX of a negative size": ("a.tmx", tmx(-3, 2, LAYER), "width must be a whole number"),
    "TMX that is isometric": ("a.tmx", tmx(3, 2, LAYER, orientation="isometric"), "orthogonal map, not 'isometric'"),
    "TMX with a layer of another size": (
        "a.tmx",
        tmx(4, 2, LAYER),
        "layer 'Collision' is 3 x 2 tiles, but the map is 4 x 2",
    ),
    "TMX with too few tiles": (
        "a.tmx",
        tmx(3, 2, tmx_layer("C", 3, 2, tmx_data([1, 2]))),
        "should hold 6 tiles of tile data, but it holds 2",
    ),
    "TMX with too many tiles": ("a.tmx", tmx(3, 2, tmx_layer("C", 3, 2, tmx_data([1] * 9))), "holds at least 9"),
    "TMX with words for tiles": (
        "a.tmx",
        tmx(3, 2, tmx_layer("C", 3, 2, '<data encoding="csv">a,b,c,d,e,f</data>')),
        "cannot be read as a Tiled map",
    ),
    "TMX with no tiles": ("a.tmx", tmx(3, 2, tmx_layer("C", 3, 2, '<data encoding="base64"/>')), "holds 0"),
    "TMX in XML tiles": ("a.tmx", tmx(3, 2, tmx_layer("C", 3, 2, "<data><tile/></data>")), "stored as XML"),
    "TMX in zstd": ("a.tmx", tmx(3, 2, packed_layer("AAAA", "zstd")), "stored as 'zstd'; save it as CSV"),
    "TMX with a zlib bomb": (
        "a.tmx",
        tmx(3, 2, packed_layer(base64_of(zlib.compress(BOMB)), "zlib")),
        "24 bytes of tile data, but it holds at least 25",
    ),
    "TMX with a gzip bomb": (
        "a.tmx",
        tmx(3, 2, packed_layer(base64_of(gzip.compress(BOMB)), "gzip")),
        "holds at least 25",
    ),
    "TMX with a bomb behind good data": (
        "a.tmx",
        tmx(3, 2, packed_layer(base64_of(gzip.compress(bytes(24)) + gzip.compress(BOMB)), "gzip")),
        "holds at least 25",
    ),
    "TMX with zlib data cut off": (
        "a.tmx",
        tmx(3, 2, packed_layer(base64_of(zlib.compress(bytes(24))[:-2]), "zlib")),
        "zlib data is cut off",
    ),
    "TMX with data that is not zlib": ("a.tmx", tmx(3, 2, packed_layer("AAAA", "zlib")), "zlib data cannot be read"),
    "TMX with data that is not Base64": ("a.tmx", tmx(3, 2, packed_layer("A", "zlib")), "zlib data cannot be read"),
    "TMX with a missing tileset": (
        "a.tmx",
        tmx(3, 2, tsx(source="gone.tsx") + LAYER),
        "names the tileset 'gone.tsx', but there is no such file",
    ),
    "TMX with a tileset above": (
        "a.tmx",
        tmx(3, 2, tsx(source="../outside.tsx") + LAYER),
        "tileset '../outside.tsx' is outside the folder",
    ),
    "TMX with an absolute tileset": (
        "a.tmx",
        tmx(3, 2, tsx(source="/dev/zero") + LAYER),
        "named relative to this file",
    ),
    "TMX with a tileset in a link": ("a.tmx", tmx(3, 2, tsx(source="up/outside.tsx") + LAYER), "is outside the folder"),
    "TMX with a tileset that laughs": (
        "a.tmx",
        tmx(3, 2, tsx(source="laughs.tsx") + LAYER),
        r"laughs\.tsx has a DOCTYPE",
    ),
    "TMX with a tileset that is a PNG": ("a.tmx", tmx(3, 2, tsx(source="good.png") + LAYER), "not UTF-8"),
    "TMX with a tileset of nothing": (
        "a.tmx",
        tmx(3, 2, tsx(source="bare.tsx") + LAYER),
        "cannot be read as a Tiled map",
    ),
    "TMX with a template outside": (
        "a.tmx",
        tmx(3, 2, LAYER + '<objectgroup id="2" name="T"><object id="1" template="../outside.tx"/></objectgroup>'),
        "template '../outside.tx' is outside the folder",
    ),
    "TMX with a template that leads outside": (
        "a.tmx",
        tmx(3, 2, LAYER + '<objectgroup id="2" name="T"><object id="1" template="folder/inner.tx"/></objectgroup>'),
        "'../../outside.tsx' is outside the folder",
    ),
    "TMX in groups without end": (
        "a.tmx",
        tmx(3, 2, "<group>" * 20_000 + "</group>" * 20_000),
        "cannot be read as a Tiled map",
    ),
    "TMX whose chunks are far apart": (
        "a.tmx",
        tmx(
            3,
            2,
            tmx_layer(
                "Collision",
                3,
                2,
                '<data encoding="csv">'
                + "".join(f'<chunk x="{at}" y="{at}" width="1" height="1">1</chunk>' for at in (0, 40_000))
                + "</data>",
            ),
            infinite=1,
        ),
        "its tiles span 40001 x 40001 cells",
    ),
    "TMX whose chunks are words apart": (
        "a.tmx",
        tmx(
            3,
            2,
            tmx_layer("C", 3, 2, '<data encoding="csv"><chunk x="far" y="0" width="1" height="1">1</chunk></data>'),
            infinite=1,
        ),
        "cannot be read as a Tiled map",
    ),
    "TMX without chunks": ("a.tmx", tmx(3, 2, tmx_layer("C", 3, 2, ""), infinite=1), "none of its layers has a chunk"),
    "TMX with chunks though it is not infinite": (
        "a.tmx",
        tmx(
            3,
            2,
            tmx_layer(
                "C", 3, 2, f'<data encoding="csv"><chunk x="0" y="0" width="3" height="2">{csv([1] * 6)}</chunk></data>'
            ),
        ),
        "stored in chunks, but the map is not infinite",
    ),
    "TMX of many elements": ("a.tmx", tmx(3, 2, "<a/>" * 1_100_000), "consists of more than 1,048,576 things"),
    "JSON of many lists": ("a.json", "[" + "[]," * 1_100_000 + "[]]", "consists of more than 1,048,576 things"),
    "JSON with a repeated name": (
        "a.json",
        json_map(3, 2, []).replace('"width"', '"width": 7, "width"', 1),
        "is not a Tiled file: it gives 'width' twice",
    ),
    "JSON that is a list": ("a.json", "[1, 2]", "is not a Tiled file"),
    "JSON that is something else": ("a.json", '{"name": "waypost"}', "is not a Tiled map"),
    "JSON nested deeply": ("a.json", "[" * 1_000_000, "is not a Tiled file"),
    "JSON cut off": ("a.json", json_map(3, 2, [])[:-3], "is not a Tiled file"),
    "JSON that is TMX with a leak": ("a.json", tmx(3, 2, LAYER + "&leak;", before=LEAK), "has a DOCTYPE"),
    "JSON of 10^12 tiles": ("a.json", json_map(10**6, 10**6, []), "too large"),
    "JSON with a zlib bomb": (
        "a.json",
        json_map(3, 2, [json_layer("C", 3, 2, base64_of(zlib.compress(BOMB)), encoding="base64", compression="zlib")]),
        "holds at least 25",
    ),
    "JSON with a bomb in a chunk": (
        "a.json",
        json_map(
            3,
            2,
            [
                json_layer(
                    "C",
                    3,
                    2,
                    None,
                    encoding="base64",
                    compression="gzip",
                    chunks=[{"x": 0, "y": 0, "width": 3, "height": 2, "data": base64_of(gzip.compress(BOMB))}],
                )
            ],
            infinite=True,
        ),
        "holds at least 25",
    ),
    "JSON with a bomb of no encoding": (
        "a.json",
        json_map(1, 1, [json_layer("C", 1, 1, base64_of(gzip.compress(BOMB)), encoding="", compression="gzip")]),
        "stored as ''",
    ),
    "JSON with data that is text": ("a.json", json_map(1, 1, [json_layer("C", 1, 1, "1")]), "stored as 'str'"),
    "JSON with data that is a number": ("a.json", json_map(1, 1, [json_layer("C", 1, 1, 1)]), "stored as 'int'"),
    "JSON in CSV": ("a.json", json_map(1, 1, [json_layer("C", 1, 1, "1", encoding="csv")]), "stored as 'csv'"),
    "JSON with chunks that are numbers": (
        "a.json",
        json_map(1, 1, [json_layer("C", 1, 1, None, chunks=[1])], infinite=True),
        "chunks are not a list of chunks",
    ),
    "JSON that lacks a field": ("a.json", json_map(1, 1, [{"type": "tilelayer"}]), "something in it lacks 'name'"),
    "JSON with a name that is no text": (
        "a.json",
        json_map(1, 1, [], [{"firstgid": 1, "source": "\ud800.tsx"}]),
        "must be the name of a file",
    ),
    "JSON with tile ids that are words": (
        "a.json",
        json_map(1, 1, [json_layer("Collision", 1, 1, [1])], [json_tileset("one")]),
        "no open cell|cannot be read as a Tiled map",
    ),
    "JSON with huge tile numbers": (
        "a.json",
        json_map(3, 2, [json_layer("Collision", 3, 2, [10**30] * 6)]),
        "cannot be read as a Tiled map",
    ),
    "JSON with tiles that are words": (
        "a.json",
        json_map(3, 2, [json_layer("Collision", 3, 2, ["a"] * 6)]),
        "cannot be read as a Tiled map",
    ),
    "JSON with a missing tileset": (
        "a.json",
        json_map(3, 2, [], [{"firstgid": 1, "source": "gone.tsj"}]),
        "there is no such file",
    ),
    "JSON with a tileset outside": (
        "a.json",
        json_map(3, 2, [], [{"source": "/dev/zero"}]),
        "named relative to this file",
    ),
    "JSON with a tileset that is a number": (
        "a.json",
        json_map(3, 2, [], [{"firstgid": 1, "source": 7}]),
        "must be the name of a file",
    ),
    "JSON with a size that is a list": ("a.json", json_map([3], 2, []), "width must be a whole number"),
    "JSON with layers that are no list": ("a.json", json_map(3, 2, {"a": 1}), "cannot be read as a Tiled map"),
    "npy of pickled objects": (
        "a.npy",
        saved_bytes(np.save, np.array([[print]], object), allow_pickle=True),
        "pickled Python objects",
    ),
    "npy that is a pickle": ("a.npy", b"\x80\x04\x95\x0b\0\0\0\0\0\0\0\x8c\x07builtin\x94.", r"is not a \.npy file"),
    "npy that is a zip": ("a.npy", npz(), r"is not a \.npy file"),
    "npy of 10^12 elements": ("a.npy", npy(npy_header((10**6, 10**6))), "too large: 1000000 x 1000000"),
    "npy that promises more than it holds": ("a.npy", npy(npy_header((30_000, 30_000)), b"\1" * 99), "cut off"),
    "npy of a negative size": ("a.npy", npy(npy_header((-1, 4)), b"\1" * 99), "is empty|damaged"),
    "npy of huge elements": ("a.npy", npy(npy_header((2, 2), "<U1000000000")), "numbers or booleans|damaged"),
    "npy of no bytes per cell": ("a.npy", npy(npy_header((40_000, 40_000), "|V0")), "numbers or booleans"),
    "npy of records": ("a.npy", saved_bytes(np.save, np.zeros((2, 2), [("a", "i4")])), "numbers or booleans"),
    "npy of three dimensions": ("a.npy", saved_bytes(np.save, np.zeros((2, 2, 2), bool)), "two-dimensional"),
    "npy with code for a header": ("a.npy", npy("__import__('os').system('ls')"), "header is damaged"),
    "npy cut off in its header": ("a.npy", npy(npy_header((2, 2)))[:40], "header is damaged"),
    "npy of a later version": ("a.npy", b"\x93NUMPY\x09\x00" + bytes(200), r"is not a \.npy file"),
    "map that is a PNG": ("a.map", GOOD_PNG, "not ASCII"),
}
