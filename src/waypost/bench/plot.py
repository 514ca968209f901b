"""Plots of a suite: settings as points, their Pareto front, which way is better, and what was run on what."""

import math
import textwrap
from collections.abc import Sequence
from itertools import cycle
from pathlib import Path
from typing import Any

from waypost.bench.pareto import direction, front, is_fit
from waypost.bench.report import what_was_run
from waypost.bench.runner import Outcome
from waypost.bench.suite import Suite
from waypost.bench.summary import Summary
from waypost.extras import need
from waypost.files import atomic_file
from waypost.metrics import METRICS

__all__ = ["draw_plots"]

matplotlib = need("matplotlib", "plots", "plot")
figure_module = need("matplotlib.figure", "plots", "plot")
effects = need("matplotlib.patheffects", "plots", "plot")
lines = need("matplotlib.lines", "plots", "plot")
ticker = need("matplotlib.ticker", "plots", "plot")

# Okabe and Ito's colours, told apart by colour-blind eyes as well; without yellow, which is faint on white.
_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
_MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", ">", "h", "*")
_INK, _FAINT, _FRONT, _HALO = "#20262e", "#d9dde2", "#8a929c", "#e3e0c8"
_WIDE = 20  # times from the least to the largest value that call for a log axis
_STYLE = {
    "font.family": "DejaVu Sans",
    "font.size": 10,
    "text.color": _INK,
    "axes.labelcolor": _INK,
    "svg.hashsalt": "waypost",  # the same file for the same figures
}
_PLACES = ((10, 0), (-10, 0), (0, 10), (0, -10), (8, 8), (-8, 8), (8, -8), (-8, -8))  # of a label, in points


def draw_plots(outcome: Outcome, summaries: Sequence[Summary]) -> list[Path]:
    """Draw the suite's plots as SVG and PNG, but for those with nothing to compare; returns the files."""
    folder = outcome.store.folder / "plots"
    folder.mkdir(exist_ok=True)
    paths = []
    for x, y in outcome.suite.plots:
        shown = [s for s in summaries if math.isfinite(s.mean(x)) and math.isfinite(s.mean(y))]
        if len({s.mean(x) for s in shown}) < 2:
            continue
        with matplotlib.rc_context(_STYLE):
            figure = _draw(outcome, shown, x, y)
            for ending, options in ((".svg", {"metadata": {"Date": None}}), (".png", {"dpi": 130})):
                paths.append(folder / f"{y}-against-{x}{ending}")
                with atomic_file(paths[-1]) as place:
                    figure.savefig(place, format=ending[1:], facecolor="white", **options)
    return paths


def _draw(outcome: Outcome, summaries: Sequence[Summary], x: str, y: str) -> Any:
    figure = figure_module.Figure(figsize=(9.6, 6.2), layout="constrained")
    axes = figure.add_subplot()
    styles = _styles(outcome.suite)
    chosen = front(summaries, (x, y))
    if chosen:  # as steps: what lies above and to the right of a point is beaten by it
        corners = [[s.mean(name) for s in chosen] for name in (x, y)]
        axes.step(*corners, where="post", color=_FRONT, linewidth=1.4, zorder=1)
        axes.plot(*corners, "o", color=_HALO, markersize=17, zorder=2, clip_on=False)
    for planner, (colour, _) in styles.items():  # a thin line through the settings of each, as the suite lists them
        sweep = [s for s in summaries if s.planner == planner]
        axes.plot([s.mean(x) for s in sweep], [s.mean(y) for s in sweep], color=colour, linewidth=0.7, alpha=0.5)
    for summary in summaries:
        colour, marker = styles[summary.planner]
        axes.plot(
            summary.mean(x),
            summary.mean(y),
            marker,
            color=colour,
            markerfacecolor=colour if is_fit(summary, (x, y)) else "white",
            markersize=8,
            zorder=3,
            clip_on=False,
        )
    for set_scale, axis, name in ((axes.set_xscale, axes.xaxis, x), (axes.set_yscale, axes.yaxis, y)):
        _scale(set_scale, axis, [s.mean(name) for s in summaries])
    _dress(figure, axes, outcome, x, y)
    _legend(figure, summaries, styles)
    _label(figure, axes, outcome.suite, summaries, x, y)
    return figure


def _styles(suite: Suite) -> dict[str, tuple[str, str]]:
    """A colour and a marker for each planner, the same in all plots of a suite."""
    planners = dict.fromkeys(setting.planner for setting in suite.settings)
    return dict(zip(planners, zip(cycle(_COLOURS), cycle(_MARKERS)), strict=False))


