"""How far LRTA* must look ahead to move well: the databases of lookahead depths (Bulitko et al. 2008; algorithms 4.1).

The optimal depth in a cell, towards a target, is the least one whose first move lies on a best way there, with nothing
learned yet. Deeper plies go on from shallower ones, so that all depths up to it take one lookahead.
"""

import numpy as np

from waypost.kernels.compiling import helper, kernel
from waypost.kernels.cost_field import FAR
from waypost.kernels.moves import offset
from waypost.kernels.numbers import at
from waypost.planners.learning.kernels.plies import begin_plies, best_ahead, first_move_to, look_ply, with_goal
from waypost.planners.learning.kernels.sizes import scratch_of
from waypost.planners.learning.kernels.state import move_cost, state_of, target_at
from waypost.planners.learning.kernels.walk import begin_lookahead
from waypost.planners.pairs.kernels.control import Field, Ground, Lookahead
from waypost.planners.pairs.kernels.subgoals import fill_field


@kernel(allocates=True)
def towards_goals(ground, cap, reps, first, last, field, lookahead):
    """For each goal region from `first` to `last` a row: the depth at every representative towards the goal region's.

    1 in the goal region and where there is no way; at most `cap`.
    """
    ground, field, lookahead = Ground(*ground), Field(*field), Lookahead(*lookahead)
    depths = np.ones((last - first, reps.size), np.uint16)
    for goal in range(first, last):
        target = np.int64(reps[goal])
        fill_field(ground, field, target, np.int64(-1))
        for region in range(reps.size):
            cell = np.int64(reps[region])
            if region != goal and field.costs[at(cell)] != FAR:
                depths[goal - first, region] = _least_depth(ground, field, lookahead, cell, target, cap)
    return depths


@kernel(allocates=True)
def towards_exits(ground, cap, cells, exits, field, lookahead):
    """The depth in each of these cells towards the exit in the same place, at most `cap`."""
    ground, field, lookahead = Ground(*ground), Field(*field), Lookahead(*lookahead)
    depths = np.empty(exits.size, np.uint16)
    for i in range(exits.size):
        cell = np.int64(cells[i])
        target = np.int64(exits[i])
        fill_field(ground, field, target, cell)
        depths[i] = _least_depth(ground, field, lookahead, cell, target, cap)
    return depths


@helper
def _least_depth(ground, field, lookahead, cell, target, cap):
    """The least depth at which LRTA* makes a move of a best way from a cell to a target, `cap` if none below it does.

    The costs of the field are to the target, at least for cells nearer than this one.
    """
    table, events, costs = lookahead.table, lookahead.events, field.costs
    state = state_of(lookahead.words)
    goal = target_at(state, target)
    scratch = scratch_of(lookahead.words, state)
    nodes = scratch.nodes
    window = scratch.window
    extra = scratch.extra
    y = cell // goal.stride
    number = begin_lookahead(table, state, goal, scratch, cell, cell - y * goal.stride, y)
    begin_plies(extra)
    goal_node = -1
    count = 1
    ahead = 1
    for ply in range(1, cap):
        _, count, ahead, goal_node = look_ply(
            ground.mask, table, state, events, goal, nodes, window, extra, number, count, ply, ahead, goal_node
        )
        move = first_move_to(nodes, best_ahead(nodes, extra, with_goal(extra, ahead, goal_node)))
        if costs[at(cell + offset(move, goal.stride))] + move_cost(goal, move) == costs[at(cell)]:
            return ply
    return cap
