"""Sweeps: which parameters a planner's settings vary, and which settings differ in only one of them."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from waypost import catalog
from waypost.bench.suite import Setting

__all__ = ["short", "sweeps", "varied"]


def varied(settings: Iterable[Setting]) -> dict[str, list[str]]:
    """For each planner the parameters that differ between its settings; a preset in place of those that go with it."""
    by_planner: dict[str, list[dict[str, Any]]] = {}
    for setting in settings:
        by_planner.setdefault(setting.planner, []).append(_values(setting))
    return {planner: _varied(values) for planner, values in by_planner.items()}


def _varied(settings: list[dict[str, Any]]) -> list[str]:
    names = [name for name in settings[0] if len({values[name] for values in settings}) > 1]
    if catalog.PRESET not in names:
        return names
    presets = len({values[catalog.PRESET] for values in settings})
    return [
        name
        for name in names
        if name == catalog.PRESET or len({(values[catalog.PRESET], values[name]) for values in settings}) > presets
    ]


def sweeps(settings: Sequence[Setting]) -> Iterator[list[Setting]]:
    """Settings of one planner that differ in one parameter, by its value, whatever order they are given in.

    Parameters with many values come first, and a sweep that adds no setting to earlier ones is left out: a product of
    lists makes lines side by side, not a net.
    """
    for planner, names in varied(settings).items():
        own = [setting for setting in settings if setting.planner == planner]
        joined: set[Setting] = set()
        for name in sorted(names, key=lambda name: -len({_values(setting)[name] for setting in own})):
            alike: dict[Any, list[Setting]] = {}
            for setting in own:
                others = tuple(item for item in _values(setting).items() if item[0] != name)
                alike.setdefault(others, []).append(setting)
            for sweep in alike.values():
                if len(sweep) > 1 and not joined.issuperset(sweep):
                    yield sorted(sweep, key=lambda setting: _values(setting)[name])
            joined.update(setting for sweep in alike.values() if len(sweep) > 1 for setting in sweep)


def short(setting: Setting, names: Iterable[str]) -> str:
    """The values of these parameters in few letters."""
    return ", ".join(filter(None, (_brief(_values(setting)[name]) for name in names)))


def _values(setting: Setting) -> dict[str, Any]:
    return {catalog.PRESET: setting.preset, **setting.values}


def _brief(value: Any) -> str:
    if not isinstance(value, (int, float)):
        return str(value)
    text = f"{value:g}"
    return text.replace("e+0", "e").replace("e+", "e") if float(text) == value else str(value)
