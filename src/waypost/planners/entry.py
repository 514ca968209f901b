"""What the catalog says of each planner: how it is made, what it promises and where it comes from."""

import re
from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, dataclass, field
from typing import Any, Literal

from typing_extensions import TypeAliasType

from waypost.agents.base import Agent
from waypost.agents.distances import Distances, Walked
from waypost.errors import ParameterError, shown
from waypost.indexes.base import Index
from waypost.planners.names import BuiltInName, PlannerName
from waypost.system.checks import number_within
from waypost.world.grid import Grid

__all__ = ["TAKEN", "AnyPlanner", "Entry", "Param"]

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
    repairs: bool = False
    """Its index follows edits of the map without being built again."""

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
        for preset, values in self.presets.items():
            if unknown := sorted(set(values) - set(self.params)):
                raise ParameterError(f"the preset {preset} of {self.name} sets what is no parameter: {unknown[0]}")

    @property
    def real_time(self) -> bool:
        """Whether every move's work is bounded, however large the map."""
        return self.work_bound is not None

    @property
    def bears_edits(self) -> bool:
        """Whether it goes on after an edit of the map without an index to build again."""
        return self.repairs or self.index is None or self.index.any_map

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
