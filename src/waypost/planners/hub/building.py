"""How labels are made: the graph, the order of its nodes, and for each list the hubs that it needs (hub rules)."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from waypost.errors import WaypostError
from waypost.indexes.building import Arrays, Works, are_just
from waypost.planners.hub.kernels import contract, leaning, trees
from waypost.planners.hub.kernels import graph as graphs
from waypost.planners.hub.kernels import labels as label_kernels
from waypost.planners.hub.kernels.graph import Edges
from waypost.planners.hub.kernels.lines import Lines

__all__ = ["Graph", "Found", "graph_of", "labels_of"]

Numbers = npt.NDArray[np.int64]

_CORE_PART = 4  # one node of so many stays in the core
_MOST_OF_TREES = 1 << 22  # nodes of all trees together: 20 bytes each
_FEWEST_TREES = 64
_PLAIN_PART = 2  # plain labels have at most about so many times the entries of the final ones
_GROWTH, _BY_DEGREE, _PER_NODE = 1.25, 1.5, 1.0


class Graph(NamedTuple):
    """The taut graph of a map, and what is found from each of its nodes as a cell."""

    edges: Edges
    find_firsts: Numbers
    finds: Numbers
    list_firsts: Numbers
    list_steps: Numbers
    """The edges again, by list: where each leads on, and what it costs."""


class Found(NamedTuple):
    """Where the entries of each list begin, the entries, by rank, and the nodes by rank."""

    firsts: Numbers
    entries: Numbers
    order: npt.NDArray[np.int32]


def graph_of(lines: Lines, *, with_finds: bool) -> Graph:
    """The graph of a map; finds are needed only to make labels."""
    firsts, steps, sides, find_firsts, finds = graphs.graph(tuple(lines), int(with_finds))
    edges = Edges(firsts=firsts[:-1], ends=firsts[1:], steps=steps, sides=sides)
    return Graph(edges, find_firsts, finds, *leaning.edges_of_lists(lines.corners, tuple(edges)))


def labels_of(lines: Lines, graph: Graph, params: Mapping[str, Any], works: Works) -> Found:
    """Labels of every list, by an order of the nodes that keeps them short."""
    budget = int(params["budget"])
    edges, nodes = tuple(graph.edges), lines.cells.size
    contracted, core, core_firsts, core_steps = contract.contract(edges, lines.corners, nodes // _CORE_PART)
    _check_budget(_estimate(nodes, core_steps.size), budget)
    order = np.concatenate([core[_rank(core_firsts, core_steps, int(params["trees"]), works)], contracted[::-1]])
    plain = label_kernels.plain_labels(edges, order, _PLAIN_PART * budget)
    _check_budget(plain[1].size // _PLAIN_PART, budget)
    cells = label_kernels.cell_labels(graph.find_firsts, graph.finds, *plain)
    firsts, entries = label_kernels.labels(tuple(lines), edges, order, *cells, budget)
    _check_budget(entries.size, budget)
    return Found(firsts, entries, order)


def _rank(core_firsts: Numbers, core_steps: Numbers, most: int, works: Works) -> npt.NDArray[np.int32]:
    """The nodes of the core by importance."""
    size = core_firsts.size - 1
    if size == 0:
        return np.empty(0, np.int32)
    count = min(most, size, max(_FEWEST_TREES, _MOST_OF_TREES // size))
    core = tuple(
        Edges(firsts=core_firsts[:-1], ends=core_firsts[1:], steps=core_steps, sides=np.empty(0, np.uint16))
    )

    def grow(first: int, last: int) -> Arrays:
        grown: Arrays = trees.grow_trees(core, first, last, count)
        return grown

    def fits(first: int, last: int, arrays: Arrays) -> bool:
        if not are_just(arrays, *[(np.int32, (last - first, size))] * 2):
            return False
        settled, above = arrays
        is_before = (above >= 0) & (above < np.maximum(np.arange(size), 1))
        return bool((settled >= trees.NOBODY).all() and (settled < size).all() and is_before.all())

    parts = works.parts("trees", count, grow, fits=fits)
    ranked: npt.NDArray[np.int32] = trees.rank(*(np.concatenate(column) for column in zip(*parts, strict=True)))
    return ranked


def _estimate(nodes: int, core_edges: int) -> int:
    """About how many entries the labels of a map will have, by what is left of its graph after contraction."""
    return int(nodes**_GROWTH * (core_edges / max(nodes // _CORE_PART, 1)) ** _BY_DEGREE * _PER_NODE)


def _check_budget(entries: int, budget: int) -> None:
    if entries > budget:
        raise WaypostError(
            f"hub would store about {entries:,} entries of labels for this map, more than its budget of {budget:,}; "
            "take jps, which stores nothing, or raise budget"
        )
