"""LRTA* under dynamic control: events, traps, limits, and which rules the worlds of the twins meet."""

from collections import Counter
from itertools import permutations, product

import pytest

import waypost as wp
from tests.oracle import rules
from tests.oracle.dijkstra import all_costs
from tests.oracle.learning_steps import LIMIT
from tests.planners.pairs.twins import LOWEST, MOST_STEPS, PLANNERS, TWINS, Pair, random_params
from tests.support.chance import seeded
from tests.support.clique_worlds import LOOKING_BACK, LOOKING_BACK_PARAMS
from tests.support.learning_worlds import random_world
from tests.support.worlds import DRAWINGS, JIT_IS_OFF, WORLDS, cases, deep, draw, random_open
from waypost.agents.trace import Event
from waypost.maps import generate
from waypost.maps.text import read_drawing
from waypost.world.problem import sample_problems

ONE_STEP = {"depth": 1, "cap": 1, "deepest": 0}
each_world = pytest.mark.parametrize(("rule", "costs"), WORLDS)
each_planner = pytest.mark.parametrize("name", PLANNERS)


@pytest.mark.parametrize("twin", TWINS, ids=str)
@each_world
def test_events_tell_all(rule, costs, twin):
    """Recorded walks make the same moves, and say which cells were looked around and where they were to lead."""
    random = seeded(5)
    for number in range(max(2, cases(8))):
        params = {param: value for param, value in ONE_STEP.items() if param in PLANNERS[twin.planner] and number % 2}
        pair = twin.small_pair(random, rule, costs, record=True, **params)
        for _ in range(MOST_STEPS // 4):
            if pair.arrived:
                break
            pair.step()
            events = pair.agent.take_events()
            cells = events["cell"][events["kind"] == Event.EXPANDED].tolist()
            assert [pair.grid.xy(cell) for cell in cells] == pair.walker.moving.looked_at


@each_planner
def test_a_dead_end_between_regions(name):
    """What misleads LRTA* for long does not mislead it towards the right subgoal, or where it looks far enough."""
    is_open, places = read_drawing(DRAWINGS["spiral"])
    world = is_open, "both-open", "sqrt2"
    for level, progress, (depth, deepest) in product(range(LOWEST, 4), (0, 1), ((1, 0), (1, 5), (4, 6))):
        params = {"level": level, "by_progress": progress, "depth": depth, "cap": 2 * depth, "deepest": deepest}
        known = {param: value for param, value in params.items() if param in PLANNERS[name]}
        Pair(name, world, places["a"], places["b"], **known).follow()


def test_the_depth_is_that_of_the_region_where_a_subgoal_is_chosen():
    """Two regions have one subgoal towards the goal, and need different depths for it; the agent stands in both."""
    is_open, places = read_drawing(".....#\n.#.#b#\na...#.")
    params = {"level": 2, "by_progress": 0, "deepest": 0, "cap": 5}
    pair = Pair("lrta-pdb-pdb", (is_open, "always", "1.4"), places["a"], places["b"], **params)
    assert pair.follow()["same subgoal, other depth"]


@pytest.mark.parametrize("cap", [1, 2, 3, 6])
def test_out_of_the_goals_region_by_progress_it_looks_as_far_as_it_can(cap):
    """It is led no more, and no depth is stored."""
    is_open, places = read_drawing("...\n##.\nb#a\n...")
    params = {"level": 2, "by_progress": 1, "deepest": 0, "cap": cap}
    pair = Pair("lrta-pdb-pdb", (is_open, "both-open", "1.4"), places["a"], places["b"], **params)
    assert pair.follow()["goal, left its region"]


def test_what_a_stored_depth_reaches_is_forgotten_with_the_subgoal():
    """Also in tiles that the agent does not stand in."""
    is_open, places = read_drawing(".......a..\n########.#\n..........\n#..#######\n.........b")
    params = {"level": 2, "by_progress": 0, "deepest": 0, "cap": 8}
    Pair("lrta-pdb-pdb", (is_open, "always", "1.4"), places["a"], places["b"], **params).follow()


@each_world
def test_lrta_to_the_goal_begins_with_a_move_of_a_best_way(rule, costs):
    """From representative to representative, if the cap is as high as any depth can be."""
    random = seeded(7)
    for _ in range(cases(8)):
        is_open = random_open(random, largest=8)
        grid = wp.Grid(is_open, diagonals=rule, costs=costs)
        planner = wp.build("lrta-pdb-g", grid, threads=1, level=2, cap=1 + int(is_open.sum()))
        for start, goal in permutations(map(grid.xy, planner.index.reps.tolist()), 2):
            left = all_costs(is_open, rule, costs, goal)
            if start in left:
                cell = planner.agent(start, goal).step().cell
                assert rules.walk_cost(rule, costs, [start, grid.xy(cell)]) + left[grid.xy(cell)] == left[start]


@each_world
def test_stored_depths_of_one_move_are_depth_1(rule, costs):
    """A cap of 1 leaves nothing to store: D LRTA* and LRTA* of that depth."""
    random = seeded(8)
    for _ in range(cases(10)):
        is_open, start, goal = random_world(random, rule, costs)
        grid = wp.Grid(is_open, diagonals=rule, costs=costs)
        params = random_params("dlrta", random) | {"depth": 1}
        stored = {param: value for param, value in params.items() if param != "depth"} | {"cap": 1}
        same = (("dlrta", params), ("lrta-pdb-pdb", stored)), (("lrta", {"depth": 1}), ("lrta-pdb-g", {"cap": 1}))
        for pair in same:
            walks = [
                wp.build(name, grid, **of_planner).agent(start, goal).walk(MOST_STEPS) for name, of_planner in pair
            ]
            assert walks[0].cells.tolist() == walks[1].cells.tolist()


@each_world
def test_lrta_to_a_goal_in_its_own_region_looks_one_move_ahead(rule, costs):
    random = seeded(9)
    for _ in range(cases(10)):
        is_open, start, goal = random_world(random, rule, costs)
        grid = wp.Grid(is_open, diagonals=rule, costs=costs)
        plain, stored = (
            wp.build(name, grid, **params).agent(start, goal).walk(MOST_STEPS)
            for name, params in (("lrta", {"depth": 1}), ("lrta-pdb-g", {"level": 30}))
        )
        assert plain.cells.tolist() == stored.cells.tolist()


def test_what_was_learned_about_earlier_subgoals_is_forgotten_far_away_too():
    is_open, places = read_drawing(LOOKING_BACK)
    Pair("dlrta", (is_open, "one-open", "sqrt2"), places["a"], places["b"], **LOOKING_BACK_PARAMS).follow(most=400)


@pytest.mark.parametrize("by_progress", [0, 1])
def test_numbers_of_subgoals_begin_anew(by_progress):
    """After so many that there are no more numbers."""
    grid = wp.Grid(generate.maze(21, 15, seed=1))
    fresh, worn = (wp.build("dlrta", grid, level=1, by_progress=by_progress, depth=2).agent() for _ in range(2))
    numbers = worn.control.numbers["subgoal_number"]
    last_number = (1 << 31) - 1
    for problem in sample_problems(grid, 3, 1):
        fresh.reset(problem)
        worn.reset(problem)
        numbers[0] = last_number - 1
        assert fresh.path().tolist() == worn.path().tolist()
        assert 0 < numbers[0] < last_number - 1
        assert fresh.memory == worn.memory


def test_values_beyond_the_limit_are_refused():
    agent = wp.build("dlrta", wp.grid_from_text("......\n.####.\n......"), level=30, depth=1, deepest=0).agent(
        (1, 0), (4, 2)
    )
    while not len(agent.learned()[0]):
        agent.step()
    pages = agent.table[agent.table.size - 2 * 64 * agent.settings.tile_count :]  # values, then marks of where it stood
    x, y = agent.position
    values = pages[:64].reshape(8, 8)
    values[:] = LIMIT - 1
    values[y + 1, x + 1] = 0
    with pytest.raises(wp.WaypostError, match=r"longest path supported, 374,\d+ cells"):
        agent.step()


@deep
@pytest.mark.skipif(JIT_IS_OFF, reason="takes long")
def test_every_rule_is_met_often():
    """The worlds of the twins must hold what they are for."""
    random = seeded(6)
    taken = Counter()
    for twin in TWINS * 20:
        taken += twin.rules_met(random, *draw(random, WORLDS), twin.largest)
    assert len(taken) == 8  # the ninth is rare, and has a test of its own
    assert not {rule: count for rule, count in taken.items() if count < 20}
