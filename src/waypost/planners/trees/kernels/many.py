"""Many problems of one walker by subgoal trees, one after the other (`kernels/many.py`)."""

from waypost.kernels.compiling import call, kernel
from waypost.kernels.many import Many, is_new, keep_log, log_size, take_up
from waypost.kernels.numbers import at
from waypost.planners.trees.kernels.walk import TreeSlot, walk
from waypost.planners.walking.kernels.many import put_on_start


@kernel
def solve(ground, forest, settings, firsts, ends, pool, now, walk_at, many):
    """Walk from start to goal, each by the tree whose first node and end are given; DONE, or what is to be seen to."""
    many = Many(*many)
    while take_up(many):
        problem = at(many.progress[0].problem)
        if is_new(many):
            put_on_start(many, pool, now)
            now[TreeSlot.FIRST_NODE] = firsts[problem]
            now[TreeSlot.END_NODE] = ends[problem]
            for word in range(TreeSlot.VISITS, TreeSlot.VISITS + (ends[problem] - firsts[problem] + 31 >> 5)):
                now[at(word)] = 0
        made = call(walk, walk_at, 0, (ground, forest, settings, pool, now, many.log[: log_size(many)]))
        keep_log(many, made)
    return many.progress[0].status
