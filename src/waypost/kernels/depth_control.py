"""LRTA* whose depth of lookahead is chosen before each move: by a decision tree, or by an oracle (2008; algorithms 4).

One lookahead does it all, since what it knows after ply d is all that a lookahead of depth d knows. A tree is asked
after the pre-search, which is the first ply or two, and then the lookahead goes on. The oracle has to look as far as
there is to look, and then finds the least depth from which on the move stays the same.
"""

import numpy as np

from waypost.kernels.best_first import TARGETED
from waypost.kernels.compiling import helper, kernel
from waypost.kernels.depth_features import (
    DEEPEST,
    FEATURES,
    LOOKED,
    MOVE,
    PRESEARCH,
    RECORDED,
    RULE,
    TARGET,
    TARGET_G,
    VALUE,
    control_of,
    depth_by_tree,
    find_features,
    forget_moves,
    remember_at,
    remember_move,
)
from waypost.kernels.learned import (
    AIM,
    CELL,
    EVENTS,
    GOAL,
    LOOKAHEAD_NUMBER,
    NODE_ROOM,
    TOO_FAR,
    goal_of,
    heuristic,
    note,
    raise_to,
)
from waypost.kernels.learning import COUNTERS, begin_lookahead, scratch_of
from waypost.kernels.moves import DX, DY, offset
from waypost.kernels.nodes import CELL as NODE_CELL
from waypost.kernels.nodes import F, G
from waypost.kernels.plies import begin_plies, best_ahead, first_move_to, keep_peaks, look_ply, with_goal
from waypost.kernels.tiles import count

_at = np.uintp  # an unsigned index spares the test for a negative one

# Who chooses the depth: a tree; the oracle; nobody, it is the deepest, while samples for a tree are taken.
TREE, ORACLE, ALWAYS_DEEPEST = range(3)


@kernel
def begin(control, state, cell, goal):
    """Begin a trip, with no history."""
    state[CELL] = cell
    state[GOAL] = state[AIM] = goal
    state[TOO_FAR] = 0
    forget_moves(control)


@kernel
def walk(mask, features, thresholds, rights, depths, control, samples, table, state, events, log):
    """Make as many moves as the log has room for, at most; returns how many. Stops short at the limit of costs.

    The log is flat: the cells of all moves, then the work counters of each. The features of each move and its depth
    are left in a row of the samples, or all in the last one if there are fewer rows.
    """
    room = log.size // (1 + COUNTERS)
    goal = goal_of(state)
    scratch = scratch_of(state, state[NODE_ROOM])
    cells, rises, plies = control_of(control)
    cell = state[CELL]
    y = cell // goal.stride
    x = cell - y * goal.stride
    made = 0
    while made < room and cell != goal.cell:
        tiles = count(table)
        sample = samples[min(made, samples.shape[0] - 1)]
        before = heuristic(table, goal, x, y)
        begin_lookahead(table, state, goal, scratch, cell, x, y)
        depth, probes, looked = _look_ahead(
            mask,
            features,
            thresholds,
            rights,
            depths,
            control,
            cells,
            plies,
            sample,
            table,
            state,
            events,
            goal,
            scratch,
        )
        if control[RULE] != TREE:
            label = _label(plies, control[DEEPEST])
            sample[FEATURES] = label
            if control[RULE] == ORACLE:
                depth = label
                probes = looked - plies[depth, LOOKED]
                looked = plies[depth, LOOKED]
                state[EVENTS] = plies[depth, RECORDED]
        move = plies[depth, MOVE]
        note(events, state, TARGETED, plies[depth, TARGET], cell, plies[depth, TARGET_G], plies[depth, VALUE])
        raise_to(table, state, events, goal, cell, x, y, plies[depth, VALUE])
        if state[TOO_FAR]:
            break
        if control[PRESEARCH]:  # otherwise nobody asks for features
            remember_at(table, state, goal, x, y, move)
            remember_move(control, cells, rises, cell, heuristic(table, goal, x, y) - before, move)
        x += DX[move]
        y += DY[move]
        cell += offset(move, goal.stride)
        log[_at(made)] = cell
        work = room + COUNTERS * made
        log[_at(work)] = looked
        log[_at(work + 1)] = log[_at(work + 2)] = 0
        log[_at(work + 3)] = probes
        log[_at(work + 4)] = count(table) - tiles
        made += 1
    state[CELL] = cell
    return made


@helper
def _look_ahead(
    mask, features, thresholds, rights, depths, control, cells, plies, sample, table, state, events, goal, scratch
):
    """Look ahead as far as need be, noting what each ply says; returns the depth chosen, comparisons and expansions."""
    number = state[LOOKAHEAD_NUMBER]
    asks_tree = control[RULE] == TREE
    presearch = control[PRESEARCH]
    depth = control[DEEPEST]
    last = max(depth, presearch)
    nodes = scratch.nodes
    extra = scratch.extra
    begin_plies(extra)
    front = 1
    node_count = 1
    goal_node = -1
    comparisons = 0
    expansions = 0
    ply = 0
    while ply < last:
        ply += 1
        looked, node_count, front, goal_node = look_ply(
            mask, table, state, events, goal, nodes, scratch.window, extra, number, node_count, ply, front, goal_node
        )
        expansions += looked
        if asks_tree and presearch < ply < last:
            continue
        _note_ply(plies, ply, state, nodes, best_ahead(nodes, extra, with_goal(extra, front, goal_node)), expansions)
        if ply == presearch:
            find_features(table, goal, control, cells, scratch, front, goal_node, plies[ply, MOVE], sample)
            if asks_tree:
                depth, comparisons = depth_by_tree(features, thresholds, rights, depths, sample)
                sample[FEATURES] = depth
                last = max(depth, presearch)
    keep_peaks(state, nodes, node_count)
    return depth, comparisons, expansions


@helper
def _note_ply(plies, ply, state, nodes, target, expansions):
    """Keep what LRTA* of this depth would do."""
    plies[ply, MOVE] = first_move_to(nodes, target)
    plies[ply, VALUE] = nodes[target, F]
    plies[ply, TARGET] = nodes[target, NODE_CELL]
    plies[ply, TARGET_G] = nodes[target, G]
    plies[ply, LOOKED] = expansions
    plies[ply, RECORDED] = state[EVENTS]


@helper
def _label(plies, deepest):
    """The least depth from which on, up to the deepest, the move is the same."""
    depth = deepest
    while depth > 1 and plies[depth - 1, MOVE] == plies[deepest, MOVE]:
        depth -= 1
    return depth
