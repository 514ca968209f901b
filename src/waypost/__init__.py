"""Waypost: real-time pathfinding on large grid maps."""

import importlib
from typing import TYPE_CHECKING

from waypost.version import __version__

# Names load their modules on first use, so that `import waypost` and `waypost --help` do not wait for the compiler.
_HOMES = {
    "Agent": "agents.base",
    "MemberStatus": "planners.walking.members",
    "Limits": "tuning.limits",
    "Batch": "batch",
    "Distances": "agents.distances",
    "Entry": "planners.entry",
    "Fleet": "fleet",
    "Frame": "world.frame",
    "Grid": "world.grid",
    "OutOfMoves": "errors",
    "Param": "planners.entry",
    "Paths": "world.waypoints",
    "Planner": "planner",
    "PlannerName": "planners.names",
    "Problem": "world.problem",
    "RunStatus": "agents.step",
    "Step": "agents.step",
    "Trace": "agents.trace",
    "Tuning": "tuning.answer",
    "Unreachable": "errors",
    "Waypoints": "world.waypoints",
    "WaypostError": "errors",
    "World": "living.world",
    "build": "making",
    "bundled_maps": "maps.load",
    "grid_from_array": "world.grid",
    "grid_from_occupancy": "maps.occupancy",
    "grid_from_text": "maps.text",
    "load": "planner",
    "load_map": "maps.load",
    "load_problems": "maps.load",
    "prepare": "readiness",
    "register": "catalog",
    "sample_problems": "world.problem",
    "save_map": "maps.load",
    "simulate": "runs.simulation",
    "tune": "tuning.tune",
    "tuned": "tuning.settings_file",
}

__all__ = [
    "Agent",
    "Limits",
    "MemberStatus",
    "Batch",
    "Distances",
    "Entry",
    "Fleet",
    "Frame",
    "Grid",
    "OutOfMoves",
    "Param",
    "Paths",
    "Planner",
    "PlannerName",
    "Problem",
    "RunStatus",
    "Step",
    "Trace",
    "Tuning",
    "Unreachable",
    "Waypoints",
    "WaypostError",
    "World",
    "__version__",
    "build",
    "bundled_maps",
    "grid_from_array",
    "grid_from_occupancy",
    "grid_from_text",
    "load",
    "load_map",
    "load_problems",
    "prepare",
    "register",
    "sample_problems",
    "save_map",
    "simulate",
    "tune",
    "tuned",
]

if TYPE_CHECKING:
    from waypost.agents.base import Agent
    from waypost.agents.distances import Distances
    from waypost.agents.step import RunStatus, Step
    from waypost.agents.trace import Trace
    from waypost.batch import Batch
    from waypost.catalog import register
    from waypost.errors import OutOfMoves, Unreachable, WaypostError
    from waypost.fleet import Fleet
    from waypost.living.world import World
    from waypost.making import build
    from waypost.maps.load import bundled_maps, load_map, load_problems, save_map
    from waypost.maps.occupancy import grid_from_occupancy
    from waypost.maps.text import grid_from_text
    from waypost.planner import Planner, load
    from waypost.planners.entry import Entry, Param
    from waypost.planners.names import PlannerName
    from waypost.planners.walking.members import MemberStatus
    from waypost.readiness import prepare
    from waypost.runs.simulation import simulate
    from waypost.tuning.answer import Tuning
    from waypost.tuning.limits import Limits
    from waypost.tuning.settings_file import tuned
    from waypost.tuning.tune import tune
    from waypost.world.frame import Frame
    from waypost.world.grid import Grid, grid_from_array
    from waypost.world.problem import Problem, sample_problems
    from waypost.world.waypoints import Paths, Waypoints


else:  # unseen by type checkers, so that they know all names, and no others

    def __getattr__(name):
        if name not in _HOMES:
            raise AttributeError(f"module 'waypost' has no attribute {name!r}")
        value = getattr(importlib.import_module(f"waypost.{_HOMES[name]}"), name)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return __all__
