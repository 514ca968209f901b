"""What is done with large maps some cells at a time comes out as if it were done at once."""

import numpy as np
import pytest

import waypost as wp
from tests.support.chance import seeded
from waypost.maps.load import WRITERS
from waypost.world import arrays, pieces, problem


@pytest.fixture(params=[1, 100, 1 << 12])
def in_pieces(request, monkeypatch):
    monkeypatch.setattr(pieces, "CELLS_AT_ONCE", request.param)
    monkeypatch.setattr(problem, "SORTED_AT_ONCE", request.param)
    monkeypatch.setattr(arrays, "CELLS_AT_ONCE", request.param)


def some_map(share=0.5):
    return wp.Grid(seeded(8).random((43, 37)) < share)


FINGERPRINT = some_map().fingerprint


def test_fingerprints_and_copies(in_pieces):
    assert some_map().fingerprint == FINGERPRINT
    make, content = some_map().__reduce__()
    assert np.array_equal(make(*content).is_open, some_map().is_open)
    assert make(*content).fingerprint == FINGERPRINT


def test_bands_are_the_map(in_pieces):
    bands = list(some_map().open_bands())
    assert np.array_equal(np.concatenate(bands), some_map().is_open)
    assert all(len(band) % 8 == 0 for band in bands[:-1])


@pytest.mark.parametrize("ending", WRITERS)
def test_files(in_pieces, tmp_path, ending):
    wp.save_map(some_map(), tmp_path / f"a{ending}")
    assert wp.load_map(tmp_path / f"a{ending}").fingerprint == FINGERPRINT


def test_cells_of_components(in_pieces):
    world = some_map()
    chosen = world.component_sizes > 3
    assert world.cells_of(chosen).tolist() == [cell for cell, label in enumerate(world.component) if chosen[label]]
    assert world.cells_of(chosen).dtype == np.int32


@pytest.mark.parametrize("share", [0.4, 0.5, 0.9])
def test_problems_are_drawn_from_the_cells_by_component(in_pieces, share):
    world = some_map(share)
    labels = world.component.tolist()
    sizes = world.component_sizes.tolist()
    cells = sorted((cell for cell, label in enumerate(labels) if sizes[label] > 1), key=lambda cell: labels[cell])
    random = np.random.default_rng(3)
    for drawn in wp.sample_problems(world, 200, 3):
        rank = int(random.integers(len(cells)))
        others = [cell for cell in cells if labels[cell] == labels[cells[rank]] and cell != cells[rank]]
        assert (drawn.start, drawn.goal) == (cells[rank], others[random.integers(len(others))])


def test_arrays(in_pieces):
    values = seeded(9).integers(0, 4, (23, 11)).astype(np.float32)
    assert np.array_equal(wp.grid_from_array(values, open=[1, 3]).is_open, values % 2 == 1)
    values[17, 4] = np.nan
    with pytest.raises(wp.WaypostError, match="NaN at row 17, column 4"):
        wp.grid_from_array(values, open=[1])
