import numpy as np
import pytest

from tests.oracle import records as oracle
from tests.oracle import rules
from tests.support.chance import seeded
from tests.support.worlds import JIT_IS_OFF, WORLDS, cases, few, random_open
from waypost.indexes.building import Works
from waypost.kernels.numbers import COST_LIMIT
from waypost.planners.records import index
from waypost.planners.records.kernels import draw
from waypost.planners.walking.kernels.legs import count_codes, counts_of
from waypost.world.grid import Grid

# Numbers of 64 bits overflow on purpose, which plain Python's warn of.
pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")


def drawn(grid, number, seed, form, threads=1, is_spread=0):
    """Starts, ends and legs of records, as places and lists."""
    works = Works(threads=threads, show_progress=False)
    starts, ends, counts, legs = index.drawn(grid, form, number, seed, works, is_spread=is_spread)
    assert (starts.dtype, ends.dtype, counts.dtype, legs.dtype) == (np.int32, np.int32, np.int32, np.int16)
    cuts = np.split(legs, np.cumsum(counts)[:-1])[: starts.size]
    return [
        (grid.xy(start), grid.xy(end), [tuple(leg) for leg in own.tolist()])
        for start, end, own in zip(starts, ends, cuts, strict=True)
    ]


@pytest.mark.parametrize("form", [draw.ALL_LEGS, draw.FIRST_LEG, draw.FIRST_LEG_IF_ANY])
@pytest.mark.parametrize(("rule", "costs"), WORLDS)
def test_records_equal_the_oracle(rule, costs, form):
    random = seeded(1)
    compared = 0
    for seed in range(cases(60)):
        is_open = random_open(random, largest=14 if seed % 4 else 22)
        is_spread = seed % 2
        places = oracle.drawn_from(is_open, rule, costs)
        grid = Grid(is_open, diagonals=rule, costs=costs)
        expected = []
        for number in range(6 if places else 0):
            of_form = form != draw.ALL_LEGS, 100, is_spread, form != draw.FIRST_LEG_IF_ANY
            made = oracle.record(is_open, rule, costs, places, seed, number, *of_form)
            if made is None:
                break
            expected.append(made)
        if len(expected) == 6:
            assert drawn(grid, 6, seed, form, is_spread=is_spread) == expected
            compared += 1
    assert compared >= cases(12)


def test_records_depend_on_seed_and_number_alone():
    grid = Grid(rooms())
    for form in (draw.ALL_LEGS, draw.FIRST_LEG):
        many = drawn(grid, 40, 7, form)
        assert drawn(grid, 25, 7, form, threads=2) == many[:25]
        assert drawn(grid, 40, 8, form) != many


