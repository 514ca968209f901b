"""Many problems of one walker, one after the other (`kernels/many.py`)."""

from waypost.kernels.compiling import inlined
from waypost.kernels.many import goal_of, start_of
from waypost.planners.walking.kernels.points import NEW, RouteSlot
from waypost.planners.walking.kernels.walker import put


@inlined
def put_on_start(many, pool, now):
    """Put a walker on the start of the problem at hand."""
    put(pool, now, start_of(many), goal_of(many))


@inlined
def begin_by_points(many, pool, now):
    """The same for a walker by points, which knows nothing yet of its way."""
    put_on_start(many, pool, now)
    now[RouteSlot.PHASE] = NEW
