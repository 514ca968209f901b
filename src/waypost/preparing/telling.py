"""Compiling what a planner needs before it is used, and saying so where that takes long."""

import logging
import sys
import time

from waypost.machine_code import events, signatures
from waypost.preparing.missing import missing
from waypost.preparing.worker import compile_kernel
from waypost.system.progress import note, progress

__all__ = ["LONG", "READY", "make_ready"]

LONG = 2.0
"""Seconds; to compile for less than that goes without a word."""
_LOG = logging.getLogger("waypost")
READY: set[tuple[str, bool]] = set()
"""Planners, and planners with their fleets, that were made ready in this process."""


def make_ready(planner: str, *, fleet: bool = False, show: bool = True) -> None:
    """Compile the kernels of a planner of ours now, with a bar, if that takes long; else each when it is called.

    A game that has built its planner then waits no more; kernels of batches, which take a moment, are compiled with the
    first one. What was compiled once is kept, and costs a look here. Without `show` there is no bar, and what is said
    goes to the log.
    """
    if (planner, fleet) in READY:
        return
    kernels = missing(signatures.kernels_of(planner, batches=False, fleet=fleet) or [])
    seconds = {each: signatures.seconds_of(each) for each in kernels}
    if sum(seconds.values()) > LONG:
        _tell(f"Waypost compiles {planner} for this machine, once: about {sum(seconds.values()):.0f} s.", planner, show)
        with progress(f"compiling {planner}", len(kernels), show=show) as advance:
            for kernel in kernels:
                compile_kernel(kernel)
                advance()
    READY.add((planner, fleet))


def _tell(line: str, planner: str = "", on_terminal: bool = True) -> None:
    line += f" To have it done ahead: waypost prepare {planner or '--all'}"
    if on_terminal and sys.stderr.isatty():
        note(line)
    else:
        _LOG.warning(line)


class _Teller:
    """Tells of kernels that nobody made ready, such as those of other packages, once they have taken long."""

    def __init__(self) -> None:
        self._spent = self._began = 0.0
        self._has_told = False

    def begins(self, kernel: str) -> None:
        """A kernel is going to be compiled."""
        self._began = time.process_time()
        if signatures.signature_of(kernel) is None and self._spent > LONG and not self._has_told:
            self._has_told = True
            _tell(f"Waypost compiles {kernel.partition('.')[0]} for this machine, once.")

    def ends(self, kernel: str) -> None:
        """It was compiled."""
        if signatures.signature_of(kernel) is None:
            self._spent += time.process_time() - self._began


events.listen(_Teller())
