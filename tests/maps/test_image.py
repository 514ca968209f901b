import numpy as np
import pytest
from PIL import Image

import waypost as wp
from tests.support.pictures import pgm
from waypost.maps import image, plain_pgm
from waypost.maps.image import read_image, write_image

GREYS = np.array([[0, 127, 128], [200, 255, 1]], np.uint8)
OPEN = [[False, False, True], [True, True, False]]


def kind_of(path):
    with Image.open(path) as picture:
        return picture.mode, picture.size


@pytest.fixture
def saved(tmp_path):
    def saved(picture, name="a.png"):
        picture.save(tmp_path / name)
        return tmp_path / name

    return saved


@pytest.mark.parametrize("mode", ["L", "LA", "RGB", "RGBA", "P"])
def test_white_is_open_in_every_mode(saved, mode):
    path = saved(Image.fromarray(GREYS).convert(mode))
    assert read_image(path).tolist() == OPEN


def test_one_bit(saved):
    path = saved(Image.fromarray(np.array(OPEN)))
    assert kind_of(path)[0] == "1"
    assert read_image(path, threshold=255).tolist() == OPEN


@pytest.mark.parametrize("threshold", [1, 100, 255])
def test_sixteen_bits_are_compared_on_the_same_scale(saved, threshold):
    wide = np.array([[0, 100 * 257 - 1, 100 * 257, 65535], [256, 257, 65534, 1]], np.uint16)
    path = saved(Image.fromarray(wide))
    assert kind_of(path)[0] == "I;16"
    assert read_image(path, threshold=threshold).tolist() == (wide / 257 >= threshold).tolist()


def test_luminance_weighs_green_most(saved):
    picture = Image.new("RGB", (3, 1))
    picture.putdata([(255, 0, 0), (0, 255, 0), (0, 0, 255)])
    path = saved(picture)
    assert read_image(path).tolist() == [[False, True, False]]
    assert read_image(path, threshold=70).tolist() == [[True, True, False]]


@pytest.mark.parametrize("mode", ["LA", "RGBA"])
def test_transparent_pixels_are_walls(saved, mode):
    white = Image.new(mode, (3, 1), "white")
    white.putalpha(Image.fromarray(np.array([[0, 127, 128]], np.uint8)))
    assert read_image(saved(white)).tolist() == [[False, False, True]]


def test_a_transparent_colour_of_a_palette_is_a_wall(tmp_path):
    path = tmp_path / "palette.png"
    Image.fromarray(GREYS).convert("P").save(path, transparency=255)
    assert read_image(path).tolist() == [[False, False, True], [True, False, False]]


@pytest.mark.parametrize("most", [255, 100, 65535, 1000])
def test_pgm_of_any_depth(tmp_path, most):
    greys = np.array([[0, most // 4, most], [most // 2 + 2, most // 3, most]])
    path = tmp_path / "a.pgm"
    path.write_bytes(pgm(greys, most))
    assert read_image(path).tolist() == (greys / most >= 128 / 255).tolist()
    text = f"P2 3 2\n{most}\n" + " ".join(map(str, greys.ravel()))
    path.write_text(text)
    assert read_image(path).tolist() == (greys / most >= 128 / 255).tolist()


@pytest.mark.parametrize("most_at_once", [1, 100, 1 << 20])
def test_bands_make_no_difference(saved, monkeypatch, most_at_once):
    greys = np.random.default_rng(0).integers(0, 256, (37, 23), np.uint8)
    monkeypatch.setattr(image, "PIXELS_AT_ONCE", most_at_once)
    assert (read_image(saved(Image.fromarray(greys))) == (greys >= 128)).all()


@pytest.mark.parametrize("shape", [(1, 1), (3, 7), (40, 65)])
def test_writing_and_reading_back(tmp_path, shape):
    is_open = np.random.default_rng(1).random(shape) < 0.7
    is_open[0, 0] = True
    write_image(tmp_path / "a.png", wp.Grid(is_open))
    assert (read_image(tmp_path / "a.png", threshold=255) == is_open).all()
    assert kind_of(tmp_path / "a.png") == ("1", shape[::-1])


@pytest.mark.parametrize("most", [1, 15, 255, 256, 65535])
def test_numbers_in_text_are_those_in_bytes(tmp_path, monkeypatch, most):
    """In pieces that end anywhere, with comments between them and more numbers behind the last."""
    monkeypatch.setattr(plain_pgm, "AT_ONCE", 7)
    greys = np.random.default_rng(2).integers(0, most + 1, (9, 13))
    text = "# one\n".join("  ".join(map(str, row)) + " " for row in greys)
    (tmp_path / "text.pgm").write_text(f"P2 13 9\n{most}\n{text}\n3 3")
    numbers = greys.astype(np.uint8 if most < 256 else ">u2").tobytes()
    (tmp_path / "bytes.pgm").write_bytes(b"P5 13 9\n%d\n" % most + numbers)
    text, binary = (np.asarray(image.load_pixels(tmp_path / name)) for name in ("text.pgm", "bytes.pgm"))
    assert (text == binary).all()


@pytest.mark.parametrize("threshold", [0, 256, -1, 12.5, True, "128", None])
def test_thresholds_out_of_range(saved, threshold):
    with pytest.raises(wp.WaypostError, match="threshold must be a whole number from 1 to 255"):
        read_image(saved(Image.fromarray(GREYS)), threshold=threshold)


def test_a_transparent_shade_of_16_bit_grey_is_refused(tmp_path):
    image = Image.fromarray(np.full((2, 2), 65535, np.uint16))
    image.save(tmp_path / "a.png", transparency=65535)
    with pytest.raises(wp.WaypostError, match="transparent shade"):
        wp.load_map(tmp_path / "a.png")
