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
from waypost.planners.hub.kernels.growing import new_lists
from waypost.planners.hub.kernels.labels import Known
from waypost.planners.hub.kernels.lines import Lines
from waypost.planners.hub.kernels.search import FAR, new_search

__all__ = ["PLAIN_PART", "UNSURE", "Graph", "Found", "graph_of", "labels_of"]

Numbers = npt.NDArray[np.int64]

_CORE_PART = 4  # one node of so many stays in the core
_MOST_OF_TREES = 1 << 22  # nodes of all trees together: 20 bytes each
_FEWEST_TREES = 64
PLAIN_PART = 3  # plain labels have at most about so many times the entries of the final ones
_BY_NODES, _BY_DEGREE, _SCALE = 1.43, 1.07, 0.18  # fitted to 70 maps of all kinds: most are right to a half
_ROOM = 4  # entries of a list, before it moves
UNSURE = 2.5  # times the budget are refused at once; what passes is counted while it is made


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
    count = firsts[-1]
    edges = Edges(firsts=firsts[:-1], ends=firsts[1:], steps=steps[:count].copy(), sides=sides[:count].copy())
    list_firsts, list_steps = leaning.edges_of_lists(lines.corners, tuple(edges))
    return Graph(edges, find_firsts, finds, list_firsts, list_steps[: list_firsts[-1]].copy())


def labels_of(lines: Lines, graph: Graph, params: Mapping[str, Any], works: Works) -> Found:
    """Labels of every list, by an order of the nodes that keeps them short."""
    budget = int(params["budget"])
    edges, nodes = tuple(graph.edges), lines.cells.size
    estimate = int(_SCALE * nodes**_BY_NODES * (graph.edges.steps.size / max(nodes, 1)) ** _BY_DEGREE)
    if estimate > UNSURE * budget:
        raise _too_many(lines, f"about {estimate:,}", budget)
    search = tuple(new_search(nodes, graph.edges.steps.size))
    contracted, core, firsts, steps = contract.contract(edges, lines.corners, search, nodes // _CORE_PART)
    upper = core[_rank(firsts, steps, int(params["trees"]), works)]
    order = np.concatenate([upper, contracted[: nodes - core.size][::-1]])
    search = tuple(new_search(nodes, graph.edges.steps.size))
    lists, pool = new_lists(nodes, 2 * _ROOM)
    costs = np.full(nodes, FAR)
    plain = label_kernels.plain_labels(edges, search, order, tuple(lists), pool, costs, PLAIN_PART * budget)
    _check(lines, plain[1].size // PLAIN_PART, budget)
    cells = label_kernels.cell_labels(graph.find_firsts, graph.finds, *plain, costs)
    lists, pool = new_lists(2 * nodes, _ROOM)
    known = Known(costs=costs, rows=np.zeros(nodes, np.uint64), as_cell=np.full(nodes, FAR))
    scratch = tuple(lists), pool, tuple(known)
    firsts, entries = label_kernels.labels(tuple(lines), edges, search, order, *cells, *scratch, budget)
    _check(lines, entries.size, budget)
    return Found(firsts, entries, order)


def _rank(core_firsts: Numbers, core_steps: Numbers, most: int, works: Works) -> npt.NDArray[np.int32]:
    """The nodes of the core by importance."""
    size = core_firsts.size - 1
    if size == 0:
        return np.empty(0, np.int32)
    count = min(most, size, max(_FEWEST_TREES, _MOST_OF_TREES // size))
    core = tuple(Edges(firsts=core_firsts[:-1], ends=core_firsts[1:], steps=core_steps, sides=np.empty(0, np.uint16)))
    room = int(core_firsts[-1])

    def grow(first: int, last: int) -> Arrays:
        grown: Arrays = trees.grow_trees(core, tuple(new_search(size, room)), first, last, count)
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


def _check(lines: Lines, entries: int, budget: int) -> None:
    if entries > budget:
        raise _too_many(lines, f"more than {budget:,}", budget)


def _too_many(lines: Lines, entries: str, budget: int) -> WaypostError:
    """The refusal of a map with so many subgoals that jump points do better."""
    why = ", as every cell is a subgoal under its diagonal rule" if lines.is_dense else ""
    return WaypostError(
        f"labels of this map would have {entries} entries{why}, and the budget of hub is {budget:,}; "
        "take jps, which stores nothing, or raise budget"
    )
