"""Every library the benchmark measures, and how a measuring process finds its one."""

from benchmarks.peers.graph_libraries import GRAPH_LIBRARIES
from benchmarks.peers.grid_libraries import GRID_LIBRARIES
from benchmarks.peers.library import Library
from benchmarks.peers.ours import OURS, our_library

PEERS = (*GRID_LIBRARIES, *GRAPH_LIBRARIES)


def find(name: str) -> Library:
    """The library of this name. Nothing is imported for it, so that all of its memory and time are counted."""
    return next(library for library in (*map(our_library, OURS), *PEERS) if library.name == name)
