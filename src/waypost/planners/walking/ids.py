"""Ids of a fleet's agents: rows of its arrays that stay, and are given again late."""

import numpy as np
import numpy.typing as npt
from typing_extensions import TypeAliasType

__all__ = ["IdList", "Ids", "SomeIds"]

Ids = TypeAliasType("Ids", npt.NDArray[np.int32])
SomeIds = TypeAliasType("SomeIds", npt.ArrayLike)
"""As users give them: an array, or what numpy makes one of."""
_NOBODY = np.empty(0, np.int32)


class IdList:
    """Which ids are in use. Fresh ones are given as long as most are, then those that are free for longest."""

    def __init__(self) -> None:
        self.end = 0
        """All ids below were given at least once."""
        self.generations: Ids = np.zeros(0, np.int32)
        """How often each was given; with room for more."""
        self._free: list[Ids] = []
        self._free_count = 0

    def __len__(self) -> int:
        return self.end - self._free_count

    def following(self, count: int) -> Ids:
        """The ids that so many new agents will have; nothing has changed yet."""
        reused = np.concatenate(self._free)[:count] if 2 * self._free_count > self.end else _NOBODY
        return np.concatenate([reused, np.arange(self.end, self.end + count - reused.size, dtype=np.int32)])

    def give(self, ids: Ids) -> None:
        """Take ids into use, those that follow."""
        end = max(self.end, int(ids.max(initial=-1)) + 1)
        if reused := ids.size - (end - self.end):
            rest = np.concatenate(self._free)[reused:]
            self._free, self._free_count = [rest], rest.size
        if end > self.generations.size:
            self.generations = np.concatenate([self.generations, np.zeros(end, np.int32)])
        self.end = end
        self.generations[ids] += 1

    def free(self, ids: Ids) -> None:
        """Take ids out of use, those of lower numbers to be given again first."""
        self._free.append(np.sort(ids))
        self._free_count += ids.size
