"""Checks of what a planner says that it does after an edit: its paths, agents and fleets in a World."""

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from waypost.agents.base import Agent
from waypost.agents.step import RunStatus
from waypost.errors import Unreachable
from waypost.living.fleet import LivingFleet
from waypost.living.world import World
from waypost.planners.exact.agent import PlanFirst
from waypost.planners.walking.members import MemberStatus
from waypost.testing.oracle import rules
from waypost.testing.oracle.dijkstra import all_costs
from waypost.testing.oracle.flood import components
from waypost.testing.oracle.rules import Place
from waypost.testing.subject import Subject, refused
from waypost.testing.worlds import random_open
from waypost.world.grid import COSTS, DIAGONALS, Grid

__all__ = ["CHECKS"]

_EDITED_WORLDS = 16
_EDITS = 4
_PATHS = 4
_MOVES_OF_A_TRIP = 400

Table = npt.NDArray[np.bool_]


def _worlds(subject: Subject, seed: int) -> Iterator[tuple[World, Table, np.random.Generator]]:
    """Random small worlds of the planner, under random rules, with the map as an array."""
    random = np.random.default_rng(seed)
    for _ in subject.some_of(range(_EDITED_WORLDS)):
        rule = list(DIAGONALS)[random.integers(len(DIAGONALS))]
        costs = list(COSTS)[random.integers(len(COSTS))]
        is_open = random_open(random, 9)
        yield World(grid := Grid(is_open, diagonals=rule, costs=costs), subject.build(grid)), is_open.copy(), random


def _edit(world: World, is_open: Table, random: np.random.Generator) -> None:
    """Close or open some cells of both, but never the last open one."""
    height, width = is_open.shape
    count = int(random.integers(1, 4))
    places = [(int(random.integers(width)), int(random.integers(height))) for _ in range(count)]
    opens = bool(random.random() < 0.5)
    wanted = is_open.copy()
    wanted[[y for _, y in places], [x for x, _ in places]] = opens
    if not wanted.any():
        return
    before = world.version
    edit = world.edit(places, open=opens)
    assert edit.cells == np.count_nonzero(wanted != is_open), "an edit counts other cells than it changes"
    assert edit.version == world.version == before + bool(edit.cells)
    is_open[:] = wanted


def _place(is_open: Table, random: np.random.Generator) -> Place:
    y, x = random.choice(np.argwhere(is_open))
    return int(x), int(y)


def plans_on_the_map_as_it_is_after_edits(subject: Subject) -> None:
    """Legal paths within its promises, those of a planner made for that map; what cannot be reached is refused."""
    for world, is_open, random in _worlds(subject, 101):
        for _ in range(_EDITS):
            _edit(world, is_open, random)
            if subject.entry.after_edit == "refuses":
                if world.version:
                    with refused("plans only for the map that it was made for"):
                        world.planner.path(*(_place(is_open, random) for _ in range(2)))
                continue
            frozen = world.freeze()
            assert np.array_equal(frozen.grid.is_open, is_open), "the frozen grid is another map"
            for _ in range(_PATHS):
                _check_path(world, is_open, _place(is_open, random), _place(is_open, random))


def _check_path(world: World, is_open: Table, start: Place, goal: Place) -> None:
    """One way, beside what plain Python and a planner on a grid of its own say."""
    grid, entry = world.grid, world.planner.entry
    label, _ = components(is_open, grid.diagonals)
    if label[start] != label[goal]:
        with refused("different components", Unreachable):
            world.planner.path(start, goal)
        return
    points = world.planner.path(start, goal).tolist()
    rules.check_walk(is_open, grid.diagonals, points, start, goal if entry.complete else points[-1])
    assert points == world.freeze().planner.path(start, goal).tolist(), "a planner made for this map goes another way"
    if entry.complete:
        cost = rules.walk_cost(grid.diagonals, grid.costs_name, points)
        optimum = all_costs(is_open, grid.diagonals, grid.costs_name, start)[goal]
        assert cost >= optimum
        assert not entry.optimal or cost == optimum, f"is not optimal: {start} to {goal}"
        assert world.planner.cost([start], [goal]).tolist() == [cost], "costs differ from paths"


