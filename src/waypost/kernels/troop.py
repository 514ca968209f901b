"""Troops: walkers of a fleet that share lists, moved by one call for all of them (design 4).

A fleet's walkers are in troops, by their numbers. What all of them need at every tick, a cell and the vector to a
target, lies in an array each; what a walker needs only when it asks for a target, in a row of its own. These rows are
the columns of `state`, which has Fortran's order, so that kernels for one walker serve here as they are.

A tick first lets everyone move who has a target. Those who come to their target are put into a *queue*: a ring of
walkers and the tick in which each came. Then the targets of those who came in an earlier tick are chosen, first come,
first served, and each makes its move. Who is left over waits, and goes first in the next tick.
"""

import numpy as np

from waypost.kernels.climb import FIRST_END, step_towards, take
from waypost.kernels.compiling import inlined, kernel
from waypost.kernels.walk import CELL, GOAL, TARGET, TOO_FAR, forget

_at = np.uintp  # an unsigned index spares the test for a negative one

# A walker's status, and two bits beside it: it is in the queue, or in the list of those who may move.
NO_AGENT, MOVING, ARRIVED, UNREACHABLE, LOST = range(5)
STATUS, QUEUED, LISTED = 7, 8, 16

# Numbers of a troop: walkers listed, those of them that are on their way, and those listed out of order; where the
# queue begins, how many are in it, those of them that came before this tick, and those that have no way to go any more;
# the tick; and what happened in it: moves, targets chosen, walks ended, those of them that were
# given up, the longest that one waited who got a target; and a sum that nobody needs.
LIST, ON_WAY, LOOSE, FRONT, QUEUE, DUE, STALE, NOW, MOVED, CHOSEN, ENDED, GONE, LONGEST, _TOUCHED = range(14)
NUMBERS = 14
_AT_ONCE = 16  # walkers for which memory is fetched
_LINE = 16  # slots of a cache line
ALL = 1 << 62  # work without a limit


@inlined
def ask(queue, since, status, numbers, walker):
    """Put a walker into the queue."""
    place = numbers[FRONT] + numbers[QUEUE]
    if place >= queue.size:
        place -= queue.size
    queue[_at(place)] = walker
    since[_at(place)] = numbers[NOW]
    status[_at(walker)] = MOVING | QUEUED | LISTED
    numbers[QUEUE] += 1


@inlined
def take_first(queue, since, status, numbers):
    """Take the first walker from the queue, where one is due; -1 if it has no way to go any more."""
    front = numbers[FRONT]
    walker = np.int64(queue[_at(front)])
    waited = numbers[NOW] - 1 - since[_at(front)]
    numbers[FRONT] = front + 1 if front + 1 < queue.size else 0
    numbers[QUEUE] -= 1
    numbers[DUE] -= 1
    status[_at(walker)] &= STATUS | LISTED
    if status[_at(walker)] & STATUS != MOVING:
        numbers[STALE] -= 1
        return np.int64(-1)
    numbers[LONGEST] = max(numbers[LONGEST], waited)
    numbers[CHOSEN] += 1
    return walker


@inlined
def touch(queue, cells, to_x, to_y, goals, status, state, numbers):
    """Read something of all that the next walkers in the queue will need; returns how many these are.

    So the memory fetches it at the same time for all of them, not for one after the other.
    """
    count = min(numbers[DUE], _AT_ONCE)
    place = numbers[FRONT]
    touched = np.int64(0)
    for _ in range(count):
        walker = _at(queue[_at(place)])
        touched += cells[walker] + to_x[walker] + to_y[walker] + goals[walker] + status[walker]
        for slot in range(0, state.shape[0], _LINE):
            touched += state[slot, walker]
        place = place + 1 if place + 1 < queue.size else 0
    numbers[_TOUCHED] = touched
    return count


@inlined
def end(status, ended, numbers, walker, how):
    """End the walk of a walker, which is not in the queue."""
    status[_at(walker)] = how | LISTED
    ended[_at(numbers[ENDED])] = walker
    numbers[ENDED] += 1
    numbers[GONE] += how == LOST
    numbers[ON_WAY] -= 1


