"""What is repaired after edits is what a new grid of the same map has, and what plain Python says."""

import copy
import pickle

import numpy as np
import pytest

from tests.oracle import bodies, flood, jump_tables, rules
from tests.support.chance import seeded
from tests.support.worlds import JIT_IS_OFF, cases, draw, random_open
from waypost.kernels.repair import MOST_SEARCHES
from waypost.world.grid import Grid
from waypost.world.live_grid import MOST_LIVE_SIDE, LiveGrid


def some_changes(random, is_open, most):
    """Cells to change and whether each is then open: single ones, blocks and noise."""
    height, width = is_open.shape
    wanted = is_open.copy()
    kind = random.integers(4)
    if kind == 0:
        for _ in range(random.integers(1, most)):
            y, x = random.integers(height), random.integers(width)
            wanted[y, x] = not wanted[y, x]
    elif kind == 1:
        y, x = random.integers(height), random.integers(width)
        wanted[y : y + random.integers(1, 4), x : x + random.integers(1, 4)] = random.random() < 0.5
    elif kind == 2:  # a wall through the map, or none
        wanted[:, random.integers(width)] = random.random() < 0.4
    else:
        wanted ^= random.random(wanted.shape) < 0.1
    return wanted


def change(live, wanted):
    """Make the map of a live grid another one; the cells where squares changed."""
    places = np.argwhere(wanted != live.is_open)
    cells = ((places[:, 0] + 1) * live.stride + places[:, 1] + 1).astype(np.int32)
    return live.change(cells, wanted[tuple(places.T)])


def same_parts(one, other):
    """Whether two labellings differ by the names of labels at most."""
    pairs = set(zip(one.tolist(), other.tolist(), strict=True))
    return len(pairs) == len(np.unique(one)) == len(np.unique(other)) and (0, 0) in pairs


def compare(live, is_open):
    """Compare all that was repaired with what is made again."""
    fresh = Grid(is_open, diagonals=live.diagonals, costs=live.costs_name)
    np.testing.assert_array_equal(live.mask, fresh.mask)
    assert same_parts(live.component, fresh.component)
    assert live.component_count == fresh.component_count
    assert live.open_count == fresh.open_count
    counted = np.bincount(live.component, minlength=live.component_sizes.size)
    counted[0] = 0
    assert live.component_sizes.tolist() == counted.tolist()
    for repaired, made in zip(live.jump_tables, fresh.jump_tables, strict=True):
        np.testing.assert_array_equal(repaired, made)
    capped = np.minimum(fresh.clearance, MOST_LIVE_SIDE)
    squares = live.follow_squares().reshape(-1, live.stride)
    np.testing.assert_array_equal(squares[1:-1, 1:-1], capped)
    assert live.fingerprint == LiveGrid(fresh).fingerprint


@pytest.mark.parametrize("rule", rules.DIAGONALS)
def test_repaired_is_made_anew(rule):
    random = seeded((90, rules.DIAGONALS.index(rule)))
    for _ in range(cases(60)):
        is_open = random_open(random, largest=14)
        live = LiveGrid(Grid(is_open, diagonals=rule))
        compare(live, is_open)
        for _ in range(6):
            wanted = some_changes(random, is_open, 5)
            if not wanted.any():
                continue
            before = live.follow_squares().copy()
            touched = change(live, wanted)
            assert set(np.flatnonzero(before != live.follow_squares())) <= set(touched.tolist())
            is_open = wanted
            compare(live, is_open)


@pytest.mark.parametrize("rule", rules.DIAGONALS)
def test_repaired_is_what_plain_python_says(rule):
    random = seeded((91, rules.DIAGONALS.index(rule)))
    for _ in range(cases(24)):
        is_open = random_open(random, largest=9)
        live = LiveGrid(Grid(is_open, diagonals=rule))
        live.jump_tables, live.follow_squares()
        for _ in range(5):
            wanted = some_changes(random, is_open, 4)
            if wanted.any():
                change(live, wanted)
                is_open = wanted
        labels, count = flood.components(is_open, rule)
        assert live.component_count == count
        names = {}
        tables = jump_tables.tables(is_open)
        for y in range(live.height):
            for x in range(live.width):
                cell = live.cell((x, y))
                legal = [rules.may_move(is_open, rule, x, y, *step) for step in rules.ORDER.values()]
                assert live.mask[cell] == sum(1 << i for i, yes in enumerate(legal) if yes)
                assert names.setdefault(int(live.component[cell]), labels.get((x, y), 0)) == labels.get((x, y), 0)
                side = min(bodies.largest_square(is_open, x, y), MOST_LIVE_SIDE)
                assert live.follow_squares()[cell] == side
                assert live.jump_tables.cells[cell] >> 8 == tables[x, y], (x, y)


