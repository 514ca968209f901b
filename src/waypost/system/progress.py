"""Progress bars for long work: on a terminal, and only there."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

__all__ = ["Advance", "note", "progress"]


class Advance(Protocol):
    """What a progress bar is told: this many more items are done."""

    def __call__(self, count: int = 1, /) -> None:
        """Tell that this many more items are done."""


@contextmanager
def progress(title: str, total: int, *, show: bool = True) -> Iterator[Advance]:
    """A bar with count, rate and time left on a terminal's standard error; yields what to call as items are done."""
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        ProgressColumn,
        Task,
        TextColumn,
        TimeRemainingColumn,
    )
    from rich.text import Text

    class Rate(ProgressColumn):
        """Items per second over the last while."""

        def render(self, task: Task) -> Text:
            return Text("" if task.speed is None else f"{task.speed:,.3g}/s")

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), Rate(), TimeRemainingColumn())
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not (show and console.is_terminal)) as bar:
        task = bar.add_task(title, total=total)

        def advance(count: int = 1, /) -> None:
            bar.advance(task, count)

        yield advance


def note(text: str) -> None:
    """Say something about long work, on a terminal or not."""
    print(text, file=sys.stderr)
