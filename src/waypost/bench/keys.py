"""Reading a table of a suite: every key is known, every value is of its kind, every complaint says where."""

import difflib
import math
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeVar

from waypost.errors import ParameterError, WaypostError, shown

__all__ = ["Table"]

_REQUIRED: Any = object()

T = TypeVar("T", bound=str)


class Table:
    """Takes keys one by one; `end` refuses what nobody has taken."""

    def __init__(self, values: Mapping[str, Any], where: str) -> None:
        self._values = dict(values)
        self._known: list[str] = []
        self.where = where

    def __contains__(self, key: str) -> bool:
        return key in self._values

    def text(self, key: str, default: str = _REQUIRED) -> str:
        """A text."""
        return self._take(key, default, "a text", lambda value: isinstance(value, str))

    def whole(self, key: str, default: int = _REQUIRED, lowest: int = 0, highest: float = math.inf) -> int:
        """A whole number."""
        is_open = math.isinf(highest)
        what = f"a whole number {f'of at least {lowest}' if is_open else f'from {lowest} to {highest:,}'}"
        return self._take(key, default, what, lambda value: type(value) is int and lowest <= value <= highest)

    def number(self, key: str, default: float = _REQUIRED) -> float:
        """A number of at least 0."""
        return float(self._take(key, default, "a number of at least 0", _is_number))

    def truth(self, key: str, default: bool = _REQUIRED) -> bool:
        """True or false."""
        return self._take(key, default, "true or false", lambda value: isinstance(value, bool))

    def choice(self, key: str, choices: tuple[T, ...], default: T = _REQUIRED) -> T:
        """One of a few texts."""
        what = f"one of {', '.join(map(repr, choices))}"
        return self._take(key, default, what, lambda value: value in choices)

    def texts(self, key: str, default: tuple[str, ...] = _REQUIRED) -> tuple[str, ...]:
        """A text or a list of at least one."""
        found = self._take(key, default, "a text or a list of texts", _is_texts)
        return (found,) if isinstance(found, str) else tuple(found)

    def wholes(self, key: str, default: tuple[int, ...] = _REQUIRED) -> tuple[int, ...]:
        """A whole number or a list of at least one."""
        found = self._take(key, default, "a whole number or a list of them", _is_wholes)
        return (found,) if type(found) is int else tuple(found)

    def pair(self, key: str, default: tuple[float, float] | None = _REQUIRED) -> tuple[float, float] | None:
        """Two numbers, or the default."""
        found = self._take(key, default, "two numbers in brackets", lambda v: _is_numbers(v) and len(v) == 2)
        return found if found is default else (float(found[0]), float(found[1]))

    def figures(self, key: str, default: tuple[float, ...] = _REQUIRED) -> tuple[float, ...]:
        """A list of numbers, nan among them: what a paper prints."""
        found = self._take(key, default, "a list of numbers", _is_figures)
        return tuple(map(float, found))

    def sides(self, key: str) -> tuple[int, int]:
        """Two whole numbers."""
        what = "two whole numbers in brackets"
        width, height = self._take(
            key, _REQUIRED, what, lambda v: isinstance(v, list) and len(v) == 2 and _is_wholes(v)
        )
        return width, height

    def table(self, key: str) -> "Table":
        """A table, empty if it is not there."""
        return Table(self._take(key, {}, "a table", lambda value: isinstance(value, dict)), f"{self.where}, {key}")

    def text_or_table(self, key: str) -> str | dict[str, Any]:
        """A text, or a table as it stands."""
        found: str | dict[str, Any] = self._take(
            key, _REQUIRED, "a text or a table", lambda value: isinstance(value, (str, dict))
        )
        return found

    def texts_or_tables(self, key: str) -> list[str | dict[str, Any]]:
        """A list of texts and of tables as they stand, at least one."""
        found: list[str | dict[str, Any]] = self._take(
            key, _REQUIRED, "a list of texts and tables", _is_texts_or_tables
        )
        return found

    def tables(self, key: str) -> list["Table"]:
        """An array of tables, empty if it is not there."""
        found = self._take(key, [], f"an array of tables: [[{key}]]", _is_tables)
        return [Table(values, f"{self.where}, {key} {i}") for i, values in enumerate(found, start=1)]

    def rest(self) -> dict[str, Any]:
        """All keys that nobody has taken."""
        rest, self._values = self._values, {}
        return rest

    def end(self) -> None:
        """Refuse keys that mean nothing here."""
        for key in self._values:
            close = difflib.get_close_matches(key, self._known, n=1)
            hint = f"did you mean {close[0]!r}?" if close else f"there are {', '.join(self._known)}"
            raise self.complaint(f"there is no key {shown(key)} here; {hint}")

    @contextmanager
    def placed(self) -> Iterator[None]:
        """Let a complaint of another module say where as well."""
        try:
            yield
        except WaypostError as error:
            raise self.complaint(str(error)) from None

    def complaint(self, what: str) -> ParameterError:
        """A complaint that says where."""
        return ParameterError(f"{self.where}: {what}")

    def _take(self, key: str, default: Any, what: str, is_good: Any) -> Any:
        self._known.append(key)
        if key not in self._values:
            if default is _REQUIRED:
                raise self.complaint(f"{key} is missing; give {what}")
            return default
        value = self._values.pop(key)
        if not is_good(value):
            raise self.complaint(f"{key} must be {what}, not {shown(value)}")
        return value


def _is_number(value: Any) -> bool:
    return type(value) in (int, float) and 0 <= value <= sys.float_info.max  # a whole number may be beyond it


def _is_numbers(value: Any) -> bool:
    return isinstance(value, list) and all(_is_number(item) for item in value)


def _is_figures(value: Any) -> bool:
    return isinstance(value, (list, tuple)) and all(type(item) in (int, float) for item in value)


def _is_texts(value: Any) -> bool:
    values = value if isinstance(value, list) else [value]
    return bool(values) and all(isinstance(item, str) for item in values)


def _is_texts_or_tables(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(item, (str, dict)) for item in value)


def _is_wholes(value: Any) -> bool:
    values = value if isinstance(value, list) else [value]
    return bool(values) and all(type(item) is int and item >= 0 for item in values)


def _is_tables(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, dict) for item in value)
