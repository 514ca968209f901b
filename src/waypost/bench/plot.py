"""Plots of a suite: settings as points, their Pareto front, which way is better, and what was run on what."""

import math
import textwrap
from collections.abc import Sequence
from itertools import cycle
from pathlib import Path
from typing import Any

from waypost.bench.labels import place_labels
from waypost.bench.pareto import direction, front, is_fit, left_out
from waypost.bench.report import what_was_run
from waypost.bench.runner import Outcome
from waypost.bench.suite import Setting, Suite
from waypost.bench.summary import Summary
from waypost.bench.sweeps import short, sweeps, varied
from waypost.runs.metrics import METRICS
from waypost.system.extras import need
from waypost.system.files import atomic_file

__all__ = ["COLOURS", "MARKERS", "STYLE", "draw_plots", "figure_module", "lines", "matplotlib", "scale"]

matplotlib = need("matplotlib", "plots", "plot")
figure_module = need("matplotlib.figure", "plots", "plot")
effects = need("matplotlib.patheffects", "plots", "plot")
lines = need("matplotlib.lines", "plots", "plot")
ticker = need("matplotlib.ticker", "plots", "plot")

# Okabe and Ito's colours, told apart by colour-blind eyes as well; without yellow, which is faint on white.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", ">", "h", "*")
_INK, _FAINT, _FRONT, _HALO = "#20262e", "#d9dde2", "#8a929c", "#e3e0c8"
WIDE = 20  # times from the least to the largest value that call for a log axis
STYLE = {
    "font.family": "DejaVu Sans",
    "font.size": 10,
    "text.color": _INK,
    "axes.labelcolor": _INK,
    "svg.hashsalt": "waypost",  # the same file for the same figures
}
MOST_LABELS = 70  # in a plot; more cannot be read
_COVERS = 6  # points of 1/72 inch between two markers that cover each other

Styles = dict[str, tuple[str, str]]


def draw_plots(outcome: Outcome, summaries: Sequence[Summary]) -> list[Path]:
    """Draw the suite's plots as SVG and PNG, but for those with nothing to compare; returns the files."""
    folder = outcome.store.folder / "plots"
    folder.mkdir(exist_ok=True)
    paths = []
    for x, y in outcome.suite.plots:
        shown = [s for s in summaries if math.isfinite(s.mean(x)) and math.isfinite(s.mean(y))]
        if len({s.mean(x) for s in shown}) < 2:
            continue
        with matplotlib.rc_context(STYLE):
            figure = draw_front(outcome, shown, x, y)
            for ending, options in ((".svg", {"metadata": {"Date": None}}), (".png", {"dpi": 130})):
                paths.append(folder / f"{y}-against-{x}{ending}")
                with atomic_file(paths[-1]) as place:
                    figure.savefig(place, format=ending[1:], facecolor="white", **options)
    return paths


def draw_front(outcome: Outcome, summaries: Sequence[Summary], x: str, y: str) -> Any:
    settings = {setting.label: setting for setting in outcome.suite.settings}
    styles, names = styles_of(outcome.suite), varied(outcome.suite.settings)
    entries = _entries(summaries, styles, names, (x, y))
    rows = sum(entry.get_label().count("\n") + 1.6 for entry in entries)
    figure = figure_module.Figure(figsize=(9.6, max(6.4, 1.9 + 0.145 * rows)), layout="constrained")
    axes = figure.add_subplot()
    chosen = front(summaries, (x, y))
    if chosen:  # as steps: what lies above and to the right of a point is beaten by it
        corners = [[s.mean(name) for s in chosen] for name in (x, y)]
        axes.step(*corners, where="post", color=_FRONT, linewidth=1.4, zorder=1)
        axes.plot(*corners, "o", color=_HALO, markersize=17, zorder=2, clip_on=False)
    shown = {summary.label: summary for summary in summaries}
    for sweep in sweeps([settings[label] for label in shown]):
        ends = [[shown[setting.label].mean(name) for setting in sweep] for name in (x, y)]
        axes.plot(*ends, color=styles[sweep[0].planner][0], linewidth=0.8, alpha=0.45)
    for summary in summaries:
        colour, marker = styles[summary.planner]
        axes.plot(
            summary.mean(x),
            summary.mean(y),
            marker,
            color=colour,
            markerfacecolor=colour if is_fit(summary, (x, y)) else "white",
            markersize=7,
            zorder=3,
            clip_on=False,
        )
    for set_scale, axis, name in ((axes.set_xscale, axes.xaxis, x), (axes.set_yscale, axes.yaxis, y)):
        scale(set_scale, axis, [s.mean(name) for s in summaries])
    _dress(figure, axes, outcome, x, y, left_out(summaries, (x, y)))
    axes.legend(
        handles=entries, loc="upper left", bbox_to_anchor=(1.01, 1), borderaxespad=0, frameon=False, fontsize=8.5
    )
    figure.draw_without_rendering()
    figure.set_layout_engine("none")  # labels are placed for this layout
    chosen_labels = labelled([settings[label] for label in shown], {summary.label for summary in chosen})
    texts = {label: short(settings[label], names[shown[label].planner]) for label in chosen_labels}
    _label(axes, summaries, texts, styles, x, y)
    return figure


def labelled(settings: Sequence[Setting], on_front: set[str]) -> set[str]:
    """Which settings have labels: where there are very many, those on the front and the ends of lines."""
    if len(settings) <= MOST_LABELS:
        return {setting.label for setting in settings}
    inner = {setting.label for sweep in sweeps(settings) for setting in sweep[1:-1]}
    return on_front | {setting.label for setting in settings} - inner


