"""Many items shared out among threads, in stretches that each take some milliseconds."""

from collections.abc import Callable, Sequence
from functools import partial
from threading import Event, Lock
from time import perf_counter

from typing_extensions import TypeAliasType

from waypost.system.progress import Advance, progress
from waypost.system.threads import on_threads

__all__ = ["Work", "share_out"]

Work = TypeAliasType("Work", Callable[[int, int], None])
"""Does the items from one number up to another; which ones depends on the threads and on the clock."""

_LEAST_SECONDS, _MOST_SECONDS = 0.005, 0.02  # of a stretch, if it can be: between two looks at Ctrl-C and the bar
_GROWTH = 8  # of one that took much less
_PARTS = 2  # for each thread there are so many of what is left, so that all end at about the same time


def share_out(title: str, total: int, works: Sequence[Work]) -> None:
    """Do so many items, each work on a thread of its own; Ctrl-C or an error in one ends the others."""
    lock, given = Lock(), 0

    def take(wanted: int) -> tuple[int, int]:
        nonlocal given
        with lock:
            first = given
            left = total - first
            given += min(left, wanted, max(1, left // (_PARTS * len(works))))
            return first, given

    def keep_at(work: Work, advance: Advance, stop: Event) -> None:
        wanted = 1
        while not stop.is_set():
            first, last = take(wanted)
            if first == last:
                return
            began = perf_counter()
            work(first, last)
            took = perf_counter() - began
            if took < _LEAST_SECONDS:
                wanted = _GROWTH * (last - first) if _GROWTH * took < _LEAST_SECONDS else 2 * (last - first)
            elif took > _MOST_SECONDS:
                wanted = max(1, (last - first) // 2)
            advance(last - first)

    with progress(title, total) as advance:
        on_threads([partial(keep_at, work, advance) for work in works])
