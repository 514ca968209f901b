"""Kernels compiled by several processes at once; each writes its machine code where all others find it."""

import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import chain
from threading import Lock

from waypost.errors import WaypostError
from waypost.kernels.compiling import code_of
from waypost.machine_code import folders
from waypost.preparing.worker import compile_kernel

__all__ = ["compile_all"]


def compile_all(kernels: Sequence[str], jobs: int, compiled: Callable[[str, float], None]) -> None:
    """Compile kernels, the first of them first; tells of each how many seconds of the processor it took."""
    jobs = min(jobs, len(kernels))
    if jobs < 2 or folders.writable_place(code_of().store.folder_name) is None:
        for kernel in kernels:  # other processes could not hand over what they made
            compiled(kernel, compile_kernel(kernel))
        return
    waiting = _Waiting(kernels)
    with ThreadPoolExecutor(jobs, "waypost-prepare") as threads:
        for done in [threads.submit(_serve, partial(waiting.take, number), compiled) for number in range(jobs)]:
            done.result()


class _Waiting:
    """Kernels that nobody has compiled yet.

    Those of one folder share parts, which each process translates for itself, so they go to one process as long as
    there is something else to do for the others.
    """

    def __init__(self, kernels: Sequence[str]) -> None:
        self._kernels = list(kernels)
        self._owners: dict[str, int] = {}
        self._lock = Lock()

    def take(self, process: int) -> str | None:
        """What this process is to compile next; None if nothing is left."""
        with self._lock:
            own = (each for each in self._kernels if self._owners.get(_folder(each)) == process)
            of_nobody = (each for each in self._kernels if _folder(each) not in self._owners)
            kernel = next(chain(own, of_nobody, self._kernels), None)
            if kernel is not None:
                self._kernels.remove(kernel)
                self._owners.setdefault(_folder(kernel), process)
            return kernel


def _folder(kernel: str) -> str:
    return kernel.rsplit(".", 2)[0]


def _serve(take: Callable[[], str | None], compiled: Callable[[str, float], None]) -> None:
    """Have one process compile what is waiting, one kernel after the other."""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    command = [sys.executable, "-m", "waypost.preparing.worker"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, text=True, env=environment, **pipes) as worker:  # type: ignore[call-overload]  # noqa: S603
        try:
            while (kernel := take()) is not None:
                print(kernel, file=worker.stdin, flush=True)
                answer = worker.stdout.readline()
                if not answer:
                    reason = (worker.stderr.read().strip().splitlines() or ["it ended without a word"])[-1]
                    raise WaypostError(f"the process that compiled {kernel} failed: {reason}")
                compiled(kernel, float(answer))
        except BaseException:
            worker.kill()
            raise
        finally:
            worker.stdin.close()