def styles_of(suite: Suite) -> Styles:
    """A colour and a marker for each planner, the same in all plots of a suite."""
    planners = dict.fromkeys(setting.planner for setting in suite.settings)
    return dict(zip(planners, zip(cycle(COLOURS), cycle(MARKERS)), strict=False))


def scale(set_scale: Any, axis: Any, values: Sequence[float]) -> None:
    """A log axis where values span orders of magnitude; with a linear stretch at its foot where some are 0."""
    positive = [value for value in values if value > 0]
    if not positive or min(values) < 0 or max(positive) < WIDE * min(positive):
        return
    if len(positive) == len(values):
        set_scale("log")
    else:
        set_scale("symlog", linthresh=10 ** math.floor(math.log10(min(positive))), linscale=0.5)
    axis.set_major_formatter(ticker.FuncFormatter(lambda value, _: f"{value:,g}"))


def _dress(figure: Any, axes: Any, outcome: Outcome, x: str, y: str, note: str) -> None:
    """Titles, what was run on what, and which way is better."""
    suite = outcome.suite
    about_x, about_y = METRICS[x], METRICS[y]
    axes.set_xlabel(f"{about_x.title}{_scale_note(axes.get_xscale())}; {about_x.better} is better")
    axes.set_ylabel(f"{about_y.title}{_scale_note(axes.get_yscale())}; {about_y.better} is better")
    figure.suptitle(textwrap.fill(suite.title, 76), x=0.02, ha="left", fontweight="bold", fontsize=13)
    values = ", with its parameters" if any(varied(suite.settings).values()) else ""
    if len(suite.settings) > MOST_LABELS:
        values += " (only on the front and at the ends of lines)"
    about = f"{direction(x, y)}; a point is a setting's mean over episodes that arrived{values}"
    axes.set_title("\n".join(_wrapped([about, note], 108)), loc="left", fontsize=9)
    figure.supxlabel("\n".join(_wrapped(what_was_run(outcome))), x=0.02, ha="left", fontsize=7.5, color="#5b6570")
    axes.grid(color=_FAINT, linewidth=0.7, zorder=0)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    axes.margins(0.08)


def _scale_note(scale: str) -> str:
    return "" if scale == "linear" else " (log scale)"


def _wrapped(texts: Sequence[str], width: int = 150) -> list[str]:
    return [line for text in texts for line in textwrap.wrap(text, width)]


def _entries(
    summaries: Sequence[Summary], styles: Styles, names: dict[str, list[str]], metrics: tuple[str, str]
) -> list[Any]:
    """What the legend explains: planners, with the parameters whose values are written beside points, and the front."""
    handles = [
        lines.Line2D(
            [], [], color=styles[name][0], marker=styles[name][1], linestyle="", markersize=7,
            label="\n    ".join(textwrap.wrap(": ".join(filter(None, [name, ", ".join(names[name])])), 28)),
        )
        for name in dict.fromkeys(summary.planner for summary in summaries)
    ]  # fmt: skip
    if front(summaries, metrics):
        halo = {"markersize": 13, "markerfacecolor": _HALO, "markeredgecolor": _HALO}
        handles.append(lines.Line2D([], [], color=_FRONT, marker="o", label="not beaten:\nPareto front", **halo))
    reasons = {
        "disqualified": any(s.disqualified for s in summaries),
        "not always arrived": any(s.arrived < s.episodes for s in summaries),
        "not real-time": bool(left_out(summaries, metrics)),
    }
    if any(reasons.values()):
        why = " or ".join(reason for reason, holds in reasons.items() if holds)
        text = "\n".join(textwrap.wrap(f"hollow: on no front, because {why}", 28))
        hollow = {"markerfacecolor": "white", "markersize": 7, "label": text}
        handles.append(lines.Line2D([], [], color=_INK, marker="o", linestyle="", **hollow))
    return handles


def _label(axes: Any, summaries: Sequence[Summary], texts: dict[str, str], styles: Styles, x: str, y: str) -> None:
    """Write beside points what tells them from others of their planner; the planner too if another's covers them."""
    unit = axes.figure.dpi / 72
    where = [(s.mean(x), s.mean(y)) for s in summaries]
    points = axes.transData.transform(where) / unit
    notes = []
    for summary, at, point in zip(summaries, where, points, strict=True):
        near = (abs(points - point) < _COVERS).all(axis=1)
        covered = any(near[i] and other.planner != summary.planner for i, other in enumerate(summaries))
        text = texts.get(summary.label, "")
        colour = _darker(styles[summary.planner][0])
        note = axes.annotate(
            f"{summary.planner} {text}".strip() if covered or not text else text,
            at,
            xytext=(0, 0),
            textcoords="offset points",
            ha="center",
            va="center",
            fontsize=7.5,
            color=colour,
            zorder=4,
            arrowprops={"arrowstyle": "-", "color": colour, "linewidth": 0.6, "shrinkA": 0, "shrinkB": 4},
            path_effects=[effects.withStroke(linewidth=2, foreground="white")],  # no line through the words
        )
        note.set_in_layout(False)
        notes.append(note)
    extents = [matplotlib.text.Text.get_window_extent(note) for note in notes]
    sizes = [
        (box.width / unit + 5, box.height / unit) if summary.label in texts else (0.0, 0.0)
        for summary, box in zip(summaries, extents, strict=True)
    ]
    for note, place in zip(notes, place_labels(points, sizes, axes.bbox.extents / unit), strict=True):
        if place is None:
            note.remove()
            continue
        note.set_position(place[:2])
        note.arrow_patch.set_visible(place.leader)


def _darker(colour: str) -> Any:
    """A colour that can be read as text."""
    return tuple(0.65 * part for part in matplotlib.colors.to_rgb(colour))
