"""Many problems of one walker by gates, one after the other (`kernels/many.py`)."""

from waypost.kernels.compiling import call, kernel
from waypost.kernels.many import Many, is_new, keep_log, log_size, take_up
from waypost.planners.gates.kernels.walk import walk
from waypost.planners.walking.kernels.many import begin_by_points


@kernel
def solve(ground, sectors, tree, known, settings, scratch, pool, now, walk_at, many):
    """Walk from start to goal; returns DONE, or what is to be seen to."""
    many = Many(*many)
    while take_up(many):
        if is_new(many):
            begin_by_points(many, pool, now)
        log = many.log[: log_size(many)]
        made = call(walk, walk_at, 0, (ground, sectors, tree, known, settings, scratch, now, log))
        keep_log(many, made)
    return many.progress[0].status
