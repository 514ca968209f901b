"""What Numba tells while it compiles: counted, and handed on for kernels of this package and of others that use it."""

from typing import Any, Protocol

from numba.core import event

__all__ = ["Listener", "compilations", "listen", "loads"]


class Listener(Protocol):
    """Who is told when a kernel that Python called is compiled; what goes into it is not told of."""

    def begins(self, kernel: str) -> None:
        """A kernel is going to be compiled."""

    def ends(self, kernel: str) -> None:
        """It was compiled, or could not be."""


class _Count(event.Listener):  # type: ignore[misc]  # Numba has no types
    """Counts what Numba begins."""

    def __init__(self) -> None:
        self.count = 0

    def on_start(self, event: Any) -> None:  # noqa: ARG002 - as Numba calls it
        self.count += 1

    def on_end(self, event: Any) -> None:
        """It is over, which concerns nobody."""


class _Outermost(event.Listener):  # type: ignore[misc]
    """Hands compilations on that no other one asked for. Numba compiles on one thread at a time."""

    def __init__(self, listener: Listener) -> None:
        self._listener = listener
        self._depth = 0

    def on_start(self, event: Any) -> None:
        self._depth += 1
        if self._depth == 1 and (name := _kernel_of(event)):
            self._listener.begins(name)

    def on_end(self, event: Any) -> None:
        self._depth -= 1
        if self._depth == 0 and (name := _kernel_of(event)):
            self._listener.ends(name)


_LOADS, _COMPILATIONS = _Count(), _Count()
event.register("numba:compiler_lock", _LOADS)  # taken to compile, and to fetch what is compiled
event.register("numba:compile", _COMPILATIONS)


def loads() -> int:
    """How often kernels were compiled or fetched from disk in this process: a clock that ran meanwhile is wrong."""
    return _LOADS.count


def compilations() -> int:
    """How many functions were compiled in this process."""
    return _COMPILATIONS.count


def listen(listener: Listener) -> None:
    """Tell somebody of every kernel that is compiled from now on."""
    event.register("numba:compile", _Outermost(listener))


def _kernel_of(event: Any) -> str | None:
    """The name of a kernel; None for a function of somebody else."""
    function = event.data["dispatcher"].py_func
    is_kernel = "kernels" in function.__module__.split(".")
    return f"{function.__module__}.{function.__qualname__}" if is_kernel else None
