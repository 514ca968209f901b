"""Kernels compiled by several processes at once; each writes its machine code where all others find it."""

import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue

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
    waiting: SimpleQueue[str | None] = SimpleQueue()
    for each in (*kernels, *[None] * jobs):
        waiting.put(each)
    with ThreadPoolExecutor(jobs, "waypost-prepare") as threads:
        for done in [threads.submit(_serve, waiting, compiled) for _ in range(jobs)]:
            done.result()


def _serve(waiting: "SimpleQueue[str | None]", compiled: Callable[[str, float], None]) -> None:
    """Have one process compile what is waiting, one kernel after the other."""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    command = [sys.executable, "-m", "waypost.preparing.worker"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, text=True, env=environment, **pipes) as worker:  # type: ignore[call-overload]  # noqa: S603
        try:
            while (kernel := waiting.get()) is not None:
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
