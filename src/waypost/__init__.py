"""Waypost: real-time pathfinding on large grid maps."""

import importlib
from typing import TYPE_CHECKING, Any

from waypost.version import __version__

# Names load their modules on first use, so that `import waypost` and `waypost --help` do not wait for the compiler.
_HOMES = {
    "Agent": "agents.base",
    "AgentStatus": "fleet",
    "Batch": "batch",
    "Fleet": "fleet",
    "Grid": "grid",
    "OutOfMoves": "errors",
    "Planner": "planner",
    "Problem": "problem",
    "Status": "step",
    "Step": "step",
    "Trace": "trace",
    "Unreachable": "errors",
    "WaypostError": "errors",
    "build": "planner",
    "bundled_maps": "maps.load",
    "grid_from_array": "grid",
    "grid_from_text": "maps.text",
    "load": "planner",
    "load_map": "maps.load",
    "load_problems": "maps.load",
    "sample_problems": "problem",
    "save_map": "maps.load",
    "simulate": "simulation",
}

__all__ = [
    "Agent",
    "AgentStatus",
    "Batch",
    "Fleet",
    "Grid",
    "OutOfMoves",
    "Planner",
    "Problem",
    "Status",
    "Step",
    "Trace",
    "Unreachable",
    "WaypostError",
    "__version__",
    "build",
    "bundled_maps",
    "grid_from_array",
    "grid_from_text",
    "load",
    "load_map",
    "load_problems",
    "sample_problems",
    "save_map",
    "simulate",
]

if TYPE_CHECKING:
    from waypost.agents.base import Agent
    from waypost.batch import Batch
    from waypost.errors import OutOfMoves, Unreachable, WaypostError
    from waypost.fleet import AgentStatus, Fleet
    from waypost.grid import Grid, grid_from_array
    from waypost.maps.load import bundled_maps, load_map, load_problems, save_map
    from waypost.maps.text import grid_from_text
    from waypost.planner import Planner, build, load
    from waypost.problem import Problem, sample_problems
    from waypost.simulation import simulate
    from waypost.step import Status, Step
    from waypost.trace import Trace


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'waypost' has no attribute {name!r}")
    value = getattr(importlib.import_module(f"waypost.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
