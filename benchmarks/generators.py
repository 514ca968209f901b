"""Every kind of generated map at 30 million cells: seconds and peak memory, each in a process of its own."""

import subprocess
import sys

from benchmarks import report

SIDE = 5500

CHILD = """
import resource, sys, time
from waypost.maps.generate import generate
kind, side = sys.argv[1], int(sys.argv[2])
generate(kind, 64, 64)  # a small map first: kernels are loaded
begin = time.perf_counter()
is_open = generate(kind, side, side, 1)
seconds = time.perf_counter() - begin
print(seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024, is_open.mean())
"""


def main() -> None:
    from waypost.maps.generate import GENERATORS

    report.start(f"Generated maps of {SIDE} x {SIDE} cells")
    held = []
    for kind in GENERATORS:
        done = subprocess.run(
            [sys.executable, "-c", CHILD, kind, str(SIDE)], check=True, capture_output=True, text=True
        )
        seconds, peak, share = (float(word) for word in done.stdout.split())
        print(f"  {kind}: {100 * share:.1f} % open")
        held += [
            report.bar(f"{kind}, time", seconds, "s", at_most=10),
            report.bar(f"{kind}, peak memory of the process", peak / 1e9, "GB", at_most=2),
        ]
    sys.exit(not all(held))


if __name__ == "__main__":
    main()
