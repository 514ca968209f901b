"""Loading an index file of 50 MB, and what checksums other than ours would take."""

import hashlib
import statistics
import sys
import tempfile
import time
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import report
from waypost.indexes import ranges, store
from waypost.indexes.kernels import checksum
from waypost.world.grid import Grid

ROUNDS = 15
CELLS = 1_000_000
ARRAYS = {
    "cells": np.random.default_rng(0).integers(0, CELLS, 12_000_000, np.int32),
    "offsets": np.linspace(0, 12_000_000, 250_000).astype(np.int64),
}


def median_ms(call: Callable[[], Any]) -> float:
    """Median time of a call, after one that warms it up."""
    times = []
    for _ in range(ROUNDS + 1):
        begin = time.perf_counter()
        call()
        times.append(1e3 * (time.perf_counter() - begin))
    return statistics.median(times[1:])


def load(path: Path, grid: Grid) -> None:
    """Everything an index does before its first use."""
    arrays = store.read_index(path, grid).arrays
    ranges.check_within("cells", arrays["cells"], 0, CELLS)
    ranges.check_offsets("offsets", arrays["offsets"], 12_000_000)


def main() -> None:
    report.start("Index file of 50 MB")
    grid = Grid(np.ones((1000, 1000), np.bool_))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "large.waypost"
        store.write_index(path, planner="bench", revision=1, grid=grid, params={}, arrays=ARRAYS)
        held = report.bar(
            "load, with every byte and every range checked", median_ms(lambda: load(path, grid)), "ms", at_most=20
        )
        print(f"  load, every byte checked but no ranges: {median_ms(lambda: store.read_index(path, grid)):.1f} ms")
        data = np.fromfile(path, np.uint64)
    data.setflags(write=False)
    lanes = np.ones(checksum.LANES, np.uint64)
    alternatives: dict[str, Callable[[], Any]] = {
        "ours": lambda: checksum.mix(lanes, data),
        "zlib.crc32": lambda: zlib.crc32(data.data),
        "zlib.adler32": lambda: zlib.adler32(data.data),
        "SHA-256": lambda: hashlib.sha256(data.data),
        "BLAKE2b": lambda: hashlib.blake2b(data.data),
    }
    for name, call in alternatives.items():
        print(f"  checksum alone, {name}: {median_ms(call):.1f} ms")
    sys.exit(not held)


if __name__ == "__main__":
    main()