def agents_go_on_while_the_map_changes(subject: Subject) -> None:
    """No move is illegal on the map as it is then; who is walled in says so, stays and goes on; the others arrive."""
    if subject.entry.after_edit == "refuses":
        return
    for world, is_open, random in _worlds(subject, 103):
        label, _ = components(is_open, world.grid.diagonals)
        start = _place(is_open, random)
        goal = [place for place in label if label[place] == label[start]][-1]
        agent = world.planner.agent(start, goal)
        for move in range(_MOVES_OF_A_TRIP):
            if move % 5 == 4 and move < _MOVES_OF_A_TRIP // 4:
                _edit(world, is_open, random)
            _step(agent, is_open, goal)
        if subject.entry.complete and not subject.entry.learns:
            assert agent.step().status is not RunStatus.MOVING, "an agent does not arrive"


def _step(agent: Agent, is_open: Table, goal: Place) -> None:
    """One move, beside what plain Python says of it."""
    grid, (x, y) = agent.grid, agent.position
    label, _ = components(is_open, grid.diagonals)
    step = agent.step()
    there_x, there_y = grid.xy(step.cell)
    is_cut_off = label.get((x, y), 0) != label.get(goal, -1)
    assert (step.status is RunStatus.UNREACHABLE) == is_cut_off, f"{step.status} from {(x, y)} to {goal}"
    if (there_x, there_y) != (x, y):
        assert rules.may_move(is_open, grid.diagonals, x, y, there_x - x, there_y - y), "an illegal move"
        assert not is_cut_off, "it has no way to go, and moves"


def fleets_go_on_while_the_map_changes(subject: Subject) -> None:
    """The same of all agents of a fleet, which keep their ids, if the planner has fleets in a World."""
    if subject.entry.after_edit == "refuses":
        return
    if not (subject.entry.walks or issubclass(subject.entry.agent, PlanFirst)):
        grid = Grid(np.ones((2, 2), np.bool_))
        with refused("has no fleets"):
            World(grid, subject.build(grid)).fleet()
        return
    for world, is_open, random in _worlds(subject, 107):
        ends = ([_place(is_open, random) for _ in range(12)] for _ in range(2))
        starts, goals = (np.array(places) for places in ends)
        fleet = world.fleet(starts, goals, threads=1)
        for tick in range(_MOVES_OF_A_TRIP):
            if tick % 4 == 3 and tick < _MOVES_OF_A_TRIP // 4:
                _edit(world, is_open, random)
            _tick(fleet, is_open, goals)
        stands = set(fleet.status.tolist())
        may = {MemberStatus.ARRIVED, MemberStatus.UNREACHABLE, MemberStatus.ON_WALL}
        if subject.entry.complete and not subject.entry.learns:
            assert stands <= may, f"some do not arrive: {stands}"
        assert fleet.ids.tolist() == list(range(12))


def _tick(fleet: LivingFleet, is_open: Table, goals: npt.NDArray[np.int64]) -> None:
    """One tick, beside what plain Python says of it."""
    grid, before = fleet.grid, fleet.xy.tolist()
    fleet.tick()
    label, _ = components(is_open, grid.diagonals)
    for place, there, goal, status in zip(
        before, fleet.xy.tolist(), goals.tolist(), fleet.status.tolist(), strict=True
    ):
        (x, y), (there_x, there_y) = place, there
        if there != place:
            assert rules.may_move(is_open, grid.diagonals, x, y, there_x - x, there_y - y), "an illegal move"
        here, wanted = label.get((there_x, there_y), 0), label.get((goal[0], goal[1]), 0)
        expected = {MemberStatus.ON_WALL} if not here else {MemberStatus.UNREACHABLE}
        if here and here == wanted:
            on_way = {MemberStatus.MOVING, MemberStatus.WAITING, MemberStatus.LOST}
            expected = {MemberStatus.ARRIVED} if there == goal else on_way
        assert status in expected, f"stands as {MemberStatus(status).name} at {there}, with the goal {goal}"


CHECKS = (
    plans_on_the_map_as_it_is_after_edits,
    agents_go_on_while_the_map_changes,
    fleets_go_on_while_the_map_changes,
)
