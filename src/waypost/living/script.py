"""Script: what was done to a World, in order, to be saved and done again."""

import hashlib
import json
import os
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from waypost.errors import WaypostError, shown
from waypost.living.edits import Changes
from waypost.system.files import check_name, read_bytes, write_atomically
from waypost.world.grid import Grid
from waypost.world.live_grid import LiveGrid

__all__ = ["Script", "Stored", "read_script"]

_KIND = "waypost script"
_FORMAT = 1
_MOST_BYTES = 1 << 30


class Script:
    """Rows of what was done, if a World records: edits, blocks, orders to fleets and their ticks."""

    def __init__(self, grid: LiveGrid, planner: str, params: Mapping[str, Any], records: bool) -> None:
        self._grid = grid
        self.records = records
        self._head = {"format": _FORMAT, "kind": _KIND, "params": dict(params), "planner": planner}
        if records:
            self._head["map"] = grid.fingerprint
        self._rows: list[list[Any]] = []
        self._fleets = 0

    def __len__(self) -> int:
        return len(self._rows)

    def note_edit(self, changes: Changes) -> None:
        """Cells were closed and opened, as one change."""
        if self.records:
            self._rows.append(["edit", _runs(self._grid, changes)])

    def note_block(self, cells: npt.NDArray[np.int32], ticks: int) -> None:
        """Cells were blocked."""
        if self.records:
            self._rows.append(["block", ticks, self._grid.xys(cells).tolist()])

    def note_fleet(self, nearest: bool, patience: int) -> int:
        """A fleet was made, to which orders add agents; its number."""
        if self.records:
            self._rows.append(["fleet", nearest, patience])
        self._fleets += 1
        return self._fleets - 1

    def note_order(self, fleet: int, what: str, *arrays: Any) -> None:
        """Agents of a fleet were told something: ids, and points."""
        if self.records:
            self._rows.append([what, fleet, *map(_plain, arrays)])

    def note_tick(self, fleet: int, budget_us: float | None, budget_work: int | None) -> None:
        """A fleet is about to tick."""
        if self.records:
            if budget_us is not None:
                raise WaypostError(
                    "a World that records is ticked with budget_work=N or no budget: no clock can be played again"
                )
            self._rows.append(["tick", fleet, budget_work])

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write it to a file that `World.replay` reads."""
        if not self.records:
            raise WaypostError("this World keeps no script of what is done; make it with record=True")
        check_name(path, "the place of a script")
        text = "".join(f"{json.dumps(row, sort_keys=True)}\n" for row in (self._head, *self._rows)).encode()
        end = {"checksum": _checksum(text), "end": self._grid.fingerprint}
        write_atomically(path, [text, f"{json.dumps(end, sort_keys=True)}\n".encode()])


class Stored(NamedTuple):
    """What a file of a script holds."""

    planner: str
    params: dict[str, Any]
    map: str
    """The World's fingerprint before all of it, and after."""
    end: str
    rows: list[list[Any]]


def read_script(path: str | os.PathLike[str]) -> Stored:
    """Read what `Script.save` wrote, or say in one sentence what is wrong with it."""
    text = read_bytes(path, "script of a World", _MOST_BYTES)
    try:
        *lines, last = text.splitlines(keepends=True)
        head, *rows = map(json.loads, lines)
        end = json.loads(last)
        head["params"].items()
        known = end["checksum"] == _checksum(b"".join(lines)) and head["kind"] == _KIND
        if known and head["format"] > _FORMAT:
            raise WaypostError(f"{path} was written by a newer Waypost, in format {shown(head['format'])}")
        if known:
            return Stored(head["planner"], head["params"], head["map"], end["end"], rows)
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        if isinstance(error, WaypostError):
            raise
    raise WaypostError(f"{path} is no script of a World, or is damaged; save it again")


def _runs(grid: Grid, changes: Changes) -> list[list[int]]:
    """Changes as x, y, how many cells to the right, and whether they are then open."""
    cells, opens = changes
    if not cells.size:
        return []
    breaks = (np.diff(cells) != 1) | (opens[1:] != opens[:-1])
    firsts = np.concatenate([[0], np.flatnonzero(breaks) + 1])
    lengths = np.diff(np.concatenate([firsts, [cells.size]]))
    return np.column_stack([grid.xys(cells[firsts]), lengths, opens[firsts]]).tolist()


def _plain(value: Any) -> Any:
    return value.tolist() if isinstance(value, np.ndarray) else value


def _checksum(text: bytes) -> str:
    return hashlib.blake2b(text, digest_size=16).hexdigest()
