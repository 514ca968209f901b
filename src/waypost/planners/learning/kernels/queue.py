"""The queue of P LRTA*: cells by how much a neighbour of theirs has learned, limited in number (2008; Rayner 2007).

An entry has a cell, a key and an age. Entries come out by largest key, then lowest age, and the last in that order is
thrown out when there is no room. Two heaps hold the same entries, one in that order and one in the reverse, each
knowing where every entry stands; a hash finds the entry of a cell.
"""

from collections import namedtuple

from waypost.kernels.compiling import helper, inlined

_CELL, _KEY, _AGE = range(3)  # columns of an entry
_FIRST_OUT, _LAST_OUT = range(2)  # the two heaps
_GOLDEN = 0x9E3779B97F4A7C15 >> 32

Queue = namedtuple("Queue", "entries heaps places slots")
"""Entries; both heaps; where each entry stands in them; hash slots of entry + 1, 0 if empty.

Inner functions take the arrays they need: arrays in tuples cost reference counting."""

HASH_PER_ENTRY = 4
WORDS_PER_ENTRY = 3 + 2 + 2 + HASH_PER_ENTRY


@helper
def queue_of(words, room):
    """The queue of so many entries that lies in these words; the room is a power of two."""
    return Queue(
        words[: 3 * room].reshape((room, 3)),
        words[3 * room : 5 * room].reshape((2, room)),
        words[5 * room : 7 * room].reshape((2, room)),
        words[7 * room : WORDS_PER_ENTRY * room],
    )


@helper
def offer(queue, length, most, age, cell, key):
    """Put a cell in, or raise its key; returns how many there are and the age of the next one."""
    entries = queue.entries
    heaps = queue.heaps
    places = queue.places
    slots = queue.slots
    slot = _find(entries, slots, cell)
    entry = slots[slot] - 1
    if entry >= 0:
        if key > entries[entry, _KEY]:
            entries[entry, _KEY] = key
            for which in range(2):
                _settle(entries, heaps, places, which, length, places[which, entry])
        return length, age
    if length == most:
        if key <= entries[heaps[_LAST_OUT, 0], _KEY]:
            return length, age
        length = _take(entries, heaps, places, slots, heaps[_LAST_OUT, 0], length)
        slot = _find(entries, slots, cell)  # taking out may have moved slots
    entry = heaps[_FIRST_OUT, length]  # free entries stand behind the used ones
    entries[entry, _CELL] = cell
    entries[entry, _KEY] = key
    entries[entry, _AGE] = age
    slots[slot] = entry + 1
    heaps[_LAST_OUT, length] = entry
    for which in range(2):
        _settle(entries, heaps, places, which, length + 1, length)
    return length + 1, age + 1


@helper
def take_first(queue, length):
    """Take out the cell that comes first; returns it and how many are left."""
    entry = queue.heaps[_FIRST_OUT, 0]
    cell = queue.entries[entry, _CELL]
    return cell, _take(queue.entries, queue.heaps, queue.places, queue.slots, entry, length)


@helper
def empty(queue, most):
    """Throw everything out; also makes a new queue of zeroed words."""
    queue.slots[:] = 0
    for entry in range(most):
        queue.heaps[_FIRST_OUT, entry] = entry


@helper
def _take(entries, heaps, places, slots, entry, length):
    """Take out an entry; returns how many are left."""
    _forget(entries, slots, entries[entry, _CELL])
    last = length - 1
    for which in range(2):
        hole = places[which, entry]
        moved = heaps[which, last]
        heaps[which, hole] = moved
        heaps[which, last] = entry
        if hole < last:
            _settle(entries, heaps, places, which, last, hole)
    return last


@helper
def _settle(entries, heaps, places, which, length, place):
    """Move the entry at a place of a heap up or down to where it belongs."""
    entry = heaps[which, place]
    while place > 0:
        above = (place - 1) >> 1
        other = heaps[which, above]
        if not _before(entries, which, entry, other):
            break
        heaps[which, place] = other
        places[which, other] = place
        place = above
    while 2 * place + 1 < length:
        below = 2 * place + 1
        if below + 1 < length and _before(entries, which, heaps[which, below + 1], heaps[which, below]):
            below += 1
        other = heaps[which, below]
        if not _before(entries, which, other, entry):
            break
        heaps[which, place] = other
        places[which, other] = place
        place = below
    heaps[which, place] = entry
    places[which, entry] = place


@inlined
def _before(entries, which, a, b):
    """Whether entry a stands above entry b in a heap; ages differ, so one of two always does."""
    key_a = entries[a, _KEY]
    key_b = entries[b, _KEY]
    comes_first = entries[a, _AGE] < entries[b, _AGE] if key_a == key_b else key_a > key_b
    return comes_first == (which == _FIRST_OUT)


@inlined
def _home(slots, cell):
    return (cell * _GOLDEN >> 16) & slots.size - 1


@inlined
def _find(entries, slots, cell):
    """The hash slot of a cell, or the empty one where it belongs."""
    slot = _home(slots, cell)
    while slots[slot] and entries[slots[slot] - 1, _CELL] != cell:
        slot = (slot + 1) & slots.size - 1
    return slot


@helper
def _forget(entries, slots, cell):
    """Empty a cell's hash slot, moving up those behind it that would no longer be found."""
    around = slots.size - 1
    hole = _find(entries, slots, cell)
    slot = (hole + 1) & around
    while slots[slot]:
        home = _home(slots, entries[slots[slot] - 1, _CELL])
        if (slot - home & around) >= (slot - hole & around):
            slots[hole] = slots[slot]
            hole = slot
        slot = (slot + 1) & around
    slots[hole] = 0
