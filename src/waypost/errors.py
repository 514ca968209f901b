"""One exception family: every message says what is wrong, where, and what would be right."""

from typing import Any

__all__ = ["IndexFileError", "MapError", "OutOfMoves", "ParameterError", "Unreachable", "WaypostError", "shown"]


class WaypostError(ValueError):
    """Anything Waypost refuses; the command line prints the message and exits 2."""

    def __init__(self, message: str) -> None:
        super().__init__(message if message.isprintable() else "".join(map(_printable, message)))  # one line


def _printable(character: str) -> str:
    """A character as it can stand on a line: names of files may hold others, such as line ends."""
    return character if character.isprintable() else repr(character)[1:-1]


def shown(value: Any) -> str:
    """A value as an error message shows it: on one line, and not endless."""
    try:
        text = " ".join(repr(value).split())
    except ValueError:  # a number of thousands of digits
        return f"a very large {type(value).__name__}"
    return text if len(text) <= 80 else f"{text[:77]}..."


class IndexFileError(WaypostError):
    """An index file that is damaged, of another map or of a newer Waypost."""


class MapError(WaypostError):
    """A map or scenario that cannot be read, or a place that is not on the map."""


class ParameterError(WaypostError):
    """An unknown planner or parameter, or a value out of range."""


class OutOfMoves(WaypostError):  # noqa: N818 - a plain answer, not a fault
    """The agent has not arrived within the moves it was given."""


class Unreachable(WaypostError):  # noqa: N818 - a plain answer, not a fault
    """Start and goal lie in different components, so no path exists."""
