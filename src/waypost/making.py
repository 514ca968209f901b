"""Planners made for a map: what they need is compiled, and what they compute offline is computed."""

import os
from collections.abc import Iterable, Mapping
from contextlib import closing, suppress
from typing import Any, Literal, Unpack, overload

from waypost import catalog
from waypost.catalog import AUTO, Entry
from waypost.choosing import choose
from waypost.errors import IndexFileError, ParameterError, WaypostError
from waypost.indexes.building import Works, identity_of
from waypost.indexes.of_sizes import checked_sizes
from waypost.planner import Planner, check_grid, of_all_sizes
from waypost.planners.entry import AnyPlanner
from waypost.planners.names import BuiltInName, BuiltInParams, PlannerName
from waypost.preparing.telling import make_ready
from waypost.system.checks import truth
from waypost.system.files import check_name
from waypost.world.grid import Grid
from waypost.world.live_grid import LiveGrid

__all__ = ["build", "check_no_params"]


@overload
def build(
    name: BuiltInName,
    grid: Grid,
    *,
    sizes: Iterable[int] = (1,),
    threads: int | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    progress: bool = True,
    **params: Unpack[BuiltInParams],
) -> Planner: ...


@overload
def build(
    name: Literal["auto"],
    grid: Grid,
    *,
    sizes: Iterable[int] = (1,),
    threads: int | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    progress: bool = True,
) -> Planner: ...


@overload
def build(
    name: PlannerName | Entry,
    grid: Grid,
    *,
    sizes: Iterable[int] = (1,),
    threads: int | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    progress: bool = True,
    **params: Any,
) -> Planner: ...


def build(
    name: AnyPlanner,
    grid: Grid,
    *,
    sizes: Iterable[int] = (1,),
    threads: int | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    progress: bool = True,
    **params: Any,
) -> Planner:
    """Prepare a planner by its catalog name, such as "dba", "jps" or "lss"; `waypost list` shows them all.

    >>> import waypost as wp
    >>> grid = wp.load_map("caves")
    >>> wp.build("dba", grid).path((5, 60), (8, 60)).tolist()
    [[5, 60], [6, 60], [7, 60], [8, 60]]
    >>> wp.build("wastar", grid, gamma=0.8)  # with a value for one of its parameters
    Planner('wastar', 160x100, gamma=0.8)

    A planner with an index computes it now, on all cores (or `threads` of them). With `checkpoint`, a file, a build
    that was interrupted or killed goes on from there when it is called again; saving the planner deletes the file.
    `sizes` are those of the units that it plans for, in cells: (1, 2) for units of one cell and of 2 x 2 cells.
    "auto" takes a planner by the size of the map; `tune` finds a better one for limits of your own. A terminal shows a
    bar; progress=False builds without one. A planner of another package is given as its `Entry` or as
    PlannerName("mine"), which type checkers do not look up.
    """
    check_grid(grid)
    if isinstance(grid, LiveGrid):
        raise ParameterError(
            "a planner is built for a grid that never changes: take world.planner, or world.freeze().grid"
        )
    if isinstance(name, str) and name == AUTO:
        return _chosen(grid, params, sizes=sizes, threads=threads, checkpoint=checkpoint, progress=progress)
    entry = catalog.find(name)
    if checkpoint is not None:
        check_name(checkpoint, "checkpoint")
    progress = truth("progress", progress)
    params = catalog.check_params(entry, params)
    wanted = checked_sizes(sizes)
    make_ready(entry.name, show=progress)
    if wanted == (1,):
        return _built(entry, grid, params, threads, checkpoint, progress)
    grids = {size: grid.for_size(size) for size in wanted}  # all of them first: one may have no open cell
    journals = {size: checkpoint and f"{os.fspath(checkpoint)}.size{size}" for size in wanted}
    planners = {size: _built(entry, grids[size], params, threads, journals[size], progress) for size in wanted}
    return of_all_sizes(grid, planners)


def check_no_params(params: Mapping[str, Any]) -> None:
    """Refuse parameters for the planner that is chosen by the map."""
    if params:
        raise ParameterError(f"{AUTO} chooses parameters, too, and takes none; it is given {', '.join(params)}")


def _chosen(
    grid: Grid, params: Mapping[str, Any], checkpoint: str | os.PathLike[str] | None, **options: Any
) -> Planner:
    """The first planner of those chosen for a map that can be built for it.

    Only the last one keeps a journal: that of a planner that refuses the map would be in its way, and the others are
    for maps that are studied in seconds.
    """
    check_no_params(params)
    *better, last = choose(grid)
    for rule in better:
        with suppress(WaypostError):  # such as too many labels; what is wrong with an argument the last one says
            return build(PlannerName(rule.planner), grid, **options, **rule.params)
    return build(PlannerName(last.planner), grid, checkpoint=checkpoint, **options, **last.params)


def _built(
    entry: Entry,
    grid: Grid,
    params: Mapping[str, Any],
    threads: int | None,
    checkpoint: str | os.PathLike[str] | None,
    progress: bool,
) -> Planner:
    """A planner of one size."""
    if entry.index is None:
        return Planner(entry, grid, params)
    offline = entry.offline(params)
    identity = identity_of(entry.name, entry.revision, grid, offline)
    with closing(Works(threads, checkpoint, identity, progress)) as works:
        try:
            index = entry.index.build(grid, offline, works)
        except (ArithmeticError, LookupError, TypeError, ValueError) as error:
            if not works.goes_on or (isinstance(error, WaypostError) and not isinstance(error, IndexFileError)):
                raise
            raise IndexFileError(f"{checkpoint} holds no parts of this index; delete it and build again") from error
    return Planner(entry, grid, params, index, works=works)
