"""Many problems of one agent by PRA* over sectors, one after the other (`kernels/many.py`)."""

from waypost.kernels.compiling import call, kernel
from waypost.kernels.many import DONE, Many, goal_of, is_new, keep_cells, start_of, take_up
from waypost.planners.pra_sector.kernels.plan import plan, start


@kernel
def solve(ground, regions, settings, search, scratch, kept, kept_moves, state, cells, log, plan_at, many):
    """Plan from start to goal; returns DONE, or what is to be seen to."""
    many, now = Many(*many), state[0]
    fixed, mine = (ground, regions, settings, search, scratch), (kept, kept_moves, state, cells, log)
    while take_up(many):
        if is_new(many):
            start(state, start_of(many), goal_of(many))
            now.made = now.rows = 0
        status = call(plan, plan_at, 0, (*fixed, *mine, many.progress[0].left))
        if status != DONE:
            return status
        keep_cells(many, cells, 1, now.made)
    return many.progress[0].status
