"""The bars that the comparison is held against."""

from benchmarks import report
from benchmarks.peers.results import YARDSTICK, Run, fastest_exact_peer, of, times_slower

BARS = {YARDSTICK: 2.0, "waypost jps": 10.0}
"""How many times faster than the fastest exact peer each of our planners has to be."""


def check(run: Run) -> bool:
    """Print every bar and say whether all hold."""
    held = []
    for world, row in run.items():
        for name, factor in BARS.items():
            ours = of(row, name)
            if ours is None:
                continue
            held.append(report.bar(f"{world}: {name}, illegal or longer than optimal", ours.faults, "paths", at_most=0))
            if peer := fastest_exact_peer(row, ours):
                title = f"{world}: {name} against {peer.library}, the fastest exact peer"
                held.append(report.bar(title, times_slower(peer, ours), "times faster", at_least=factor))
            if name == YARDSTICK and (peer := of(row, "pyastar2d")):
                title = f"{world}: {name} against pyastar2d, which cuts corners"
                held.append(report.bar(title, times_slower(peer, ours), "times faster", at_least=1))
    return all(held)
