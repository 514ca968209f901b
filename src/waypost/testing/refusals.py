"""Checks of what a planner refuses, in one sentence each, and that its catalog line is whole."""

from typing import Any

from waypost.maps.text import grid_from_text
from waypost.testing.subject import Subject, refused
from waypost.world.problem import Problem

__all__ = ["CHECKS"]


def has_a_whole_catalog_line(subject: Subject) -> None:
    """A title, a revision, and parameters that are described and have defaults within their ranges."""
    entry = subject.entry
    assert entry.title
    assert entry.revision >= 1
    assert not entry.optimal or entry.cost_bound, "an optimal planner has a cost_bound of 1"
    for name, spec in entry.params.items():
        assert spec.lowest <= spec.default <= spec.highest, f"the default of {name} is out of its range"
        assert spec.about, f"{name} is not described"


def refuses_wrong_parameters(subject: Subject) -> None:
    """Unknown ones, values out of range and values of another type; takes the ends of each range."""
    grid = grid_from_text("..")
    with refused("no parameter called 'wings'"):
        subject.build(grid, wings=2)
    for parameter, spec in subject.entry.params.items():
        assert subject.build(grid, **{parameter: str(spec.default)}).params[parameter] == spec.default
        for extreme in (spec.lowest, spec.highest):
            planner = subject.build(grid, **{parameter: type(spec.default)(extreme)})
            assert planner.path((0, 0), (1, 0)).tolist() == [[0, 0], [1, 0]]
        for bad in (spec.lowest - 1, spec.highest + 1):
            with refused(f"{parameter} of {subject.name} must be from"):
                subject.build(grid, **{parameter: type(spec.default)(bad)})
        for odd in ("many", None, True, float("nan"), [1], float("inf")):
            with refused(f"{parameter} of {subject.name} must be"):
                subject.build(grid, **{parameter: odd})


def says_that_it_has_no_problem_yet(subject: Subject) -> None:
    """Whatever a new agent is asked."""
    planner = subject.build(grid_from_text(".."))
    for record in (False, True):
        agent = planner.agent(record=record)
        for ask in (
            agent.step, agent.walk, agent.path, agent.path_cost, agent.learned, lambda a=agent: a.position,
            lambda a=agent: a.memory, lambda a=agent: list(a), lambda a=agent: a.retarget((0, 0)),
        ):  # fmt: skip
            with refused("the agent has no problem yet"):
                ask()
        assert agent.take_events().size == 0
        cells: tuple[Any, ...] = (-1, 0, 10**6, 1.5, (0, 0))
        for cell in cells:
            with refused("not an open cell"):
                agent.reset(Problem(cell, cell))
    with refused("both a start and a goal"):
        planner.agent((0, 0))


def refuses_limits_that_are_no_whole_numbers(subject: Subject) -> None:
    """Of moves, however it is asked to walk."""
    planner = subject.build(grid_from_text("........"))
    agent = planner.agent((0, 0), (7, 0))
    limits: tuple[Any, ...] = (2**70, -1, None, "x", "7", 1.5, float("nan"), True, [])
    for bad in limits:
        for ask in (agent.walk, agent.path, agent.path_cost):
            with refused("max_moves must be a whole number"):
                ask(bad)
        with refused("max_moves must be a whole number"):
            planner.path((0, 0), (7, 0), max_moves=bad)
    assert planner.path((0, 0), (7, 0), max_moves=2**63 - 1)[-1].tolist() == [7, 0]


CHECKS = (
    has_a_whole_catalog_line,
    refuses_wrong_parameters,
    says_that_it_has_no_problem_yet,
    refuses_limits_that_are_no_whole_numbers,
)
