import numpy as np
import pytest
from PIL import Image

import waypost as wp
from tests.support.tiled_files import tmx, tmx_data, tmx_layer, tsx, tsx_tile


@pytest.mark.parametrize("name", ["a.map", "a.png", "a.yaml", "a.npy"])
def test_convert_there_and_back(waypost, tmp_path, name):
    grid = wp.load_map("caves")
    status, out, _ = waypost("convert", "caves", tmp_path / name)
    assert status == 0
    assert f"{grid.width} x {grid.height} cells, {grid.open_count:,} open" in out
    assert waypost("convert", tmp_path / name, tmp_path / "back.map")[0] == 0
    assert wp.load_map(tmp_path / "back.map").fingerprint == grid.fingerprint


def test_options_reach_their_formats(waypost, tmp_path):
    out = tmp_path / "out.npy"

    def converted(*arguments):
        assert waypost("convert", *arguments, out)[0] == 0
        return np.load(out).astype(int).tolist()

    Image.fromarray(np.array([[50, 100, 200]], np.uint8)).save(tmp_path / "a.png")
    assert converted(tmp_path / "a.png") == [[0, 0, 1]]
    assert converted(tmp_path / "a.png", "--threshold", 100) == [[0, 1, 1]]
    np.save(tmp_path / "a.npy", np.array([[0, 1, 2]]))
    assert converted(tmp_path / "a.npy", "--open", 0, "--open", 2) == [[1, 0, 1]]
    layers = tmx_layer("Walls", 3, 1, tmx_data([[1, 0, 0]])) + tmx_layer("Ground", 3, 1, tmx_data([[3, 2, 3]]), 2)
    (tmp_path / "a.tmx").write_text(tmx(3, 1, tsx(tsx_tile(1, "collides"), first=1) + layers))
    assert converted(tmp_path / "a.tmx", "--layer", "Walls") == [[0, 1, 1]]
    assert converted(tmp_path / "a.tmx", "--blocked-property", "collides") == [[1, 0, 1]]
    (tmp_path / "b.pgm").write_bytes(b"P5 3 1 255\n" + bytes([0, 205, 254]))
    (tmp_path / "b.yaml").write_text(
        "image: b.pgm\nresolution: 0.05\norigin: [1, 2, 0.5]\nnegate: 0\noccupied_thresh: 0.65\nfree_thresh: 0.1\n"
    )
    assert converted(tmp_path / "b.yaml") == [[0, 0, 1]]
    assert converted(tmp_path / "b.yaml", "--unknown-open") == [[0, 1, 1]]


def test_ros_maps_keep_their_place_in_the_world(waypost, tmp_path):
    source, target = tmp_path / "a.yaml", tmp_path / "b.yaml"
    wp.save_map(wp.load_map("rooms"), source, resolution=0.05, origin=(1, 2, 0))
    status, out, _ = waypost("convert", source, target)
    assert status == 0
    assert f"Wrote {target} and {tmp_path / 'b.pgm'}: " in out
    assert wp.load_map(target).frame == wp.Frame(0.05, 1, 2, 0, 99, 69)
    assert waypost("scale", source, target, "--factor", 2, "--crop", "10,9,40,20")[0] == 0
    frame = wp.load_map(target).frame
    assert (frame.resolution, frame.origin_x, frame.origin_y) == pytest.approx((0.025, 1.5, 4))
    assert (frame.width, frame.height) == (80, 40)
    assert waypost("convert", source, target, "--resolution", 3)[0] == 0
    assert wp.load_map(target).frame == wp.Frame(3, 1, 2, 0, 99, 69)


def test_scale(waypost, tmp_path):
    whole = wp.load_map("maze").is_open
    assert waypost("scale", "maze", tmp_path / "a.npy", "--factor", 3)[0] == 0
    assert (np.load(tmp_path / "a.npy") == np.kron(whole, np.ones((3, 3), bool))).all()
    assert waypost("scale", "maze", tmp_path / "a.npy", "--crop", "2,5,30,20")[0] == 0
    assert (np.load(tmp_path / "a.npy") == whole[5:25, 2:32]).all()


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["convert", "caves", "a.bmp"], "not a format that can be written"),
        (["convert", "caves", "/no/such/place.png"], "there is no directory"),
        (["convert", "caves", "a.png", "--threshold", "9"], "has no option 'threshold'"),
        (["convert", "caves", "a.png", "--resolution", "9"], "has no option 'resolution'"),
        (["convert", "caves", "a.yaml", "--resolution", "-1"], "resolution must be more than 0"),
        (["convert", "good.png", "a.png", "--threshold", "999"], "threshold must be a whole number from 1 to 255"),
        (["convert", "cave", "a.png"], "there is no map file at 'cave'"),
        (["convert", "same.pgm", "same.yaml"], "would overwrite same.pgm"),
        (["convert", "caves", "taken.yaml"], "it is a directory"),
        (["scale", "caves", "a.map", "--factor", "0"], "--factor"),
        (["scale", "caves", "a.map", "--factor", "1000000"], "the enlarged map is too large"),
        (["scale", "caves", "a.map", "--crop", "1,2,3"], "--crop must be four whole numbers X,Y,W,H, not '1,2,3'"),
        (["scale", "caves", "a.map", "--crop", "0,0,999,1"], "not within the map"),
        (["scale", "caves", "a.bmp", "--factor", "2"], "not a format that can be written"),
    ],
)
def test_refusals(refused, tmp_path, monkeypatch, arguments, complaint):
    monkeypatch.chdir(tmp_path)
    wp.save_map(wp.grid_from_text(".."), "good.png")
    (tmp_path / "same.pgm").write_bytes(b"P5 3 1 255\n" + bytes([0, 205, 254]))
    (tmp_path / "taken.pgm").mkdir()
    before = sorted(tmp_path.iterdir())
    assert complaint in refused(*arguments)
    assert sorted(tmp_path.iterdir()) == before, "nothing is written"
