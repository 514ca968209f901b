"""What the oracles of cliques and their planners must show on their own, before anything is compared with them."""

from itertools import pairwise

import numpy as np
import pytest

from tests.oracle import clique_invariants, cliques, pra_clique, rules
from tests.oracle.dijkstra import all_costs
from tests.oracle.dlrta import DlrtaWalker, FixedDepth
from tests.oracle.learning import walker
from tests.oracle.pair_depths import StoredDepths
from tests.oracle.pair_subgoals import PairSubgoals
from tests.support.clique_worlds import ROUND_AGAIN, ROUND_AGAIN_PARAMS
from tests.support.learning_worlds import random_world
from tests.support.worlds import DRAWINGS, WORLDS, cases, random_open

each_rule = pytest.mark.parametrize("rule", rules.DIAGONALS)
each_world = pytest.mark.parametrize(("rule", "costs"), WORLDS)


def is_open_of(drawing):
    return [[char != "#" for char in row] for row in drawing.split()]


def test_a_square_is_a_clique():
    levels = cliques.abstraction(is_open_of(".. .."), "both-open")
    assert [len(level.nodes) for level in levels] == [4, 1]
    assert cliques.sums(levels[1].cells[0]) == (4, 6, 6)
    assert cliques.point(levels[1].cells[0]) == (24, 24)
    assert cliques.representative(levels[1].cells[0]) == (0, 0)


def test_a_corridor_is_halved_from_its_end():
    ground, first, second = cliques.abstraction(is_open_of("....."), "both-open")
    assert ground.parents == [1, 1, 1, 0, 0], "from the last that waits; the first cell joins its only neighbour"
    assert first.neighbours == [[1], [0]]
    assert first.capacities == {(0, 1): 1, (1, 0): 1}
    assert [cliques.representative(places) for places in first.cells] == [(3, 0), (1, 0)]
    assert [cliques.point(places) for places in first.cells] == [(72, 16), (32, 16)]
    assert second.cells == [[(x, 0) for x in range(5)]]


def test_capacities_count_the_edges_below():
    _, first, _ = cliques.abstraction(is_open_of(".... ...."), "both-open")
    assert first.cells[0] == [(0, 0), (1, 0), (0, 1), (1, 1)]
    assert first.capacities == {(0, 1): 4, (1, 0): 4}


def test_a_map_without_moves_has_one_level_above_it():
    levels = cliques.abstraction(is_open_of(".#. #.#"), "both-open")
    assert [level.cells for level in levels] == [[[(0, 0)], [(2, 0)], [(1, 1)]], [[(1, 1)], [(2, 0)], [(0, 0)]]]


def test_a_lone_cell_is_carried_up():
    levels = cliques.abstraction(is_open_of("....... ####### #.#####"), "never")
    assert len(levels) > 2
    for level in levels:
        assert [(1, 2)] in level.cells


@each_rule
def test_levels_are_what_an_abstraction_must_be(rule):
    random = np.random.default_rng(1)
    for _ in range(60):
        is_open = random_open(random, largest=12).tolist()
        clique_invariants.check_levels(cliques.abstraction(is_open, rule), is_open, rule)
    for drawing in DRAWINGS.values():
        is_open = is_open_of(drawing)
        clique_invariants.check_levels(cliques.abstraction(is_open, rule), is_open, rule)


@each_rule
def test_regions_are_one_after_the_other_under_every_ancestor(rule):
    random = np.random.default_rng(2)
    for _ in range(20):
        is_open = random_open(random, largest=12).tolist()
        levels = cliques.abstraction(is_open, rule)
        for level in range(len(levels)):
            subgoals = PairSubgoals(is_open, rule, "1.4", level, 0)
            for above in levels[level:]:
                for places in above.cells:
                    numbers = {subgoals.region_of[place] for place in places}
                    assert len(numbers) == max(numbers) - min(numbers) + 1


@each_world
def test_subgoals_lead_on(rule, costs):
    """Each lies outside its region on a shortest way between the two representatives."""
    random = np.random.default_rng(3)
    for _ in range(6):
        is_open = random_open(random).tolist()
        subgoals = PairSubgoals(is_open, rule, costs, int(random.integers(1, 4)), int(random.integers(2)))
        for start, start_rep in enumerate(subgoals.reps):
            exact = all_costs(is_open, rule, costs, start_rep)
            for goal, goal_rep in enumerate(subgoals.reps):
                subgoal = subgoals.subgoal(start, goal)
                assert (subgoal is None) == (start == goal or goal_rep not in exact)
                if subgoal is not None:
                    assert subgoals.region_of[subgoal] != start
                    onward = all_costs(is_open, rule, costs, subgoal)
                    assert exact[subgoal] + onward[goal_rep] == exact[goal_rep]
                    if subgoals.progress:
                        nearer = subgoals.reps[subgoals.region_of[subgoal]]
                        assert all_costs(is_open, rule, costs, nearer)[goal_rep] < exact[goal_rep]


