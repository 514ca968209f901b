"""What a fleet tells of its members: how each stands, what a tick did, and to whom something happened."""

from enum import IntEnum
from typing import NamedTuple

from waypost.planners.walking.ids import Ids
from waypost.planners.walking.kernels import troop

__all__ = ["Events", "MemberStatus", "Tick"]


class MemberStatus(IntEnum):
    """How an agent of a fleet stands."""

    NONE = troop.NO_AGENT
    """There is no agent of this id (any more)."""
    MOVING = troop.MOVING
    """On its way."""
    ARRIVED = troop.ARRIVED
    """On its goal."""
    UNREACHABLE = troop.UNREACHABLE
    """No way leads to its goal; it stays where it is."""
    LOST = troop.LOST
    """What it learned went beyond the longest path supported, or the index leads no way; it stays where it is."""
    WAITING = troop.LOST + 1
    """On its way, but in the last tick there was no time for it."""
    ON_WALL = troop.ON_WALL
    """In a World: its cell was closed; it stays where it is, and goes on if the cell is opened again."""
    HELD = troop.ON_WALL + 1
    """In a World: on its way, but the next cell is blocked for some ticks; it waits, or asks for another way."""


class Tick(NamedTuple):
    """What one tick did."""

    moved: int
    """Agents that made a move."""
    chosen: int
    """Targets chosen: the expensive part."""
    waiting: int
    """Agents for whose move there was no time."""
    longest_wait: int
    """Ticks that an agent has stood still because time ran out: the most of those who wait, or did until this tick."""
    arrived: int
    """Agents that came to their goal."""
    us: float
    """Microseconds by the clock."""


class Events(NamedTuple):
    """Ids of agents to which something happened in the last tick, or in a call after the one before it."""

    arrived: Ids
    unreachable: Ids
    lost: Ids
