"""Digests of the sources of kernels: of all of a package, and of one of our modules with what it imports.

Our kernels import nothing of the package but kernels (a contract of layers), so what a kernel is made of stands in its
module and in all modules of kernels that this one imports, directly or not. Of another package nothing is known that
well: an edit anywhere in its kernels, or in ours, concerns all of them.
"""

import functools
import hashlib
import re
import sys
from collections.abc import Iterable
from pathlib import Path

__all__ = ["OURS", "PACKAGE", "imported", "kernel_digest", "needed", "package_digest", "sources_of"]

OURS = "waypost"
PACKAGE = Path(__file__).parents[1]
# Parsing all sources takes a tenth of a second. A sentence that looks like an import does no harm.
_IMPORT = re.compile(r"^[ \t]*(?:from[ \t]+([\w.]+)[ \t]+)?import[ \t]+(\([^)]*\)|.*)", re.MULTILINE)
_NAME = re.compile(r"[\w.]+")


@functools.cache
def kernel_digest(kernel: str) -> str:
    """A digest of all that a kernel is made of, by its full name."""
    module, sources = kernel.rpartition(".")[0], sources_of(OURS)
    if module not in sources:
        return package_digest(kernel.partition(".")[0])
    return _digest((name, sources[name]) for name in needed(module))


@functools.cache
def package_digest(package: str = OURS) -> str:
    """A digest of the kernels of a package, and of ours, which they may have compiled in."""
    return _digest({**sources_of(OURS), **sources_of(package)}.items())


def needed(module: str) -> list[str]:
    """A module of our kernels, and all modules of kernels that it imports, directly or not."""
    sources = sources_of(OURS)
    found, waiting = set(), [module]
    while waiting:
        name = waiting.pop()
        if name in sources and name not in found:
            found.add(name)
            waiting += imported(sources[name])
    return sorted(found)


@functools.cache
def imported(source: bytes) -> tuple[str, ...]:
    """Names that may be those of modules: each place that is imported from, and each name that is taken there."""
    names: list[str] = []
    for place, taken in _IMPORT.findall(source.decode()):
        found = _NAME.findall(taken)
        names += [place, *(f"{place}.{name}" for name in found)] if place else found
    return tuple(names)


@functools.cache
def sources_of(package: str = OURS) -> dict[str, bytes]:
    """Sources of the kernels of a package by the names of their modules."""
    roots = [PACKAGE] if package == OURS else map(Path, sys.modules[package].__path__)
    found = {}
    for root in roots:
        for path in {*root.rglob("kernels.py"), *root.rglob("kernels/**/*.py")}:
            parts = path.relative_to(root).with_suffix("").parts
            found[".".join((package, *(parts[:-1] if parts[-1] == "__init__" else parts)))] = path.read_bytes()
    return found


def _digest(sources: Iterable[tuple[str, bytes]]) -> str:
    digest = hashlib.sha256()
    for name, source in sorted(sources):
        digest.update(f"{name}\0{hashlib.sha256(source).hexdigest()}\0".encode())
    return digest.hexdigest()[:16]
