import math

import numpy as np
import pytest
from PIL import Image

import waypost as wp
from tests.support.pictures import pgm
from waypost.maps.ros import read_occupancy, read_ros, write_ros

YAML = """\
image: {image}
resolution: 0.05
origin: [-10.0, 2.5, 0.0]
negate: {negate}
occupied_thresh: {high}
free_thresh: {low}
mode: {mode}
"""
VALUES = np.arange(256, dtype=np.uint8).reshape(8, 32)


@pytest.fixture
def ros_map(tmp_path):
    def ros_map(pixels, mode="trinary", negate=0, low=0.196, high=0.65, image="map.png"):
        picture = pixels if isinstance(pixels, Image.Image) else Image.fromarray(pixels)
        picture.save(tmp_path / image)
        path = tmp_path / "map.yaml"
        path.write_text(YAML.format(image=image, mode=mode, negate=negate, low=low, high=high))
        return path

    return ros_map


def defined_occupancy(v, mode, negate, low, high):
    """What map_server documents, one value at a time."""
    if mode == "raw":
        return v if v <= 100 else -1
    p = v / 255 if negate else (255 - v) / 255
    if p > high:
        return 100
    if p < low:
        return 0
    return -1 if mode == "trinary" or low == high else round((p - low) / (high - low) * 100)


@pytest.mark.parametrize("mode", ["trinary", "scale", "raw"])
@pytest.mark.parametrize("negate", [0, 1])
@pytest.mark.parametrize(("low", "high"), [(0.196, 0.65), (0.25, 0.65), (0.4, 0.4), (0, 1), (51 / 255, 102 / 255)])
@pytest.mark.parametrize("image", ["map.pgm", "map.png"])
def test_every_value_in_every_mode(ros_map, mode, negate, low, high, image):
    found = read_occupancy(ros_map(VALUES, mode, negate, low, high, image)).occupancy
    expected = [defined_occupancy(int(v), mode, negate, low, high) for v in VALUES.ravel()]
    assert found.ravel().tolist() == expected


def test_colours_are_averaged(ros_map):
    picture = Image.new("RGB", (2, 1))
    picture.putdata([(255, 0, 255), (255, 150, 255)])  # means 170 and 220
    assert read_occupancy(ros_map(picture)).occupancy.tolist() == [[-1, 0]]


def test_alpha(ros_map):
    picture = Image.new("RGBA", (3, 1))
    picture.putdata([(255, 255, 255, 255), (255, 255, 255, 254), (0, 0, 0, 0)])
    assert read_occupancy(ros_map(picture, "scale")).occupancy.tolist() == [[0, -1, -1]]
    assert read_occupancy(ros_map(picture, "raw")).occupancy.tolist() == [[-1, -1, 0]]
    # In trinary mode alpha is a fourth colour: black with opaque alpha has a mean of 63.75, p = 0.75.
    picture.putdata([(0, 0, 0, 255), (0, 0, 0, 0), (255, 255, 255, 0)])
    assert read_occupancy(ros_map(picture, high=0.76)).occupancy.tolist() == [[-1, 100, -1]]


def test_a_palette_is_not_alpha(ros_map):
    greys = Image.fromarray(np.array([[0, 63, 254]], np.uint8))
    assert read_occupancy(ros_map(greys.convert("P"), high=0.9)).occupancy.tolist() == [[100, -1, 0]]


def test_sixteen_bits(ros_map):
    wide = np.array([[0, 32768, 65535, 60000]], np.uint16)
    assert read_occupancy(ros_map(wide)).occupancy.tolist() == [[100, -1, 0, 0]]


def test_unknown_cells_are_walls_unless_asked(ros_map):
    path = ros_map(np.array([[0, 205, 254]], np.uint8))
    assert read_ros(path).is_open.tolist() == [[False, False, True]]
    assert read_ros(path, unknown_open=True).is_open.tolist() == [[False, True, True]]
    assert wp.load_map(path, unknown_open=True).open_count == 2


def test_the_frame_of_a_map(ros_map):
    path = ros_map(VALUES)
    frame = read_occupancy(path).frame
    assert frame == wp.load_map(path).frame == wp.Frame(0.05, -10.0, 2.5, 0.0, 32, 8)
    assert frame.to_cell((-9.99, 2.51)).tolist() == [0, 7], "the origin is the lower left corner"
    assert frame.to_cell((-9.99, 2.5 + 8 * 0.05 - 0.01)).tolist() == [0, 0]
    assert frame.to_metres((0, 7)) == pytest.approx((-9.975, 2.525))


