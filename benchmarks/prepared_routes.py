"""Walkers on routes that were prepared: nothing but climbs, which is as fast as walkers can be."""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

import waypost as wp
from tests.support import compiled
from waypost.kernels.climb import FIRST_END, step_towards, take
from waypost.kernels.compiling import kernel
from waypost.kernels.numbers import at
from waypost.world.search import Search

Int32 = npt.NDArray[np.int32]


class Routes(NamedTuple):
    """Where each route starts, where its legs begin among all legs (one more than routes), and the legs."""

    starts: Int32
    firsts: Int32
    legs: npt.NDArray[np.int16]


class Walkers(NamedTuple):
    """Where walkers stand and the vectors to their targets; the next leg of each, and where its legs end."""

    cells: Int32
    to_x: Int32
    to_y: Int32
    next_leg: Int32
    end_leg: Int32


def prepared_routes(grid: wp.Grid, count: int, seed: int) -> Routes:
    """Routes of optimal paths."""
    search = Search(grid)
    starts, firsts, legs = [], [0], []
    for problem in wp.sample_problems(grid, count, seed):
        search.solve(problem.start, problem.goal)
        path = search.path(problem.goal).astype(np.int32)
        subgoals, _ = compiled.compress(grid.mask, grid.climb_table, grid.stride, path, False)
        legs.append(np.diff(grid.xys(subgoals), axis=0))
        starts.append(problem.start)
        firsts.append(firsts[-1] + len(legs[-1]))
    packed = np.concatenate(legs).astype(np.int16)
    packed.setflags(write=False)
    return Routes(np.array(starts, np.int32), np.array(firsts, np.int32), packed)


@kernel
def climb_all(mask: Any, climb_table: Any, stride: Any, walkers: Any, asking: Any) -> Any:
    """Let every walker climb one step; returns how many could not, having arrived or being stuck, and lists them."""
    count = 0
    for walker in range(walkers.cells.size):
        there = np.int64(walkers.cells[walker]), np.int64(walkers.to_x[walker]), np.int64(walkers.to_y[walker])
        step = step_towards(climb_table, mask[at(there[0])], there[1], there[2])
        walkers.cells[walker], walkers.to_x[walker], walkers.to_y[walker] = take(step, stride, *there)
        asking[count] = walker
        count += step >= FIRST_END
    return count


@kernel
def follow(mask: Any, climb_table: Any, stride: Any, legs: Any, walkers: Any, asking: Any, count: Any) -> Any:
    """Give walkers that ask the next leg of their route and let them climb; returns how many have none."""
    done = 0
    for place in range(count):
        walker = asking[place]
        leg = np.int64(walkers.next_leg[walker])
        if leg == walkers.end_leg[walker]:
            asking[done] = walker
            done += 1
            continue
        walkers.next_leg[walker] = leg + 1
        cell = np.int64(walkers.cells[walker])
        dx = np.int64(legs[leg, 0])
        dy = np.int64(legs[leg, 1])
        step = step_towards(climb_table, mask[at(cell)], dx, dy)
        walkers.cells[walker], walkers.to_x[walker], walkers.to_y[walker] = take(step, stride, cell, dx, dy)
    return done
