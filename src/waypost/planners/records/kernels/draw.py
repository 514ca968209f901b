"""Records of kNN LRTA*: optimal paths between random cells, pressed into legs (algorithms 9.2, 9.3).

Which cells record i joins follows from the seed and i alone, so records can be made in any order, on any number of
threads. Pairs are random, or *spread*: the pair of record i is term i of a sequence of low discrepancy, so that starts,
ends and pairs of them cover the map more evenly than chance does; better coverage is what both papers ask for. The path
of a pair is found by jump points where no corner may be cut, and by A* elsewhere.

A leg is the vector from one subgoal to the next, and a climb makes it. It spans at most 2,047 cells in x and y, so that
three bytes hold it: dx + 2048 and, above that, dy + 2048, 12 bits each, lowest byte first.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from waypost.kernels import best_first, jump_graph
from waypost.kernels.climb import ONE_WAY, climb, fits
from waypost.kernels.compiling import helper, kernel
from waypost.kernels.copies import copy, with_rows
from waypost.kernels.events import EVENT_COLUMNS
from waypost.kernels.numbers import NO_LIMIT
from waypost.kernels.outcomes import FOUND, POOL_FULL
from waypost.planners.walking.kernels.ground import Ground
from waypost.planners.walking.kernels.legs import write_leg, write_legs

SPAN = 2047  # of a leg, in x and y
LEG_BYTES = 3
_BITS = 12
_ZERO = 1 << _BITS - 1
_LEAST_STATES = 3  # of a path
MOST_DRAWS = 1 << 20  # of pairs for one record, and
MOST_PATHS = 1000  # of paths: a map may have none that will do
ALL_LEGS, FIRST_LEG, FIRST_LEG_IF_ANY = range(3)  # what is kept of a path: 2010, 2009
# Steps of the sequence R2 (Roberts 2018) in units of 2 ** -64: 1 / p and 1 / p ** 2, where p ** 3 = p + 1.
_START_STEP, _END_STEP = np.uint64(0xC13FA9A902A6328F), np.uint64(0x91E10DA5C79E7B1C)


class JumpGraph(NamedTuple):
    """The map as jump point search sees it, and its jumps (see `jump_graph.py`); all empty where A* has to search."""

    cells: npt.NDArray[np.uint16]
    rows: npt.NDArray[np.uint64]
    columns: npt.NDArray[np.uint64]
    points: npt.NDArray[np.int32]
    firsts: npt.NDArray[np.int64]
    jumps: npt.NDArray[np.int32]
    reach: npt.NDArray[np.int32]


class Rules(NamedTuple):
    """How records are drawn, and what is kept of them."""

    by_jumps: int
    """Whether paths are found by jump points."""
    seed: int
    form: int
    is_spread: int


class Scratch(NamedTuple):
    """What a thread works with, again and again; `node` is zeros at first."""

    control: npt.NDArray[np.void]
    """Of A*."""
    jump_control: npt.NDArray[np.void]
    """Of jump point search."""
    node: npt.NDArray[np.int64]
    parent: npt.NDArray[np.int32]


@helper
def _mixed(number):
    """A well-mixed function of 64 bits: the output of splitmix64 (Steele, Lea, Flood 2014)."""
    number += np.uint64(0x9E3779B97F4A7C15)
    number = (number ^ number >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
    number = (number ^ number >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    return number ^ number >> np.uint64(31)


@helper
def _drawn(key, turn, size):
    """One of `size` numbers from 0, by the key of a record and a running number."""
    return np.int64(_mixed(key + np.uint64(turn)) % np.uint64(size))


@helper
def _spread(shift, step, record, size):
    """One of `size` numbers from 0, less than 2 ** 31 of them: the place of term `record` of an even sequence."""
    fraction = shift + step * np.uint64(record) >> np.uint64(32)
    return np.int64(fraction * np.uint64(size) >> np.uint64(32))


@kernel(allocates=True)
def draw(ground, component, among, graph, rules, scratch, first, last):
    """Records `first` up to `last`, not included: starts, ends, leg counts, and all legs in order.

    Pairs are drawn from the cells `among`, all alike, until a path of at least three states joins them. If they are to
    be spread, the first one of each record is, and cells that stand near each other in `among` should lie near.
    All legs of the path are kept, or the first alone: up to the state before the first one, from the third on, that no
    climb from the start makes; a pair without one is drawn again, or kept without a leg. Fewer records come back if no
    pair would do for the next one.
    """
    ground, graph, rules, scratch = Ground(*ground), JumpGraph(*graph), Rules(*rules), Scratch(*scratch)
    points = graph.points
    starts = np.empty(last - first, np.int32)
    ends = np.empty(last - first, np.int32)
    counts = np.empty(last - first, np.int32)
    legs = np.empty((8 * (last - first) + 8, 2), np.int16)
    ring = np.full(jump_graph.FIRST_ROOM, -1)
    pool = np.empty((jump_graph.FIRST_ROOM, 2), np.int64)
    room = ring, pool, np.empty((jump_graph.FIRST_ROOM, 4), np.int64)
    no_events = np.empty((0, EVENT_COLUMNS), np.int64)
    spots = np.empty(points.size + 2, np.int32)
    copy(points, spots)
    made = 0
    start_shift = _mixed(np.uint64(rules.seed))
    end_shift = _mixed(start_shift)
    for record in range(first, last):
        key = _mixed(start_shift + np.uint64(record))
        turn = 0
        solved = 0
        before = made
        is_drawn = False
        while not is_drawn:
            if turn == 2 * MOST_DRAWS or solved == MOST_PATHS:
                kept = record - first
                return starts[:kept].copy(), ends[:kept].copy(), counts[:kept].copy(), legs[:made].copy()
            if rules.is_spread and turn == 0:
                start = np.int64(among[_spread(start_shift, _START_STEP, record, among.size)])
                goal = np.int64(among[_spread(end_shift, _END_STEP, record, among.size)])
            else:
                start = np.int64(among[_drawn(key, turn, among.size)])
                goal = np.int64(among[_drawn(key, turn + 1, among.size)])
            turn += 2
            if component[start] != component[goal] or start == goal:
                continue
            solved += 1
            if rules.by_jumps:
                goal_at, room = jump_graph.search(
                    graph.cells, graph.rows, graph.columns, points, graph.firsts, graph.jumps, graph.reach,
                    scratch.jump_control, spots, scratch.node, scratch.parent, room, start, goal,
                )  # fmt: skip
                if goal_at < 0:
                    continue
                path = jump_graph.path_to(scratch.jump_control, spots, scratch.parent, start, goal_at)
            else:
                found, room = _best_first(ground.mask, scratch.control, scratch.node, no_events, room, start, goal)
                if not found:
                    continue
                path = best_first.path_to(scratch.node, scratch.control, goal)
            if path.size < _LEAST_STATES:
                continue
            end = path.size - 1
            legs = with_rows(legs, made + end)
            if rules.form == ALL_LEGS:
                made = write_legs(
                    ground.mask, ground.climb_table, ground.stride, ground.straight, ground.diagonal,
                    path, end, ONE_WAY, SPAN, legs, made,
                )  # fmt: skip
            else:
                subgoal = _before_first_failure(ground, path)
                if subgoal < end:
                    made = write_leg(legs, made, ground.stride, start, path[subgoal])
            is_drawn = made > before or rules.form == FIRST_LEG_IF_ANY
        starts[record - first] = start
        ends[record - first] = goal
        counts[record - first] = made - before
    return starts, ends, counts, legs[:made].copy()


@helper(allocates=True)
def _best_first(mask, control, node, no_events, room, start, goal):
    """Whether A* finds the goal within the limit of costs; and the room, larger if it had to be."""
    ring, pool, found = room  # the ring is wide enough: a move raises f by at most twice the cost of a diagonal one
    best_first.begin(node, ring, pool, control, start, goal)
    while True:
        status = best_first.advance(mask, node, ring, pool, control, no_events, np.int64(NO_LIMIT))
        if status != POOL_FULL:
            return status == FOUND, (ring, pool, found)
        pool = with_rows(pool, pool.shape[0] + 1)


@helper
def _before_first_failure(ground, path):
    """The place before the first, from the third on, that no climb from the start makes (2009, figure 4)."""
    place = 2
    while place < path.size and fits(ground.stride, path[0], path[place], SPAN):
        arrives, _ = climb(ground.mask, ground.climb_table, ground.stride, path[0], path[place], NO_LIMIT)
        if not arrives:
            break
        place += 1
    return place - 1


def packed(legs):
    """Legs in three bytes each."""
    words = (legs[:, 0].astype(np.uint32) + _ZERO) | (legs[:, 1].astype(np.uint32) + _ZERO) << _BITS
    return words.astype("<u4").view(np.uint8).reshape(-1, 4)[:, :LEG_BYTES].copy()


@kernel(allocates=True)
def unpack(component, stride, starts, first_legs, bytes_of_legs):
    """The legs of all records, where each record's last one ends, and the first bad record, -1 if all are good.

    A record is bad unless it has a leg, and its start and the ends of its legs are open cells of one component.
    `first_legs` rise from 0 to the number of legs.
    """
    legs = np.empty((bytes_of_legs.shape[0], 2), np.int16)
    ends = np.empty(starts.size, np.int32)
    height = component.size // stride
    for record in range(starts.size):
        cell = np.int64(starts[record])
        if cell >= component.size or component[cell] == 0 or first_legs[record] == first_legs[record + 1]:
            return legs, ends, record
        label = component[cell]
        y = cell // stride
        x = cell - y * stride
        for leg in range(first_legs[record], first_legs[record + 1]):
            word = np.int64(bytes_of_legs[leg, 0]) | np.int64(bytes_of_legs[leg, 1]) << 8
            word |= np.int64(bytes_of_legs[leg, 2]) << 16
            dx = (word & 2 * _ZERO - 1) - _ZERO
            dy = (word >> _BITS) - _ZERO
            legs[leg, 0] = dx
            legs[leg, 1] = dy
            x += dx
            y += dy
            if not (0 <= x < stride and 0 <= y < height) or component[y * stride + x] != label:
                return legs, ends, record
        ends[record] = y * stride + x
    return legs, ends, -1
