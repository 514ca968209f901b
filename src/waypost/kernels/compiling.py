"""How kernels are compiled, and where their machine code is kept.

Numba's own cache watches only the file a kernel stands in, so editing a helper in another file would leave
stale machine code. Ours is named by a digest of the sources that a kernel is made of instead (machine_code.sources).
Other packages may use `kernel`, `helper` and `inlined` as we do: their machine code has folders of its own.
What stands in no module or folder called `kernels`, as in a script, is compiled again by each process.
"""

import functools
import sys
from collections.abc import Callable
from typing import Any

import numba
import numpy as np

from waypost.machine_code import folders, numba_private, sources, switches
from waypost.machine_code.numba_private import Code, Door, Part
from waypost.machine_code.store import Store

_COUNTING = "_nrt"  # an option of Numba's own; a test checks that it still takes effect
CAN_CALL = bool(numba_private.IS_KNOWN or numba.config.DISABLE_JIT)
"""Whether kernels can `call` finished ones."""
ENTRY_POINTS: list[Any] = []
"""Kernels that Python calls; a test checks that each ends the run with one compiled signature."""


def kernel(function: Any = None, *, allocates: bool = False, counts: bool = False) -> Any:
    """Compile a function that Python calls: cached on disk, releasing the GIL.

    See `_compile` for `allocates`; `counts` is for one that allocates nothing, and is faster if it counts references.
    """
    if function is None:
        return functools.partial(kernel, allocates=allocates, counts=counts)
    compiled = _compile(Door, function, allocates or counts)
    ENTRY_POINTS.append(compiled)
    return compiled


def helper(function: Any = None, *, allocates: bool = False) -> Any:
    """Compile a function that only kernels call, and tests."""
    if function is None:
        return functools.partial(helper, allocates=allocates)
    return _compile(Part, function, allocates)


def inlined(function: Any) -> Any:
    """Compile a helper into its callers: for small ones in hot loops, where a call costs as much as the work."""
    return _compile(Part, function, False, forceinline=True)


def address_of(kernel: Any, *arguments: Any) -> int:
    """Where kernels find another one, for such arguments, to `call` it; or a partial one, for those that are left."""
    if numba.config.DISABLE_JIT:
        return 0
    if isinstance(kernel, functools.partial):
        kernel, arguments = kernel.func, (*kernel.args, *arguments)
    return int(kernel.address_for(*arguments))


def _call(kernel: Any, _address: int, _result: Any, arguments: tuple[Any, ...]) -> Any:
    return kernel(*arguments)


call: Any = _call if numba.config.DISABLE_JIT else numba_private.call
"""From a kernel another one that is finished, by its address, with an example of what it returns and its arguments.

A kernel that names another one has all of it compiled again; one that calls it so has nothing of it.
"""


def record(fields: list[tuple[str, Any]]) -> np.dtype[np.void]:
    """The dtype of numbers that change, each with a name: a kernel reads `numbers = array[0]`, then `numbers.name`.

    Plain Python finds names only in np.record, with which a call to compiled code would take longer.
    """
    dtype = np.dtype(fields, align=True)
    return np.dtype((np.record, dtype)) if numba.config.DISABLE_JIT else dtype


@functools.cache
def code_of(package: str = sources.OURS) -> Code:
    """The machine code of a package at this version."""
    digest = sources.package_digest(package)
    own = "" if package == sources.OURS else f"{package}-"
    # Numba by itself sees no edit of another file, so what it keeps needs a folder for each state of all sources.
    state = "" if numba_private.IS_KNOWN else f"-{digest}"
    return Code(digest, Store(f"{own}kernels{state}{switches.settings_suffix()}"))


def _compile(kind: type[Door] | type[Part], function: Callable[..., Any], counts: bool, **options: bool) -> Any:
    """Compile a function, without counting references unless it makes arrays or takes new ones from another function.

    Counting, which Numba does at each use of an array, takes a quarter of most moves and more of some. It is needed
    only where memory is to be freed: all other arrays are borrowed from Python, which holds them during a call.
    """
    if numba.config.DISABLE_JIT:
        return function
    # Said in both cases: a function that does not say takes these from its first caller.
    options = {_COUNTING: counts, "forceinline": False} | options
    package = _package_of(function)
    code = None if package is None else code_of(package)  # nothing would tell that machine code of a script is stale
    if numba_private.IS_KNOWN:
        return kind(function, code, options)
    place = code and folders.writable_place(code.store.folder_name)
    previous, numba.config.CACHE_DIR = numba.config.CACHE_DIR, str(place or "")
    try:
        return numba.njit(nogil=True, cache=place is not None, **options)(function)
    finally:
        numba.config.CACHE_DIR = previous


def _package_of(function: Callable[..., Any]) -> str | None:
    """The package whose digest the source of a function is in; None if there is none, as in a script."""
    package, *others = function.__module__.split(".")
    return package if "kernels" in others and hasattr(sys.modules.get(package), "__path__") else None
