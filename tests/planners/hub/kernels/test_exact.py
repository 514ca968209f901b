"""Costs, paths and walks of hub against Dijkstra in plain Python."""

import numpy as np
import pytest

import waypost as wp
from tests.planners.hub.worlds import BOTH, COMB, ZIGZAG, built, check_exact, comb
from tests.support.chance import seeded
from tests.support.worlds import JIT_IS_OFF, cases, few, random_open
from waypost.maps import generate


@pytest.mark.parametrize("number", range(2))
def test_random_small_worlds(number):
    random = seeded(number)
    for case in range(cases(480)):
        largest = 8 if JIT_IS_OFF else (6, 10, 16, 24)[case % 4]
        check_exact(random_open(random, largest), *BOTH[number], random, sources=2)


@pytest.mark.parametrize("rule", ["one-open", "always", "never"])
def test_other_rules_by_every_cell(rule):
    random = seeded(7)
    for case in range(cases(60)):
        check_exact(random_open(random, 6 if JIT_IS_OFF else 12), rule, ("sqrt2", "1.4")[case % 2], random, sources=2)


@pytest.mark.parametrize("kind", few(generate.GENERATORS, 3))
def test_larger_maps(kind):
    side = 24 if JIT_IS_OFF else 72
    check_exact(generate.GENERATORS[kind](side, side, seed=4), *BOTH[0], seeded(5), sources=2)


@pytest.mark.parametrize("grid", [COMB, ZIGZAG], ids=["comb", "zigzag"])
def test_many_subgoals_behind_the_hub(grid):
    """Each later move works hardly: it looks at a few entries, however many subgoals there are."""
    check_exact(grid.is_open, *BOTH[0], seeded(3), sources=1)
    planner = built(grid)
    trace = wp.simulate(planner.agent(), planner.problem((0, 0), (0, grid.height - 1)))
    work = trace.work.sum(axis=1)
    assert work.max() <= planner.work_bound
    assert work[1:].max() <= 1 + 2 * planner.index.most.below


def test_a_path_in_pieces_is_the_same():
    planner, ends = comb(), ((0, 0), (COMB.width - 1, 3))
    whole = planner.path(*ends)
    agent = planner.agent(*ends)
    pieces = [agent.walk(7).cells[1:] for _ in range(len(whole) // 7 + 1)]
    assert np.array_equal(COMB.xys(np.concatenate(pieces)), whole[1:])
    with pytest.raises(wp.OutOfMoves, match="within 5 moves"):
        planner.path(*ends, max_moves=5)
    assert len(planner.agent(*ends, record=True).path()) == len(whole)


def test_bits_beyond_64_cells():
    """Scans that cross words, and a map so tall that diagonals come round several times."""
    random = seeded(11)
    for shape in ((3, 150), (150, 3)) if JIT_IS_OFF else ((5, 300), (300, 5), (400, 2)):
        is_open = random.random(shape) < 0.93
        is_open[0, 0] = True
        check_exact(is_open, *BOTH[0], random, sources=1)


def test_fleets_walk_as_agents():
    """To the same places at the same time, and by shortest paths."""
    planner, last, middle = comb(), COMB.width - 1, COMB.width // 4 * 2
    starts, goals = [(0, 0), (0, 1), (last, 3), (middle, 2)], [(last, 3), (middle + 2, 2), (2, 2), (middle, 2)]
    fleet = planner.fleet(starts, goals, threads=1)
    paths = [planner.path(start, goal).tolist() for start, goal in zip(starts, goals, strict=True)]
    for tick in range(1, max(map(len, paths))):
        fleet.tick()
        assert fleet.xy.tolist() == [path[min(tick, len(path) - 1)] for path in paths]
    assert (fleet.status == wp.MemberStatus.ARRIVED).all()
    removed = planner.fleet(starts[:2], goals[:2], threads=1)
    removed.remove([0])
    assert removed.tick().chosen == 1
