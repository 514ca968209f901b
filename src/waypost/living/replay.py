"""Doing again what a script says."""

from typing import TYPE_CHECKING, Any

from waypost.errors import WaypostError, shown
from waypost.living.fleet import LivingFleet

if TYPE_CHECKING:
    from collections.abc import Callable

    from waypost.living.world import World

__all__ = ["replay"]


def replay(world: "World", rows: list[list[Any]], threads: int | None) -> list[LivingFleet]:
    """Do what rows of a script say; the fleets that it is about."""
    fleets: list[LivingFleet] = []

    def edit(runs: Any) -> None:
        with world.batch():
            for x, y, length, is_open in runs:
                world.edit(rectangle=(x, y, length, 1), open=bool(is_open))

    def fleet(nearest: Any, patience: Any) -> None:
        fleets.append(world.fleet(nearest=nearest, patience=patience, threads=threads))

    acts: dict[str, Callable[..., Any]] = {
        "edit": edit,
        "fleet": fleet,
        "block": lambda ticks, points: world.block(points, until=ticks),
        "add": lambda of, starts, goals, nearest: fleets[of].add(starts, goals, nearest=nearest),
        "remove": lambda of, ids: fleets[of].remove(ids),
        "retarget": lambda of, ids, goals, nearest: fleets[of].retarget(ids, goals, nearest=nearest),
        "teleport": lambda of, ids, places: fleets[of].teleport(ids, places),
        "tick": lambda of, work: fleets[of].tick(budget_work=work),
    }
    for number, row in enumerate(rows):
        try:
            what, *how = row
            acts[what](*how)
        except (LookupError, TypeError, ValueError) as error:
            told = f": {error}" if isinstance(error, WaypostError) else ""
            raise WaypostError(f"row {number + 1} of the script cannot be done, {shown(row)}{told}") from error
    return fleets
