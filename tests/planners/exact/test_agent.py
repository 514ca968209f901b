"""Planners that search once and then follow a plan."""

import pytest

import waypost as wp
from tests.support.families import planners_of
from waypost.agents.step import Memory


@pytest.mark.parametrize("name", sorted(planners_of("exact")))
def test_what_a_search_held_is_forgotten_with_its_problem(name):
    agent = wp.build(name, wp.grid_from_text("..#..\n.....")).agent((0, 0), (4, 0))
    assert agent.memory == Memory()
    agent.walk()
    assert agent.memory.closed > 0
    agent.reset(wp.Problem(agent.goal, agent.goal))
    assert agent.memory == Memory()
