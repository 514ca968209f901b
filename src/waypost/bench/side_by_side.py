"""Two folders of results side by side, map by map: only problems that both have run, by settings that both have."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from waypost.bench.numbers import number
from waypost.bench.results import read_episodes
from waypost.errors import WaypostError
from waypost.runs.metrics import METRICS

__all__ = ["Results", "compare", "read_results", "remarks"]

_PROBLEM = ("map", "setting", "start_x", "start_y", "goal_x", "goal_y", "diagonals", "costs")
"""What an episode has been about."""
_NAMES = (*_PROBLEM, "revision", "arrived", "machine")

Key = tuple[Any, ...]


@dataclass(frozen=True)
class Results:
    """The episodes of a folder."""

    folder: Path
    columns: Mapping[str, npt.NDArray[Any]]
    row_of: Mapping[Key, int]
    """The row of each problem."""

    def distinct(self, name: str) -> list[Any]:
        """The different values of a column, in their order."""
        return list(dict.fromkeys(self.columns[name].tolist()))

    def revisions(self) -> dict[str, int]:
        """Of the planner of each setting."""
        return dict(zip(self.columns["setting"].tolist(), self.columns["revision"].tolist(), strict=True))


def read_results(folder: Path, metrics: Iterable[str]) -> Results:
    """What a suite has written to a folder, of these metrics."""
    columns = read_episodes(folder, (*_NAMES, *metrics))
    rows = zip(*(columns[name].tolist() for name in _PROBLEM), strict=True)
    return Results(folder, columns, {key: row for row, key in enumerate(rows)})


def compare(a: Results, b: Results, heads: Mapping[str, str]) -> Iterator[tuple[str, list[str], list[list[str]]]]:
    """A table of each map, and before them one of all if there are several: title, head and rows.

    A cell has what stands for all episodes (as `waypost bench` shows it) in a, and in b where that is another figure.
    """
    common = [key for key in a.row_of if key in b.row_of]
    if not common:
        raise WaypostError(f"{a.folder} and {b.folder} have no problem of a setting in common")
    maps = list(dict.fromkeys(name for name, *_ in common))
    groups = [("All maps", common)] if len(maps) > 1 else []
    for title, keys in [*groups, *((name, [key for key in common if key[0] == name]) for name in maps)]:
        head = ["setting", "arrived", *heads.values()]
        labels = dict.fromkeys(key[1] for key in keys)
        yield title, head, [_row(a, b, label, [key for key in keys if key[1] == label], heads) for label in labels]


def remarks(a: Results, b: Results) -> Iterator[str]:
    """What is to be known of the two besides: where they were measured, and what only one of them has."""
    common = len(a.row_of.keys() & b.row_of.keys())
    for results, other in ((a, b), (b, a)):
        machines = " or ".join(map(str, results.distinct("machine")))
        yield f"{results.folder}: {common:,} of {len(results.row_of):,} episodes are in both; measured on {machines}."
        known = set(other.distinct("setting"))
        if mine := [label for label in results.distinct("setting") if label not in known]:
            yield f"Only in {results.folder}: {', '.join(mine)}."
    before, after = (results.revisions() for results in (a, b))
    if changed := [label for label in before if label in after and before[label] != after[label]]:
        yield f"Of another revision, so that moves may differ: {', '.join(changed)}."


def _row(a: Results, b: Results, label: str, keys: Sequence[Key], metrics: Iterable[str]) -> list[str]:
    """A setting: how often it arrived, and each metric over the problems that it arrived at in both."""
    rows = [np.array([results.row_of[key] for key in keys]) for results in (a, b)]
    arrived = [results.columns["arrived"][at].astype(bool) for results, at in zip((a, b), rows, strict=True)]
    both = arrived[0] & arrived[1]
    counts = _change(*(f"{int(each.sum())}/{each.size}" for each in arrived))
    cells = []
    for name in metrics:
        values = [results.columns[name][at[both]] for results, at in zip((a, b), rows, strict=True)]
        figures = [float(METRICS[name].over_runs(each)) if each.size else np.nan for each in values]
        cells.append(_change(*map(number, figures)))
    return [label, counts, *cells]


def _change(before: str, after: str) -> str:
    return before if before == after else f"{before} → {after}"
