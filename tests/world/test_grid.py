import numpy as np
import pytest

import waypost as wp
from tests.oracle import rules


def test_cells_and_places():
    grid = wp.Grid(np.ones((3, 5), bool))
    for y in range(3):
        for x in range(5):
            assert grid.xy(grid.cell((x, y))) == (x, y)
    cells = np.array([grid.cell((4, 2)), grid.cell((0, 0))], np.int32)
    assert grid.xys(cells).tolist() == [[4, 2], [0, 0]]
    assert grid.cell(np.array([4, 2])) == grid.cell((4, 2)) == grid.cell([4, 2])


def test_a_grid_never_changes():
    grid = wp.Grid(np.ones((3, 5), bool))
    with pytest.raises(AttributeError, match="never changes"):
        grid.width = 7
    for array in (grid.mask, grid.component):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1
    source = np.ones((2, 2), bool)
    grid = wp.Grid(source)
    source[:] = False
    assert grid.is_open.all()


def test_the_fingerprint_tells_apart_what_decides_paths():
    maps = [np.ones((2, 6), bool), np.ones((6, 2), bool), np.ones((3, 4), bool), np.eye(4, dtype=bool)]
    prints = {
        wp.Grid(is_open, diagonals=rule, costs=costs).fingerprint
        for is_open in maps
        for rule in rules.DIAGONALS
        for costs in rules.COSTS
    }
    # Without diagonals the diagonal cost plays no part.
    assert len(prints) == len(maps) * (3 * len(rules.COSTS) + 1)
    assert wp.Grid(maps[0].copy()).fingerprint == wp.Grid(maps[0]).fingerprint


def test_the_fingerprint_is_the_same_everywhere():
    """It goes into saved files, so it may not depend on the run, the machine or the memory layout."""
    grid = wp.grid_from_text("..#\n.#.\n...")
    assert grid.fingerprint == "4b13a7ceb3e721cc26655325b1a81a3b"
    assert wp.Grid(np.asfortranarray(grid.is_open)).fingerprint == grid.fingerprint


@pytest.mark.parametrize("dtype", [bool, np.int8, np.uint8, np.int64, np.float32, np.float64, object, "U1", "S1"])
def test_arrays_of_any_type(dtype):
    array = np.array([[1, 0, 1], [1, 1, 1]]).astype(dtype)
    grid = wp.grid_from_array(array, open=array[0, 0])
    assert grid.is_open.tolist() == [[True, False, True], [True, True, True]]
    inverse = wp.grid_from_array(array, open=array[0, 1])
    assert inverse.open_count == 1


def test_several_open_values_strides_and_nested_lists():
    grid = wp.grid_from_array([[0, 1, 2], [2, 2, 3]], open={1, 3})
    assert grid.is_open.tolist() == [[False, True, False], [False, False, True]]
    wide = np.arange(60).reshape(6, 10)
    assert wp.grid_from_array(wide[::2, ::3], open=[0, 3]).open_count == 2
    assert wp.grid_from_array(wide.T, open=range(10)).open_count == 10


@pytest.mark.parametrize("costs", rules.COSTS)
def test_lengths_are_shown_in_cells(costs):
    grid = wp.Grid(np.ones((4, 4), bool), costs=costs)
    path = np.array([grid.cell(p) for p in [(0, 0), (1, 1), (1, 1), (2, 1)]])
    diagonal = {"sqrt2": 2**0.5, "1.4": 1.4}[costs]
    assert grid.length(grid.path_cost(path)) == pytest.approx(1 + diagonal, rel=1e-7)


def test_isolated_cells_are_open_though_no_move_leaves_them():
    grid = wp.grid_from_text(".#.\n###\n.#.")
    assert grid.open_count == grid.component_count == 4
    assert not grid.mask.any()
    assert grid.connected(grid.cell((0, 0)), grid.cell((0, 0)))
    assert not grid.connected(grid.cell((1, 1)), grid.cell((1, 1))), "a wall is connected to nothing"
