"""Many problems by one searcher, best-first or by jump points: each to its end (`many.py`)."""

from waypost.kernels import best_first, jump
from waypost.kernels.best_first import SearchArrays, cost_of, moves_to, write_path
from waypost.kernels.compiling import call, kernel
from waypost.kernels.many import Many, goal_of, is_new, needs_moves, start_of, take_up, takes_way
from waypost.kernels.numbers import NO_LIMIT, at
from waypost.kernels.outcomes import FOUND


@kernel
def solve_best_first(mask, search, begin_at, advance_at, many):
    """Find ways by best-first search; returns DONE, or what is to be seen to."""
    arrays, many = SearchArrays(*search), Many(*many)
    node, control = arrays.node, arrays.control[0]
    scratch = node, arrays.ring, arrays.pool, arrays.control
    while take_up(many):
        goal = goal_of(many)
        if is_new(many):
            call(best_first.begin, begin_at, None, (*scratch, start_of(many), goal))
        status = call(best_first.advance, advance_at, 0, (mask, *scratch, arrays.events, NO_LIMIT))
        if status != FOUND:
            return status
        cost = cost_of(node[at(goal)])
        moves = moves_to(node, control, goal) if needs_moves(many, cost) else 0
        if takes_way(many, cost, moves):
            last = many.progress[0].used - 1
            write_path(node, control, goal, many.cells, last - moves, last)
    return many.progress[0].status


@kernel
def solve_by_jumps(tables, search, parent, found, begin_at, advance_at, many):
    """Find ways by jump point search; returns DONE, or what is to be seen to."""
    arrays, many = SearchArrays(*search), Many(*many)
    control = arrays.control[0]
    node, ring, pool = arrays.node, arrays.ring, arrays.pool
    of_cells, rows, columns = tables
    while take_up(many):
        goal = goal_of(many)
        if is_new(many):
            call(jump.begin, begin_at, None, (node, ring, pool, arrays.control, start_of(many), goal))
        scratch = node, parent, ring, pool, found, arrays.control, arrays.events
        status = call(jump.advance, advance_at, 0, (of_cells, rows, columns, *scratch, NO_LIMIT))
        if status != FOUND:
            return status
        cost = jump.cost_at(node, goal)
        moves = jump.moves_to(parent, control, goal) if needs_moves(many, cost) else 0
        if takes_way(many, cost, moves):
            jump.write_path(parent, control, goal, many.cells, many.progress[0].used - 1)
    return many.progress[0].status
