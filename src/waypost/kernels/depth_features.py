"""What an agent knows of its last moves and of what lies around it, to choose a depth by (2008, appendix A).

The exact rules are in docs/planners/depth-tree-rules.md. The control array of an agent holds its settings, the sums
over its history, the history itself (a ring of cells, each with how much was learned there), and one row for each ply
of a lookahead.
"""

from collections import namedtuple

import numpy as np

from waypost.kernels.compiling import helper
from waypost.kernels.learned import distance, heuristic, own_place
from waypost.kernels.moves import DX, DY, octile
from waypost.kernels.nodes import CELL, X, Y
from waypost.kernels.plies import AHEAD
from waypost.kernels.tiles import PLANE, slot_of, within

FEATURES = 11
SAMPLE_COLUMNS = FEATURES + 1  # and the depth

# Slots of the control array: what the agent was set to, then what changes.
RULE, DEEPEST, PRESEARCH, HISTORY, KEPT, NEWEST, DISTINCT, RAISED, LAST_MOVE = range(9)
_RING = 16  # where the history begins

# Columns of a ply: what LRTA* of that depth does, and how much was looked at and recorded by then.
MOVE, VALUE, TARGET, TARGET_G, LOOKED, RECORDED = range(6)
_PLY_COLUMNS = 6

Control = namedtuple("Control", "cells rises plies")
"""The arrays within a control array."""


def control_size(history, plies):
    """Numbers in the control array of an agent that remembers so many moves and looks so many plies ahead."""
    return _RING + 2 * history + _PLY_COLUMNS * (plies + 1)


@helper
def control_of(control):
    """The arrays within a control array; row i of the plies is about ply i."""
    rises = _RING + control[HISTORY]
    plies = rises + control[HISTORY]
    rows = (control.size - plies) // _PLY_COLUMNS
    return Control(control[_RING:rises], control[rises:plies], control[plies:].reshape((rows, _PLY_COLUMNS)))


@helper
def forget_moves(control):
    """Begin a new history."""
    control[KEPT] = control[NEWEST] = control[DISTINCT] = control[RAISED] = 0
    control[LAST_MOVE] = -1


@helper
def remember_move(control, cells, rises, cell, rise, move):
    """Add a move to the history: where it was made from and how much was learned there. Work goes with its length."""
    place = 0
    if control[KEPT]:
        place = (control[NEWEST] + 1) % cells.size
    if control[KEPT] == cells.size:  # the oldest is forgotten
        oldest = cells[place]
        cells[place] = -1
        control[RAISED] -= rises[place]
        control[DISTINCT] -= _is_absent(cells, cells.size, oldest)
    else:
        cells[place] = -1
        control[KEPT] += 1
    control[DISTINCT] += _is_absent(cells, control[KEPT], cell)
    control[RAISED] += rise
    control[NEWEST] = place
    control[LAST_MOVE] = move
    cells[place] = cell
    rises[place] = rise


@helper
def _is_absent(cells, count, cell):
    """1 if a cell is none of the first so many, else 0."""
    for i in range(count):
        if cells[i] == cell:
            return 0
    return 1


@helper
def remember_at(table, state, goal, x, y, move):
    """Remember at a cell, in the second plane of its tile, which move was made there."""
    table[own_place(table, state, goal, x, y) + PLANE] = move + 1


@helper
def find_features(table, goal, control, cells, scratch, front, goal_node, move, sample):
    """Write the eleven features of node 0 into a sample, after a pre-search that would make this move."""
    nodes = scratch.nodes
    x, y = nodes[0, X], nodes[0, Y]
    straight = np.float64(goal.straight)
    h0 = distance(goal, x, y)
    h = heuristic(table, goal, x, y)
    there_x = x + DX[move]
    there_y = y + DY[move]
    there_h = heuristic(table, goal, there_x, there_y)
    sample[0] = h0 / straight
    sample[1] = 0
    if control[KEPT]:
        oldest = cells[(control[NEWEST] + 1) % control[KEPT]]
        from_y = oldest // goal.stride
        from_x = oldest - from_y * goal.stride
        sample[1] = octile(x - from_x, y - from_y, goal.straight, goal.diagonal) / straight
    sample[2] = control[DISTINCT]
    sample[3] = control[RAISED] / straight
    size, learned = _frontier(table, goal, nodes, scratch.extra, front, goal_node)
    to_each_side = 8 if goal.diagonal < 2 * goal.straight else 4
    sample[4] = size / np.float64(to_each_side * control[PRESEARCH])
    sample[5] = learned / np.float64(size)
    last = table[slot_of(goal.across, x, y)] + within(x, y) + PLANE
    sample[6] = table[last] == move + 1
    sample[7] = control[LAST_MOVE] == move
    sample[8] = h / np.float64(max(there_h, goal.straight))
    sample[9] = there_h > distance(goal, there_x, there_y)
    sample[10] = h > there_h


@helper
def _frontier(table, goal, nodes, extra, front, goal_node):
    """How many nodes the frontier has, the goal among them if it is a node, and how many whose h was raised."""
    size = front
    learned = 0
    has_goal = goal_node < 0
    for i in range(front):
        node = extra[i, AHEAD]
        x, y = nodes[node, X], nodes[node, Y]
        learned += heuristic(table, goal, x, y) > distance(goal, x, y)
        has_goal = has_goal or nodes[node, CELL] == goal.cell
    return size + (not has_goal), learned


@helper
def depth_by_tree(features, thresholds, rights, depths, sample):
    """The depth that a tree says for a sample, and how many comparisons that took."""
    node = 0
    comparisons = 0
    while features[node] >= 0:
        comparisons += 1
        node = node + 1 if sample[features[node]] <= thresholds[node] else np.int64(rights[node])
    return np.int64(depths[node]), comparisons
