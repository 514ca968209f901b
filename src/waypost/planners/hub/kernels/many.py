"""Many problems of one walker by hubs, one after the other (`kernels/many.py`)."""

from waypost.kernels.compiling import call, kernel
from waypost.kernels.many import Many, is_new, keep_log, log_size, take_up
from waypost.planners.hub.kernels.route import NEW, HubSlot
from waypost.planners.hub.kernels.walk import walk
from waypost.planners.walking.kernels.many import put_on_start


@kernel
def solve(lines, labels, scratch, pool, now, walk_at, many):
    """Walk from start to goal, without noting the work; returns DONE, or what is to be seen to."""
    many = Many(*many)
    while take_up(many):
        if is_new(many):
            put_on_start(many, pool, now)
            now[HubSlot.PHASE] = NEW
        made = call(walk, walk_at, 0, (lines, labels, scratch, now, many.log[: log_size(many)], 1))
        keep_log(many, made)
    return many.progress[0].status
