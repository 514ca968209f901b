"""Copies of what moves: independent of the original, but for what never changes."""

import copy
from functools import partial
from types import MethodType
from typing import Any, TypeVar

import numpy as np

__all__ = ["independent"]

T = TypeVar("T")


def independent(original: T) -> T:
    """A copy with state of its own. Arrays that are read-only, and compiled functions, are those of the original.

    A plain deep copy would make read-only arrays writable, which are another type to compiled code. Views are copied as
    arrays of their own, so the original must not rely on one that it keeps.
    """
    twin = object.__new__(type(original))
    shared = {id(part): part for part in _unchanging(vars(original))}
    twin.__dict__.update(copy.deepcopy(vars(original), shared))
    return twin


def _unchanging(root: Any) -> list[Any]:
    """All read-only arrays and compiled functions that can be reached from here."""
    found, seen, left = [], set(), [root]
    while left:
        part = left.pop()
        if id(part) in seen:
            continue
        seen.add(id(part))
        if isinstance(part, np.ndarray):
            if not part.flags.writeable:
                found.append(part)
        elif hasattr(part, "py_func"):
            found.append(part)
        elif isinstance(part, dict):
            left.extend(part.values())
        elif isinstance(part, (list, tuple)):
            left.extend(part)
        elif isinstance(part, partial):
            left.extend((part.func, *part.args, *part.keywords.values()))
        elif isinstance(part, MethodType):
            left.append(part.__self__)
        elif type(part).__module__.partition(".")[0] == __name__.partition(".")[0]:
            left.extend(getattr(part, "__dict__", {}).values())
    return found
