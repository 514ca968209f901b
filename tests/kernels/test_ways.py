"""Indexes that lead no way: hops in a circle and climbs that are stuck are noticed, by one agent and in fleets."""

import re
from itertools import pairwise

import numpy as np
import pytest

import waypost as wp
from tests.support.forging import forged, with_hops_to_and_fro
from tests.support.worlds import DRAWINGS
from waypost.fleet import MemberStatus
from waypost.kernels import ways
from waypost.kernels.compiling import helper

ROW = wp.grid_from_text("." * 60)
START, GOAL, SOUND = (7, 0), (55, 0), (0, 0)
SPIRAL = wp.grid_from_text(DRAWINGS["spiral"])
SENTENCE = "the index leads no way from .* build the index again"
SMALL = {
    "dba": {"sector": 2, "depth": 1, "direct": 0},
    "hcdps": {"spacing": 2, "cutoff": 2, "depth": 1, "direct": 0},
    "dlrta": {"level": 1},
    "lrta-pdb-pdb": {"level": 1, "cap": 2},
    "prlrta-f-pdb": {"level": 1, "upper": 1},
    "prlrta-pdb-pdb": {"level": 1, "upper": 1, "cap": 2},
}


@helper
def hops_until_noticed(into, around):
    """How many hops a way into a circle and the circle itself take, until it is noticed."""
    hops = 0
    marked = ways.NOWHERE
    made = 0
    while True:
        here = made if made < into else into + (made - into) % around
        hops, marked, is_back = ways.count_hop(hops, marked, here)
        if is_back:
            return made
        made += 1


@pytest.mark.parametrize("into", [0, 1, 2, 3, 7, 8, 9, 100])
@pytest.mark.parametrize("around", [1, 2, 3, 8, 9, 50])
def test_a_circle_is_noticed_soon(into, around):
    assert into + around <= hops_until_noticed(into, around) <= 4 * max(into, around) + 4


@pytest.mark.parametrize("length", [1, 2, 1000])
def test_a_way_without_a_circle_is_none(length):
    assert hops_until_noticed(length, 1) >= length


def walked(agent):
    """The cells of an agent until it has arrived, or is led no way."""
    cells = [agent.cell]
    try:
        while agent.cell != agent.goal:
            cells += agent.walk(1).cells[1:].tolist()
    except wp.WaypostError as error:
        assert re.fullmatch(SENTENCE, str(error))  # noqa: PT017 - some arrive
    return cells


def arrives(agent, goal):
    agent.retarget(goal)
    try:
        return agent.path()[-1] == agent.goal
    except wp.WaypostError:
        return False


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize("record", [False, True])
def test_hops_in_a_circle_are_noticed(name, record):
    """The same moves by steps and in walks, then the sentence; it comes again, and a sound way can be gone after it."""
    planner = with_hops_to_and_fro(wp.build(name, ROW, **SMALL[name]))
    agent, by_steps = (planner.agent(START, GOAL, record=record) for _ in range(2))
    made = walked(agent)
    assert agent.cell == made[-1]
    for cell in made[1:]:
        assert by_steps.step().cell == cell
    for _ in range(2):
        with pytest.raises(wp.WaypostError, match=SENTENCE):
            by_steps.step()
    with pytest.raises(wp.WaypostError, match=SENTENCE):
        planner.path(START, GOAL)
    assert any(arrives(agent, (agent.position[0] + by, 0)) for by in (-1, 1))


@pytest.mark.parametrize("name", ["dba", "hcdps"])
def test_who_is_led_in_a_circle_is_lost_to_a_fleet(name):
    """And nobody else; a new goal, and it goes on."""
    planner = with_hops_to_and_fro(wp.build(name, ROW, **SMALL[name]))
    fleet = planner.fleet([START, START], [GOAL, SOUND], threads=1)
    lost = []
    for _ in range(200):
        fleet.tick()
        lost += fleet.events.lost.tolist()
    assert lost == [0]
    assert fleet.status.tolist() == [MemberStatus.LOST, MemberStatus.ARRIVED]
    assert fleet.tick().moved == 0
    fleet.retarget(0, SOUND)
    for _ in range(40):
        fleet.tick()
    assert fleet.status[0] == MemberStatus.ARRIVED


def with_one_leg_per_path(planner):
    """Paths whose legs became one: a climb is stuck where there is a corner."""
    arrays, counts = planner.index.arrays, planner.index.leg_counts()
    ends = np.cumsum(counts)
    legs = np.diff(np.cumsum(arrays["legs"], axis=0, dtype=np.int64)[ends - 1], axis=0, prepend=[[0, 0]])
    return forged(planner, codes=np.ones(counts.size), legs=legs)


@pytest.mark.parametrize("name", ["dba", "hcdps"])
@pytest.mark.parametrize("ahead", [0, 4])
def test_a_climb_that_is_stuck_is_noticed(name, ahead):
    planner = with_one_leg_per_path(wp.build(name, SPIRAL, **SMALL[name] | {"depth": 0, "ahead": ahead}))
    stuck = 0
    for problem in wp.sample_problems(SPIRAL, 20, 1):
        start, goal = SPIRAL.xy(problem.start), SPIRAL.xy(problem.goal)
        agent, by_steps, fleet = planner.agent(start, goal), planner.agent(start, goal), planner.fleet(start, goal)
        made = walked(agent)
        status = MemberStatus.ARRIVED if agent.cell == agent.goal else MemberStatus.LOST
        stuck += status == MemberStatus.LOST
        assert all(here != there for here, there in pairwise(made))
        assert agent.cell == made[-1]
        for cell in made[1:]:
            assert by_steps.step().cell == cell
            fleet.tick()
            assert fleet.cells[0] == cell
        if status == MemberStatus.LOST:
            with pytest.raises(wp.WaypostError, match=SENTENCE):
                by_steps.step()
            assert fleet.tick().moved == 0
        assert fleet.status[0] == status
        assert fleet.tick()[:3] == (0, 0, 0)
    assert stuck > 3


def test_legs_of_no_length_are_refused():
    planner = wp.build("dba", ROW, **SMALL["dba"])
    counts = planner.index.leg_counts()
    legs = np.repeat(planner.index.arrays["legs"], 2, axis=0)
    legs[1::2] = 0
    with pytest.raises(wp.WaypostError, match="legs of the index do not fit"):
        forged(planner, codes=2 * counts, legs=legs)