def _scale(set_scale: Any, axis: Any, values: Sequence[float]) -> None:
    """A log axis where values span orders of magnitude; with a linear stretch at its foot where some are 0."""
    positive = [value for value in values if value > 0]
    if not positive or min(values) < 0 or max(positive) < _WIDE * min(positive):
        return
    if len(positive) == len(values):
        set_scale("log")
    else:
        set_scale("symlog", linthresh=10 ** math.floor(math.log10(min(positive))), linscale=0.5)
    axis.set_major_formatter(ticker.FuncFormatter(lambda value, _: f"{value:,g}"))


def _dress(figure: Any, axes: Any, outcome: Outcome, x: str, y: str) -> None:
    """Titles, what was run on what, and which way is better."""
    suite = outcome.suite
    about_x, about_y = METRICS[x], METRICS[y]
    axes.set_xlabel(f"{about_x.title}{_scale_note(axes.get_xscale())}; {about_x.better} is better")
    axes.set_ylabel(f"{about_y.title}{_scale_note(axes.get_yscale())}; {about_y.better} is better")
    figure.suptitle(suite.title, x=0.02, ha="left", fontweight="bold", fontsize=13)
    axes.set_title(
        f"{direction(x, y)}; a point is a setting's mean over the episodes that arrived", loc="left", fontsize=10
    )
    figure.supxlabel("\n".join(_wrapped(what_was_run(outcome))), x=0.02, ha="left", fontsize=7.5, color="#5b6570")
    axes.grid(color=_FAINT, linewidth=0.7, zorder=0)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    axes.margins(0.08)


def _scale_note(scale: str) -> str:
    return "" if scale == "linear" else " (log scale)"


def _wrapped(texts: Sequence[str], width: int = 150) -> list[str]:
    return [line for text in texts for line in textwrap.wrap(text, width)]


def _legend(figure: Any, summaries: Sequence[Summary], styles: dict[str, tuple[str, str]]) -> None:
    planners = dict.fromkeys(summary.planner for summary in summaries)
    handles = [
        lines.Line2D([], [], color=styles[name][0], marker=styles[name][1], linestyle="", markersize=8, label=name)
        for name in planners
    ]
    halo = {"markersize": 15, "markerfacecolor": _HALO, "markeredgecolor": _HALO, "label": "not beaten:\nPareto front"}
    handles.append(lines.Line2D([], [], color=_FRONT, linewidth=1.4, marker="o", **halo))
    if not all(is_fit(summary, ()) for summary in summaries):
        hollow = {"markerfacecolor": "white", "markersize": 8, "label": "disqualified, or\nnot always arrived"}
        handles.append(lines.Line2D([], [], color=_INK, marker="o", linestyle="", **hollow))
    figure.legend(handles=handles, loc="outside right upper", frameon=False, labelspacing=0.8)


def _label(figure: Any, axes: Any, suite: Suite, summaries: Sequence[Summary], x: str, y: str) -> None:
    """Write beside each point the parameters that its planner varies, where there is room."""
    texts = _varied(suite)
    figure.draw_without_rendering()
    places = axes.transData.transform([(s.mean(x), s.mean(y)) for s in summaries])
    taken = [matplotlib.transforms.Bbox.from_bounds(px - 6, py - 6, 12, 12) for px, py in places]
    for summary, own in zip(summaries, list(taken), strict=True):
        for dx, dy in _PLACES if texts[summary.label] else ():
            note = axes.annotate(
                texts[summary.label],
                (summary.mean(x), summary.mean(y)),
                xytext=(dx, dy),
                textcoords="offset points",
                ha="center" if dx == 0 else "left" if dx > 0 else "right",
                va="center" if dy == 0 else "bottom" if dy > 0 else "top",
                fontsize=8,
                zorder=4,
                path_effects=[effects.withStroke(linewidth=2.5, foreground="white")],  # no line through the words
            )
            box = note.get_window_extent()
            if not any(box.overlaps(other) for other in taken if other is not own):
                taken.append(box)
                break
            note.remove()


def _varied(suite: Suite) -> dict[str, str]:
    """For each setting the values of those parameters that differ between settings of its planner."""
    values: dict[tuple[str, str], set[Any]] = {}
    for setting in suite.settings:
        for name, value in (*setting.params, *setting.index):
            values.setdefault((setting.planner, name), set()).add(value)
    return {
        setting.label: ", ".join(
            f"{name}={value}"
            for name, value in (*setting.params, *setting.index)
            if len(values[setting.planner, name]) > 1
        )
        for setting in suite.settings
    }
