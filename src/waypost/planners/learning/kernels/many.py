"""Many problems of one agent that learns, one after the other, each from nothing (`kernels/many.py`)."""

from waypost.kernels.compiling import call, kernel
from waypost.kernels.many import Many, goal_of, is_new, keep_log, log_size, start_of, take_up
from waypost.kernels.tiles import clear
from waypost.planners.learning.kernels.state import state_of
from waypost.planners.learning.kernels.walk import begin, walk


@kernel
def solve(mask, table, words, events, begin_at, walk_at, many):
    """Walk from start to goal; returns DONE, or what is to be seen to."""
    many, state = Many(*many), state_of(words)
    while take_up(many):
        if is_new(many):
            clear(table, state.tile_count, state.planes)
            state.stop = goal_of(many)
            call(begin, begin_at, None, (words, start_of(many), goal_of(many)))
        made = call(walk, walk_at, 0, (mask, table, words, events, many.log[: log_size(many)]))
        keep_log(many, made)
    return many.progress[0].status
