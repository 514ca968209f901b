"""Checks of copies and pickles: independent of the original, and as far on their way."""

import copy
from itertools import islice

import numpy as np

from waypost.agents.base import Agent
from waypost.testing.subject import Subject, refused
from waypost.world.grid import Grid
from waypost.world.problem import sample_problems

__all__ = ["CHECKS"]

_MOST_STEPS = 300


def copies_agents_that_go_their_own_way(subject: Subject) -> None:
    """Copied anywhere on its way, both go on as if alone; then one gets another goal, and the other none."""
    random = np.random.default_rng(7)
    for settings in range(6):
        grid = Grid(subject.is_open)
        planner = subject.build(grid, **subject.some_params(random) if settings else {})
        first, second = sample_problems(grid, 2, settings, min_length=4)
        alone, agent = planner.agent(record=settings == 5), planner.agent(record=settings == 5)
        for made, copied in zip((0, 1, 3, 6), (copy.copy, copy.deepcopy) * 2, strict=True):
            for each in (alone, agent):
                each.reset(first)
                for _ in range(made):
                    each.step()
            twin = copied(agent)
            assert twin.grid is agent.grid, "what never changes is shared"
            assert twin.position == alone.position
            expected = _stepped(alone, _MOST_STEPS)
            twin.step()
            assert _stepped(agent, _MOST_STEPS) == expected, "a step of the copy moved the original"
            assert _stepped(twin, _MOST_STEPS - 1) == expected[1:]
            twin.reset(second)
            alone.reset(second)
            assert _stepped(twin, _MOST_STEPS) == _stepped(alone, _MOST_STEPS)
            assert agent.goal == first.goal


def _stepped(agent: Agent, most: int) -> list[int]:
    return [step.cell for step in islice(iter(agent.step, None), most)]


def says_that_agents_cannot_be_pickled(subject: Subject) -> None:
    """Their planner can."""
    agent = subject.build(Grid(subject.is_open)).agent()
    with refused("an agent cannot be pickled; pickle its planner"):
        agent.__reduce_ex__(2)


def copies_and_pickles_planners(subject: Subject) -> None:
    """The same moves, parameters, facts and arrays."""
    random = np.random.default_rng(8)
    for settings in range(3):
        grid = Grid(subject.is_open, diagonals="one-open" if settings == 2 else "both-open")
        planner = subject.build(grid, **subject.some_params(random) if settings else {})
        unpickle, pickled = planner.__reduce__()[:2]
        for twin in (copy.copy(planner), copy.deepcopy(planner), unpickle(*pickled)):
            assert (twin.entry, twin.params, twin.facts) == (planner.entry, planner.params, planner.facts)
            assert twin.grid.fingerprint == grid.fingerprint
            if planner.index is not None and twin.index is not None:
                for name, array in planner.index.arrays.items():
                    assert np.array_equal(array, twin.index.arrays[name])
                    assert not twin.index.arrays[name].flags.writeable
            for problem in sample_problems(grid, 5, settings):
                one, other = planner.agent(), twin.agent()
                one.reset(problem)
                other.reset(problem)
                assert np.array_equal(one.walk(2000).cells, other.walk(2000).cells)


CHECKS = (
    copies_agents_that_go_their_own_way,
    says_that_agents_cannot_be_pickled,
    copies_and_pickles_planners,
)
