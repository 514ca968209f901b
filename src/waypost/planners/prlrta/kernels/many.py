"""Many problems of one agent by PR LRTA*, one after the other, each from nothing (`kernels/many.py`)."""

from waypost.kernels.compiling import call, kernel
from waypost.kernels.many import Many, goal_of, is_new, keep_cells, start_of, take_up
from waypost.kernels.outcomes import FOUND
from waypost.planners.prlrta.kernels.walk import NONE, Ground, Plans, begin, walk


@kernel
def solve(ground, graph, tables, scratch, heap, pushed, plans, events, control, looking, state, walk_at, many):
    """Walk from start to goal; returns DONE, or what is to be seen to."""
    many, now, region_of, cells = Many(*many), state[0], Ground(*ground).region_of, Plans(*plans).cells
    world, records = (ground, graph, tables, scratch, heap, pushed, plans, events), (control, looking, state)
    while take_up(many):
        if is_new(many):
            now.goal_region = NONE
            begin(region_of, state, start_of(many), goal_of(many))
        status = call(walk, walk_at, 0, (*world, *records, many.progress[0].left))
        if status != FOUND:
            return status
        keep_cells(many, cells, 1, now.planned)
        now.planned = now.plans = 0
    return many.progress[0].status
