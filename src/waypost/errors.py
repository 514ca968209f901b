"""One exception family: every message says what is wrong, where, and what would be right."""

__all__ = ["MapError", "ParameterError", "Unreachable", "WaypostError"]


class WaypostError(ValueError):
    """Anything Waypost refuses; the command line prints the message and exits 2."""


class MapError(WaypostError):
    """A map or scenario that cannot be read, or a place that is not on the map."""


class ParameterError(WaypostError):
    """An unknown planner or parameter, or a value out of range."""


class Unreachable(WaypostError):  # noqa: N818 - a plain answer, not a fault
    """Start and goal lie in different components, so no path exists."""
