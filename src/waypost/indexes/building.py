"""How an index is built: on all cores, with a progress bar, and with a journal from which a killed build goes on."""

import os
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from threading import Event, Lock
from time import perf_counter
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt

from waypost.indexes.journal import Journal
from waypost.system import machine
from waypost.system.checks import whole_number
from waypost.system.progress import note, progress
from waypost.system.threads import on_threads, thread_count
from waypost.version import __version__
from waypost.world.grid import Grid

__all__ = ["Arrays", "Works", "are_just", "identity_of"]

Arrays = tuple[npt.NDArray[Any], ...]

_CHUNK_SECONDS = 0.2  # what a chunk should take: Ctrl-C waits for it, a kill loses it, and a bar should move


def identity_of(planner: str, revision: int, grid: Grid, offline: Mapping[str, Any]) -> dict[str, Any]:
    """All that decides an index, and what its journal holds on the way there."""
    return {
        "map": grid.fingerprint,
        "parameters": dict(offline),
        "planner": planner,
        "revision": revision,
        "waypost": __version__,
    }


class Works:
    """What a build needs besides the grid: threads, a progress bar and, with `checkpoint`, a journal in that file."""

    def __init__(
        self,
        threads: int | None = None,
        checkpoint: str | os.PathLike[str] | None = None,
        identity: Mapping[str, Any] = MappingProxyType({}),
        show_progress: bool = True,
    ) -> None:
        self.threads = thread_count(threads)
        self.goes_on = False
        """Whether an earlier run has left parts."""
        self._show_progress = show_progress
        self._titles: set[str] = set()
        self._since = perf_counter()
        self._journal = None if checkpoint is None else Journal(checkpoint, identity)

    @property
    def facts(self) -> dict[str, Any]:
        """What is known of a build that is over: seconds, date, machine, threads and version."""
        return {
            "build_seconds": round(self.seconds, 6),
            "date": datetime.now(UTC).isoformat(timespec="seconds"),
            "machine": machine.describe(),
            "threads": self.threads,
            "waypost": __version__,
        }

    @property
    def seconds(self) -> float:
        """What the build has taken so far, interrupted runs of it included."""
        earlier = self._journal.seconds if self._journal else 0.0
        return earlier + perf_counter() - self._since

    def parts(
        self,
        title: str,
        total: int,
        make: Callable[[int, int], Arrays],
        *,
        chunk: int | None = None,
        fits: Callable[[int, int, Arrays], bool] | None = None,
    ) -> list[Arrays]:
        """What `make(first, last)` returns for chunks that cover range(total), in their order; at least one of them.

        `make` runs on several threads at once. Chunks are sized by the clock unless `chunk` is given, and those of an
        interrupted build are not made again: what is concatenated from the parts must not depend on where they end.
        Of those, parts that do not fit are: a journal can be forged, and kernels look at no lengths.
        """
        if title in self._titles:
            raise ValueError(f"a build has two parts called {title!r}, which its journal could not tell apart")
        self._titles.add(title)
        if total == 0:
            return [make(0, 0)]
        made = self._journal.parts(title, total) if self._journal else {}
        self.goes_on = self.goes_on or bool(made)
        if fits:
            made = {piece: arrays for piece, arrays in made.items() if fits(*piece, arrays)}
        done = sum(last - first for first, last in made)
        if done and self._show_progress:
            note(f"{title}: going on from {100 * done // total} %")
        ranges = _Gaps(made, total, 2 * self.threads)
        fixed = None if chunk is None else whole_number("chunk", chunk, lowest=1)

        def work(stop: Event) -> None:
            size = fixed or 1
            while not stop.is_set() and (piece := ranges.take(size)):
                begin = perf_counter()
                arrays = make(*piece)
                seconds = perf_counter() - begin
                made[piece] = arrays
                if self._journal:
                    self._journal.add(title, total, piece, arrays, self.seconds)
                advance(piece[1] - piece[0])
                if fixed is None:
                    size = next_size(size, seconds)

        with progress(title, total, show=self._show_progress) as advance:
            advance(done)
            on_threads([work] * max(1, min(self.threads, total - done)))
        return [made[piece] for piece in sorted(made)]

    def close(self) -> None:
        """Let go of the journal; it stays on disk."""
        if self._journal:
            self._journal.close()

    def discard(self) -> None:
        """Delete the journal: what it is for has been written."""
        if self._journal:
            self._journal.discard()


def are_just(arrays: Arrays, *wanted: tuple[npt.DTypeLike, tuple[int, ...]]) -> bool:
    """Whether arrays have just these types and shapes."""
    return [(array.dtype, array.shape) for array in arrays] == [(np.dtype(dtype), shape) for dtype, shape in wanted]


def next_size(size: int, seconds: float) -> int:
    """How large the next chunk is, after one that took so long."""
    if seconds < _CHUNK_SECONDS / 2:
        return 2 * size
    return max(1, size // 2) if seconds > _CHUNK_SECONDS else size


class _Gaps:
    """Hands out what is left of range(total), in rising order, to several threads."""

    def __init__(self, made: Iterable[tuple[int, int]], total: int, shares: int) -> None:
        self._lock = Lock()
        self._shares = shares  # that what is left is cut into at least, so that all threads end at about the same time
        self._gaps: list[tuple[int, int]] = []
        end = 0
        for first, last in [*sorted(made), (total, total)]:
            if end < first:
                self._gaps.append((end, first))
            end = last
        self._left = sum(last - first for first, last in self._gaps)
        self._gaps.reverse()

    def take(self, size: int) -> tuple[int, int] | None:
        """The next range of at most this many items, or None."""
        with self._lock:
            if not self._gaps:
                return None
            first, end = self._gaps.pop()
            last = min(first + min(size, self._left // self._shares + 1), end)
            self._left -= last - first
            if last < end:
                self._gaps.append((last, end))
            return first, last
