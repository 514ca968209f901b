"""Which kernels have machine code, and where it comes from."""

import importlib
from collections.abc import Iterable

from waypost.kernels.compiling import ENTRY_POINTS, code_of
from waypost.machine_code import numba_private, shipped, signatures, switches
from waypost.machine_code.sources import PACKAGE

__all__ = ["all_kernels", "missing", "source_of", "why_not_shipped"]


def all_kernels() -> list[str]:
    """Every kernel of this package."""
    for path in sorted(PACKAGE.rglob("kernels/*.py")):
        importlib.import_module(".".join(("waypost", *path.relative_to(PACKAGE).with_suffix("").parts)))
    names = (f"{kernel.__module__}.{kernel.__qualname__}" for kernel in ENTRY_POINTS)
    return sorted(name for name in names if name.startswith("waypost."))


def source_of(kernel: str) -> str | None:
    """Where the machine code of a kernel of ours would come from: "shipped", "cached", or None: it must be compiled."""
    signature = signatures.signature_of(kernel)
    if signature is None or not numba_private.IS_KNOWN:
        return None
    return code_of().source_of(kernel, signatures.parsed(signature))


def missing(kernels: Iterable[str]) -> list[str]:
    """Those of them that must be compiled, those that take longest first."""
    if not switches.compiles():
        return []
    return sorted((each for each in kernels if source_of(each) is None), key=signatures.seconds_of, reverse=True)


def why_not_shipped() -> str | None:
    """Why machine code that came with the package is not used, or None if it is."""
    if not numba_private.IS_KNOWN:
        return "this version of Numba was not tried with it"
    found = shipped.find_pack(code_of().sources)
    return found if isinstance(found, str) else None
