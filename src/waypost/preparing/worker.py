"""Compiles kernels by their names, one from each line of input, and says how many seconds each took.

Run as `python -m waypost.preparing.worker` by `pool`.
"""

import gc
import importlib
import sys
import time

from waypost.errors import WaypostError
from waypost.machine_code import signatures


def compile_kernel(name: str) -> float:
    """Compile a kernel for its signature, or fetch what is compiled; the seconds of the processor that it took."""
    module, _, function = name.rpartition(".")
    began = time.process_time()
    kernel = getattr(importlib.import_module(module), function)
    signature = signatures.signature_of(name)
    if signature is not None:  # that of a kernel without arguments is empty
        try:
            kernel.compile(signatures.parsed(signature))
        except Exception as error:
            raise WaypostError(
                f"{name} cannot be compiled for ({signature}): if it was edited, make kernel-table"
            ) from error
    return time.process_time() - began


def main() -> None:
    """Compile what is asked for until there is no more input."""
    gc.disable()  # it looks for garbage all the time, an eighth of the work, and finds little that is
    for line in sys.stdin:
        print(f"{compile_kernel(line.strip()):.3f}", flush=True)


if __name__ == "__main__":
    main()
