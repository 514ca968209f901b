"""The plot of the comparison: mean time per query as bars on a log scale, the slowest query as a tick."""

from pathlib import Path

import matplotlib as mpl
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from benchmarks.peers.results import YARDSTICK, Figures, Run, by_speed, of

OURS, EXACT, CUTTING = "#16508f", "#7fa8d1", "#f0c9a4"
INK, FAINT, HATCH = "#20262e", "#d9dde2", "#c07a35"


def draw(run: Run, titles: dict[str, str], path: Path) -> None:
    """One panel per map, fastest on top."""
    mpl.use("Agg")
    plt.rcParams.update({"font.family": "DejaVu Sans", "font.size": 10, "hatch.linewidth": 0.8, "text.color": INK})
    rows = {name: by_speed(row, of(row, YARDSTICK)) for name, row in run.items()}
    lines = max(len(row) for row in rows.values())
    figure, panels = plt.subplots(
        len(rows),
        1,
        figsize=(9, 1.3 + len(rows) * (0.75 + 0.33 * lines)),
        sharex=True,
        squeeze=False,
        layout="constrained",
    )
    for panel, (name, row) in zip(panels[:, 0], rows.items(), strict=True):
        draw_panel(panel, row, titles[name])
    least = min(f.mean_ms for row in rows.values() for f in row)
    most = max(f.max_ms for row in rows.values() for f in row)
    panels[-1, 0].set_xlim(least / 3, most * 35)  # room for the figures to the right of the slowest
    panels[-1, 0].set_xlabel("milliseconds per query (log scale; shorter is better)")
    figure.legend(
        handles=key(), loc="outside upper center", ncols=4, frameon=False, handlelength=1.6, columnspacing=1.4
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.get_layout_engine().set(h_pad=0.08, w_pad=0.12)
    figure.savefig(path, dpi=130, facecolor="white", metadata={"Software": None})
    plt.close(figure)


def draw_panel(panel: Axes, row: list[Figures], title: str) -> None:
    """Bars of one map."""
    panel.set_title(title, loc="left", fontsize=11, fontweight="bold")
    all_problems = max(len(f.query_ms) for f in row)
    for place, f in enumerate(row):
        fewer = f", {len(f.query_ms)} problems" if len(f.query_ms) < all_problems else ""
        panel.barh(
            place,
            f.mean_ms,
            height=0.68,
            color=colour(f),
            hatch=None if f.legal else "////",
            edgecolor=HATCH if not f.legal else colour(f),
            linewidth=0,
            zorder=2,
        )
        panel.plot([f.mean_ms, f.max_ms], [place, place], color=INK, linewidth=0.8, zorder=3)
        panel.plot([f.max_ms], [place], marker="|", color=INK, markersize=10, markeredgewidth=1.6, zorder=3)
        panel.annotate(
            f"{shown(f.mean_ms)} (max {shown(f.max_ms)})" + fewer,
            (f.max_ms, place),
            xytext=(7, 0),
            textcoords="offset points",
            va="center",
            fontsize=9,
            bbox={"facecolor": "white", "edgecolor": "none", "pad": 1.0},  # no grid line through the figures
        )
    panel.set_xscale("log")
    panel.set_yticks(range(len(row)), [f.library for f in row])
    for label, f in zip(panel.get_yticklabels(), row, strict=True):
        label.set_fontweight("bold" if f.ours else "normal")
    panel.invert_yaxis()
    panel.tick_params(axis="y", length=0)
    panel.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
    panel.tick_params(axis="x", which="both", labelbottom=True, colors=INK)
    panel.grid(axis="x", color=FAINT, linewidth=0.7, zorder=0)
    panel.set_axisbelow(True)
    panel.spines[["top", "right", "left"]].set_visible(False)


def colour(f: Figures) -> str:
    """By what the paths are worth."""
    return OURS if f.ours else EXACT if f.legal else CUTTING


def key() -> list[Patch | Line2D]:
    """What the colours and the tick mean."""
    return [
        Patch(color=OURS, label="Waypost, keeps the rules"),
        Patch(color=EXACT, label="keeps the rules"),
        Patch(facecolor=CUTTING, edgecolor=HATCH, hatch="////", linewidth=0, label="cuts corners"),
        Line2D(
            [],
            [],
            color=INK,
            marker="|",
            markersize=10,
            markeredgewidth=1.6,
            linewidth=0.8,
            label="from mean to slowest query",
        ),
    ]


def shown(ms: float) -> str:
    """Three significant digits, in ms."""
    return f"{ms:,.0f}" if ms >= 100 else f"{ms:.3g}"
