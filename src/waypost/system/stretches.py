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

_SHORTEST, _LEAST_SECONDS, _MOST_SECONDS = 0.0005, 0.005, 0.02
# Of a stretch, if it can be: at the end; before; and between two looks at Ctrl-C and the bar.
_GROWTH = 8  # of a stretch that took much less
_PARTS = 2  # for each of several threads there are so many of what is left, so that all end at about the same time


def share_out(title: str, total: int, works: Sequence[Work]) -> None:
    """Do so many items, each work on a thread of its own; Ctrl-C or an error in one ends the others."""
    lock, given = Lock(), 0

    def take(wanted: int, least: int) -> tuple[int, int]:
        nonlocal given
        with lock:
            first = given
            left = total - first
            given += min(left, wanted, max(least, left // (_PARTS * len(works)) if len(works) > 1 else left))
            return first, given

    def keep_at(work: Work, advance: Advance, stop: Event) -> None:
        wanted = least = 1
        while not stop.is_set():
            first, last = take(wanted, least)
            if first == last:
                return
            began = perf_counter()
            work(first, last)
            took = perf_counter() - began
            least = max(1, int(_SHORTEST / took * (last - first))) if took else wanted
            if took < _LEAST_SECONDS:
                wanted = _GROWTH * (last - first) if _GROWTH * took < _LEAST_SECONDS else 2 * (last - first)
            elif took > _MOST_SECONDS:
                wanted = max(1, (last - first) // 2)
            advance(last - first)

    with progress(title, total) as advance:
        on_threads([partial(keep_at, work, advance) for work in works])
