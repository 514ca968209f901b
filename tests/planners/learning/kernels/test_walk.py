"""The compiled learning planners against the plain-Python walkers: drawn traps, tables of goals, events and limits."""

import math

import numpy as np
import pytest

import waypost as wp
from tests.oracle.dijkstra import all_costs
from tests.oracle.learning import WALKERS
from tests.oracle.learning_steps import LIMIT
from tests.planners.learning.twins import MOST_STEPS, Pair
from tests.support.chance import seeded
from tests.support.learning_worlds import TWO_WAYS, random_params, random_world
from tests.support.worlds import DRAWINGS, JIT_IS_OFF, WORLDS, cases, few
from waypost.agents.trace import Event
from waypost.maps.text import read_drawing
from waypost.planners.learning.kernels.state import by_name

ONE_STEP = {"rta", "lrta-k", "plrta"}
SHORT_SIGHTED = {
    "lrta": {"depth": 2},
    "lrta-cost": {"horizon": 1.7},
    "rta": {},
    "lrta-k": {"k": 4},
    "plrta": {"queue": 4},
    "lss": {"lookahead": 3, "moves_per_plan": 0},
    "rtaa": {"lookahead": 3, "moves_per_plan": 0},
    "lrts": {"depth": 2, "gamma": 1.0, "quota": 50.0},
}
"""Parameters with which a dead end of a few cells teaches something."""


each_planner = pytest.mark.parametrize("name", WALKERS)
each_rule = pytest.mark.parametrize(("rule", "costs"), WORLDS)


def reachable(is_open, rule, costs, start):
    return list(all_costs(is_open, rule, costs, start))


@each_planner
@pytest.mark.parametrize("drawing", DRAWINGS)
def test_drawn_traps(name, drawing):
    is_open, places = read_drawing(DRAWINGS[drawing])
    random = seeded(22)
    for rule, costs in WORLDS:
        goals = reachable(is_open, rule, costs, places["a"])
        goal = places["b"] if places.get("b") in goals else goals[-1]
        Pair(name, (is_open, rule, costs), places["a"], goal, **random_params(random, name)).follow()


@pytest.mark.parametrize("name", ["lrta", "lrts"])
@pytest.mark.parametrize("drawing", TWO_WAYS, ids=range(len(TWO_WAYS)))
def test_plies_count_with_what_the_last_ply_left(name, drawing):
    """Nodes made cheaper during a ply; random maps hardly ever show a planner that counts with their new g at once."""
    is_open, places = read_drawing("\n".join(drawing.split()))
    more = {"lrta": [{}], "lrts": [{"gamma": 1.0, "quota": 100.0}, {"gamma": 0.57, "quota": 0.0}]}[name]
    for rule, costs in WORLDS:
        if places["b"] not in reachable(is_open, rule, costs, places["a"]):
            continue
        for ends in (("a", "b"), ("b", "a")):
            start, goal = (places[end] for end in ends)
            for depth in range(3, 10):
                for others in more:
                    Pair(name, (is_open, rule, costs), start, goal, depth=depth, **others).follow(most=60)


@each_planner
def test_blocks_side_by_side_are_one_map(name):
    """Learning across the borders of 8 x 8 blocks, in every row and column next to one."""
    is_open = np.ones((25, 25), bool)
    is_open[5:20, 18] = is_open[5, 5:19] = is_open[19, 5:19] = False
    random = seeded(23)
    for at in few((7, 8, 15, 16), 1 if JIT_IS_OFF else 2):
        for start, goal in (((17, at), (24, at)), ((at, 12), (24, 12)), ((at, 18), (at, 22)), ((at, 6), (at, 0))):
            pair = Pair(name, (is_open, "both-open", "1.4"), start, goal, **random_params(random, name))
            pair.follow(most=80)
            assert pair.walker.learned


@each_planner
def test_there_and_back_again(name):
    """What is known of a goal waits for it; only rta starts again."""
    is_open, places = read_drawing(DRAWINGS["dead end"])
    pair = Pair(name, (is_open, "both-open", "sqrt2"), places["a"], places["b"], **SHORT_SIGHTED[name])
    pair.follow(most=12)
    known = pair.walker.learned
    assert known
    pair.retarget((0, 0))
    assert len(pair.agent.learned()[0]) == 0
    pair.follow(most=4)
    pair.retarget(places["b"])
    assert pair.walker.learned == ({} if name == "rta" else known)
    pair.check_learned()
    pair.follow()


@each_planner
@pytest.mark.parametrize("others", [7, 8])
def test_the_tables_of_eight_goals_are_kept(name, others):
    is_open, places = read_drawing(DRAWINGS["dead end"])
    pair = Pair(name, (is_open, "both-open", "1.4"), places["a"], places["b"], **SHORT_SIGHTED[name])
    pair.follow(most=12)
    known = pair.walker.learned
    assert known
    for x in range(others):
        pair.retarget((x, 0))
        pair.follow(most=2)
    pair.retarget(places["b"])
    assert pair.walker.learned == (known if others < 8 and name != "rta" else {})
    pair.check_learned()
    pair.follow()


@each_planner
def test_the_same_goal_again_drops_the_plan(name):
    is_open, places = read_drawing(DRAWINGS["dead end"])
    for moves in few(range(1, 20), 4):
        pair = Pair(name, (is_open, "both-open", "1.4"), places["a"], places["b"], **SHORT_SIGHTED[name])
        pair.follow(most=moves)
        pair.retarget(places["b"])
        pair.check_learned()
        pair.follow()