def test_spread_starts_and_ends_are_more_even_than_random_ones():
    grid = Grid(np.ones((64, 64), bool))

    def most_in_a_sixteenth(is_spread, which):
        places = [ends[which] for ends in drawn(grid, 160, 3, draw.ALL_LEGS, is_spread=is_spread)]
        return max(np.unique([x // 16 + 4 * (y // 16) for x, y in places], return_counts=True)[1])

    for which in (0, 1):
        assert 10 <= most_in_a_sixteenth(1, which) <= 13 < most_in_a_sixteenth(0, which)


def rooms():
    """A map whose paths bend."""
    is_open = np.ones((13, 25), bool)
    is_open[:10, 8] = is_open[3:, 16] = False
    return is_open


def test_pairs_are_drawn_from_all_open_cells():
    is_open = rooms()
    starts = [start for start, _, _ in drawn(Grid(is_open), 4 * is_open.sum(), 3, draw.ALL_LEGS)]
    places, times = np.unique(starts, axis=0, return_counts=True)
    assert len(places) > 0.95 * is_open.sum()
    assert times.max() < 16


@pytest.mark.skipif(JIT_IS_OFF, reason="climbs of thousands of steps")
def test_legs_keep_within_their_span():
    """A long corridor: the path's end is out of the first leg's reach, though a climb would make it."""
    is_open = np.ones((3, 2500), bool)
    is_open[1, 1200] = False
    made = drawn(Grid(is_open), 60, 5, draw.ALL_LEGS)
    assert max(abs(dx) for _, _, legs in made for dx, _ in legs) == draw.SPAN
    for start, end, legs in made:
        assert (start[0] + sum(x for x, _ in legs), start[1] + sum(y for _, y in legs)) == end
    for (x, _), (u, _), ((dx, _),) in drawn(Grid(is_open), 8, 5, draw.FIRST_LEG):
        assert abs(u - x) > draw.SPAN or abs(dx) < abs(u - x)


@pytest.mark.parametrize("rule", few(rules.DIAGONALS, 1) if JIT_IS_OFF else rules.DIAGONALS)
@pytest.mark.parametrize("drawing", ["..#..", ".", "..\n..", "...."])
def test_a_map_without_a_pair_has_no_records(drawing, rule):
    is_open = np.array([[symbol == "." for symbol in row] for row in drawing.split()])
    grid = Grid(is_open, diagonals=rule)
    for form in (draw.ALL_LEGS, draw.FIRST_LEG):
        has_pairs = form == draw.ALL_LEGS and (drawing == "...." or (drawing == "..\n.." and rule == "never"))
        assert len(drawn(grid, 5, 1, form)) == (5 if has_pairs else 0)


def test_records_end_with_the_first_that_finds_no_pair(monkeypatch):
    """The parts behind it are made, and left out."""
    grid, whole = Grid(rooms()), draw.draw

    def until_seven(*arguments):
        *known, first, last = arguments
        return whole(*known, first, max(first, min(last, 7)))

    expected = drawn(grid, 7, 3, draw.ALL_LEGS)
    monkeypatch.setattr(draw, "draw", until_seven)
    for threads in (1, 2):
        assert drawn(grid, 40, 3, draw.ALL_LEGS, threads) == expected


def test_pairs_come_from_all_components_of_three_cells():
    is_open = np.zeros((2, 4 * 30), bool)
    is_open[:, 0::4] = is_open[0, 1::4] = True
    made = drawn(Grid(is_open, diagonals="never"), 200, 1, draw.ALL_LEGS)
    assert {start[0] // 4 for start, _, _ in made} == set(range(30))
    assert all(start[0] // 4 == end[0] // 4 for start, end, _ in made)


def test_draws_run_out(monkeypatch):
    """Squares, in which every two cells are neighbours, and so many that two cells hardly ever share one."""
    is_open = np.zeros((2, 3 * 2000), bool)
    is_open[:, 0::3] = is_open[:, 1::3] = True
    monkeypatch.setattr(draw, "MOST_DRAWS", 500)  # seen without the compiler only: just to spare it time
    assert not drawn(Grid(is_open), 1, 1, draw.ALL_LEGS)


@pytest.mark.parametrize("rule", ["both-open", "always"])
def test_paths_beyond_the_limit_of_costs_are_drawn_anew(rule, monkeypatch):
    """Cells so dear that no path can be longer than ten."""
    controls = index.new_controls

    def dear(grid):
        made = controls(grid)
        for control in made:
            control["straight_cost"] = control["diagonal_cost"] = COST_LIMIT // 11
            control["shift"] = 24
        return made

    monkeypatch.setattr(index, "new_controls", dear)
    made = drawn(Grid(np.ones((1, 40), bool), diagonals=rule), 50, 2, draw.ALL_LEGS)
    lengths = [abs(end[0] - start[0]) for start, end, _ in made]
    assert set(lengths) <= set(range(2, 12))
    assert max(lengths) >= 8


def test_a_wide_search_outgrows_the_first_pool():
    """A wall across a field: cells on both sides of it are far apart."""
    is_open = np.ones((44, 44), bool)
    is_open[22, 1:-1] = False
    assert len(drawn(Grid(is_open, diagonals="always"), 4, 2, draw.ALL_LEGS)) == 4


def test_counts_are_read_back_from_codes():
    counts = np.array([1, 0, 254, 255, 256, 1000, 510, 3])
    codes = count_codes(counts)
    assert counts_of(codes).tolist() == counts.tolist()
    assert counts_of(codes[:0]).size == 0


def test_legs_are_packed_and_unpacked():
    vectors = [(0, 0), (1, -1), (-2048, 2047), (2047, -2048), (-7, 300)]
    packed = draw.packed(np.array(vectors, np.int16))
    assert packed.shape == (5, draw.LEG_BYTES)
    assert packed.dtype == np.uint8
    words = [int.from_bytes(bytes(row), "little") for row in packed]
    assert [((word & 4095) - 2048, (word >> 12) - 2048) for word in words] == vectors


def unpack(grid, starts, first_legs, legs):
    arrays = np.array(starts, np.uint32), np.array(first_legs, np.int32), draw.packed(np.array(legs, np.int16))
    for array in arrays:
        array.setflags(write=False)
    return draw.unpack(grid.component, grid.stride, *arrays)


def test_unpacked_records_are_checked():
    grid = Grid(np.array([[True, True, True, False, True]]))
    first, last, island, wall = (grid.cell((x, 0)) for x in (0, 2, 4, 3))
    legs, ends, bad = unpack(grid, [first, last], [0, 2, 3], [(1, 0), (1, 0), (-2, 0)])
    assert legs.tolist() == [[1, 0], [1, 0], [-2, 0]]
    assert (ends.tolist(), bad) == ([last, first], -1)
    assert unpack(grid, [first, wall], [0, 1, 2], [(1, 0), (1, 0)])[2] == 1
    assert unpack(grid, [first, 1 << 31], [0, 1, 2], [(1, 0), (1, 0)])[2] == 1
    assert unpack(grid, [first, island], [0, 1, 1], [(1, 0)])[2] == 1
    for vector in ((3, 0), (4, 0), (5, 0), (-2, 0), (2047, 0), (0, 1), (0, -1), (0, -2048), (1, 2047)):
        assert unpack(grid, [first], [0, 1], [vector])[2] == 0
