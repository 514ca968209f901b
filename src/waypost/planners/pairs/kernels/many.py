"""Many problems of one agent under dynamic control by pairs of regions, one after the other (`kernels/many.py`)."""

from waypost.kernels.compiling import call, kernel
from waypost.kernels.many import Many, goal_of, is_new, keep_log, log_size, start_of, take_up
from waypost.kernels.tiles import clear
from waypost.planners.learning.kernels.state import state_of
from waypost.planners.pairs.kernels.walk import begin, walk


@kernel
def solve(mask, database, controls, near_table, table, words, events, walk_at, many):
    """Walk from start to goal; returns DONE, or what is to be seen to."""
    many, state = Many(*many), state_of(words)
    mine = mask, database, controls, near_table, table, words, events
    while take_up(many):
        if is_new(many):
            for learned in (table, near_table):
                clear(learned, state.tile_count, state.planes)
            begin(controls, words, start_of(many), goal_of(many))
        made = call(walk, walk_at, 0, (*mine, many.log[: log_size(many)]))
        keep_log(many, made)
    return many.progress[0].status
