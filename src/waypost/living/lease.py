"""Lease: many may read a World at a time, and who edits it does so alone."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Condition

__all__ = ["Lease"]


class Lease:
    """Readers share it, a writer has it alone; who wants to write goes before readers that come later."""

    def __init__(self) -> None:
        self._changed = Condition()
        self._readers = self._waiting = 0
        self._is_writing = False

    @contextmanager
    def shared(self) -> Iterator[None]:
        """Nothing is edited in here; not to be taken again in here."""
        with self._changed:
            while self._is_writing or self._waiting:
                self._changed.wait()
            self._readers += 1
        try:
            yield
        finally:
            with self._changed:
                self._readers -= 1
                if not self._readers:
                    self._changed.notify_all()

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Nobody reads in here."""
        with self._changed:
            self._waiting += 1
            while self._is_writing or self._readers:
                self._changed.wait()
            self._waiting -= 1
            self._is_writing = True
        try:
            yield
        finally:
            with self._changed:
                self._is_writing = False
                self._changed.notify_all()