@inlined
def goes_on(cells, goals, status, state, ended, numbers, walker):
    """Note the move that a walker made in its state; returns whether it has a way to go, and ends its walk if not."""
    cell = state[CELL, walker]
    cells[_at(walker)] = cell
    numbers[MOVED] += 1
    if cell == goals[_at(walker)]:
        end(status, ended, numbers, walker, ARRIVED)
        return False
    if state[TOO_FAR, walker]:
        end(status, ended, numbers, walker, LOST)
        return False
    return True


@kernel
def known_ids(status, used, wanted, ids):
    """Write wanted ids as they are used inside; returns the first place of one that no walker has, or -1."""
    for i in range(wanted.size):
        if not 0 <= wanted[i] < used or status[wanted[i]] & STATUS == NO_AGENT:
            return i
        ids[i] = wanted[i]
    return -1


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
def assign(pool, cells, to_x, to_y, goals, status, state, listed, queue, since, numbers, walkers, places, ends, ways):
    """Put walkers on places and give each a goal, with the status that follows; who then has a way to go asks."""
    for i in range(walkers.size):
        walker = np.int64(walkers[i])
        forget(pool, state, walker)
        cells[walker] = state[CELL, walker] = places[i]
        goals[walker] = state[GOAL, walker] = ends[i]
        to_x[walker] = to_y[walker] = 0
        state[TARGET, walker] = -1
        state[TOO_FAR, walker] = 0
        before = status[walker]
        gain = np.int64(ways[i] == MOVING) - np.int64(before & STATUS == MOVING)
        numbers[ON_WAY] += gain
        if before & QUEUED:
            numbers[STALE] -= gain
        status[walker] = ways[i] | before & (QUEUED | LISTED)
        if ways[i] == MOVING:
            if not before & LISTED:
                listed[numbers[LIST]] = walker
                numbers[LIST] += 1
                numbers[LOOSE] += 1
            if before & QUEUED:
                status[walker] |= LISTED
            else:
                ask(queue, since, status, numbers, walker)


@kernel
def list_anew(status, listed, numbers):
    """List those who are on their way in order, and nobody else."""
    count = 0
    for walker in range(status.size):
        is_moving = status[walker] & STATUS == MOVING
        listed[_at(count)] = walker
        count += is_moving
        status[walker] = status[walker] & (STATUS | QUEUED) | (LISTED if is_moving else 0)
    numbers[LIST] = count
    numbers[LOOSE] = 0


@kernel
def climb_listed(mask, climb_table, stride, cells, to_x, to_y, goals, status, listed, queue, since, ended, numbers):
    """Let every listed walker climb one step towards its target; who comes to it asks, who comes to its goal ends.

    Those without a target have the vector 0, 0, and stay where they are. For walkers that never are stuck.
    """
    moved = 0
    reached = 0
    for i in range(numbers[LIST]):
        walker = _at(listed[_at(i)])
        step = step_towards(climb_table, mask[_at(cells[walker])], np.int64(to_x[walker]), np.int64(to_y[walker]))
        cell, dx, dy = take(step, stride, np.int64(cells[walker]), np.int64(to_x[walker]), np.int64(to_y[walker]))
        cells[walker] = cell
        to_x[walker] = dx
        to_y[walker] = dy
        moves = step < FIRST_END
        moved += moves
        ended[_at(reached)] = walker
        reached += moves & (((dx | dy) == 0) | (cell == goals[walker]))
    numbers[MOVED] = moved
    numbers[ENDED] = 0
    for i in range(reached):
        walker = np.int64(ended[_at(i)])
        if cells[_at(walker)] == goals[_at(walker)]:
            to_x[_at(walker)] = to_y[_at(walker)] = 0
            end(status, ended, numbers, walker, ARRIVED)
        else:
            ask(queue, since, status, numbers, walker)
