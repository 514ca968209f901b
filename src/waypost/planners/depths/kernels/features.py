"""What an agent knows of its last moves and of what lies around it, to choose a depth by (2008, appendix A).

The exact rules are in docs/planners/depth-tree-rules.md.
"""

from enum import IntEnum, auto

import numpy as np

from waypost.kernels.compiling import helper
from waypost.kernels.moves import DX, DY, octile
from waypost.kernels.tiles import PLANE, slot_of, within
from waypost.planners.learning.kernels.nodes import CELL, X, Y
from waypost.planners.learning.kernels.plies import AHEAD
from waypost.planners.learning.kernels.state import distance, heuristic, own_place


class Feature(IntEnum):
    """Where in a sample each stands: F1 to F11 of the rules."""

    TO_GOAL = 0
    MOVED_AWAY = auto()
    DISTINCT_CELLS = auto()
    LEARNED = auto()
    FRONTIER = auto()
    FRONTIER_LEARNED = auto()
    SAME_MOVE_HERE = auto()
    SAME_MOVE_AS_LAST = auto()
    H_RATIO = auto()
    LEARNED_AHEAD = auto()
    DOWNHILL = auto()


FEATURES = len(Feature)
SAMPLE_COLUMNS = FEATURES + 1  # and the depth


@helper
def forget_moves(control):
    """Begin a new history."""
    control.kept = control.newest = control.distinct = control.raised = 0
    control.last_move = -1


@helper
def remember_move(control, memory, cell, rise, move):
    """Add a move to the history: where it was made from and how much was learned there. Work goes with its length."""
    cells, rises = memory.cells, memory.rises
    place = 0
    if control.kept:
        place = (control.newest + 1) % cells.size
    if control.kept == cells.size:  # the oldest is forgotten
        oldest = cells[place]
        cells[place] = -1
        control.raised -= rises[place]
        control.distinct -= _is_absent(cells, cells.size, oldest)
    else:
        cells[place] = -1
        control.kept += 1
    control.distinct += _is_absent(cells, control.kept, cell)
    control.raised += rise
    control.newest = place
    control.last_move = move
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
    sample[Feature.TO_GOAL] = h0 / straight
    sample[Feature.MOVED_AWAY] = 0
    if control.kept:
        oldest = cells[(control.newest + 1) % control.kept]
        from_y = oldest // goal.stride
        from_x = oldest - from_y * goal.stride
        sample[Feature.MOVED_AWAY] = octile(x - from_x, y - from_y, goal.straight, goal.diagonal) / straight
    sample[Feature.DISTINCT_CELLS] = control.distinct
    sample[Feature.LEARNED] = control.raised / straight
    size, learned = _frontier(table, goal, nodes, scratch.extra, front, goal_node)
    to_each_side = 8 if goal.diagonal < 2 * goal.straight else 4
    sample[Feature.FRONTIER] = size / np.float64(to_each_side * control.presearch)
    sample[Feature.FRONTIER_LEARNED] = learned / np.float64(size)
    last = table[slot_of(goal.across, x, y)] + within(x, y) + PLANE
    sample[Feature.SAME_MOVE_HERE] = table[last] == move + 1
    sample[Feature.SAME_MOVE_AS_LAST] = control.last_move == move
    sample[Feature.H_RATIO] = h / np.float64(max(there_h, goal.straight))
    sample[Feature.LEARNED_AHEAD] = there_h > distance(goal, there_x, there_y)
    sample[Feature.DOWNHILL] = h > there_h


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
def depth_by_tree(tree, sample):
    """The depth that a tree says for a sample, and how many comparisons that took."""
    node = 0
    comparisons = 0
    while tree.features[node] >= 0:
        comparisons += 1
        node = node + 1 if sample[tree.features[node]] <= tree.thresholds[node] else np.int64(tree.rights[node])
    return np.int64(tree.depths[node]), comparisons
