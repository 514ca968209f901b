"""Pictures of maps and runs: plain pixel arrays, written as PNG. Search never draws; this reads what it recorded.

A scale is pixels per cell; 1/2, 1/3 and so on for maps of which several cells share a pixel.
"""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from waypost.agents.trace import Event, Trace
from waypost.errors import ParameterError, shown
from waypost.runs.canvas import (
    CELLS_AT_ONCE,
    FLOOR,
    SIDE_FLOOR,
    WALL,
    Pixels,
    checked_scale,
    draw_map,
    fill_cells,
    size_at,
)
from waypost.runs.png import check_picture, size_of, write_animation, write_png
from waypost.system.checks import whole_number
from waypost.world.grid import Grid

__all__ = [
    "FLOOR", "SIDE_FLOOR", "WALL", "Pixels", "check_picture", "draw_arcs", "draw_depths", "draw_dots", "draw_grid",
    "draw_regions", "draw_run", "draw_traffic", "tiled", "write_animation", "write_png",
]  # fmt: skip

SEARCHED_FIRST, SEARCHED_LAST = (255, 214, 122), (238, 108, 77)
PATH = (22, 78, 168)
ARC = (238, 108, 77)
ENTERED_OFTEN = (255, 176, 220)
_ENTERED_AGAIN = np.array(((22, 78, 168), (96, 68, 186), (168, 66, 178), (232, 100, 170), ENTERED_OFTEN))
"""Cells entered 2, 4, 8, 16 and 32 times: ever lighter, so that the order shows without colour too."""
START = (24, 143, 92)
GOAL = (190, 24, 60)
REGIONS = np.array(
    (
        (203, 226, 240),
        (214, 236, 206),
        (247, 230, 196),
        (232, 214, 236),
        (244, 212, 208),
        (206, 232, 228),
        (228, 228, 212),
    )
)
"""Pale, so that a run shows on them; seven are enough for neighbours to differ on nearly every map."""
HEAT = np.array(((250, 232, 188), (253, 187, 92), (239, 101, 57), (180, 21, 52), (74, 6, 38)))
"""From little to most: ever darker, so that the order shows without colour too."""
EDGE = (150, 160, 172)
ROUTE = (74, 20, 92)

_MOST_ACROSS = 1000  # pictures in a row, and pixels between them


def _copied(on: Pixels, grid: Grid, scale: float) -> Pixels:
    """A picture to draw on, which must be of this map at this scale."""
    if size_of([on]) != (*size_at(grid, scale), 3):
        raise ParameterError(f"what is drawn on must be a picture of this map at the scale {scale:g}")
    return on.copy()


def draw_grid(grid: Grid, scale: float | None = None) -> Pixels:
    """The map: walls dark, the largest component light, other open cells a shade darker."""
    return draw_map(grid, checked_scale(grid, scale))