def test_one_by_one_as_all_at_once():
    """A long way round, and small parts: what a search around each closed cell has to find."""
    random = seeded(92)
    side = 12 if JIT_IS_OFF else 40
    for _ in range(cases(8)):
        is_open = random.random((side, side)) < draw(random, (0.55, 0.62, 0.7))
        is_open[0, 0] = True
        live = LiveGrid(Grid(is_open))
        for _ in range(60):
            y, x = random.integers(side, size=2)
            if (x, y) != (0, 0):
                is_open[y, x] = not is_open[y, x]
                change(live, is_open)
        compare(live, is_open)


def test_a_closed_circle_is_still_one_component():
    is_open = np.ones((9, 9), bool)
    is_open[1:-1, 1:-1] = False
    live = LiveGrid(Grid(is_open))
    is_open[0, 4] = False
    change(live, is_open)
    compare(live, is_open)
    assert live.component_count == 1
    assert 0 < live.labels.numbers["looked"][0] <= 31


def test_searches_are_counted_around():
    is_open = np.ones((3, 40), bool)
    is_open[1, 1:] = False
    live = LiveGrid(Grid(is_open))
    live.labels.numbers["epoch"] = MOST_SEARCHES - 2
    live.labels.marks[:] = -1
    for x in (20, 30, 10):
        for opens in (False, True):
            is_open[0, x] = opens
            change(live, is_open)
            compare(live, is_open)


def test_a_change_looks_no_further_than_it_must():
    if JIT_IS_OFF:
        pytest.skip("takes seconds in plain Python")
    is_open = np.ones((300, 300), bool)
    is_open[150] = False
    is_open[150, 150] = True
    is_open[290:, 290] = False
    is_open[290, 290:] = False
    is_open[290, 295] = True
    live = LiveGrid(Grid(is_open))
    looked = live.labels.numbers["looked"]
    is_open[290, 295] = False  # shuts a small room
    change(live, is_open)
    assert live.component_count == 2
    assert looked[0] < 4 * 81
    is_open[10, 10] = False  # a cell in the open: its ring is enough
    change(live, is_open)
    assert looked[0] == 0
    is_open[150, 150] = False
    change(live, is_open)
    assert live.component_count == 3
    is_open[150, 150] = True
    change(live, is_open)
    assert live.component_count == 2
    compare(live, is_open)


def test_nobody_else_changes_a_live_grid():
    live = LiveGrid(Grid(np.ones((4, 5), bool)))
    with pytest.raises(AttributeError, match="only the edits of a World change its grid"):
        live.version = 3
    for array in (live.mask, live.component, *live.jump_tables, live.follow_squares()):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1


def test_copies_of_a_live_grid_never_change():
    is_open = np.ones((4, 5), bool)
    live = LiveGrid(Grid(is_open, diagonals="never"))
    copies = copy.copy(live), copy.deepcopy(live), pickle.loads(pickle.dumps(live)), live.frozen()  # noqa: S301
    wanted = is_open.copy()
    wanted[1, 1] = False
    change(live, wanted)
    for kept in copies:
        assert type(kept) is Grid
        assert kept.diagonals == "never"
        assert kept.open_count == 20
    assert live.open_count == live.frozen().open_count == 19
    assert live.frozen().fingerprint == Grid(wanted, diagonals="never").fingerprint
    assert live.clearance[0, 0] == 1


def test_the_fingerprint_has_no_history():
    random = seeded(93)
    is_open = random_open(random, largest=12) if JIT_IS_OFF else random.random((150, 200)) < 0.8
    is_open[0, 0] = True
    live = LiveGrid(Grid(is_open))
    first = live.fingerprint
    seen = {first}
    wanted = is_open.copy()
    for y, x in ((0, 0), (1, 0), (0, 1)):
        if wanted[y, x]:
            wanted[y, x] = False
            if wanted.any():
                change(live, wanted)
                assert live.fingerprint not in seen
                seen.add(live.fingerprint)
    change(live, is_open)
    assert live.fingerprint == first
    assert LiveGrid(Grid(is_open, diagonals="always")).fingerprint != first
