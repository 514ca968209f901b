"""What the columns of papers' tables are: metrics of episodes, summed, in the paper's unit."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from waypost.bench.episodes import Columns

__all__ = ["QUANTITIES", "Quantity", "columns_of"]

Numbers = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Quantity:
    """A figure of each episode."""

    title: str
    metrics: tuple[str, ...]
    """Columns of results that are added up."""
    per: float = 1.0
    """How many of their unit make one of the paper's."""
    plus: float = 0.0
    is_ratio: bool = False
    """Whether it is suboptimality, of which papers also print the ratio of sums."""

    def of(self, columns: Columns) -> Numbers:
        """Of each episode that arrived; where it is not known, NaN."""
        arrived = columns["arrived"].astype(bool)
        total = np.zeros(int(arrived.sum()))
        for name in self.metrics:
            total = total + columns[name][arrived]
        return total / self.per + self.plus

    def ratio_of_sums(self, columns: Columns) -> float:
        """Of all episodes that arrived, as the mean of ratios would be without its outliers' weight."""
        arrived = columns["arrived"].astype(bool)
        optimal = float(columns["optimal_cells"][arrived].sum())
        if not self.is_ratio or not optimal:
            return math.nan
        return 100 * (float(columns["length_cells"][arrived].sum()) / optimal - 1) / self.per + self.plus


_SUBOPTIMALITY = ("suboptimality_percent",)
QUANTITIES: dict[str, Quantity] = {
    "suboptimality": Quantity("suboptimality (%)", _SUBOPTIMALITY, is_ratio=True),
    "times": Quantity("suboptimality (times optimal)", _SUBOPTIMALITY, 100.0, 1.0, is_ratio=True),
    "cost": Quantity("cost (cells)", ("length_cells",)),
    "optimal": Quantity("optimal cost (cells)", ("optimal_cells",)),
    "expanded": Quantity("expanded per move", ("expansions_per_move_mean",)),
    "expanded_and_climbed": Quantity(
        "expanded per move, steps of climbs counted", ("expansions_per_move_mean", "climbs_per_move_mean")
    ),
    "most_expanded": Quantity("most expanded in a move", ("expansions_per_move_max",)),
    "work": Quantity("work per move", ("work_per_move_mean",)),
    "most_work": Quantity("most work in a move", ("work_per_move_max",)),
    "us": Quantity("us per move", ("move_us_mean",)),
    "longest_us": Quantity("longest move (us)", ("move_us_max",)),
    "first_ms": Quantity("first move (ms)", ("first_move_us",), 1000.0),
    "total_ms": Quantity("all moves (ms)", ("total_us",), 1000.0),
    "seconds": Quantity("build per map (s)", ("build_seconds",)),
    "minutes": Quantity("build per map (minutes)", ("build_seconds",), 60.0),
    "hours": Quantity("build per map (hours)", ("build_seconds",), 3600.0),
    "relative": Quantity("states stored per cell of the map", ("index_relative_size",)),
    "megabytes": Quantity("index (MB)", ("index_bytes",), 2.0**20),
    "kilobytes": Quantity("index (KB)", ("index_bytes",), 1024.0),
    "online_kb": Quantity("on-line memory (KB)", ("online_kb",)),
    "cumulative_kb": Quantity("on-line memory and index (KB)", ("cumulative_kb",)),
}


def columns_of(names: Iterable[str]) -> list[str]:
    """The columns of results that some quantities need."""
    needed = {metric: None for name in names for metric in QUANTITIES[name].metrics}
    return list(dict.fromkeys(("arrived", "optimal_cells", "length_cells", *needed)))
