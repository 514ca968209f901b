"""A paper's figures drawn like the paper's: its points hollow, ours filled, rows of one series joined."""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from waypost.bench.papers.items import Item, Panel, Row
from waypost.bench.papers.quantities import QUANTITIES
from waypost.bench.papers.results import SuiteResults
from waypost.bench.plot import COLOURS, MARKERS, STYLE, figure_module, lines, matplotlib, scale
from waypost.system.files import atomic_file

__all__ = ["Point", "draw_figure", "points_of"]


_MOST_SERIES = len(COLOURS)
_MOST_JOINED = 6  # points of a series; more vary in several parameters, and a line through them would say nothing


class Point(NamedTuple):
    """Of a series: where it is, and whose."""

    series: str
    x: float
    y: float
    is_papers: bool


def points_of(
    panel: Panel, rows: Sequence[Row], columns: Sequence[str], suite: SuiteResults, cutoff: float = 0.0
) -> list[Point]:
    """The paper's points where it prints them, and ours where they have been run."""
    points: list[Point] = []
    for row in rows:
        printed = dict(zip(columns, row.paper, strict=True))
        papers = Point(row.series, printed.get(panel.x, math.nan), printed.get(panel.y, math.nan), True)
        if any(point.is_papers and (point.x, point.y) == (papers.x, papers.y) for point in points):
            papers = papers._replace(x=math.nan)  # another row stands beside the same figures
        ours = (
            Point(row.series, suite.estimate(group, panel.x).mean, suite.estimate(group, panel.y).mean, False)
            for group in suite.groups(row, cutoff)
        )
        points += [point for point in (papers, *ours) if math.isfinite(point.x) and math.isfinite(point.y)]
    return points


def draw_figure(
    item: Item, rows: Sequence[Row], columns: Sequence[str], suite: SuiteResults, path: Path, *, joined: bool = True
) -> bool:
    """Draw a figure's panels side by side; whether there was anything to draw."""
    panels = [(panel, points_of(panel, rows, columns, suite, item.cutoff)) for panel in item.panels]
    if not any(points for _, points in panels):
        return False
    names = list(dict.fromkeys(point.series for _, points in panels for point in points))
    with matplotlib.rc_context(STYLE):
        figure = figure_module.Figure(figsize=(6.2 * len(panels) + 1.8, 4.8), layout="constrained")
        for axes, (panel, points) in zip(figure.subplots(1, len(panels), squeeze=False)[0], panels, strict=True):
            _draw_panel(axes, panel, points, names, _MOST_JOINED if joined else 0)
        figure.legend(handles=_entries(names), loc="outside right upper", frameon=False, fontsize=8)
        figure.suptitle(f"{item.number}: {item.title}", x=0.02, ha="left", fontweight="bold", fontsize=11)
        with atomic_file(path) as place:
            figure.savefig(place, format="png", dpi=100, facecolor="white", metadata={"Software": None})
    return True


def _draw_panel(axes: Any, panel: Panel, points: Sequence[Point], names: Sequence[str], most_joined: int) -> None:
    shown = [p for p in points if _within(p.x, panel.most_x) and _within(p.y, panel.most_y)]
    for i, name in enumerate(names):
        colour, marker = COLOURS[i % _MOST_SERIES], MARKERS[i % len(MARKERS)]
        for is_papers, face, style in ((False, colour, "-"), (True, "white", ":")):
            own = [(p.x, p.y) for p in shown if p.series == name and p.is_papers == is_papers]
            own.sort(key=lambda point: point[::-1])  # joined by how good they are: times are noisier
            if own:
                axes.plot(
                    *zip(*own, strict=True), linestyle=style if len(own) <= most_joined else "none", marker=marker,
                    color=colour, markerfacecolor=face, markersize=6, linewidth=0.9, alpha=0.9, clip_on=False,
                )  # fmt: skip
    for values, set_scale, axis in (
        ([p.x for p in shown], axes.set_xscale, axes.xaxis),
        ([p.y for p in shown], axes.set_yscale, axes.yaxis),
    ):
        scale(set_scale, axis, values)
    if shown and min(p.y for p in shown) >= 0:
        axes.set_ylim(bottom=min(p.y for p in shown) * 0.8)
    axes.set_xlabel(QUANTITIES[panel.x].title)
    axes.set_ylabel(QUANTITIES[panel.y].title)
    axes.set_title(panel.title, fontsize=9, loc="left")
    axes.grid(color="#d9dde2", linewidth=0.6)
    axes.spines[["top", "right"]].set_visible(False)


def _within(value: float, most: float) -> bool:
    return not most or value <= most


def _entries(names: Sequence[str]) -> list[Any]:
    """What the legend explains."""
    series = [
        lines.Line2D([], [], color=COLOURS[i % _MOST_SERIES], marker=MARKERS[i % len(MARKERS)], label=name)
        for i, name in enumerate(names)
    ]
    papers = lines.Line2D([], [], color="#20262e", marker="o", linestyle=":", markerfacecolor="white", label="paper")
    ours = lines.Line2D([], [], color="#20262e", marker="o", label="ours")
    return [*series, papers, ours]