@each_planner
def test_reset_forgets_everything(name):
    random = seeded(25)
    is_open, start, goal = random_world(random, "both-open", "1.4")
    params = random_params(random, name)
    used = Pair(name, (is_open, "both-open", "1.4"), start, goal, **params)
    used.follow(most=30)
    for other in reachable(is_open, "both-open", "1.4", start)[:10]:
        used.retarget(other)
        used.follow(most=5)
    used.agent.reset(wp.Problem(used.grid.cell(start), used.grid.cell(goal)))
    assert len(used.agent.learned()[0]) == 0
    used.walker.place(start)
    used.walker.set_goal(goal)
    used.follow()


@each_planner
@each_rule
def test_events_tell_all(name, rule, costs):
    """Every look around in its order, every value before and after, and what each plan was made for."""
    random = seeded(27)
    for _ in range(cases(12)):
        is_open, start, goal = random_world(random, rule, costs)
        pair = Pair(name, (is_open, rule, costs), start, goal, record=True, **random_params(random, name))
        one, grid = pair.walker, pair.grid
        value = {}
        for _ in range(MOST_STEPS // 2):
            if pair.arrived:
                break
            pair.step()
            events = pair.agent.take_events()
            cells = {kind: [grid.xy(c) for c in events["cell"][events["kind"] == kind].tolist()] for kind in Event}
            assert cells[Event.EXPANDED] == one.looked_at
            for row in events[events["kind"] == Event.LEARNED]:
                place = grid.xy(int(row["cell"]))
                assert row["g"] == pytest.approx(grid.length(value.get(place, one.h0(place))))
                assert row["f"] > row["g"]
                value[place] = LIMIT if math.isinf(row["f"]) else round(row["f"] * grid.costs.straight)
            assert value == one.learned
            if one.looked_at and one.target is not None:
                told = cells[Event.TARGETED]
                assert told == [one.target] or (name in ONE_STEP and not told)
        assert len(pair.agent.take_events()) == 0


@each_planner
def test_work_counters_are_kept_apart(name):
    """Only a move that plans works, and nobody here climbs or probes."""
    random = seeded(28)
    for _ in range(cases(40)):
        is_open, start, goal = random_world(random, "both-open", "1.4")
        planner = wp.build(name, wp.Grid(is_open), **random_params(random, name))
        agent = planner.agent()
        agent.reset(wp.Problem(agent.grid.cell(start), agent.grid.cell(goal)))
        work = agent.walk(MOST_STEPS).work
        assert (work[work[:, 0] == 0] == 0).all()
        assert (work[:, 2:4] == 0).all()
        if planner.work_bound is not None:
            assert work.sum(axis=1).max(initial=0) <= planner.work_bound


def test_old_decisions_are_forgotten_whole(monkeypatch):
    """LRTS keeps the moves of so many decisions as fit into its stack."""
    monkeypatch.setattr("waypost.planners.learning.kernels.sizes.REMEMBERED_MOVES", 8)
    monkeypatch.setattr("tests.oracle.learning_nodes.MOVES_REMEMBERED", 8)
    random = seeded(31)
    forgot = 0
    for _ in range(cases(60)):
        is_open, start, goal = random_world(random, "both-open", "1.4")
        quota = round(random.uniform(5, 60), 2)
        pair = Pair("lrts", (is_open, "both-open", "1.4"), start, goal, depth=3, gamma=1.0, quota=quota)
        pair.follow()
        forgot += len(pair.walker.decisions) < 3 and pair.walker.learning > 0
    assert forgot


def test_values_beyond_the_limit_are_refused():
    grid = wp.grid_from_text("......\n.####.\n......")
    agent = wp.build("lrta", grid).agent((1, 0), (4, 2))
    while not len(agent.learned()[0]):
        agent.step()
    tile = agent.table[agent.table.size - 64 * agent.settings.tile_count :][:64].reshape(8, 8)  # which all cells lie in
    x, y = agent.position
    tile[:] = LIMIT - 1
    tile[y + 1, x + 1] = 0
    with pytest.raises(wp.WaypostError, match=r"longest path supported, 374,\d+ cells"):
        agent.step()


def test_tables_are_used_again_after_many_goals():
    """A moving target must not cost memory, or time to clear it, with the size of the map."""
    grid = wp.Grid(np.ones((20, 20), bool))
    for name, most in (("lrta", 8), ("rta", 1)):
        agent = wp.build(name, grid).agent((0, 0), (19, 19))
        tables = {}
        for place in range(40):
            agent.retarget((place % 20, 19 - place // 20))
            assert not len(agent.learned()[0])
            agent.step()
            tables[id(agent.table)] = agent.table
        assert len(tables) == most


def test_an_error_of_one_goal_is_not_that_of_the_next():
    agent = wp.build("lrta", wp.grid_from_text("....")).agent((0, 0), (3, 0))
    by_name(agent.words)["too_far"] = 1
    with pytest.raises(wp.WaypostError, match="longest path"):
        agent.step()
    agent.retarget((2, 0))
    assert list(agent) == [(1, 0), (2, 0)]


@pytest.mark.skipif(JIT_IS_OFF, reason="takes long")
def test_deep_lookahead_arrives():
    """Here it went back and forth forever as long as a move did not belong to the f that it was chosen by."""
    grid = wp.load_map("rooms")
    problems = wp.sample_problems(grid, 50, 3, min_length=40)
    for depth in (7, 8, 10):
        agent = wp.build("lrta", grid, depth=depth).agent()
        for problem in problems:
            agent.reset(problem)
            assert agent.walk(20_000).status is wp.RunStatus.ARRIVED