@each_world
def test_dlrta_arrives_by_legal_moves(rule, costs):
    random = np.random.default_rng(4)
    for _ in range(8):
        is_open, start, goal = random_world(random, rule, costs)
        subgoals = PairSubgoals(is_open, rule, costs, int(random.integers(1, 5)), int(random.integers(2)))
        depth, is_stored = int(random.integers(1, 4)), random.integers(2)
        depths = StoredDepths(subgoals, depth) if is_stored else FixedDepth(depth)
        one = DlrtaWalker(subgoals, start, depths=depths, deepest=int(random.integers(7)))
        one.set_goal(goal)
        passed = [start]
        while one.here != goal:
            passed.append(one.step()[0])
            assert len(passed) < 5000
        rules.check_walk(is_open, rule, passed, start, goal)


def test_a_pocket_is_as_deep_as_it_looks():
    """Towards a place behind its end: east is nearer, until all that is in the pocket was seen."""
    is_open = is_open_of("...... .####. ....#. .####. ......")
    depths = StoredDepths(PairSubgoals(is_open, "never", "1.4", 1, 0), 9)
    assert [depths.optimal((x, 2), (5, 2)) for x in range(4)] == [4, 3, 2, 1]
    capped = StoredDepths(depths.subgoals, 3)
    assert [capped.optimal((x, 2), (5, 2)) for x in range(4)] == [3, 3, 2, 1]


def test_dlrta_of_one_region_is_lrta():
    random = np.random.default_rng(5)
    for depth in (1, 2, 3):
        is_open, start, goal = random_world(random, "both-open", "1.4")
        alone = DlrtaWalker(PairSubgoals(is_open, "both-open", "1.4", 99, 0), start, depths=FixedDepth(depth))
        alone.set_goal(goal)
        lrta = walker("lrta", is_open, "both-open", "1.4", start, goal, depth=depth)
        while lrta.here != goal:
            there, work = alone.step()
            assert (there, work["expansions"]) == lrta.step()
        assert alone.learned == lrta.learned


def pra_walk(world, start, goal, **settings):
    """The places passed, and the walker; it must arrive."""
    one = pra_clique.PraWalker(world, start, **settings)
    one.set_goal(goal)
    passed = [start]
    while one.here != goal:
        passed.append(one.step()[0])
        assert len(passed) < 5000
    return passed, one


@each_world
@pytest.mark.parametrize("euclid", [0, 1])
def test_pra_arrives_by_legal_moves(rule, costs, euclid):
    random = np.random.default_rng(6)
    for _ in range(cases(12)):
        is_open, start, goal = random_world(random, rule, costs)
        world = pra_clique.World(is_open.tolist(), rule, costs, euclid=euclid)
        for steps in (0, 1, 2, 5):
            passed, one = pra_walk(world, start, goal, steps=steps, width=int(random.integers(3)))
            rules.check_walk(is_open, rule, passed, start, goal)
            assert steps or len(one.plans) <= 1


@each_world
def test_pra_in_a_corridor_of_everything_walks_an_optimal_path(rule, costs):
    random = np.random.default_rng(7)
    for _ in range(cases(12)):
        is_open, start, goal = random_world(random, rule, costs)
        world = pra_clique.World(is_open.tolist(), rule, costs)
        passed, _ = pra_walk(world, start, goal, steps=0, width=100)
        assert rules.walk_cost(rule, costs, passed) == all_costs(is_open, rule, costs, start)[goal]


def test_pra_of_whole_ways_keeps_to_its_corridor():
    random = np.random.default_rng(8)
    for _ in range(20):
        is_open, start, goal = random_world(random, "both-open", "1.4")
        world = pra_clique.World(is_open.tolist(), "both-open", "1.4")
        _, one = pra_walk(world, start, goal, steps=0, width=0)
        for plan in one.plans:
            for level, (way, above) in enumerate(pairwise(reversed(plan.ways))):
                assert {world.levels[level].parents[node] for node in way} <= set(above)


def test_pra_that_comes_back_plans_whole_ways():
    rows = ROUND_AGAIN.split()
    at = {char: (x, y) for y, row in enumerate(rows) for x, char in enumerate(row)}
    settings = dict(ROUND_AGAIN_PARAMS)
    world = pra_clique.World(is_open_of(ROUND_AGAIN), "never", "1.4", euclid=settings.pop("euclid"))
    _, one = pra_walk(world, at["a"], at["b"], **settings)
    again = [plan for plan in one.plans if sum(other.cells[0] == plan.cells[0] for other in one.plans) > 1]
    assert [bool(plan.cuts) for plan in again] == [True, False]
    assert world.place(again[-1].cells[-1]) == at["b"]
