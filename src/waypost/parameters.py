"""Checking numbers that users give: one sentence for all planners and generators."""

import operator
from typing import Any

import numpy as np

from waypost.errors import ParameterError, shown

__all__ = ["number_within", "whole_number"]

_TYPE_NAMES = {int: "a whole number", float: "a number"}


def number_within(what: str, value: Any, kind: type, lowest: float, highest: float) -> Any:
    """The value as an int or float of a closed range; text is taken as the command line gives it."""
    try:
        converted = kind(value)
        good = isinstance(value, str) or converted == value
    except (TypeError, ValueError, OverflowError):
        good = False
    if not good or isinstance(value, (bool, np.bool_)):
        raise ParameterError(f"{what} must be {_TYPE_NAMES[kind]}, not {shown(value)}")
    if not lowest <= converted <= highest:
        raise ParameterError(f"{what} must be from {lowest:g} to {highest:g}, not {shown(converted)}")
    return converted


def whole_number(what: str, value: Any, lowest: int = 0) -> int:
    """The value as a plain int of at least `lowest`, whatever kind of integer it was."""
    is_integer = hasattr(value, "__index__") and not isinstance(value, (bool, np.bool_))
    if not is_integer or operator.index(value) < lowest:
        raise ParameterError(f"{what} must be a whole number of at least {lowest}, not {shown(value)}")
    return operator.index(value)
