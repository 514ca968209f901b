"""LRTA* with a depth by tree and by oracle: plies, samples, histories and limits."""

import numpy as np
import pytest

import waypost as wp
from tests.oracle.depth_tree import Sampler
from tests.oracle.dijkstra import all_costs
from tests.planners.depths.twins import Pair, TreePair, random_settings, random_tree
from tests.support.chance import seeded
from tests.support.learning_worlds import TWO_WAYS, random_world
from tests.support.worlds import WORLDS, cases
from waypost.indexes.building import Works
from waypost.maps.text import read_drawing
from waypost.planners.depths.samples import take_samples
from waypost.planners.learning.kernels.state import by_name

each_rule = pytest.mark.parametrize(("rule", "costs"), WORLDS)


@pytest.mark.parametrize("drawing", TWO_WAYS, ids=range(len(TWO_WAYS)))
def test_each_ply_shows_what_a_lookahead_of_its_depth_would(drawing):
    """Where nodes become cheaper in a later ply, so do ways."""
    is_open, places = read_drawing("\n".join(drawing.split()))
    for rule, costs in WORLDS:
        if places["b"] in all_costs(is_open, rule, costs, places["a"]):
            for deepest in range(3, 10):
                Pair("lrta-oracle-g", (is_open, rule, costs), places["a"], places["b"], deepest=deepest).follow(60)


@each_rule
def test_a_tree_of_one_leaf_is_lrta(rule, costs):
    random = seeded(33)
    for depth in (1, 2, 5):
        is_open, start, goal = random_world(random, rule, costs)
        leaf = [(-1, 0.0, 0, depth)]
        params = {"tree": leaf, "deepest": 6, "history": 5, "presearch": 1}
        pair = TreePair("lrta-dt-g", (is_open, rule, costs), start, goal, **params)
        fixed = wp.build("lrta", pair.grid, depth=depth).agent()
        fixed.reset(wp.Problem(pair.grid.cell(start), pair.grid.cell(goal)))
        ours, theirs = pair.agent.walk(200), fixed.walk(200)
        assert np.array_equal(ours.cells, theirs.cells)
        assert np.array_equal(ours.work[:, 0], theirs.work[:, 0])


@each_rule
def test_samples_are_the_twins(rule, costs):
    random = seeded(34)
    for _ in range(cases(12)):
        is_open, _, _ = random_world(random, rule, costs)
        grid, params = wp.Grid(is_open, diagonals=rule, costs=costs), random_settings(random)
        if grid.component_sizes.max() < 2:
            continue
        samples = take_samples(grid, Works(1), "walks", problems=3, seed=5, **params)
        expected, numbers = [], []
        for number, problem in enumerate(wp.sample_problems(grid, 3, 5)):
            twin = Sampler(is_open, rule, costs, **params)
            twin.place(grid.xy(problem.start))
            twin.set_goal(grid.xy(problem.goal))
            for _ in range(1000):
                if twin.here == twin.goal:
                    break
                twin.step()
                expected.append(twin.sample)
                numbers.append(number)
        assert np.column_stack([samples.features, samples.labels]).tolist() == expected
        assert samples.problems.tolist() == numbers


def test_history_and_last_moves_of_several_goals():
    """A new goal begins a new history; what was done on an earlier trip to a goal is still known."""
    random = seeded(35)
    for _ in range(cases(40)):
        is_open, start, goal = random_world(random, "both-open", "sqrt2")
        params = {"deepest": 4, "history": 6, "presearch": 2}
        world = is_open, "both-open", "sqrt2"
        pair = TreePair("lrta-dt-g", world, start, goal, tree=random_tree(random, 4), **params)
        goals = list(all_costs(is_open, "both-open", "sqrt2", start))[:12]
        for place in (goal, start, goal, *goals, goal):
            pair.retarget(place)
            pair.follow(12)


def test_nothing_connected_gives_no_samples():
    samples = take_samples(
        wp.grid_from_text(".#."), Works(1), "walks", problems=3, seed=5, deepest=3, presearch=1, history=5
    )
    assert samples.features.shape == (0, 11)
    assert samples.labels.size == samples.problems.size == 0


def test_the_limit_of_costs_ends_a_walk():
    pair = Pair("lrta-oracle-g", ([[True] * 4], "both-open", "sqrt2"), (0, 0), (3, 0), deepest=3)
    by_name(pair.agent.words)["too_far"] = 1
    with pytest.raises(wp.WaypostError, match="longest path"):
        pair.agent.step()
    pair.retarget((2, 0))
    assert list(pair.agent) == [(1, 0), (2, 0)]
