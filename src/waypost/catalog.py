"""The one table of planners: what each is called, how it is made, what it promises and where it comes from."""

import difflib
import importlib.util
import os
import pkgutil
import warnings
from collections.abc import Iterator, Mapping, MutableMapping
from importlib.metadata import EntryPoint, entry_points
from threading import RLock
from types import ModuleType
from typing import Any

from waypost import planners
from waypost.errors import ParameterError, shown
from waypost.planners.entry import Entry, Param

__all__ = [
    "AUTO", "CATALOG", "DEFAULT", "PRESET", "Entry", "Param", "check_params", "find", "params_with_index", "register",
    "with_preset",
]  # fmt: skip

DEFAULT = "dba"
"""The planner that most users should get, where none is named."""
PRESET = "preset"
"""Stands for several parameters at once: the name of one of a planner's presets."""
AUTO = "auto"
"""Stands for a planner that is chosen by the map (`choosing`)."""
_PLUG_INS = "waypost.planners"  # entry points by which other packages offer planners: each loads to several entries


class Catalog(MutableMapping[str, Entry]):
    """All planners by name: our own, then those of other packages, which are loaded when the table is first read."""

    def __init__(self, entries: Mapping[str, Entry]) -> None:
        self._entries = dict(entries)
        self._lock = RLock()  # a package may read the table while it is loaded, and then sees what there is so far
        self._has_plug_ins = self._is_loading = False

    def __getitem__(self, name: str) -> Entry:
        return self._whole()[name]

    def __setitem__(self, name: str, entry: Entry) -> None:
        self._whole()[name] = entry

    def __delitem__(self, name: str) -> None:
        del self._whole()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._whole())

    def __len__(self) -> int:
        return len(self._whole())

    def add(self, *entries: Entry) -> None:
        """Take in all of these, or none and say why."""
        with self._lock:
            known = _by_any_name(self._whole())
            for entry in entries:
                if not isinstance(entry, Entry):
                    raise ParameterError(f"a planner is registered by a waypost.Entry, not by {shown(entry)}")
                for name in (entry.name, *entry.aliases):
                    if name == AUTO:
                        raise ParameterError(f"no planner can be called {AUTO}: it stands for one chosen by the map")
                    if name in known:
                        raise ParameterError(f"there is a planner called {shown(name)} already: {known[name].title}")
                    known[name] = entry
            self._entries |= {entry.name: entry for entry in entries}

    def _whole(self) -> dict[str, Entry]:
        if not self._has_plug_ins:
            with self._lock:
                if not (self._has_plug_ins or self._is_loading):
                    self._is_loading = True
                    for plug_in in sorted(entry_points(group=_PLUG_INS)):
                        self._load(plug_in)
                    self._has_plug_ins = True
        return self._entries

    def _load(self, plug_in: EntryPoint) -> None:
        """Take the planners of another package in; one that fails is left out, and all others work."""
        try:
            self.add(*plug_in.load())
        except (Exception, SystemExit) as error:
            package = plug_in.dist.name if plug_in.dist else plug_in.value
            told = " ".join(str(error).split())
            warnings.warn(
                f"the planners of {package} ({plug_in.value}) are left out: {type(error).__name__}: {told}",
                RuntimeWarning,
                stacklevel=2,
            )


def _families() -> list[ModuleType]:
    """The modules `entries` of all families: folders of `waypost.planners` that have one."""
    folders = (found.name for found in pkgutil.iter_modules(planners.__path__, f"{planners.__name__}.") if found.ispkg)
    names = [f"{folder}.entries" for folder in folders]
    found = [importlib.import_module(name) for name in names if importlib.util.find_spec(name)]
    return sorted(found, key=lambda family: family.PLACE)


def _by_any_name(entries: Mapping[str, Entry]) -> dict[str, Entry]:
    return {name: entry for entry in entries.values() for name in (entry.name, *entry.aliases)}


CATALOG = Catalog({entry.name: entry for family in _families() for entry in family.ENTRIES})


def register(entry: Entry) -> None:
    """Add a planner for this process, so that `build` and all else know its name.

    Packages name theirs by entry points instead, which every process finds (docs/add-a-planner.md).
    """
    CATALOG.add(entry)


def find(name: str | Entry) -> Entry:
    """The catalog entry of this name; an entry, registered or not, is itself."""
    if isinstance(name, Entry):
        return name
    if isinstance(name, str) and name in CATALOG:
        return CATALOG[name]
    known = _by_any_name(CATALOG)
    if isinstance(name, str) and name in known:
        return known[name]
    if name == AUTO:
        raise ParameterError(f"{AUTO} stands for a planner that build chooses by the map; name one here")
    close = difflib.get_close_matches(name, known, n=1) if isinstance(name, str) else []
    hint = f"did you mean {close[0]!r}?" if close else f"there are {', '.join(CATALOG)}"
    raise ParameterError(f"there is no planner called {shown(name)}; {hint}")


def check_params(entry: Entry, given: Mapping[str, Any]) -> dict[str, Any]:
    """All parameters of a planner: the given ones checked, then those of the preset, the others by default."""
    if not isinstance(given, Mapping):
        raise ParameterError(f"the parameters of {entry.name} are values by their names, not {shown(given)}")
    given = with_preset(entry, given)
    for name in given:
        if name not in entry.params:
            known = ", ".join(entry.params) or "none"
            raise ParameterError(f"{entry.name} has no parameter called {shown(name)}; its parameters: {known}")
    return {name: param.check(entry.name, name, given.get(name, param.default)) for name, param in entry.params.items()}


def with_preset(entry: Entry, given: Mapping[str, Any]) -> dict[str, Any]:
    """The given parameters with those of the preset in place of its name; the given ones override them."""
    others = {name: value for name, value in given.items() if name != PRESET}
    return others if PRESET not in given else {**_preset(entry, given[PRESET]), **others}


def params_with_index(
    entry: Entry, there: Mapping[str, Any], given: Mapping[str, Any], path: str | os.PathLike[str]
) -> dict[str, Any]:
    """All parameters of a planner whose index was built with those `there`, in a file; of a preset those of the agent.

    What decides the index cannot be given otherwise.
    """
    of_agent = {
        name: value
        for name, value in with_preset(entry, given).items()
        if name in given or not entry.params[name].offline
    }
    wanted = check_params(entry, {**there, **of_agent})
    for name, value in entry.offline(wanted).items():
        if value != there[name]:
            raise ParameterError(
                f"{path} was built with {name}={there[name]}, not {value}; leave {name} out or build the index again"
            )
    return wanted


def _preset(entry: Entry, name: Any) -> Mapping[str, Any]:
    if isinstance(name, str) and name in entry.presets:
        return entry.presets[name]
    raise ParameterError(
        f"{entry.name} has no preset called {shown(name)}; its presets: {', '.join(entry.presets) or 'none'}"
    )
