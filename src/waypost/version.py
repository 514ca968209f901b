"""The version of Waypost."""

__version__ = "0.1.0"
