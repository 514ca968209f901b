"""Work on several threads: kernels release the GIL, so threads share one grid and need no copies."""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Event

from waypost.system.checks import whole_number

__all__ = ["MOST_THREADS", "on_threads", "thread_count"]

MOST_THREADS = 1024
"""Each has a stack, and agents or a route of its own."""


def thread_count(threads: int | None) -> int:
    """How many threads to use: as given, or as many as this process has cores."""
    if threads is None:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return whole_number("threads", threads, lowest=1, highest=MOST_THREADS)


def on_threads(works: Sequence[Callable[[Event], None]]) -> None:
    """Do each work on a thread of its own; an error in one, or Ctrl-C, asks all others by the event to stop soon."""
    stop = Event()

    def guarded(work: Callable[[Event], None]) -> None:
        try:
            work(stop)
        except BaseException:
            stop.set()
            raise

    with ThreadPoolExecutor(len(works)) as pool:
        tasks = [pool.submit(guarded, work) for work in works]
        try:
            for task in tasks:
                task.result()
        finally:
            stop.set()  # Ctrl-C arrives here, in the thread that waits
