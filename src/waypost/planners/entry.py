"""What the catalog says of each planner: how it is made, what it promises and where it comes from."""

import re
from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, dataclass, field
from typing import Any, Literal, Protocol

import numpy as np
import numpy.typing as npt
from typing_extensions import TypeAliasType

from waypost.agents.base import Agent
from waypost.agents.distances import Distances, Walked
from waypost.errors import ParameterError, shown
from waypost.indexes.base import Index
from waypost.planners.names import BuiltInName, PlannerName
from waypost.system.checks import number_within
from waypost.world.grid import Grid

__all__ = ["AFTER_EDIT", "TAKEN", "AfterEdit", "AnyPlanner", "Entry", "IndexRepair", "Param"]

AfterEdit = TypeAliasType("AfterEdit", Literal["repairs", "rebuilds", "refuses"])
"""What a planner does when the map of its World has changed (docs/how-to/edits.md)."""
AFTER_EDIT: tuple[AfterEdit, ...] = ("repairs", "rebuilds", "refuses")

TAKEN = ("checkpoint", "grid", "name", "preset", "progress", "sizes", "threads")
"""What `build` takes itself, and so no parameter of a planner can be called."""
_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


@dataclass(frozen=True)
class Param:
    """A parameter of a planner: its default (which also gives its type) and its closed range."""

    default: Any
    lowest: float
    highest: float
    about: str
    _: KW_ONLY
    offline: bool = False
    """Decides the index; the others are the agent's."""
    steps: tuple[Any, ...] = ()
    """Values worth trying by `tune`, from the cheapest on: each costs more than the one before, in bytes of the index
    or in work; if there are none, only the default is tried."""
    monotone: bool = False
    """Along the steps walks become no longer, as a rule, so that `tune` may bisect."""

    def check(self, planner: str, name: str, value: Any) -> Any:
        """The value in the parameter's type, or one sentence about what would be right."""
        return number_within(f"{name} of {planner}", value, type(self.default), self.lowest, self.highest)


class IndexRepair(Protocol):
    """Keeps an index right while the map of a World changes: made once, from the map as it is then."""

    index: Index
    """That of the present map. Its arrays may be changed in place, or it may be another one after each edit."""

    def repair(self, cells: npt.NDArray[np.int32]) -> None:
        """These cells were closed or opened; the grid shows the map after that. Nobody else uses grid or index now."""


