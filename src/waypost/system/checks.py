"""Checking numbers that users give: one sentence for all planners and generators."""

import operator
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from waypost.errors import ParameterError, shown

__all__ = ["are_numbers", "number_within", "whole_number", "whole_numbers"]

_TYPE_NAMES = {int: "a whole number", float: "a number"}


def number_within(what: str, value: Any, kind: type, lowest: float, highest: float, *, takes_text: bool = True) -> Any:
    """The value as an int or float of a closed range; text is taken as the command line gives it."""
    try:
        converted = kind(value)
        good = takes_text if isinstance(value, str) else bool(converted == value)
    except (TypeError, ValueError, OverflowError):
        good = False
    if not good or isinstance(value, (bool, np.bool_)):
        raise ParameterError(f"{what} must be {_TYPE_NAMES[kind]}, not {shown(value)}")
    if not lowest <= converted <= highest:
        raise ParameterError(f"{what} must be from {lowest:g} to {highest:g}, not {shown(converted)}")
    return converted


def whole_number(what: str, value: Any, lowest: int = 0, highest: int | None = None) -> int:
    """The value as a plain int of at least `lowest`, whatever kind of integer it was, and at most `highest`."""
    try:
        number = lowest - 1 if isinstance(value, (bool, np.bool_)) else operator.index(value)
    except TypeError:
        number = lowest - 1
    if number < lowest:
        raise ParameterError(f"{what} must be a whole number of at least {lowest}, not {shown(value)}")
    if highest is not None and number > highest:
        raise ParameterError(f"{what} must be a whole number of at most {highest:,}, not {shown(value)}")
    return number


def whole_numbers(values: Any) -> npt.NDArray[Any] | None:
    """An array, or what numpy makes one of, if it holds whole numbers or nothing; otherwise None.

    What numpy would take for numbers in silence, though nobody means it so, is none: see `are_numbers`.
    """
    try:
        array = np.asarray(values)
    except (ValueError, TypeError):  # rows of unequal length, and what refuses to be an array
        return None
    kinds = "iu" if array.size else "iuf"  # numpy takes nothing for floats
    return array if array.dtype.kind in kinds and are_numbers(values) else None


def are_numbers(values: Any) -> bool:
    """Whether there is nothing odd among numbers: truth values, a mask, raw bytes, keys of a mapping."""
    if isinstance(values, (list, tuple)):
        return all(type(value) is int or are_numbers(value) for value in values)
    if isinstance(values, np.ndarray):
        return values.dtype != np.bool_ and not isinstance(values, np.ma.MaskedArray)
    return not isinstance(values, (bool, np.bool_, str, bytes, bytearray, memoryview, Mapping))
