"""What generators take: parameters with a range and a meaning, checked before any work."""

import difflib
import functools
import typing
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ParamSpec

import numpy as np
import numpy.typing as npt

from waypost.errors import ParameterError, shown
from waypost.system.checks import number_within, whole_number
from waypost.world.grid import check_size

Open = npt.NDArray[np.bool_]
P = ParamSpec("P")

_SMALLEST = 8


@dataclass(frozen=True)
class Range:
    """The closed range of a parameter and what it means; stands in the annotation of a generator's argument."""

    lowest: float
    highest: float
    about: str


def generator(make: Callable[P, Open]) -> Callable[P, Open]:
    """Check all arguments of a generator: size, seed, and parameters by the ranges in their annotations."""

    @functools.wraps(make)
    def checked(*args: P.args, **given: P.kwargs) -> Open:
        return make(**check_arguments(make, args, given))  # type: ignore[call-arg]

    return checked


def check_arguments(make: Callable[..., Open], args: tuple[Any, ...], given: Mapping[str, Any]) -> dict[str, Any]:
    """All arguments of a generator by name, each of its kind and within its range."""
    # Names of the first three, so that they may be given either way, as Python allows.
    arguments = {**dict(zip(("width", "height", "seed"), args, strict=False)), **given}
    if len(args) > 3 or len(arguments) < len(args) + len(given):
        raise ParameterError(f"{make.__name__} takes width, height and seed once each, and all else by name")
    known, defaults = _ranges(make), make.__kwdefaults__ or {}
    for name, value in arguments.items():
        if name in known:
            limits = known[name]
            arguments[name] = number_within(
                f"{name} of {make.__name__}", value, type(defaults[name]), limits.lowest, limits.highest
            )
        elif name in ("width", "height", "seed"):
            arguments[name] = whole_number(f"{name} of a generated map", value)
        else:
            raise ParameterError(
                f"{make.__name__} has no parameter called {shown(name)}; {_hint(name, known, 'it takes')}"
            )
    _check_size(arguments.get("width"), arguments.get("height"))
    return arguments


def parameters(make: Callable[..., Open]) -> dict[str, tuple[Any, Range]]:
    """Default and range of each parameter of a generator besides width, height and seed."""
    original = make.__wrapped__  # type: ignore[attr-defined]
    return {name: (original.__kwdefaults__[name], known) for name, known in _ranges(original).items()}


def find_kind(kind: str, kinds: Mapping[str, Callable[..., Open]]) -> Callable[..., Open]:
    """The generator of this name."""
    if isinstance(kind, str) and kind in kinds:
        return kinds[kind]
    raise ParameterError(f"there is no kind of map called {shown(kind)}; {_hint(kind, kinds, 'there are')}")


@functools.cache
def _ranges(make: Callable[..., Open]) -> dict[str, Range]:
    hints = typing.get_type_hints(make, include_extras=True)
    return {name: hint.__metadata__[0] for name, hint in hints.items() if hasattr(hint, "__metadata__")}


def _check_size(width: int | None, height: int | None) -> None:
    if width is None or height is None:
        raise TypeError("a generator needs a width and a height")
    if width < _SMALLEST or height < _SMALLEST:
        raise ParameterError(f"a generated map is at least {_SMALLEST} x {_SMALLEST} cells, not {width} x {height}")
    check_size(width, height, "the map")


def _hint(name: object, known: Iterable[str], otherwise: str) -> str:
    close = difflib.get_close_matches(name, known, n=1) if isinstance(name, str) else []
    return f"did you mean {close[0]!r}?" if close else f"{otherwise} {', '.join(known)}"
