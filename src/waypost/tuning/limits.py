"""What a user wants of a planner: limits, and the one figure that is left free."""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Literal, NamedTuple

from typing_extensions import TypeAliasType

from waypost.errors import ParameterError, shown
from waypost.system.checks import truth, whole_number

__all__ = ["OBJECTIVES", "Bounds", "Limits", "Objective", "in_words"]

Objective = TypeAliasType("Objective", Literal["suboptimality", "time", "memory"])
OBJECTIVES: tuple[Objective, ...] = ("suboptimality", "time", "memory")
_BYTES = {"": 1, "B": 1, "KB": 1024, "MB": 1024**2, "GB": 1024**3}
_SECONDS = {"": 1, "ms": 1e-3, "s": 1, "min": 60, "h": 3600}
_PERCENT = {"": 1, "%": 1}
_NUMBER = re.compile(r"\s*([0-9]+(?:\.[0-9]*)?|\.[0-9]+)\s*([A-Za-z%]*)\s*")
_MOST_AGENTS = 100_000_000


class Bounds(NamedTuple):
    """Limits as numbers, infinite where there is none."""

    bytes: float
    response_us: float
    response_work: float
    percent: float
    build_seconds: float
    agents: int
    edits: bool
    objective: Objective

    @property
    def real_time(self) -> bool:
        """Whether no move may take longer than any other limit on it says."""
        return math.isfinite(self.response_us) or math.isfinite(self.response_work)


@dataclass(frozen=True)
class Limits:
    """Limits on a planner for `tune`; what is left out is not limited.

    Sizes and times are numbers, or texts such as "200KB", "1.5MB", "1%", "10s" and "2min".
    """

    memory: float | str | None = None
    """Bytes in memory: the index, tables derived from it and from the map, and what agents learn or search."""
    response_us: float | None = None
    """Microseconds of any move: the declared bound on its work, times what a unit of work takes here."""
    response_work: int | None = None
    """Work of any move, as the planner's declared bound says it."""
    suboptimality: float | str | None = None
    """Per cent by which walks are longer than the shortest, on average."""
    build: float | str | None = None
    """Seconds to build the index."""
    agents: int = 1
    """How many move at once; more than one asks for a planner with fleets."""
    edits: bool = False
    """Whether the map changes, so that an index would have to be built again."""
    objective: Objective | None = None
    """What to make as good as the limits allow: "suboptimality", "time" per move or "memory".

    If it is left out: suboptimality; where that is limited, time.
    """

    def __post_init__(self) -> None:
        _ = self.bounds  # to refuse now what is wrong

    @property
    def bounds(self) -> Bounds:
        """All of them as numbers."""
        objective = self.objective or ("suboptimality" if self.suboptimality is None else "time")
        if objective not in OBJECTIVES:
            raise ParameterError(f"the objective is one of {', '.join(OBJECTIVES)}, not {shown(objective)}")
        return Bounds(
            bytes=_quantity("memory", self.memory, _BYTES, "200KB"),
            response_us=_quantity("response_us", self.response_us, {"": 1}, "50"),
            response_work=_quantity("response_work", self.response_work, {"": 1}, "1000"),
            percent=_quantity("suboptimality", self.suboptimality, _PERCENT, "1%"),
            build_seconds=_quantity("build", self.build, _SECONDS, "10s"),
            agents=whole_number("agents", self.agents, lowest=1, highest=_MOST_AGENTS),
            edits=truth("edits", self.edits),
            objective=objective,
        )

    @property
    def given(self) -> dict[str, Any]:
        """Those that differ from their defaults."""
        return {field.name: value for field in fields(self) if (value := getattr(self, field.name)) != field.default}


def _quantity(name: str, value: Any, units: Mapping[str, float], example: str) -> float:
    """A number in its first unit; infinite if there is none."""
    if value is None:
        return math.inf
    wrong = ParameterError(f"{name} must be a number of at least 0, such as {example}, not {shown(value)}")
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        raise wrong
    if isinstance(value, str):
        match = _NUMBER.fullmatch(value)
        by_case = {unit.lower(): factor for unit, factor in units.items()}
        if match is None or match[2].lower() not in by_case:
            raise wrong
        return float(match[1]) * by_case[match[2].lower()]
    if not 0 <= value < math.inf:
        raise wrong
    return float(value)


def in_words(name: str, value: float) -> str:
    """A figure of a limit, as its option takes it."""
    if name == "memory":
        for unit, size in (("GB", 1024**3), ("MB", 1024**2), ("KB", 1024)):
            if value >= size:
                return f"{_short(value / size)}{unit}"
        return f"{value:.0f}B"
    endings = {"suboptimality": "%", "build": "s", "response_us": "us"}
    return f"{_short(value)}{endings.get(name, '')}"


def _short(value: float) -> str:
    """Three digits that mean something."""
    return f"{value:,.0f}" if value >= 100 or value == int(value) else f"{value:.3g}"
