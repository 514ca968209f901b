"""Seeded maps that look like places in games. Each is one connected part, so every problem has a path."""

from collections.abc import Callable

from waypost.maps.generate.blob import blobs
from waypost.maps.generate.cave import caves
from waypost.maps.generate.country import outdoor
from waypost.maps.generate.lattice import maze, rooms
from waypost.maps.generate.parameters import Open, check_arguments, find_kind, parameters
from waypost.maps.generate.town import city

__all__ = ["GENERATORS", "blobs", "caves", "check", "city", "generate", "maze", "outdoor", "parameters", "rooms"]

GENERATORS: dict[str, Callable[..., Open]] = {
    "blobs": blobs,
    "caves": caves,
    "city": city,
    "maze": maze,
    "outdoor": outdoor,
    "rooms": rooms,
}
"""Every generator by the name of what it makes; all take width, height and seed."""


def generate(kind: str, width: int, height: int, seed: int = 0, /, **params: object) -> Open:
    """Make a map of a kind by its name: a (height, width) array, True where it is open."""
    return find_kind(kind, GENERATORS)(width, height, seed, **params)


def check(kind: str, width: int, height: int, seed: int = 0, /, **params: object) -> None:
    """Refuse what `generate` would refuse, without making the map."""
    make = find_kind(kind, GENERATORS)
    check_arguments(make.__wrapped__, (width, height, seed), params)  # type: ignore[attr-defined]
