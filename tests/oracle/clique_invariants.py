"""What must hold of any clique abstraction, by definition: these functions complain about the first thing wrong."""

from itertools import pairwise

from tests.oracle.cliques import ancestor
from tests.oracle.rules import neighbours


def check_levels(levels, is_open, rule):
    """Everything below."""
    for below, above in pairwise(levels):
        check_children(below, above)
        check_edges(levels[0], above, is_open, rule)
        assert len(above.nodes) < len(below.nodes) or not any(below.neighbours), "no smaller than the level below"
    assert not any(levels[-1].neighbours), "the top has edges"
    check_components(levels, is_open, rule)


def check_children(below, above):
    """They make up their node, are connected among themselves, and no more than four unless some have one neighbour."""
    assert sorted(set(below.parents)) == list(above.nodes)
    for node in above.nodes:
        children = [v for v in below.nodes if below.parents[v] == node]
        reached = closure(children[0], lambda v, own=children: [u for u in below.neighbours[v] if u in own])
        assert reached == set(children), f"children {children} of {node} fall apart"
        assert sum(len(below.neighbours[v]) != 1 for v in children) <= 4
        places = {place for v in children for place in below.cells[v]}
        assert places == set(above.cells[node])


def check_edges(ground, level, is_open, rule):
    """Edges join just those nodes between which a move leads; capacities count what they stand for, both ways."""
    node_of = {place: node for node in level.nodes for place in level.cells[node]}
    assert len(node_of) == len(ground.nodes), "a cell is in no node, or in two"
    crossing = {
        (node_of[place], node_of[there])
        for place in node_of
        for there, _ in neighbours(is_open, rule, "sqrt2", *place)
        if node_of[place] != node_of[there]
    }
    listed = [(a, b) for a in level.nodes for b in level.neighbours[a]]
    assert len(listed) == len(set(listed)), "an edge is there twice"
    assert set(listed) == crossing == set(level.capacities)
    assert all(count == level.capacities[b, a] for (a, b), count in level.capacities.items())


def check_components(levels, is_open, rule):
    """Two cells have a common ancestor just if a way leads from one to the other; lone cells are carried up alone."""
    top = len(levels) - 1
    ground = levels[0]
    number = {ground.cells[v][0]: v for v in ground.nodes}
    ancestors = [ancestor(levels, v, top) for v in ground.nodes]
    for place, v in number.items():
        reached = closure(place, lambda at: [there for there, _ in neighbours(is_open, rule, "sqrt2", *at)])
        assert {number[there] for there in reached} == {u for u in ground.nodes if ancestors[u] == ancestors[v]}
        if len(reached) == 1:
            assert levels[top].cells[ancestors[v]] == [place]
    assert len(levels[top].nodes) == len(set(ancestors))


def closure(start, around):
    """All that is reached from a start."""
    reached, waiting = {start}, [start]
    while waiting:
        new = [there for there in around(waiting.pop()) if there not in reached]
        reached.update(new)
        waiting += new
    return reached
