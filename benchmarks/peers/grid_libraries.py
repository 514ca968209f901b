"""Libraries that take a grid. An adapter imports its library when it prepares, so a missing one hurts no other."""

from typing import Any

import numpy as np

from benchmarks.peers.edges import STEPS, may_step
from benchmarks.peers.library import DIAGONAL, Library, Open, Point, Query, read_row_column


def pyastar2d_query(is_open: Open) -> Query:
    import pyastar2d

    weights = np.where(is_open, 1, np.inf).astype(np.float32)

    def query(start: Point, goal: Point) -> Any:
        return pyastar2d.astar_path(weights, start[::-1], goal[::-1], allow_diagonal=True)

    return query


def nano_astar_query(is_open: Open) -> Query:
    import nano_astar

    # Contiguous bytes are what it takes without a copy.
    walls = np.ascontiguousarray(~is_open).view(np.uint8)

    def query(start: Point, goal: Point) -> Any:
        found = nano_astar.astar(walls, start[::-1], goal[::-1], heuristic="octile", diagonal=True)
        return None if found is None else found[0]

    return query


def tcod_astar_query(is_open: Open) -> Query:
    import tcod.path

    # Its x is the array's first axis. Bytes are no slower than floats.
    finder = tcod.path.AStar(is_open.astype(np.int8), diagonal=DIAGONAL)

    def query(start: Point, goal: Point) -> Any:
        return finder.get_path(start[1], start[0], goal[1], goal[0])

    return query


def read_tcod_astar(path: Any, start: Point) -> list[Point]:
    """Its paths leave the start out."""
    return [start, *((int(x), int(y)) for y, x in path)] if path else []


def tcod_graph_query(is_open: Open) -> Query:
    import tcod.path

    cost = is_open.astype(np.int8)
    graph = tcod.path.CustomGraph(is_open.shape)
    # A diagonal edge with a condition array of its own is how this library can be kept from cutting corners. Costs are
    # integers; 5741 and 8119 are ours and near enough to 1 and sqrt 2 that every optimum is found.
    for dx, dy in STEPS:
        if dx and dy:
            graph.add_edge((dy, dx), 8119, cost=cost, condition=may_step(is_open, dx, dy).astype(np.int8))
        else:
            graph.add_edge((dy, dx), 5741, cost=cost)
    graph.set_heuristic(cardinal=5741, diagonal=8119)
    finder = tcod.path.Pathfinder(graph)

    def query(start: Point, goal: Point) -> Any:
        # Another start needs a reset, which the library does over whole arrays; a new Pathfinder costs the same.
        finder.clear()
        finder.add_root(start[::-1])
        return finder.path_to(goal[::-1])

    return query


def read_tcod_graph(path: Any, start: Point) -> list[Point]:
    """A path that does not begin at the start is its way to say that there is none."""
    points = read_row_column(path, start)
    return points if points and points[0] == start else []


def scikit_image_query(is_open: Open) -> Query:
    from skimage.graph import MCP_Geometric

    # Negative costs are walls. The object is reused: route_through_array would make a new one for every query.
    finder = MCP_Geometric(np.where(is_open, 1.0, -1.0), fully_connected=True)

    def query(start: Point, goal: Point) -> Any:
        finder.find_costs([start[::-1]], [goal[::-1]])
        try:
            return finder.traceback(goal[::-1])
        except ValueError:  # no path
            return None

    return query


def pathfinding_query(is_open: Open) -> Query:
    from pathfinding.core.diagonal_movement import DiagonalMovement
    from pathfinding.core.grid import Grid
    from pathfinding.finder.a_star import AStarFinder

    grid = Grid(matrix=is_open.astype(int).tolist())
    finder = AStarFinder(diagonal_movement=DiagonalMovement.only_when_no_obstacle)

    def query(start: Point, goal: Point) -> Any:
        # The search keeps its state in the grid; find_path itself cleans all of it before every query but the first.
        path, _ = finder.find_path(grid.node(*start), grid.node(*goal), grid)
        return path

    return query


def read_pathfinding(path: Any, _start: Point) -> list[Point]:
    """Its paths are lists of grid nodes."""
    return [(node.x, node.y) for node in path]


GRID_LIBRARIES = (
    Library(
        "pyastar2d",
        "pyastar2d",
        "pyastar2d",
        pyastar2d_query,
        read_row_column,
        "a float32 weight array, infinite at walls; `allow_diagonal=True`. It has no rule against cutting corners and "
        "counts a diagonal step as 1, hence paths that are longer although they cut. The call itself checks and copies "
        "the whole array.",
    ),
    Library(
        "nano-astar",
        "nano-astar",
        "nano_astar",
        nano_astar_query,
        read_row_column,
        "a contiguous uint8 array, which it takes without a copy; octile heuristic, diagonals (never past corners).",
    ),
    Library(
        "tcod AStar",
        "tcod",
        "tcod.path",
        tcod_astar_query,
        read_tcod_astar,
        "an `AStar` object over an int8 array, diagonal sqrt 2, reused by all queries. It cannot forbid cutting "
        "corners without a Python callback per edge.",
    ),
    Library(
        "tcod Pathfinder",
        "tcod",
        "tcod.path",
        tcod_graph_query,
        read_tcod_graph,
        "a `CustomGraph` with integer costs 5741 and 8119, the octile heuristic, and one condition array per diagonal "
        "direction that forbids cutting corners; a query clears the `Pathfinder`, sets the root and asks for the path.",
    ),
    Library(
        "scikit-image MCP",
        "scikit-image",
        "skimage.graph",
        scikit_image_query,
        read_row_column,
        "an `MCP_Geometric` object (negative costs at walls), reused; each query stops at its goal. Dijkstra, no "
        "heuristic, and no rule against cutting corners.",
    ),
    Library(
        "python-pathfinding",
        "pathfinding",
        "pathfinding.finder.a_star",
        pathfinding_query,
        read_pathfinding,
        "a `Grid` and an `AStarFinder` with `DiagonalMovement.only_when_no_obstacle`, reused; `find_path` cleans the "
        "whole grid before a query, and that is part of the query.",
    ),
)
"""In their best light: 8-connected, diagonal sqrt 2 and no corner cutting wherever the library can."""
