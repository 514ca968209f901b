"""The one place that calls Numba: compiles kernels and keeps their machine code on disk.

Numba's own cache watches only the file a kernel stands in, so editing a helper in another file would leave
stale machine code. Ours lives in a folder named by a digest of all kernel sources instead.
"""

import functools
import hashlib
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numba

F = TypeVar("F", bound=Callable[..., Any])

ENTRY_POINTS: list[Any] = []
"""Kernels that Python calls; a test checks that each ends the run with one compiled signature."""


def kernel(function: F) -> F:
    """Compile a function that Python calls: cached on disk, releasing the GIL."""
    compiled = _compile(function)
    ENTRY_POINTS.append(compiled)
    return compiled


def helper(function: F) -> F:
    """Compile a function that only kernels call, and tests."""
    return _compile(function, no_cfunc_wrapper=True)


def inlined(function: F) -> F:
    """Compile a helper into its callers: for small ones in hot loops, where a call costs as much as the work.

    It has no wrapper for Python: calling it from there crashes.
    """
    return _compile(function, no_cfunc_wrapper=True, no_cpython_wrapper=True, forceinline=True)


def is_cold(name: str) -> bool:
    """Whether this kernel, given as module.function, has not been compiled on this machine yet."""
    if name.count(".") != 1:
        raise ValueError(f"a kernel is named as module.function, not {name}")
    return not any(cache_folder().rglob(f"{name}-*.nbi"))


@functools.cache
def cache_folder() -> Path:
    """The folder of this version's machine code: in the user's cache, or a private temporary one."""
    folder = _user_cache() / "waypost" / f"kernels-{_source_digest()}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if os.access(folder, os.W_OK | os.X_OK):
            return folder
    except OSError:
        pass
    # Never a place that others could fill first: machine code is loaded from there.
    return Path(tempfile.mkdtemp(prefix="waypost-"))


def _compile(function: F, **options: bool) -> F:
    previous = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(cache_folder())
    try:
        return numba.njit(nogil=True, cache=True, **options)(function)
    finally:
        numba.config.CACHE_DIR = previous


def _source_digest() -> str:
    digest = hashlib.sha256()
    for source in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(source.name.encode() + b"\0" + source.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def _user_cache() -> Path:
    if "NUMBA_CACHE_DIR" in os.environ:
        return Path(os.environ["NUMBA_CACHE_DIR"])
    home = os.path.expanduser("~")
    if not os.path.isabs(home):  # a user without a home, as in some containers
        return Path(tempfile.mkdtemp(prefix="waypost-"))
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or os.path.join(home, "AppData", "Local"))
    if sys.platform == "darwin":
        return Path(home, "Library", "Caches")
    return Path(os.environ.get("XDG_CACHE_HOME") or os.path.join(home, ".cache"))
