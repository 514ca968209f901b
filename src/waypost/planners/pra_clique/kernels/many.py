"""Many problems of one agent by PRA* on cliques, one after the other, each planned at once (`kernels/many.py`)."""

from waypost.kernels.compiling import call, kernel
from waypost.kernels.many import Many, goal_of, is_new, keep_cells, start_of, take_up
from waypost.kernels.outcomes import FOUND
from waypost.planners.pra_clique.kernels.plan import Scratch, begin, plan


@kernel
def solve(hierarchy, scratch, heap, pushed, events, control, state, plan_at, many):
    """Plan from start to goal; returns DONE, or what is to be seen to."""
    many, now, way = Many(*many), state[0], Scratch(*scratch).way
    while take_up(many):
        if is_new(many):
            begin(state, start_of(many), goal_of(many), 0)
        if not many.progress[0].waits:
            status = call(plan, plan_at, 0, (hierarchy, scratch, heap, pushed, events, control, state))
            if status != FOUND:
                return status
        keep_cells(many, way, 1, now.length - 1)
    return many.progress[0].status
