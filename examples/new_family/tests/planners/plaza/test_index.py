"""Plazas, and which are refused."""

import numpy as np
import pytest

import waypost as wp
from waypost.planners.plaza.index import Plazas


def test_a_share_of_the_cells_comes_before_it():
    grid = wp.grid_from_text(".....\n@@@@@\n.....")
    for share, xs in ((0, (0, 0)), (50, (2, 2)), (100, (4, 4))):
        index = wp.build("plaza", grid, share=share).index
        assert [grid.xy(int(cell))[0] for cell in index.arrays["plazas"][1:]] == [*xs]


def test_a_plaza_elsewhere_is_refused():
    grid = wp.grid_from_text(".....\n@@@@@\n.....")
    plazas = wp.build("plaza", grid).index.arrays["plazas"]
    with pytest.raises(wp.WaypostError, match="each of the plazas must lie in its component"):
        Plazas.from_arrays(grid, {"share": 50}, {"plazas": np.ascontiguousarray(plazas[[0, 2, 1]])})
