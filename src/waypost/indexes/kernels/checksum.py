"""A checksum at the speed of memory, for files that are checked whenever they are loaded."""

import numpy as np

from waypost.kernels.compiling import kernel

LANES = 8
"""Words that are mixed side by side, so that no multiplication waits for the one before."""

FACTOR = np.uint64(0x9FB21C651E98DF25)  # odd, so that multiplying by it can be undone
HALF = np.uint64(32)


@kernel
def mix(lanes, words):
    """Mix words, a multiple of LANES of them, into the lanes.

    Each step can be undone when the word is known. So a change within one word always changes its lane, whatever
    follows; of other changes one in 2**64 goes unseen.
    """
    for first in range(0, words.size, LANES):
        for lane in range(LANES):
            mixed = (lanes[lane] ^ words[first + lane]) * FACTOR
            lanes[lane] = mixed ^ (mixed >> HALF)
