"""Planners used in every way that users can, on a small map: whatever they need is then compiled."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from waypost import catalog
from waypost.errors import OutOfMoves, WaypostError
from waypost.making import build
from waypost.planner import Planner, load
from waypost.runs.metrics import Tally, index_facts
from waypost.runs.simulation import simulate
from waypost.world.grid import DiagonalCost, DiagonalRule, Grid

__all__ = ["rehearse", "rehearse_batches", "rehearse_fleet", "small_map"]

_FEW_MOVES = 2000
_FEW = {"records": 50, "problems": 5}  # of what takes long to draw
_START, _GOAL, _OTHER = (9, 9), (28, 9), (2, 2)


def small_map(diagonals: DiagonalRule = "both-open", costs: DiagonalCost = "sqrt2") -> Grid:
    """Two rooms, a pocket and an island: a walk must search, turn back and go through a door.

    A corridor leads so far that the map is more than one block of sectors.
    """
    is_open = np.ones((20, 72), np.bool_)
    is_open[:, 32:] = False
    is_open[10, 32:] = True
    is_open[4:15, 12] = is_open[4, 6:12] = is_open[14, 6:12] = False
    is_open[:, 20] = False
    is_open[17, 20] = True
    is_open[0:3, 29:32] = False
    is_open[1, 30] = True
    return Grid(is_open, diagonals=diagonals, costs=costs)


def rehearse(name: str) -> None:
    """Use a planner, with its defaults and with each preset."""
    entry = catalog.find(name)
    grid = small_map()
    with TemporaryDirectory() as folder:
        for params in _all_params(entry):
            planner = build(entry, grid, threads=1, **params)
            if planner.index is not None:
                planner.save(Path(folder) / "small.waypost")
                planner = load(Path(folder) / "small.waypost", grid)
            _use(planner)


def rehearse_batches(name: str) -> None:
    """Have a planner solve many problems at once."""
    entry = catalog.find(name)
    for params in _all_params(entry):
        _use_batches(build(entry, small_map(), threads=1, **params))


def rehearse_fleet(name: str) -> None:
    """Use a fleet of a planner that has fleets."""
    entry = catalog.find(name)
    if entry.walks:
        for params in _all_params(entry):
            _use_fleet(build(entry, small_map(), threads=1, **params))


def _all_params(entry: catalog.Entry) -> Iterator[Mapping[str, Any]]:
    few = {name: value for name, value in _FEW.items() if name in entry.params}
    yield few
    for preset in entry.presets:
        yield few | {"preset": preset}


def _use(planner: Planner) -> None:
    """Paths, steps, walks, recorded ones and what is measured of them."""
    problem = planner.problem(_START, _GOAL)
    for record in (False, True):
        agent = planner.agent(_START, _GOAL, record=record)
        agent.step()
        agent.retarget(_OTHER)
        agent.walk(_FEW_MOVES)
        agent.take_events()
        _ = agent.memory, agent.learned()
        for each_move in (False, True):
            trace = simulate(planner.agent(record=record), problem, max_moves=_FEW_MOVES, each_move=each_move)
            Tally(planner.grid, index_facts(planner)).add(trace)
    with suppress(OutOfMoves):  # it was used, which is all
        planner.path(_START, (30, 1), nearest=True, max_moves=_FEW_MOVES)
        planner.agent(_START, _OTHER).path_cost(_FEW_MOVES)
    _ = planner.work_bound
    if planner.index is not None:
        goal = planner.grid.open_cell(_GOAL, "goal")
        for shown in (planner.index.arcs, planner.index.arcs_from, planner.index.depths_to):
            with suppress(WaypostError):  # not all have such pictures
                shown(goal)
        planner.index.regions()


def _use_batches(planner: Planner) -> None:
    """Costs, paths and distances of many problems."""
    for paths in (False, True):
        planner.batch([_START, _START], [_GOAL, (30, 1)], paths=paths, threads=1, max_moves=_FEW_MOVES)
    for ask in (planner.cost, planner.costs, planner.closest):
        ask([_START], [_OTHER], threads=1)


def _use_fleet(planner: Planner) -> None:
    """Agents that are added, move, are sent elsewhere and removed."""
    fleet = planner.fleet([_START, _OTHER], _GOAL, threads=1)
    for budget_us in (None, 1000.0):
        for _ in range(50):
            fleet.tick(budget_us)
        fleet.retarget([0, 1], _OTHER)
    fleet.teleport([0], [_START])
    fleet.add([_START], (30, 1), nearest=True)
    fleet.remove([1])
    fleet.tick()
    _ = fleet.events
