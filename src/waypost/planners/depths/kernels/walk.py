"""LRTA* whose depth of lookahead is chosen before each move: by a decision tree, or by an oracle (2008; algorithms 4).

One lookahead does it all, since what it knows after ply d is all that a lookahead of depth d knows. A tree is asked
after the pre-search, which is the first ply or two, and then the lookahead goes on. The oracle has to look as far as
there is to look, and then finds the least depth from which on the move stays the same.
"""

from waypost.kernels.compiling import helper, kernel
from waypost.kernels.events import TARGETED
from waypost.kernels.move_log import log_move, room_in
from waypost.kernels.moves import DX, DY, offset
from waypost.kernels.tiles import count
from waypost.planners.depths.kernels.control import (
    LOOKED,
    MOVE,
    ORACLE,
    RECORDED,
    TARGET,
    TARGET_G,
    TREE,
    VALUE,
    Tree,
    control_of,
    memory_of,
)
from waypost.planners.depths.kernels.features import (
    FEATURES,
    depth_by_tree,
    find_features,
    forget_moves,
    remember_at,
    remember_move,
)
from waypost.planners.learning.kernels.nodes import CELL as NODE_CELL
from waypost.planners.learning.kernels.nodes import F, G
from waypost.planners.learning.kernels.plies import (
    begin_plies,
    best_ahead,
    first_move_to,
    keep_peaks,
    look_ply,
    with_goal,
)
from waypost.planners.learning.kernels.sizes import scratch_of
from waypost.planners.learning.kernels.state import (
    goal_of,
    heuristic,
    note,
    raise_to,
    state_of,
)
from waypost.planners.learning.kernels.walk import begin_lookahead


@kernel
def begin(control_words, words, cell, goal):
    """Begin a trip, with no history."""
    state = state_of(words)
    state.cell = cell
    state.goal = goal
    state.too_far = 0
    forget_moves(control_of(control_words))


@kernel
def walk(mask, nodes, control_words, samples, table, words, events, log):
    """Make as many moves as the log has room for, at most; returns how many. Stops short at the limit of costs.

    The features of each move and its depth are left in a row of the samples, or all in the last one if there are fewer
    rows. `nodes` are those of the tree.
    """
    tree, control, state = Tree(*nodes), control_of(control_words), state_of(words)
    room = room_in(log)
    goal = goal_of(state)
    scratch = scratch_of(words, state)
    memory = memory_of(control_words, control)
    plies = memory.plies
    cell = state.cell
    y = cell // goal.stride
    x = cell - y * goal.stride
    made = 0
    while made < room and cell != goal.cell:
        tiles = count(table)
        sample = samples[min(made, samples.shape[0] - 1)]
        before = heuristic(table, goal, x, y)
        begin_lookahead(table, state, goal, scratch, cell, x, y)
        depth, probes, looked = _look_ahead(mask, tree, control, memory, sample, table, state, events, goal, scratch)
        if control.rule != TREE:
            label = _label(plies, control.deepest)
            sample[FEATURES] = label
            if control.rule == ORACLE:
                depth = label
                probes = looked - plies[depth, LOOKED]
                looked = plies[depth, LOOKED]
                state.events = plies[depth, RECORDED]
        move = plies[depth, MOVE]
        note(events, state, TARGETED, plies[depth, TARGET], cell, plies[depth, TARGET_G], plies[depth, VALUE])
        raise_to(table, state, events, goal, cell, x, y, plies[depth, VALUE])
        if state.too_far:
            break
        if control.presearch:  # otherwise nobody asks for features
            remember_at(table, state, goal, x, y, move)
            remember_move(control, memory, cell, heuristic(table, goal, x, y) - before, move)
        x += DX[move]
        y += DY[move]
        cell += offset(move, goal.stride)
        made = log_move(log, made, cell, looked, 0, 0, probes, count(table) - tiles)
    state.cell = cell
    return made


@helper
def _look_ahead(mask, tree, control, memory, sample, table, state, events, goal, scratch):
    """Look ahead as far as need be, noting what each ply says; returns the depth chosen, comparisons and expansions."""
    number = state.lookahead_number
    plies = memory.plies
    asks_tree = control.rule == TREE
    presearch = control.presearch
    depth = control.deepest
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
            find_features(table, goal, control, memory.cells, scratch, front, goal_node, plies[ply, MOVE], sample)
            if asks_tree:
                depth, comparisons = depth_by_tree(tree, sample)
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
    plies[ply, RECORDED] = state.events


@helper
def _label(plies, deepest):
    """The least depth from which on, up to the deepest, the move is the same."""
    depth = deepest
    while depth > 1 and plies[depth - 1, MOVE] == plies[deepest, MOVE]:
        depth -= 1
    return depth
