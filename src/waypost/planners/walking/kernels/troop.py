"""Troops: walkers of a fleet that share lists, moved by one call for all of them (how-it-fits, "Move all, then ask").

A fleet's walkers are in troops, by their numbers. What all of them need at every tick, a cell and the vector to a
target, lies in an array each; what a walker needs only when it asks for a target, in a row of `state`, so that kernels
for one walker serve here as they are.

A tick first lets everyone move who has a target. Those who come to their target are put into a *queue*: a ring of
walkers and the tick in which each came. Then the targets of those who came in an earlier tick are chosen, first come,
first served, and each makes its move. Who is left over waits, and goes first in the next tick.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from waypost.kernels.climb import FIRST_END, STUCK, step_towards, take, vector_to
from waypost.kernels.compiling import helper, inlined, kernel, record
from waypost.kernels.numbers import at
from waypost.planners.walking.kernels.ground import Ground
from waypost.planners.walking.kernels.walker import Slot, put

# A walker's status, and bits beside it: it is in the queue, in the list of those who may move, among those asked for.
NO_AGENT, MOVING, ARRIVED, UNREACHABLE, LOST = range(5)
ON_WALL = 6  # in a World; 5 and 7 are only told, as WAITING and HELD
STATUS, QUEUED, LISTED, NAMED = 7, 8, 16, 32


class Walkers(NamedTuple):
    """What is known of each walker of a fleet, or of a troop."""

    cells: npt.NDArray[np.int32]
    to_x: npt.NDArray[np.int32]
    to_y: npt.NDArray[np.int32]
    goals: npt.NDArray[np.int32]
    status: npt.NDArray[np.uint8]
    state: npt.NDArray[np.int32]
    """A row for each walker."""


class Lists(NamedTuple):
    """What the walkers of a troop share."""

    listed: npt.NDArray[np.int32]
    """Who may move."""
    queue: npt.NDArray[np.int32]
    since: npt.NDArray[np.int32]
    """Who waits, and since when."""
    ended: npt.NDArray[np.int32]
    """Whose walk has ended."""
    pool: npt.NDArray[np.int32]
    """What is learned."""
    numbers: npt.NDArray[np.void]
    """One record of `Numbers`."""


class Numbers(NamedTuple):
    """The numbers of a troop."""

    listed: int
    on_way: int
    """Of those listed."""
    loose: int
    """Listed out of order."""
    front: int
    """Where the queue begins."""
    queued: int
    due: int
    """Of those in the queue: who came before this tick."""
    stale: int
    """Of those in the queue: who has no way to go any more."""
    now: int
    """The tick; the rest happened in it."""
    moved: int
    chosen: int
    """Targets."""
    ended: int
    """Walks."""
    given_up: int
    """Of those ended."""
    longest: int
    """Ticks that one waited who got a target."""
    touched: int
    """A sum that nobody needs."""


NUMBERS = record([(name, np.int64) for name in Numbers._fields])
_IDLE_PART = 8  # one in so many may be listed for nothing before the list is made again
AT_ONCE = 16  # walkers for which memory is fetched
_LINE = 16  # slots of a cache line
ALL = 1 << 62  # work without a limit


@inlined
def ask(walkers, lists, walker):
    """Put a walker into the queue."""
    numbers = lists.numbers[0]
    place = numbers.front + numbers.queued
    if place >= lists.queue.size:
        place -= lists.queue.size
    lists.queue[at(place)] = walker
    lists.since[at(place)] = numbers.now
    walkers.status[at(walker)] = MOVING | QUEUED | LISTED
    numbers.queued += 1


@inlined
def take_first(walkers, lists):
    """Take the first walker from the queue, where one is due; -1 if it has no way to go any more."""
    numbers = lists.numbers[0]
    status = walkers.status
    front = numbers.front
    walker = np.int64(lists.queue[at(front)])
    waited = numbers.now - 1 - lists.since[at(front)]
    numbers.front = front + 1 if front + 1 < lists.queue.size else 0
    numbers.queued -= 1
    numbers.due -= 1
    status[at(walker)] &= STATUS | LISTED
    if status[at(walker)] & STATUS != MOVING:
        numbers.stale -= 1
        return np.int64(-1)
    numbers.longest = max(numbers.longest, waited)
    numbers.chosen += 1
    return walker


@inlined
def touch(walkers, lists):
    """Read something of all that the next walkers in the queue will need; returns how many these are.

    So the memory fetches it at the same time for all of them, not for one after the other.
    """
    numbers = lists.numbers[0]
    state = walkers.state
    count = min(numbers.due, AT_ONCE)
    place = numbers.front
    touched = np.int64(0)
    for _ in range(count):
        walker = at(lists.queue[at(place)])
        touched += walkers.cells[walker] + walkers.to_x[walker] + walkers.to_y[walker]
        touched += walkers.goals[walker] + walkers.status[walker]
        for slot in range(0, state.shape[1], _LINE):
            touched += state[walker, slot]
        place = place + 1 if place + 1 < lists.queue.size else 0
    numbers.touched = touched
    return count


@inlined
def end(walkers, lists, walker, how):
    """End the walk of a walker, which is not in the queue."""
    numbers = lists.numbers[0]
    walkers.status[at(walker)] = how | LISTED
    lists.ended[at(numbers.ended)] = walker
    numbers.ended += 1
    numbers.given_up += how == LOST
    numbers.on_way -= 1


@inlined
def goes_on(walkers, lists, walker):
    """Note the move that a walker made in its state; returns whether it has a way to go, and ends its walk if not."""
    now = walkers.state[walker]
    cell = now[Slot.CELL]
    walkers.cells[at(walker)] = cell
    lists.numbers[0].moved += 1
    if cell == walkers.goals[at(walker)]:
        end(walkers, lists, walker, ARRIVED)
        return False
    if now[Slot.TOO_FAR]:
        end(walkers, lists, walker, LOST)
        return False
    return True


@inlined
def climb_to_target(ground, walkers, lists, walker, target):
    """Let a walker that only climbs make its first step towards a new target; who cannot is lost."""
    own = at(walker)
    cell = np.int64(walkers.cells[own])
    dx, dy = vector_to(ground.stride, cell, target)
    step = step_towards(ground.climb_table, ground.mask[at(cell)], dx, dy)
    if step >= FIRST_END:
        end(walkers, lists, walker, LOST)
        return
    cell, dx, dy = take(step, ground.stride, cell, dx, dy)
    walkers.cells[own] = cell
    walkers.to_x[own] = dx
    walkers.to_y[own] = dy
    lists.numbers[0].moved += 1
    if cell == walkers.goals[own]:
        walkers.to_x[own] = walkers.to_y[own] = 0
        end(walkers, lists, walker, ARRIVED)
    elif dx == 0 and dy == 0:
        ask(walkers, lists, walker)


@kernel
def known_ids(status, used, wanted, ids):
    """Write wanted ids as they are used inside; returns the place of the first that no walker has or that stands there
    a second time, or -1.
    """
    good = 0
    for i in range(wanted.size):
        if not 0 <= wanted[i] < used or status[wanted[i]] & STATUS == NO_AGENT or status[wanted[i]] & NAMED:
            break
        status[wanted[i]] |= NAMED
        ids[i] = wanted[i]
        good += 1
    for i in range(good):
        status[ids[i]] &= STATUS | QUEUED | LISTED
    return good if good < wanted.size else -1


@kernel
def ways_of(component, places, goals, ways):
    """Write the status that follows for walkers on places with goals (-1: no walker); returns how many have a way."""
    count = 0
    for i in range(places.size):
        if goals[i] < 0:
            ways[i] = NO_AGENT
        elif component[places[i]] != component[goals[i]]:
            ways[i] = UNREACHABLE
        elif places[i] == goals[i]:
            ways[i] = ARRIVED
        else:
            ways[i] = MOVING
            count += 1
    return count


@kernel
def assign(walkers, lists, chosen, places, ends, ways):
    """Put walkers on places and give each a goal, with the status that follows; who then has a way to go asks."""
    walkers, lists = Walkers(*walkers), Lists(*lists)
    numbers = lists.numbers[0]
    status = walkers.status
    for i in range(chosen.size):
        walker = np.int64(chosen[i])
        put(lists.pool, walkers.state[walker], places[i], ends[i])
        walkers.cells[walker] = places[i]
        walkers.goals[walker] = ends[i]
        walkers.to_x[walker] = walkers.to_y[walker] = 0
        before = status[walker]
        gain = np.int64(ways[i] == MOVING) - np.int64(before & STATUS == MOVING)
        numbers.on_way += gain
        if before & QUEUED:
            numbers.stale -= gain
        status[walker] = ways[i] | before & (QUEUED | LISTED)
        if ways[i] == MOVING:
            if not before & LISTED:
                lists.listed[numbers.listed] = walker
                numbers.listed += 1
                numbers.loose += 1
            if before & QUEUED:
                status[walker] |= LISTED
            else:
                ask(walkers, lists, walker)


@kernel
def begin_tick(status, listed, all_numbers):
    """Count a tick, and have all listed in order who move, and not too many who do not; returns how many move."""
    numbers = all_numbers[0]
    numbers.now += 1
    numbers.due = numbers.queued
    numbers.moved = numbers.chosen = numbers.ended = numbers.given_up = numbers.longest = 0
    if numbers.loose or _IDLE_PART * (numbers.listed - numbers.on_way) > numbers.listed:
        numbers.listed = _list_again(status, listed)
        numbers.loose = 0
    return numbers.on_way


@helper
def _list_again(status, listed):
    """List those who are on their way in order, and nobody else; returns how many they are."""
    count = 0
    for walker in range(status.size):
        is_moving = status[walker] & STATUS == MOVING
        listed[at(count)] = walker
        count += is_moving
        status[walker] = status[walker] & (STATUS | QUEUED) | (LISTED if is_moving else 0)
    return count


@kernel
def climb_listed(ground, walkers, lists):
    """Let every listed walker climb one step towards its target; who comes to it asks, who comes to its goal ends.

    Those without a target have the vector 0, 0, and stay where they are. For walkers that only climb: by a sound index
    none is stuck, and so who is, is lost. That some are shows in how many have moved, without a look at each.
    """
    ground, walkers, lists = Ground(*ground), Walkers(*walkers), Lists(*lists)
    cells = walkers.cells
    to_x = walkers.to_x
    to_y = walkers.to_y
    goals = walkers.goals
    numbers = lists.numbers[0]
    have_targets = numbers.on_way - numbers.queued + numbers.stale
    moved = 0
    reached = 0
    for i in range(numbers.listed):
        walker = at(lists.listed[at(i)])
        legal = ground.mask[at(cells[walker])]
        step = step_towards(ground.climb_table, legal, np.int64(to_x[walker]), np.int64(to_y[walker]))
        there = np.int64(cells[walker]), np.int64(to_x[walker]), np.int64(to_y[walker])
        cell, dx, dy = take(step, ground.stride, *there)
        cells[walker] = cell
        to_x[walker] = dx
        to_y[walker] = dy
        moves = step < FIRST_END
        moved += moves
        lists.ended[at(reached)] = walker
        reached += moves & (((dx | dy) == 0) | (cell == goals[walker]))
    numbers.moved = moved
    numbers.ended = 0
    for i in range(reached):
        walker = np.int64(lists.ended[at(i)])
        if cells[at(walker)] == goals[at(walker)]:
            to_x[at(walker)] = to_y[at(walker)] = 0
            end(walkers, lists, walker, ARRIVED)
        else:
            ask(walkers, lists, walker)
    if moved < have_targets:
        _give_up_stuck(ground, walkers, lists)


@helper
def _give_up_stuck(ground, walkers, lists):
    """End the walks of those who cannot climb on to their target; a step of nowhere has left them where they were."""
    for i in range(lists.numbers[0].listed):
        walker = np.int64(lists.listed[at(i)])
        own = at(walker)
        dx = np.int64(walkers.to_x[own])
        dy = np.int64(walkers.to_y[own])
        if step_towards(ground.climb_table, ground.mask[at(walkers.cells[own])], dx, dy) == STUCK:
            walkers.to_x[own] = walkers.to_y[own] = 0
            end(walkers, lists, walker, LOST)
