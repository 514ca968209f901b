"""What machine code depends on besides its sources: versions, the processor, and settings of Numba."""

import functools
import hashlib
import sys

import llvmlite
import llvmlite.binding as llvm
import numba

__all__ = [
    "LEVELS",
    "changed_settings",
    "compiles",
    "named_processor",
    "platform_tag",
    "settings_suffix",
    "usable_levels",
]

# Settings that change the code that is made, and that Numba's own key of a cache entry leaves out, with their defaults.
_SETTINGS = {
    "BOUNDSCHECK": "0",
    "DEBUGINFO_DEFAULT": "0",
    "DISABLE_JIT": "0",
    "ENABLE_AVX": "1",
    "ENABLE_PROFILING": "0",
    "LLVM_REFPRUNE_PASS": "1",
    "LOOP_VECTORIZE": "1",
    "OPT": "3",
    "SLP_VECTORIZE": "0",
}
# These are part of every key, but code that came with the package is for no named processor.
_PROCESSOR = ("CPU_NAME", "CPU_FEATURES")
_V2 = ("cx16", "sahf", "popcnt", "sse3", "sse4.1", "sse4.2", "ssse3")
_V3 = (*_V2, "avx", "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe", "xsave")
LEVELS: dict[str, tuple[str, ...]] = {"x86-64-v3": _V3, "x86-64-v2": _V2, "generic": ()}
"""Levels of processors that code is shipped for, the best first, and what LLVM calls their features."""


def platform_tag() -> str:
    """What finished code can be used by, besides the processor: Python, system, Numba and LLVM."""
    free_threaded = "" if getattr(sys, "_is_gil_enabled", lambda: True)() else "t"
    python = f"{sys.implementation.cache_tag}{free_threaded}"
    return f"{python}-{sys.platform}-numba-{numba.__version__}-llvmlite-{llvmlite.__version__}"


def compiles() -> bool:
    """Whether kernels are compiled at all."""
    return not numba.config.DISABLE_JIT


def changed_settings() -> list[str]:
    """Settings that are not as they are by default, as NAME=VALUE."""
    found = {name: str(int(getattr(numba.config, name, default) or 0)) for name, default in _SETTINGS.items()}
    return [f"NUMBA_{name}={value}" for name, value in found.items() if value != _SETTINGS[name]]


def named_processor() -> str | None:
    """The setting by which a processor other than this machine's is named, if there is one."""
    return next((f"NUMBA_{name}" for name in _PROCESSOR if getattr(numba.config, name, None) is not None), None)


def settings_suffix() -> str:
    """What the name of a folder of code ends in, so that code of other settings lies elsewhere."""
    changed = changed_settings()
    return f"-{hashlib.sha256(' '.join(changed).encode()).hexdigest()[:8]}" if changed else ""


@functools.cache
def usable_levels() -> list[str]:
    """Levels that this machine has, the best first."""
    features = llvm.get_host_cpu_features()
    return [level for level, needed in LEVELS.items() if all(features.get(name) for name in needed)]
