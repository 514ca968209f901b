"""What something was measured or built on: processor and versions."""

import functools
import os
import platform
from importlib import metadata
from pathlib import Path

import numpy as np

from waypost.version import __version__

__all__ = ["describe"]


@functools.cache
def describe() -> str:
    """The processor, core count and versions of this run."""
    versions = f"Python {platform.python_version()}, NumPy {np.__version__}, Numba {metadata.version('numba')}"
    return f"{_processor()}, {os.cpu_count()} cores, {platform.system()}; {versions}, Waypost {__version__}"


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        return next(line.split(":")[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()
