"""What the choice of a depth knows, what it was set to and what changes, by name.

An agent has one array of words for it: the record of the control; the history, a ring of cells, each with how much was
learned there; and one row for each ply of a lookahead.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from waypost.kernels.compiling import helper, inlined, record

# Who chooses the depth: a tree; the oracle; nobody, it is the deepest, while samples for a tree are taken.
TREE, ORACLE, ALWAYS_DEEPEST = range(3)

# Columns of a ply: what LRTA* of that depth does, and how much was looked at and recorded by then.
MOVE, VALUE, TARGET, TARGET_G, LOOKED, RECORDED = range(6)
_PLY_COLUMNS = 6


class Tree(NamedTuple):
    """The nodes of a decision tree in preorder: the feature asked for, -1 in a leaf; up to what one goes on to the
    next node, or else to the one at the right; and in a leaf the depth."""

    features: npt.NDArray[np.int8]
    thresholds: npt.NDArray[np.float64]
    rights: npt.NDArray[np.int32]
    depths: npt.NDArray[np.uint8]


class Settings(NamedTuple):
    """What a control was set to."""

    rule: int
    """Who chooses."""
    deepest: int
    presearch: int = 0
    """Plies after which features are found; 0: they are not."""
    history: int = 1
    """Moves that are remembered."""


class Memory(NamedTuple):
    """The arrays behind the record: cells of the history, and what was learned there; and a row for each ply."""

    cells: npt.NDArray[np.int64]
    rises: npt.NDArray[np.int64]
    plies: npt.NDArray[np.int64]


_NAMES = (*Settings._fields, "kept", "newest", "distinct", "raised", "last_move")
CONTROL = record([(name, np.int64) for name in _NAMES])
"""A control by name: its settings, and the sums over its history."""
_CONTROL_WORDS = len(_NAMES)


def new_control(settings):
    """The words of a control with such settings."""
    rows = max(settings.deepest, settings.presearch) + 1
    words = np.zeros(_CONTROL_WORDS + 2 * settings.history + _PLY_COLUMNS * rows, np.int64)
    words[: len(settings)] = settings  # the first fields of the record
    return words


@inlined
def control_of(words):
    """The record in the words of a control."""
    return words[:_CONTROL_WORDS].view(CONTROL)[0]


@helper
def memory_of(words, control):
    """The arrays in the words of a control."""
    rises = _CONTROL_WORDS + control.history
    plies = rises + control.history
    rows = (words.size - plies) // _PLY_COLUMNS
    return Memory(words[_CONTROL_WORDS:rises], words[rises:plies], words[plies:].reshape((rows, _PLY_COLUMNS)))
