import numpy as np
import pytest

from waypost.errors import IndexFileError
from waypost.indexes.ranges import check_offsets, check_within

LONG = 100_000


@pytest.mark.parametrize("dtype", ["u1", "i4", "u8", "f4"])
def test_values_within(dtype):
    check_within("cells", np.array([3, 7, 9], dtype), 3, 10)
    check_within("cells", np.array([[3, 7], [9, 4]], dtype), 3, 10)
    check_within("cells", np.array([], dtype), 3, 10)
    for value in (2, 10, 200):
        with pytest.raises(IndexFileError, match=f"cells must be from 3 to below 10, not {value}"):
            check_within("cells", np.array([3, value, 9], dtype), 3, 10)


def test_one_bad_value_anywhere_is_found():
    for place in (0, 1, 32_767, 32_768, LONG - 1):
        for value in (-1, 5):
            values = np.zeros(LONG, np.int32)
            values[place] = value
            with pytest.raises(IndexFileError, match=f"from 0 to below 5, not {value}"):
                check_within("cells", values, 0, 5)
    with pytest.raises(IndexFileError, match="not nan"):
        check_within("costs", np.array([1.0, np.nan]), 0, 5)


@pytest.mark.parametrize("dtype", ["u1", "i4", "u8"])
def test_offsets(dtype):
    check_offsets("offsets", np.array([0, 0, 2, 7], dtype), 7)
    check_offsets("offsets", np.array([0], dtype), 0)
    for offsets in ([], [1, 7], [0, 6], [0, 8], [[0, 7]]):
        with pytest.raises(IndexFileError, match="offsets must be a row of numbers from 0 to 7"):
            check_offsets("offsets", np.array(offsets, dtype), 7)
    with pytest.raises(IndexFileError, match="offsets must never fall"):
        check_offsets("offsets", np.array([0, 3, 2, 7], dtype), 7)


def test_one_fall_anywhere_is_found():
    for place in (1, 32_767, 32_768, 32_769, LONG - 2):
        offsets = np.arange(LONG)
        check_offsets("offsets", offsets, LONG - 1)
        offsets[place] = LONG
        with pytest.raises(IndexFileError, match="must never fall"):
            check_offsets("offsets", offsets, LONG - 1)