def draw_regions(
    grid: Grid,
    region_of: npt.NDArray[np.int32],
    reps: npt.NDArray[np.int32],
    edges: npt.NDArray[np.int32] | None = None,
    scale: float | None = None,
    *,
    lines: bool = True,
) -> Pixels:
    """The map with each region in a colour (-1 in `region_of` is none) and its representative as a dot.

    Edges are pairs of regions that get different colours, and `lines` between their representatives.
    """
    scale = checked_scale(grid, scale)
    pairs = np.empty((0, 2), np.int32) if edges is None else edges
    colours = np.append(REGIONS[colouring(reps.size, pairs)], [WALL], axis=0).astype(np.uint8)  # -1 takes the last
    regions = region_of.reshape(-1, grid.stride)[1:-1, 1:-1]

    def paint(band: Pixels, rows: slice) -> None:
        np.copyto(band, colours[regions[rows]], where=(regions[rows] >= 0)[..., None])

    pixels = draw_map(grid, scale, paint)
    points = grid.xys(reps)
    for a, b in pairs.tolist() if lines else ():
        _draw_line(pixels, points[a], points[b], scale, max(1, int(scale) // 4), EDGE)
    for x, y in points.tolist():
        _draw_dot(pixels, (x, y), scale, max(1.5, 0.6 * scale), WALL)
    return pixels


def draw_run(trace: Trace, scale: float | None = None, on: Pixels | None = None, pen: int = 0) -> Pixels:
    """The map with the cells a run expanded (early ones yellow, late ones red), its walk, start and goal.

    The walk is a blue line. Cells that it entered again are filled, from blue over purple to pink the more often. The
    run may be drawn `on` a picture of the same scale, such as one of regions; then a line from target to target shows
    what they led it along. A `pen` is half the pixels across the walk, where the scale should not decide that.
    """
    if not isinstance(trace, Trace):
        raise ParameterError(f"a picture of a run shows a Trace, not {shown(trace)}; see simulate")
    grid = trace.grid
    scale = checked_scale(grid, scale)
    pixels = draw_grid(grid, scale) if on is None else _copied(on, grid, scale)
    expanded = trace.events["cell"][trace.events["kind"] == Event.EXPANDED]
    for first in range(0, expanded.size, CELLS_AT_ONCE):
        cells = expanded[first : first + CELLS_AT_ONCE]
        age = (np.arange(first, first + cells.size) / max(1, expanded.size - 1))[:, None]
        heat = (np.array(SEARCHED_FIRST) * (1 - age) + np.array(SEARCHED_LAST) * age).astype(np.uint8)
        fill_cells(pixels, grid, cells, heat, scale)
    if on is not None:
        targets = trace.events["cell"][trace.events["kind"] == Event.TARGETED]
        route = grid.xys(np.array([trace.problem.start, *targets], np.int32))
        for a, b in pairwise(route):
            _draw_line(pixels, a, b, scale, max(1, int(scale) // 2), ROUTE)
    _draw_walk(pixels, grid.xys(trace.cells), scale, pen or max(1, int(scale) // 4))
    entered, times = np.unique(trace.cells, return_counts=True)
    again = times > 1
    fill_cells(pixels, grid, entered[again], colour_of_visits(times[again]), scale)
    for cell, colour in ((trace.problem.start, START), (trace.problem.goal, GOAL)):
        _draw_dot(pixels, grid.xy(cell), scale, max(4.0, 1.2 * scale, 3.0 * pen), colour)
    return pixels


def draw_arcs(
    grid: Grid, end: int, arcs: npt.NDArray[np.int32], scale: float | None = None, on: Pixels | None = None
) -> Pixels:
    """The map with subgoals and lines to where each leads, as rows of two cells; the large dot is their end.

    They may be drawn `on` a picture of the same scale, such as one of regions.
    """
    scale = checked_scale(grid, scale)
    pixels = draw_grid(grid, scale) if on is None else _copied(on, grid, scale)
    for subgoal, target in grid.xys(arcs.ravel()).reshape(-1, 2, 2):
        part = np.linspace(0, 1, int(scale * abs(target - subgoal).max()) + 1)[:, None]
        _stamp(pixels, subgoal * (1 - part) + target * part, scale, max(1, int(scale) // 4), ARC)
    for subgoal in grid.xys(arcs[:, 0]).tolist():
        _draw_dot(pixels, (subgoal[0], subgoal[1]), scale, max(2.0, 0.6 * scale), PATH)
    _draw_dot(pixels, grid.xy(end), scale, max(4.0, 1.2 * scale), GOAL)
    return pixels


def draw_traffic(grid: Grid, visits: npt.NDArray[np.int64], scale: float | None = None) -> Pixels:
    """The map with each cell that was visited the darker the more often, by the logarithm of its count.

    Where several cells share a pixel it shows the one of them that was visited most.
    """
    scale = checked_scale(grid, scale)
    pixels = draw_grid(grid, scale)
    cells = np.flatnonzero(visits).astype(np.int32)
    if cells.size:
        cells = cells[np.argsort(visits[cells], kind="stable")] if scale < 1 else cells
        fill_cells(pixels, grid, cells, _heat_colours(np.log1p(visits[cells]) / np.log1p(visits.max())), scale)
    return pixels


def draw_depths(
    grid: Grid, goal: int, depths: npt.NDArray[np.uint16], deepest: int, scale: float | None = None
) -> Pixels:
    """The map with each cell the darker the further ahead one must look there, up to the deepest; the dot is the goal.

    One move (or none, where nothing is known) leaves a cell as it is.
    """
    scale = checked_scale(grid, scale)
    on_map = depths.reshape(-1, grid.stride)[1:-1, 1:-1]

    def paint(band: Pixels, rows: slice) -> None:
        deep = on_map[rows] > 1
        band[deep] = _heat_colours(np.log(on_map[rows][deep]) / np.log(max(deepest, 2)))

    pixels = draw_map(grid, scale, paint)
    _draw_dot(pixels, grid.xy(goal), scale, max(4.0, 1.2 * scale), PATH)
    return pixels


def draw_dots(
    grid: Grid, places: npt.NDArray[np.int32], colours: npt.NDArray[np.uint8], scale: float | None = None
) -> Pixels:
    """The map with a cell filled for each agent on it, at x, y, in its colour."""
    scale = checked_scale(grid, scale)
    pixels = draw_grid(grid, scale)
    cells = grid.cells(places, "places").astype(np.int32)
    fill_cells(pixels, grid, cells, colours, scale)
    return pixels


def tiled(pictures: Sequence[Pixels], columns: int = 2, gap: int = 12) -> Pixels:
    """Pictures of equal size in rows of this many, on white."""
    height, width, _ = size_of(pictures)
    columns = whole_number("columns", columns, lowest=1, highest=_MOST_ACROSS)
    gap = whole_number("gap", gap, highest=_MOST_ACROSS)
    rows = -(-len(pictures) // columns)
    whole = np.full((rows * (height + gap) - gap, columns * (width + gap) - gap, 3), 255, np.uint8)
    for i, picture in enumerate(pictures):
        row, column = divmod(i, columns)
        top, left = row * (height + gap), column * (width + gap)
        whole[top : top + height, left : left + width] = picture
    return whole


def colouring(count: int, edges: npt.NDArray[np.int32]) -> npt.NDArray[np.int64]:
    """A colour for each region: of those that its neighbours of lower numbers have not, the one used least so far."""
    colour, used = np.zeros(count, np.int64), np.zeros(len(REGIONS), np.int64)
    near: list[set[int]] = [set() for _ in range(count)]
    for a, b in edges.tolist():
        near[max(a, b)].add(min(a, b))
    for region in range(count):
        taken = {int(colour[other]) for other in near[region]}
        free = [c for c in range(len(REGIONS)) if c not in taken] or list(range(len(REGIONS)))
        colour[region] = min(free, key=lambda c: (used[c], c))
        used[colour[region]] += 1
    return colour


def _heat_colours(heat: npt.NDArray[np.float64]) -> Pixels:
    """A colour for each number from 0 to 1, between two of the ramp."""
    channels = [np.interp(heat * (len(HEAT) - 1), np.arange(len(HEAT)), channel) for channel in HEAT.T]
    return np.stack(channels, axis=-1).astype(np.uint8)


def colour_of_visits(times: npt.NDArray[np.int64]) -> Pixels:
    """A colour for each number of visits: a step of the ramp each time it doubles, the same in every picture."""
    steps = np.arange(len(_ENTERED_AGAIN))
    channels = [np.interp(np.log2(times) - 1, steps, channel) for channel in _ENTERED_AGAIN.T]
    return np.stack(channels, axis=-1).astype(np.uint8)


def _draw_walk(pixels: Pixels, points: npt.NDArray[np.int32], scale: float, half: int) -> None:
    """A line through the centres of the cells: one small square per pixel of the way."""
    if len(points) < 2:
        return
    between = max(1, int(scale))
    before, part = np.divmod(np.arange((len(points) - 1) * between), between)
    part = part[:, None] / between
    _stamp(pixels, points[before] * (1 - part) + points[before + 1] * part, scale, half, PATH)


def _stamp(
    pixels: Pixels, points: npt.NDArray[np.float64], scale: float, half: int, colour: tuple[int, int, int]
) -> None:
    """A small square on every point; a whole number is the middle of a cell."""
    x, y = ((points + 0.5) * scale).astype(int).T
    for dy in range(-half, half):
        for dx in range(-half, half):
            pixels[(y + dy).clip(0, pixels.shape[0] - 1), (x + dx).clip(0, pixels.shape[1] - 1)] = colour


def _draw_line(
    pixels: Pixels,
    a: npt.NDArray[np.int32],
    b: npt.NDArray[np.int32],
    scale: float,
    thickness: int,
    colour: tuple[int, int, int],
) -> None:
    """A straight line between the centres of two cells: one small square per pixel of the way."""
    part = np.linspace(0, 1, int(np.abs(b - a).max() * scale) + 1)[:, None]
    x, y = ((a * (1 - part) + b * part + 0.5) * scale - (thickness - 1) / 2).astype(int).T
    for dy in range(thickness):
        for dx in range(thickness):
            pixels[(y + dy).clip(0, pixels.shape[0] - 1), (x + dx).clip(0, pixels.shape[1] - 1)] = colour


def _draw_dot(
    pixels: Pixels, point: tuple[int, int], scale: float, radius: float, colour: tuple[int, int, int]
) -> None:
    centre_x, centre_y = ((v + 0.5) * scale for v in point)
    left, top = (max(0, int(centre - radius)) for centre in (centre_x, centre_y))
    window = pixels[top : int(centre_y + radius) + 1, left : int(centre_x + radius) + 1]
    y, x = np.ogrid[: window.shape[0], : window.shape[1]]
    window[(x + left + 0.5 - centre_x) ** 2 + (y + top + 0.5 - centre_y) ** 2 <= radius**2] = colour
