"""Many problems of one agent by TBA*, one after the other (`kernels/many.py`)."""

from waypost.kernels import best_first
from waypost.kernels.best_first import SearchArrays
from waypost.kernels.compiling import call, kernel
from waypost.kernels.many import Many, goal_of, is_new, keep_log, log_size, start_of, take_up
from waypost.kernels.outcomes import RUNNING
from waypost.planners.time_sliced.kernels.walk import begin, walk


@kernel
def solve(mask, search, stamps, state, begin_at, walk_at, many):
    """Walk from start to goal; returns DONE, or what is to be seen to."""
    arrays, many = SearchArrays(*search), Many(*many)
    scratch = arrays.node, arrays.ring, arrays.pool, arrays.control
    while take_up(many):
        if is_new(many):
            call(best_first.begin, begin_at, None, (*scratch, start_of(many), goal_of(many)))
            begin(state, start_of(many))
        status, made = call(walk, walk_at, (0, 0), (mask, search, stamps, state, many.log[: log_size(many)], 0))
        if made:
            keep_log(many, made)
        if status != RUNNING:
            return status
    return many.progress[0].status