def test_writing_and_reading_back(tmp_path):
    is_open = np.random.default_rng(2).random((9, 13)) < 0.6
    grid = wp.Grid(is_open)
    path = tmp_path / 'my "map": 1.yaml'
    write_ros(path, grid, resolution=0.1, origin=(-1, 2, 0.5))
    occupancy, frame = read_occupancy(path)
    assert ((occupancy == 0) == is_open).all()
    assert ((occupancy == 100) == ~is_open).all()
    assert frame == wp.Frame(0.1, -1.0, 2.0, 0.5, 13, 9)
    write_ros(path, grid, resolution=1e-05)
    assert read_occupancy(path).frame.resolution == 1e-05


def test_a_frame_is_written_with_its_grid(tmp_path):
    frame = wp.Frame(0.1, -1.0, 2.0, 0.5, 13, 9)
    grid = wp.Grid(np.ones((9, 13), bool), frame=frame)
    wp.save_map(grid, tmp_path / "a.yaml")
    assert wp.load_map(tmp_path / "a.yaml").frame == frame
    wp.save_map(grid, tmp_path / "a.yaml", resolution=0.2)
    assert wp.load_map(tmp_path / "a.yaml").frame == wp.Frame(0.2, -1.0, 2.0, 0.5, 13, 9)


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"resolution": 0}, "resolution must be more than 0"),
        ({"resolution": math.inf}, "resolution must be a finite number"),
        ({"resolution": "x"}, "resolution must be a finite number"),
        ({"origin": (0, 0)}, "origin must be three numbers"),
        ({"origin": (0, 0, None)}, "origin must be a finite number"),
    ],
)
def test_frames_that_cannot_be_written(tmp_path, options, complaint):
    with pytest.raises(wp.WaypostError, match=complaint):
        write_ros(tmp_path / "a.yaml", wp.grid_from_text(".."), **options)
    assert not any(tmp_path.iterdir())


GOOD = {
    "image": "a.pgm",
    "resolution": "0.05",
    "origin": "[0, 0, 0]",
    "negate": "0",
    "occupied_thresh": "0.65",
    "free_thresh": "0.25",
}


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"image": None, "negate": None}, "lacks image, negate"),
        ({"image": "7"}, "image must be the name of a file, not 7"),
        ({"image": "gone.pgm"}, "names the image 'gone.pgm', but there is no such file"),
        ({"mode": "quaternary"}, "mode must be one of trinary, scale, raw, not 'quaternary'"),
        ({"mode": "[1]"}, "mode must be one of"),
        ({"negate": "2"}, "negate must be 0 or 1"),
        ({"resolution": "0"}, "more than 0 metres"),
        ({"resolution": ".nan"}, "resolution must be a finite number"),
        ({"resolution": "true"}, "resolution must be a finite number"),
        ({"resolution": "9" * 400}, "resolution must be a finite number"),
        ({"resolution": "9" * 9000}, "not a yaml file"),
        ({"resolution": "2026-13-45"}, "resolution must be a finite number|not a yaml file"),
        ({"origin": "[0, 0]"}, "origin must be three numbers"),
        ({"origin": "[0, 0, x]"}, "origin must be a finite number"),
        ({"occupied_thresh": "0.1"}, "0 <= free_thresh <= occupied_thresh <= 1"),
        ({"free_thresh": "-0.1"}, "0 <= free_thresh"),
    ],
)
def test_bad_settings(tmp_path, change, complaint):
    (tmp_path / "a.pgm").write_bytes(pgm(VALUES))
    fields = {name: value for name, value in (GOOD | change).items() if value is not None}
    path = tmp_path / "a.yaml"
    path.write_text("".join(f"{name}: {value}\n" for name, value in fields.items()))
    with pytest.raises(wp.WaypostError, match=complaint) as refusal:
        wp.load_map(path)
    assert "\n" not in str(refusal.value)
    assert str(path) in str(refusal.value)


def test_settings_that_are_unusual_but_right(tmp_path):
    (tmp_path / "maps").mkdir()
    (tmp_path / "maps" / "a.pgm").write_bytes(pgm(VALUES))
    fields = GOOD | {"image": "./maps/../maps/a.pgm", "resolution": "5e-2", "negate": "false"}
    path = tmp_path / "a.yml"
    path.write_text("".join(f"{name}: {value}\n" for name, value in fields.items()))
    assert read_occupancy(path).frame.resolution == 0.05
    assert wp.load_map(path).width == 32
