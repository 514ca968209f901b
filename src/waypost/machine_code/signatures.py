"""Signatures of kernels as text: with them kernels are compiled before anybody calls them.

`signatures.json` has, for each kernel of ours, its one signature and about how many seconds it takes to compile, and
for each planner the kernels that it uses, those that its batches use besides, and those of its fleets;
`make kernel-table` writes it, and tests hold it up to date.
Numbers are named as in NumPy; an array is `int32[2]` by its dimensions, with `!` after it where it can only be read
and its layout if it is not C; a tuple is `(int64, int64)`; a record is `{name:int64@0, ...; size}` with offsets.
"""

import functools
import json
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np
from numba import types
from numba.np import numpy_support

__all__ = ["TABLE", "kernels_of", "parsed", "seconds_of", "signature_of", "written"]

TABLE = Path(__file__).with_name("signatures.json")
_SYMBOL = re.compile(r"\s*(?:(?P<word>[A-Za-z_]\w*)|(?P<number>\d+)|(?P<sign>.))")


def written(arguments: Iterable[Any]) -> str:
    """Argument types of Numba as text."""
    return ", ".join(_written(each) for each in arguments)


def parsed(text: str) -> tuple[Any, ...]:
    """Argument types of Numba from text."""
    return _Parser(text).types_until("")


@functools.cache
def _table() -> dict[str, Any]:
    try:
        return dict(json.loads(TABLE.read_text()))
    except FileNotFoundError:  # it is being written for the first time
        return {"kernels": {}, "planners": {}, "batches": {}, "fleets": {}}


def signature_of(kernel: str) -> str | None:
    """The signature of a kernel by its name, if it is one of ours."""
    return _table()["kernels"].get(kernel, (None,))[0]


def seconds_of(kernel: str) -> float:
    """About how long a kernel takes to compile; 0 if that is not known."""
    return float(_table()["kernels"].get(kernel, (None, 0.0))[1])


def kernels_of(planner: str, *, batches: bool = True, fleet: bool = True) -> list[str] | None:
    """The kernels that a planner of ours uses, and its batches and fleets; None if it is not one of ours."""
    table = _table()
    if planner not in table["planners"]:
        return None
    uses = {"planners": True, "batches": batches, "fleets": fleet}
    return [kernel for use, is_wanted in uses.items() if is_wanted for kernel in table.get(use, {}).get(planner, [])]


def _written(given: Any) -> str:
    if isinstance(given, types.Array):
        end = ("" if given.mutable else "!") + ("" if given.layout == "C" else given.layout)
        return f"{_written(given.dtype)}[{given.ndim}]{end}"
    if isinstance(given, types.BaseTuple):
        return f"({written(given.types)})"
    if isinstance(given, types.Record):
        fields = ", ".join(f"{name}:{_written(field.type)}@{field.offset}" for name, field in given.fields.items())
        return f"{{{fields}; {given.size}}}"
    if isinstance(given, (types.Integer, types.Float, types.Boolean)):
        return str(given)
    raise TypeError(f"no kernel takes a {given}")


class _Parser:
    """Reads what `written` wrote."""

    def __init__(self, text: str) -> None:
        self._symbols = [match.group().strip() for match in _SYMBOL.finditer(text)] + [""]
        self._place = 0

    def types_until(self, end: str) -> tuple[Any, ...]:
        """Types with commas between them, up to a sign."""
        return tuple(self._all_until(end, self._type))

    def _all_until(self, end: str, read: Callable[[], Any]) -> list[Any]:
        found: list[Any] = []
        while not self._take(end):
            if found:
                self._expect(",")
            found.append(read())
        return found

    def _type(self) -> Any:
        if self._take("("):
            read: Any = types.Tuple(self.types_until(")"))
        elif self._take("{"):
            read = self._record()
        else:
            read = numpy_support.from_dtype(np.dtype(self._next()))
        while self._take("["):
            dimensions = int(self._next())
            self._expect("]")
            is_read_only = self._take("!")
            layout = next((sign for sign in "AF" if self._take(sign)), "C")
            read = types.Array(read, dimensions, layout, readonly=is_read_only)
        return read

    def _record(self) -> Any:
        fields = self._all_until(";", self._field)
        size = int(self._next())
        self._expect("}")
        names, formats, offsets = zip(*fields, strict=True)
        layout = {"names": names, "formats": formats, "offsets": offsets, "itemsize": size}
        return numpy_support.from_dtype(np.dtype(layout, align=True))  # type: ignore[call-overload]

    def _field(self) -> tuple[str, Any, int]:
        name = self._next()
        self._expect(":")
        kind = numpy_support.as_dtype(self._type())
        self._expect("@")
        return name, kind, int(self._next())

    def _next(self) -> str:
        self._place += 1
        return self._symbols[self._place - 1]

    def _take(self, sign: str) -> bool:
        if self._symbols[self._place] != sign:
            return False
        self._place += 1
        return True

    def _expect(self, sign: str) -> None:
        if not self._take(sign):
            raise ValueError(f"{sign!r} is missing in a signature before {self._symbols[self._place]!r}")
