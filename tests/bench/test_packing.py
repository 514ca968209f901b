"""Rows in few bytes: what comes back, and to how many digits."""

import numpy as np
import pyarrow as pa
import pytest

from waypost.bench.packing import pack, unpack
from waypost.errors import WaypostError


def test_figures_come_back_to_seven_digits_and_times_to_three_and_a_half():
    random = np.random.default_rng(1)
    cells, times = random.uniform(0.01, 1e6, (2, 500))
    times[:3] = np.nan, np.inf, 0.0
    table = pa.table({"setting": ["a"] * 500, "moves": np.arange(500), "length_cells": cells, "total_us": times})
    again = unpack(pack(table), "a test")
    assert again.schema == table.schema
    assert again.column("moves").equals(table.column("moves"))
    assert again.column("setting").to_pylist() == ["a"] * 500
    assert again.column("length_cells").to_numpy() == pytest.approx(cells, rel=1e-7)
    assert again.column("total_us").to_numpy() == pytest.approx(times, rel=2**-12, nan_ok=True)
    assert pack(again) == pack(table), "what was rounded once stays as it is"


def test_times_take_less_room_than_what_they_are_rounded_from():
    values = np.random.default_rng(2).uniform(1, 9, 5000)
    small, large = (len(pack(pa.table({name: values}))) for name in ("total_us", "length_cells"))
    assert small < 0.75 * large


def test_what_is_no_file_of_rows_is_refused():
    with pytest.raises(WaypostError, match="rows for a test are damaged: "):
        unpack(b"no rows", "a test")
