"""What every planner of the catalog says to odd arguments: one sentence, or an answer, and never a traceback."""

import operator

import numpy as np
import pytest

import waypost as wp
from waypost.catalog import CATALOG

ODD = {
    "None": None, "text": "x", "digits": "1", "bytes": b"x", "huge": 2**70, "very negative": -(2**70), "-1": -1,
    "nan": float("nan"), "half": 1.5, "True": True, "list": [], "tuple": (), "dict": {}, "object": object(),
    "one number": (0,), "nothings": (None, None), "words": ["a", "b"], "far": (2**70, 0), "floats": (0.5, 1.0),
}  # fmt: skip
GRID = wp.grid_from_text("....\n.##.\n....")
THERE = {"start": (0, 0), "goal": (3, 2)}

each_planner = pytest.mark.parametrize("name", CATALOG)


def refused_or_answered(call, *arguments, **named):
    """What a call returns; None if it is refused in one sentence."""
    try:
        return call(*arguments, **named)
    except wp.WaypostError as refusal:
        assert "\n" not in str(refusal)  # noqa: PT017 - most are refused, but not all
        assert 10 < len(str(refusal)) < 400  # noqa: PT017


@each_planner
def test_odd_arguments_of_a_planner(name, tmp_path):
    planner = wp.build(name, GRID)
    for odd in ODD.values():
        for call, options in (
            (planner.problem, ("nearest",)),
            (planner.path, ("nearest", "max_moves")),
            (planner.agent, ("nearest", "record")),
        ):
            for argument in (*THERE, *options):
                refused_or_answered(call, **(THERE | {argument: odd}))
        many = {"starts": [(0, 0)], "goals": [(3, 2)], "threads": 1}
        for argument in (*many, "paths", "max_moves"):
            refused_or_answered(planner.batch, **(many | {argument: odd}))
        if not isinstance(odd, (str, bytes)):
            refused_or_answered(planner.save, odd)
            if odd is not None:
                refused_or_answered(wp.build, name, GRID, checkpoint=odd)
        refused_or_answered(wp.build, name, GRID, threads=odd)
        refused_or_answered(wp.build, name, odd)
        refused_or_answered(wp.load, tmp_path / "none.waypost", odd)
        for param in planner.params:
            refused_or_answered(wp.build, name, wp.grid_from_text(".."), **{param: odd})
    assert wp.build(name, GRID).path(**THERE)[-1].tolist() == [3, 2]


@each_planner
def test_a_planner_is_made_with_checked_parameters(name):
    """Whoever makes it: agents took them as they were, and kernels wrote past the end of their arrays."""
    planner = wp.build(name, GRID)
    for odd in (None, 5, "x", [("depth", 1)]):
        with pytest.raises(wp.WaypostError, match="are values by their names, not"):
            wp.Planner(planner.entry, GRID, odd, planner.index)
    with pytest.raises(wp.WaypostError, match=r"a planner is made of a waypost\.Entry"):
        wp.Planner(name, GRID, planner.params, planner.index)
    with pytest.raises(wp.WaypostError, match="has no parameter called 'wings'"):
        wp.Planner(planner.entry, GRID, planner.params | {"wings": 2}, planner.index)
    for param, about in planner.entry.params.items():
        for bad in (about.lowest - 1, about.highest + 1, 2**70, -(2**70), float("nan"), None, "x", True):
            with pytest.raises(wp.WaypostError, match=f"{param} of {name} must be"):
                wp.Planner(planner.entry, GRID, planner.params | {param: bad}, planner.index)
    made = wp.Planner(planner.entry, GRID, {}, planner.index)
    assert made.path(**THERE).tolist() == planner.path(**THERE).tolist()


@each_planner
@pytest.mark.parametrize("record", [False, True])
def test_odd_arguments_of_an_agent(name, record):
    planner = wp.build(name, GRID)
    agent = planner.agent(record=record)
    problem = planner.problem(**THERE)
    for odd in ODD.values():
        for call in (agent.walk, agent.path, agent.path_cost, agent.reset, agent.retarget):
            agent.reset(problem)
            refused_or_answered(call, odd)
        refused_or_answered(agent.retarget, (0, 2), nearest=odd)
        refused_or_answered(agent.reset, wp.Problem(odd, odd))
        for argument in ("agent", "problem", "max_moves", "max_seconds", "each_move"):
            refused_or_answered(wp.simulate, **({"agent": agent, "problem": problem} | {argument: odd}))
    agent.reset(problem)
    assert agent.path()[-1] == problem.goal, "a refusal has left something behind"


@each_planner
def test_limits_of_moves_are_whole_numbers(name):
    planner = wp.build(name, GRID)
    for bad in (2**70, -1, None, "x", "7", 1.5, float("nan"), True, [], np.array([1, 2])):
        agent = planner.agent(**THERE)
        for call in (agent.walk, agent.path, agent.path_cost):
            with pytest.raises(wp.WaypostError, match=r"whole number of at (least 0|most 9,223,372,)"):
                call(bad)
        with pytest.raises(wp.WaypostError, match="max_moves must be a whole number"):
            planner.path(**THERE, max_moves=bad)
        with pytest.raises(wp.WaypostError, match="max_moves must be a whole number"):
            planner.batch([(0, 0)], [(3, 2)], max_moves=bad)
        with pytest.raises(wp.WaypostError, match="max_moves must be a whole number"):
            wp.simulate(agent, planner.problem(**THERE), max_moves=bad)
    for most in (2**63 - 1, np.int32(20_000), np.uint64(2**40)):
        assert planner.path(**THERE, max_moves=most)[-1].tolist() == [3, 2]
        assert planner.agent(**THERE).walk(most).status is wp.RunStatus.ARRIVED


@each_planner
@pytest.mark.parametrize("record", [False, True])
def test_an_agent_without_a_problem_says_so(name, record):
    planner = wp.build(name, GRID)
    for what in ("step", "walk", "path", "path_cost", "learned", "position", "memory"):
        with pytest.raises(wp.WaypostError, match="the agent has no problem yet"):
            operator.call(getattr(planner.agent(record=record), what))
    agent = planner.agent(record=record)
    with pytest.raises(wp.WaypostError, match="the agent has no problem yet"):
        list(agent)
    with pytest.raises(wp.WaypostError, match="the agent has no problem yet"):
        agent.retarget((0, 0))
    assert agent.take_events().size == 0
    assert getattr(agent, "target", None) is None
    assert not getattr(agent, "route", [])
    assert agent.cell == agent.goal == -1


@each_planner
def test_threads_have_a_limit(name):
    planner = wp.build(name, GRID)
    complaint = "threads must be a whole number of at most 1,024, not 1000000000000"
    with pytest.raises(wp.WaypostError, match=complaint):
        planner.batch([(0, 0)], [(3, 2)], threads=10**12)
    if planner.entry.index:
        with pytest.raises(wp.WaypostError, match=complaint):
            wp.build(name, GRID, threads=10**12)
    if planner.entry.walks:
        with pytest.raises(wp.WaypostError, match=complaint):
            planner.fleet([(0, 0)], [(3, 2)], threads=10**12)
