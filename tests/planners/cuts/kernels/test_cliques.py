"""The clique abstraction against its plain-Python twin, every level and number of it."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings

from tests.oracle import cliques as oracle
from tests.oracle import rules
from tests.support.chance import seeded
from tests.support.worlds import DRAWINGS, JIT_IS_OFF, cases, large_world, random_open, small_worlds
from waypost.planners.cuts.cliques import abstract
from waypost.planners.cuts.kernels import cliques
from waypost.world.grid import Grid

each_rule = pytest.mark.parametrize("rule", rules.DIAGONALS)


def check(is_open, rule):
    """The abstraction of a map equals the oracle's; returns both."""
    grid = Grid(np.array(is_open, bool), diagonals=rule)
    made, levels = abstract(grid), oracle.abstraction(is_open, rule)
    above = levels[1:]
    assert made.top == len(above)
    assert made.firsts.tolist() == np.cumsum([0, *(len(level.nodes) for level in above)]).tolist()
    first_of = dict(enumerate(made.firsts.tolist(), start=1))

    cells = [grid.cell(places[0]) for places in levels[0].cells]
    ground_parents = np.full(grid.mask.size, -1)
    ground_parents[cells] = levels[0].parents
    assert made.ground_parents.tolist() == ground_parents.tolist()
    parents = [first_of[number + 1] + v for number, level in enumerate(above, start=1) for v in level.parents]
    assert made.parents.tolist() == parents + [-1] * len(above[-1].nodes)

    every = [(number, level, v) for number, level in enumerate(above, start=1) for v in level.nodes]
    edges = [
        [(first_of[number] + u, level.capacities[v, u]) for u in level.neighbours[v]] for number, level, v in every
    ]
    assert made.starts.size == len(every) + 1
    listed = zip(made.neighbours.tolist(), made.capacities.tolist(), strict=True)
    flat = list(listed)
    assert [flat[a:b] for a, b in pairwise(made.starts.tolist())] == edges

    assert made.sums.tolist() == [list(oracle.sums(level.cells[v])) for _, level, v in every]
    assert made.points.tolist() == [list(oracle.point(level.cells[v])) for _, level, v in every]
    return grid, made, levels


def check_representatives(grid, made, levels):
    """Of each level by itself."""
    for number, level in enumerate(levels[1:], start=1):
        region_of = made.regions(number)
        assert set(region_of[grid.component == 0].tolist()) <= {-1}
        first, last = made.firsts[number - 1 : number + 1].tolist()
        region_of[region_of >= 0] -= first
        sums = made.sums[first:last].copy()
        for array in (region_of, sums):
            array.setflags(write=False)
        reps = cliques.representatives(region_of, grid.stride, sums)
        assert [grid.xy(cell) for cell in reps.tolist()] == [oracle.representative(places) for places in level.cells]


@settings(max_examples=cases(400), deadline=None)
@given(small_worlds())
def test_small_worlds_equal_the_oracle(world):
    is_open, rule, *_ = world
    check_representatives(*check(is_open.tolist(), rule))


@each_rule
def test_random_maps_equal_the_oracle(rule):
    random = seeded(1)
    for _ in range(cases(120)):
        check_representatives(*check(random_open(random, largest=16).tolist(), rule))


@each_rule
@pytest.mark.parametrize("drawing", DRAWINGS.values(), ids=DRAWINGS)
def test_drawn_maps_equal_the_oracle(drawing, rule):
    check_representatives(*check([[char != "#" for char in row] for row in drawing.split()], rule))


@each_rule
def test_larger_maps_equal_the_oracle(rule):
    """Levels enough for nodes of many neighbours."""
    random = seeded(2)
    for _ in range(cases(8)):
        (is_open, *_), _ = large_world(random, rule, "sqrt2", 20 if JIT_IS_OFF else 60)
        _, made, _ = check(is_open.tolist(), rule)
        assert made.top > 2


@each_rule
def test_arrays_are_read_only_and_of_one_kind(rule):
    kinds = {
        "firsts": np.int32,
        "ground_parents": np.int32,
        "parents": np.int32,
        "starts": np.int64,
        "neighbours": np.int32,
        "capacities": np.int32,
        "sums": np.int64,
    }
    for is_open in ([[True, False, True]], np.ones((5, 7), bool)):
        made = abstract(Grid(np.array(is_open), diagonals=rule))
        for name, dtype in kinds.items():
            array = getattr(made, name)
            assert (array.dtype, array.flags.writeable, array.flags.c_contiguous) == (dtype, False, True)
        assert made.points.dtype == np.int32


@each_rule
def test_known_levels_lead_to_the_same_levels_above(rule):
    """Groups that were stored need not be found again."""
    random = seeded(3)
    for _ in range(cases(30)):
        grid = Grid(random_open(random, largest=14), diagonals=rule)
        made = abstract(grid)
        known = [made.ground_parents]
        for number in range(1, made.top):
            first, last = made.firsts[number - 1 : number + 1].tolist()
            known.append((made.parents[first:last] - last).astype(np.int32))
        for count in range(len(known) + 1):
            again = abstract(grid, known[:count])
            for array, other in zip(made, again, strict=True):
                assert array.tolist() == other.tolist()


@each_rule
def test_the_order_of_the_hierarchy(rule):
    random = seeded(4)
    for _ in range(cases(60)):
        grid = Grid(random_open(random, largest=14), diagonals=rule)
        made = abstract(grid)
        for level in range(1, made.top + 1):
            keys = []
            for node in made.in_order(level).tolist():
                line = [node]
                while made.parents[line[-1]] >= 0:
                    line.append(int(made.parents[line[-1]]))
                keys.append(line[::-1])
            assert keys == sorted(keys)
            assert len(keys) == made.firsts[level] - made.firsts[level - 1]
