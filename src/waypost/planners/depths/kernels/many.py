"""Many problems of one agent that chooses its depth, one after the other (`kernels/many.py`)."""

from waypost.kernels.compiling import call, kernel
from waypost.kernels.many import Many, goal_of, is_new, keep_log, log_size, start_of, take_up
from waypost.kernels.tiles import clear
from waypost.planners.depths.kernels.walk import begin, walk
from waypost.planners.learning.kernels.state import state_of


@kernel
def solve(mask, nodes, control_words, samples, table, words, events, begin_at, walk_at, many):
    """Walk from start to goal; returns DONE, or what is to be seen to."""
    many, state = Many(*many), state_of(words)
    mine = mask, nodes, control_words, samples, table, words, events
    while take_up(many):
        if is_new(many):
            clear(table, state.tile_count, state.planes)
            call(begin, begin_at, None, (control_words, words, start_of(many), goal_of(many)))
        made = call(walk, walk_at, 0, (*mine, many.log[: log_size(many)]))
        keep_log(many, made)
    return many.progress[0].status
