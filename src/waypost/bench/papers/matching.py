"""Which settings of a suite a paper's description means: a planner and values of its parameters, or of its preset."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from waypost import catalog
from waypost.bench.keys import Table
from waypost.bench.suite import Setting

__all__ = ["Match", "read_match"]


@dataclass(frozen=True)
class Match:
    """Settings of a planner that have these values."""

    planner: str
    values: tuple[tuple[str, tuple[Any, ...]], ...] = ()
    """`preset` is one of them: "" is the setting that took none."""
    as_it_is: bool = False
    """Whether the values are those that run, even where a quick run has others than a description."""

    def takes(self, setting: Setting) -> bool:
        """Whether a setting is meant."""
        has = {catalog.PRESET: setting.preset, **setting.values}
        return setting.planner == self.planner and all(has[name] in allowed for name, allowed in self.values)

    def of(self, settings: Iterable[Setting]) -> list[Setting]:
        """Those that are meant, in their order."""
        return [setting for setting in settings if self.takes(setting)]

    def __str__(self) -> str:
        values = ", ".join(f"{name}={'|'.join(map(str, allowed))}" for name, allowed in self.values)
        return f"{self.planner}({values})" if values else self.planner


def read_match(table: Table, given: str | Mapping[str, Any]) -> Match:
    """A planner's name, or a table of it and values; of a list any value will do."""
    values = {"planner": given} if isinstance(given, str) else dict(given)
    with table.placed():
        entry = catalog.find(str(values.pop("planner", "")))
    for name in values:
        if name != catalog.PRESET and name not in entry.params:
            raise table.complaint(f"{entry.name} has no parameter called {name}")
    lists = ((name, tuple(v) if isinstance(v, list) else (v,)) for name, v in values.items())
    return Match(entry.name, tuple(lists))
