"""Checking numbers that users give: one sentence for all planners and generators."""

import operator
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from waypost.errors import ParameterError, shown

__all__ = ["are_numbers", "number_within", "truth", "whole_number", "whole_numbers", "whole_pair"]

_TYPE_NAMES = {int: "a whole number", float: "a number"}
_MOST_NESTED = 32
_PLAIN = (int, float, np.number, range)
_ODD = (bool, np.bool_, str, bytes, bytearray, memoryview, Mapping)


def number_within(what: str, value: Any, kind: type, lowest: float, highest: float, *, takes_text: bool = True) -> Any:
    """The value as an int or float of a closed range; text is taken as the command line gives it."""
    is_text = isinstance(value, str)
    good = takes_text if is_text else are_numbers(value) and not (isinstance(value, np.ndarray) and value.ndim)
    try:
        converted: Any = kind(value) if good else None
        good = good and (is_text or bool(converted == value))
    except (TypeError, ValueError, OverflowError):
        good = False
    if not good:
        raise ParameterError(f"{what} must be {_TYPE_NAMES[kind]}, not {shown(value)}")
    if not lowest <= converted <= highest:
        raise ParameterError(f"{what} must be from {lowest:g} to {highest:g}, not {shown(converted)}")
    return converted


def whole_number(what: str, value: Any, lowest: int = 0, highest: int | None = None) -> int:
    """The value as a plain int of at least `lowest`, whatever kind of integer it was, and at most `highest`."""
    if type(value) is int and lowest <= value and (highest is None or value <= highest):
        return value  # as nearly always
    try:
        number = operator.index(value) if type(value) is int or are_numbers(value) else lowest - 1
    except TypeError:
        number = lowest - 1
    if number < lowest:
        raise ParameterError(f"{what} must be a whole number of at least {lowest}, not {shown(value)}")
    if highest is not None and number > highest:
        raise ParameterError(f"{what} must be a whole number of at most {highest:,}, not {shown(value)}")
    return number


def whole_pair(values: Any) -> tuple[int, int] | None:
    """Two whole numbers, whatever holds them; otherwise None."""
    if (type(values) is tuple or type(values) is list) and len(values) == 2:
        first, second = values
        if type(first) is int and type(second) is int:
            return first, second  # as nearly always
    try:
        pair = operator.index(values[0]), operator.index(values[1])
        return pair if len(values) == 2 and are_numbers(values) else None
    except (TypeError, LookupError):
        return None


def whole_numbers(values: Any) -> npt.NDArray[Any] | None:
    """An array, or what numpy makes one of, if it holds whole numbers or nothing; otherwise None.

    What numpy would take for numbers in silence, though nobody means it so, is none: see `are_numbers`.
    """
    if not are_numbers(values):  # first, as numpy warns of some odd ones and raises its own errors at others
        return None
    try:
        array = np.asarray(values)
    except (ValueError, TypeError):  # rows of unequal length, and what refuses to be an array
        return None
    kinds = "iu" if array.size else "iuf"  # numpy takes nothing for floats
    return array if array.dtype.kind in kinds else None


def are_numbers(values: Any, nested: int = 0) -> bool:
    """Whether there is nothing odd among numbers: truth values, a mask, raw bytes, keys of a mapping."""
    inside: Any = values
    if isinstance(values, np.ndarray):
        if isinstance(values, np.ma.MaskedArray) or values.dtype != object:
            return values.dtype != np.bool_ and not isinstance(values, np.ma.MaskedArray)
        inside = values.flat
    elif not isinstance(values, (list, tuple)):  # which are asked first, as most points are
        if isinstance(values, _PLAIN) or not isinstance(values, (*_ODD, Sequence)):
            return not isinstance(values, bool)
        if isinstance(values, _ODD):
            return False
    # What holds itself has no end.
    return nested < _MOST_NESTED and all(type(value) is int or are_numbers(value, nested + 1) for value in inside)


def truth(what: str, value: Any) -> bool:
    """The value if it is True or False: not even a number is taken for one of them."""
    if value is True or value is False:
        return value
    if not isinstance(value, np.bool_):
        raise ParameterError(f"{what} must be True or False, not {shown(value)}")
    return bool(value)
