import numpy as np
import pytest

import waypost as wp
from waypost.maps.array import read_array, write_array


def test_booleans_are_taken_as_they_are(tmp_path):
    is_open = np.random.default_rng(3).random((5, 9)) < 0.5
    np.save(tmp_path / "a.npy", is_open)
    assert (read_array(tmp_path / "a.npy") == is_open).all()
    np.save(tmp_path / "b.npy", np.asfortranarray(is_open))
    assert (read_array(tmp_path / "b.npy") == is_open).all()


@pytest.mark.parametrize("dtype", ["u1", "<i4", ">i8", "f8"])
def test_other_arrays_must_say_what_is_open(tmp_path, dtype):
    path = tmp_path / "a.npy"
    np.save(path, np.array([[0, 1, 2], [2, 0, 1]], dtype))
    with pytest.raises(wp.WaypostError, match=r"a\.npy: say which value of this .* array is open"):
        wp.load_map(path)
    assert wp.load_map(path, open=0).is_open.tolist() == [[True, False, False], [False, True, False]]
    assert wp.load_map(path, open=[0, 2]).is_open.tolist() == [[True, False, True], [True, True, False]]


def test_nan_is_neither_wall_nor_open(tmp_path):
    np.save(tmp_path / "a.npy", np.array([[0, np.nan]]))
    with pytest.raises(wp.WaypostError, match=r"a\.npy: the map has NaN at row 0, column 1"):
        wp.load_map(tmp_path / "a.npy", open=0)


def test_writing_and_reading_back(tmp_path):
    grid = wp.grid_from_text("..#\n#..")
    write_array(tmp_path / "a.npy", grid)
    assert np.load(tmp_path / "a.npy").tolist() == grid.is_open.tolist() == read_array(tmp_path / "a.npy").tolist()
