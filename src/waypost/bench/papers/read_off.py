"""Figures read off between settings, where a paper's index is as large as none of ours: by its number of regions."""

import math

from waypost.bench.curves import Curve
from waypost.bench.numbers import Figure
from waypost.bench.papers.document import Cells
from waypost.bench.papers.filled import figure, quotient
from waypost.bench.papers.items import Item
from waypost.bench.papers.quantities import QUANTITIES
from waypost.bench.papers.results import PaperResults, SuiteResults
from waypost.bench.suite import Setting

__all__ = ["read_off_cells"]

_QUANTITY = "suboptimality"


def read_off_cells(item: Item, results: PaperResults) -> Cells:
    """Lines between settings, regions by their logarithms; beyond the first and the last setting theirs counts."""
    suite = results[item.suite]
    rows = []
    for one in item.read_off:
        settings = suite.settings(one.of)
        points = [(_regions(suite, s), suite.estimate([s], _QUANTITY).mean) for s in settings]
        found = Curve([(Figure(place, 0.0), Figure(height, 0.0)) for place, height in points]).at(Figure(one.at, 0.0))
        rows.append(
            (one.label, figure(one.at), figure(one.paper), figure(found.value), quotient(found.value, one.paper))
        )
    return Cells((QUANTITIES[_QUANTITY].title, "regions", "paper", "ours", "ours / paper"), tuple(rows))


def _regions(suite: SuiteResults, setting: Setting) -> float:
    """How many regions a setting's index has, in the mean of maps, as its relative size says: a state for each pair."""
    sizes = [width * height for _, width, height, _ in suite.open_cells.values()]
    pairs = [(size - 1) * cells for size, cells in zip(suite.map_means([setting], "relative"), sizes, strict=True)]
    return sum(1 + math.sqrt(1 + 4 * max(of_map, 0.0)) for of_map in pairs) / (2 * len(pairs))
