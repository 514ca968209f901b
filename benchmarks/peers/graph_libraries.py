"""Libraries that search graphs: our own edges make them keep the rules."""

from typing import Any

import numpy as np

from benchmarks.peers.edges import legal_edges
from benchmarks.peers.library import DIAGONAL, Library, Open, Point, Query, read_xy


def networkx_query(is_open: Open) -> Query:
    import networkx as nx

    width = is_open.shape[1]
    edges = legal_edges(is_open)
    graph = nx.Graph()
    graph.add_nodes_from(np.flatnonzero(is_open).tolist())
    once = edges.source < edges.target  # the graph is undirected
    graph.add_weighted_edges_from(zip(*(column[once].tolist() for column in edges), strict=True))
    # Whole numbers as nodes measured faster than (x, y) pairs: they hash faster, and the places come from two lists.
    ys, xs = (axis.ravel().tolist() for axis in np.indices(is_open.shape))

    def octile(a: int, b: int) -> float:
        dx, dy = abs(xs[a] - xs[b]), abs(ys[a] - ys[b])
        return dx + (DIAGONAL - 1) * dy if dx > dy else dy + (DIAGONAL - 1) * dx

    def query(start: Point, goal: Point) -> Any:
        source, target = start[1] * width + start[0], goal[1] * width + goal[0]
        try:
            nodes = nx.astar_path(graph, source, target, heuristic=octile)
        except nx.NetworkXNoPath:
            return None
        return [(xs[node], ys[node]) for node in nodes]

    return query


def scipy_query(is_open: Open) -> Query:
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import dijkstra

    height, width = is_open.shape
    edges = legal_edges(is_open)
    graph = csr_array((edges.cost, (edges.source, edges.target)), shape=(height * width, height * width))

    def query(start: Point, goal: Point) -> Any:
        source, node = start[1] * width + start[0], goal[1] * width + goal[0]
        _, before = dijkstra(graph, indices=source, return_predecessors=True)
        path = [node]
        while node != source:
            node = int(before[node])
            if node < 0:  # no path
                return None
            path.append(node)
        return [(node % width, node // width) for node in reversed(path)]

    return query


GRAPH_LIBRARIES = (
    Library(
        "scipy csgraph",
        "scipy",
        "scipy.sparse.csgraph",
        scipy_query,
        read_xy,
        "a compressed sparse graph of the legal moves; `dijkstra` from the start with predecessors, then the walk back "
        "in Python. It cannot stop at a goal, so every query searches the whole map.",
    ),
    Library(
        "networkx",
        "networkx",
        "networkx",
        networkx_query,
        read_xy,
        "a `Graph` of the legal moves with whole numbers as nodes (they hash faster than pairs); `astar_path` with the "
        "octile heuristic.",
    ),
)
"""Graphs are built once, outside the timing."""
