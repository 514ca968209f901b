"""The one place that calls Numba: compiles kernels and keeps their machine code on disk.

Numba's own cache watches only the file a kernel stands in, so editing a helper in another file would leave
stale machine code. Ours lives in a folder named by a digest of all kernel sources instead. Other packages may use
`kernel`, `helper` and `inlined` as we do: their machine code has folders of its own, named by their sources and ours.
What stands in no module or folder called `kernels`, as in a script, is compiled again by each process.
"""

import functools
import hashlib
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numba
import numpy as np
from numba.core import event

_COUNTING = "_nrt"  # an option of Numba's own; a test checks that it still takes effect
PACKAGE = Path(__file__).parents[1]
ENTRY_POINTS: list[Any] = []
"""Kernels that Python calls; a test checks that each ends the run with one compiled signature."""


def kernel(function: Any = None, *, allocates: bool = False, counts: bool = False) -> Any:
    """Compile a function that Python calls: cached on disk, releasing the GIL.

    See `_compile` for `allocates`; `counts` is for one that allocates nothing, and is faster if it counts references.
    """
    if function is None:
        return functools.partial(kernel, allocates=allocates, counts=counts)
    compiled = _compile(function, allocates or counts)
    ENTRY_POINTS.append(compiled)
    return compiled


def helper(function: Any = None, *, allocates: bool = False) -> Any:
    """Compile a function that only kernels call, and tests."""
    if function is None:
        return functools.partial(helper, allocates=allocates)
    return _compile(function, allocates, no_cfunc_wrapper=True)


def inlined(function: Any) -> Any:
    """Compile a helper into its callers: for small ones in hot loops, where a call costs as much as the work.

    It has no wrapper for Python: calling it from there crashes.
    """
    return _compile(function, False, no_cfunc_wrapper=True, no_cpython_wrapper=True, forceinline=True)


def record(fields: list[tuple[str, Any]]) -> np.dtype[np.void]:
    """The dtype of numbers that change, each with a name: a kernel reads `numbers = array[0]`, then `numbers.name`.

    Plain Python finds names only in np.record, with which a call to compiled code would take longer.
    """
    dtype = np.dtype(fields, align=True)
    return np.dtype((np.record, dtype)) if numba.config.DISABLE_JIT else dtype


class _Starts(event.Listener):  # type: ignore[misc]  # Numba has no types
    """Counts what Numba begins, and tells of the first."""

    def __init__(self, tell: Callable[[], None] = lambda: None) -> None:
        self.count = 0
        self._tell = tell

    def on_start(self, event: Any) -> None:  # noqa: ARG002 - as Numba calls it
        """Something begins."""
        self.count += 1
        if self.count == 1:
            self._tell()

    def on_end(self, event: Any) -> None:
        """It is over, which concerns nobody."""


_LOADS = _Starts()
event.register("numba:compiler_lock", _LOADS)  # taken to compile, and to fetch what is compiled


def loads() -> int:
    """How often kernels were compiled or fetched from disk in this process: a clock that ran meanwhile is wrong."""
    return _LOADS.count


@contextmanager
def announced(tell: Callable[[], None]) -> Iterator[None]:
    """Have it told, once and beforehand, if anything is compiled meanwhile; what is fetched from disk takes no time."""
    with event.install_listener("numba:compile", _Starts(tell)):
        yield


def announce(tell: Callable[[], None]) -> None:
    """Have it told, once and beforehand, if anything is compiled from now on."""
    event.register("numba:compile", _Starts(tell))


def is_cold() -> bool:
    """Whether nothing was compiled on this machine yet."""
    return not any(cache_folder().rglob("*.nbi"))


@functools.cache
def cache_folder(package: str = "waypost") -> Path:
    """The folder of a package's machine code at this version: in the user's cache, or a private temporary one."""
    own = "" if package == "waypost" else f"{package}-"
    folder = user_cache() / "waypost" / f"{own}kernels-{source_digest(package)}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if os.access(folder, os.W_OK | os.X_OK):
            return folder
    except OSError:
        pass
    # Never a place that others could fill first: machine code is loaded from there.
    return Path(tempfile.mkdtemp(prefix="waypost-"))


def _compile(function: Callable[..., Any], counts: bool, **options: bool) -> Any:
    """Compile a function, without counting references unless it makes arrays or takes new ones from another function.

    Counting, which Numba does at each use of an array, takes a quarter of most moves and more of some. It is needed
    only where memory is to be freed: all other arrays are borrowed from Python, which holds them during a call.
    """
    options[_COUNTING] = counts  # said in both cases: a function that does not say takes it from its first caller
    package = _package_of(function)
    if package is None:  # nothing would tell that its machine code is stale
        return numba.njit(nogil=True, **options)(function)
    previous = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(cache_folder(package))
    try:
        return numba.njit(nogil=True, cache=True, **options)(function)
    finally:
        numba.config.CACHE_DIR = previous


def _package_of(function: Callable[..., Any]) -> str | None:
    """The package whose digest the source of a function is in; None if there is none, as in a script."""
    package, *others = function.__module__.split(".")
    return package if "kernels" in others and hasattr(sys.modules.get(package), "__path__") else None


def source_digest(package: str = "waypost") -> str:
    """A digest of the kernels of a package, and of ours, which they may have compiled in."""
    digest = hashlib.sha256()
    for root in [PACKAGE] if package == "waypost" else [PACKAGE, *map(Path, sys.modules[package].__path__)]:
        for source in sorted(_kernel_sources(root)):
            digest.update(str(source.relative_to(root)).encode() + b"\0" + source.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def _kernel_sources(root: Path) -> set[Path]:
    return {*root.rglob("kernels.py"), *root.rglob("kernels/**/*.py")}


def user_cache() -> Path:
    """Where users keep what can be made again."""
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
