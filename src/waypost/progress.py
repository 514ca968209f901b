"""Progress bars for long work: on a terminal, and only there."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

__all__ = ["Tick", "progress"]


class Tick(Protocol):
    """What a progress bar is told: so many more items are done."""

    def __call__(self, count: int = 1, /) -> None:
        """Tell that so many more items are done."""


@contextmanager
def progress(title: str, total: int) -> Iterator[Tick]:
    """A bar with count and time left on the standard error of a terminal; yields what to call as items are done."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(title, total=total)

        def tick(count: int = 1, /) -> None:
            bar.advance(task, count)

        yield tick
