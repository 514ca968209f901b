import numpy as np
import pytest

import waypost as wp
from tests.support.tiled_files import (
    csv,
    json_layer,
    json_map,
    json_tile,
    json_tileset,
    packed,
    tmx,
    tmx_data,
    tmx_layer,
    tsx,
    tsx_tile,
)
from waypost.maps.tiled import read_tiled

GIDS = np.array([[0, 1, 0], [7, 0, 2]])
OPEN = (GIDS == 0).tolist()
GROUND = np.full((2, 3), 5)


@pytest.fixture
def written(tmp_path):
    def written(text, name="a.tmx"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        return path

    return written


@pytest.mark.parametrize(
    ("encoding", "compression"), [("csv", ""), ("base64", ""), ("base64", "zlib"), ("base64", "gzip")]
)
def test_collision_layer_of_tmx(written, encoding, compression):
    layers = tmx_layer("Ground", 3, 2, tmx_data(GROUND)) + tmx_layer(
        "Collision", 3, 2, tmx_data(GIDS, encoding, compression), 2
    )
    path = written(tmx(3, 2, tsx(first=1) + layers))
    assert wp.load_map(path).is_open.tolist() == OPEN
    with pytest.raises(wp.WaypostError, match="no open cell"):
        wp.load_map(path, layer="Ground")


@pytest.mark.parametrize("ending", ["json", "tmj"])
@pytest.mark.parametrize("compression", [None, "", "zlib", "gzip"])
def test_collision_layer_of_json(written, ending, compression):
    if compression is None:
        layer = json_layer("Walls", 3, 2, GIDS.ravel().tolist())
    else:
        layer = json_layer("Walls", 3, 2, packed(GIDS, compression), encoding="base64", compression=compression)
    path = written(json_map(3, 2, [layer], [json_tileset(1)]), f"a.{ending}")
    assert wp.load_map(path, layer="Walls").is_open.tolist() == OPEN


def test_layers_in_groups_and_other_kinds_of_layers(written):
    things = '<objectgroup id="5" name="Things"><object id="1" x="1" y="1" width="4" height="4"/></objectgroup>'
    inner = tmx_layer("Collision", 3, 2, tmx_data(GIDS))
    again = tmx_layer("Collision", 3, 2, tmx_data([[0, 0, 1], [0, 0, 0]]), 7)
    group = f'<group id="3" name="Level"><group id="4" name="Inner">{inner}</group></group>'
    path = written(tmx(3, 2, things + group))
    assert wp.load_map(path).is_open.tolist() == OPEN
    path = written(tmx(3, 2, things + group + again))
    assert wp.load_map(path).is_open.tolist() == [[True, False, False], [False, True, False]], "same name: all count"


TURNED = 0x80000000 | 3  # mirrored: the tile is the same


def test_tile_property_of_tmx(written):
    tiles = tsx(tsx_tile(2, "collides") + tsx_tile(3, "collides", "false") + tsx_tile(4, "grass"), first=1)
    below = tmx_layer("Ground", 3, 2, tmx_data([[1, 3, 4], [5, TURNED, 0]]))
    above = tmx_layer("Trees", 3, 2, tmx_data([[3, 0, 0], [0, 0, 0]], "base64", "zlib"), 2)
    path = written(tmx(3, 2, tiles + below + above))
    assert read_tiled(path, blocked_property="collides").tolist() == [[False, False, True], [True, False, True]]
    both = read_tiled(path, blocked_property="grass", layer="Trees").tolist()
    assert both == [[False, True, True], [False, True, True]]


def test_tilesets_in_files_of_their_own(written):
    written(tsx(tsx_tile(0, "collides")), "sets/one.tsx")
    ground = tmx_layer("Ground", 3, 2, tmx_data([[1, 100, 2], [0, 101, 1]]))
    references = tsx(first=1, source="sets/one.tsx") + tsx(tsx_tile(1, "collides"), first=100)
    path = written(tmx(3, 2, references + ground))
    expected = [[False, True, True], [True, False, False]]
    assert read_tiled(path, blocked_property="collides").tolist() == expected
    layer = json_layer("Ground", 3, 2, [1, 100, 2, 0, 101, 1])
    sets = [{"firstgid": 1, "source": "sets/one.tsx"}, json_tileset(100, json_tile(1, "collides"))]
    path = written(json_map(3, 2, [layer], sets), "a.json")
    assert read_tiled(path, blocked_property="collides").tolist() == expected


def chunk_of_tmx(x, y, gids):
    return f'<chunk x="{x}" y="{y}" width="3" height="2">{csv(gids)}</chunk>'


INFINITE = [
    [True, False, True, True, True, True],
    [False, True, False, True, True, True],
    [True, True, True, True, False, True],
    [True, True, True, False, True, False],
]


def test_infinite_maps(written):
    chunks = f'<data encoding="csv">{chunk_of_tmx(-3, -2, GIDS)}{chunk_of_tmx(0, 0, GIDS)}</data>'
    path = written(tmx(30, 20, tmx_layer("Collision", 30, 20, chunks), infinite=1))
    assert wp.load_map(path).is_open.tolist() == INFINITE
    pieces = [
        {"x": at[0], "y": at[1], "width": 3, "height": 2, "data": GIDS.ravel().tolist()} for at in ((-3, -2), (0, 0))
    ]
    layer = json_layer("Collision", 30, 20, None, chunks=pieces, startx=-3, starty=-2)
    path = written(json_map(30, 20, [layer], infinite=True), "a.json")
    assert wp.load_map(path).is_open.tolist() == INFINITE


def test_what_there_is_is_listed(written):
    layers = tmx_layer("Ground", 3, 2, tmx_data(GROUND)) + tmx_layer("Roofs", 3, 2, tmx_data(GIDS), 2)
    path = written(tmx(3, 2, tsx(tsx_tile(1, "solid") + tsx_tile(2, "name", "x", "string"), first=1) + layers))
    for options, complaint in (
        ({}, r"no tile layer called 'Collision': its tile layers are 'Ground', 'Roofs'; say which with layer="),
        ({"layer": "Walls"}, r"no tile layer called 'Walls': its tile layers are 'Ground', 'Roofs'$"),
        ({"blocked_property": "collides"}, "no tile with the property 'collides': its tiles have 'name', 'solid'"),
        ({"blocked_property": "name"}, "the tile property 'name' must be boolean, not 'x'"),
        ({"layer": 3}, "layer must be a name, not 3"),
        ({"colour": 3}, "no option 'colour': as a map of its format it takes layer, blocked_property"),
    ):
        with pytest.raises(wp.WaypostError, match=complaint) as refusal:
            wp.load_map(path, **options)
        assert "\n" not in str(refusal.value)


def test_maps_without_layers_or_properties(written):
    with pytest.raises(wp.WaypostError, match="it has no tile layers"):
        wp.load_map(written(tmx(3, 2, "")))
    with pytest.raises(wp.WaypostError, match="its tiles have none"):
        wp.load_map(written(tmx(3, 2, tmx_layer("Ground", 3, 2, tmx_data(GROUND)))), blocked_property="collides")
