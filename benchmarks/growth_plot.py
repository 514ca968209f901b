"""The growth of planners with an index, drawn: build, file, first move and length of walks over the cells of a map."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple


class Row(NamedTuple):
    """One planner on one map."""

    planner: str
    cells: int
    build_s: float
    file_mb: float
    first_us: float
    longer: float


PANELS = (
    ("build_s", "build, seconds on one core"),
    ("file_mb", "file, megabytes"),
    ("first_us", "first move, microseconds"),
    ("longer", "walks longer than the shortest, %"),
)


def draw(rows: Sequence[Row], file: Path) -> None:
    """A panel for each figure, a line for each planner."""
    import matplotlib as mpl

    mpl.use("agg")
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(2, 2, figsize=(10, 7), sharex=True, layout="constrained")
    for ax, (field, title) in zip(axes.flat, PANELS, strict=True):
        for planner in dict.fromkeys(row.planner for row in rows):
            own = [row for row in rows if row.planner == planner]
            ax.plot([row.cells for row in own], [getattr(row, field) for row in own], marker="o", label=planner)
        ax.set_title(title, fontsize=11, loc="left")
        ax.set_xscale("log")
        if field != "longer":
            ax.set_yscale("log")
        ax.grid(visible=True, color="#dddddd", linewidth=0.6)
    for ax in axes[1]:
        ax.set_xlabel("cells of generated caves")
    axes[0, 0].legend(frameon=False)
    file.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(file, dpi=110, metadata={"Software": None})
    plt.close(figure)