@dataclass(frozen=True)
class Entry:
    """A planner: an agent skeleton, fixed settings, parameters with defaults, and the flags its tests go by.

    What entries learn to say in later versions is a keyword with a default, so that an entry of today stays right.
    """

    name: str
    """Small letters, digits and hyphens, as users type it."""
    title: str
    agent: type[Agent]
    _: KW_ONLY
    paper: str = ""
    revision: int = 1
    """Raised whenever moves could change, so that old and new results never mix."""
    aliases: tuple[str, ...] = ()
    """Other names that the planner goes by."""
    presets: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """Named settings of its parameters, taken by preset=NAME; parameters that are also given override it."""
    settings: Mapping[str, Any] = field(default_factory=dict)
    params: Mapping[str, Param] = field(default_factory=dict)
    optimal: bool = False
    """Paths have least cost."""
    complete: bool = True
    """Arrives whenever start and goal are connected."""
    learns: bool = False
    """Changes its heuristic while moving, so that a second visit may differ from the first."""
    index: type[Index] | None = None
    """What is computed offline, if anything is."""
    work_bound: Callable[[Mapping[str, Any], Index | None], int | None] | None = None
    """Most work that one move may cost, given the parameters and the index; None if it grows with the map. It may also
    answer None: not bounded with this index, such as one that is made on demand."""
    cost_bound: Callable[[Mapping[str, Any]], float] | None = None
    """Path cost is at most this many times the optimum, given the parameters; None if there is no such promise."""
    distances: Callable[..., Distances] | None = None
    """Makes what knows the costs of its ways without walking them; None: its agents walk them."""
    after_edit: AfterEdit = "rebuilds"
    """In a World: "repairs" if its agents need no more than a grid whose arrays change, `Agent.replan`, and its index
    the `index_repair`; "rebuilds" if it is made again for the map as it is then; "refuses" to plan for another map."""
    index_repair: Callable[[Grid, Mapping[str, Any]], IndexRepair] | None = None
    """Of a planner with an index that repairs: makes what does it, for a grid and the offline parameters."""

    def __post_init__(self) -> None:
        for name in (self.name, *self.aliases):
            if not isinstance(name, str) or not _NAME.fullmatch(name):
                raise ParameterError(f"a planner's name has small letters, digits and hyphens, unlike {shown(name)}")
        for what, given, wanted in (("agent", self.agent, Agent), ("index", self.index or Index, Index)):
            if not (isinstance(given, type) and issubclass(given, wanted)):
                raise ParameterError(
                    f"the {what} of {self.name} must be a kind of {wanted.__name__}, not {shown(given)}"
                )
        for name, param in self.params.items():
            if name in TAKEN:
                raise ParameterError(f"a parameter of {self.name} cannot be called {name}: build takes that itself")
            if not isinstance(param, Param):
                raise ParameterError(f"{name} of {self.name} is described by a waypost.Param, not by {shown(param)}")
            if param.offline and self.index is None:
                raise ParameterError(f"{name} of {self.name} is offline=True, but there is no index that it decides")
            for value in param.steps:
                param.check(self.name, f"a step of {name}", value)
        if self.after_edit not in AFTER_EDIT:
            known = ", ".join(AFTER_EDIT)
            raise ParameterError(f"after_edit of {self.name} must be one of {known}, not {shown(self.after_edit)}")
        if (self.index_repair is not None) != (self.index is not None and self.after_edit == "repairs"):
            raise ParameterError(f"an index_repair goes with an index and after_edit='repairs', unlike in {self.name}")
        for preset, values in self.presets.items():
            if unknown := sorted(set(values) - set(self.params)):
                raise ParameterError(f"the preset {preset} of {self.name} sets what is no parameter: {unknown[0]}")

    @property
    def real_time(self) -> bool:
        """Whether every move's work is bounded, however large the map."""
        return self.work_bound is not None

    @property
    def walks(self) -> bool:
        """Whether its agents walk by a route that names their targets, so that fleets can be made of them."""
        return "route" in self.settings

    def offline(self, params: Mapping[str, Any]) -> dict[str, Any]:
        """Those of the parameters that decide the index."""
        return {name: value for name, value in params.items() if self.params[name].offline}

    def make_agent(
        self, grid: Grid, params: Mapping[str, Any], index: Index | None = None, *, record: bool = False
    ) -> Agent:
        """A new agent of this planner with checked parameters, and with the index where the planner has one."""
        shared = {} if self.index is None else {"index": index}
        return self.agent(grid, **self.settings, **self._online(params), **shared, record=record)

    def make_route(self, grid: Grid, params: Mapping[str, Any], index: Index | None) -> Any:
        """A new route of a planner that walks, for many agents at once."""
        return self.settings["route"](grid, index, **self._online(params))

    def make_distances(self, grid: Grid, params: Mapping[str, Any], index: Index | None) -> Distances:
        """What tells the costs of many ways, for one thread."""
        if self.distances is None:
            return Walked(self.make_agent(grid, params, index))
        return self.distances(grid, index, **self._online(params))

    def _online(self, params: Mapping[str, Any]) -> dict[str, Any]:
        return {name: value for name, value in params.items() if not self.params[name].offline}


AnyPlanner = TypeAliasType("AnyPlanner", BuiltInName | Literal["auto"] | PlannerName | Entry)
"""What names a planner: one of ours by its name, one of another package by its name or its entry; auto: by the map."""
