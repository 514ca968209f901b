"""The demo on a new machine: fresh clones with an empty home, and then again and again while others use the machine."""

import argparse
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks import pages, report
from benchmarks.commits import ROOT, checked_out
from benchmarks.start import Ran, measured

FRESH, AGAIN, LOAD = 3, 20, 8
TARGET, PAGE = "bench-demo", ROOT / "docs" / "benchmarks.md"
PLANNERS = ("dba", "jps", "astar", "tba", "lss", "lrta")
PICTURE = "waypost-demo.png"


@contextmanager
def new_machine() -> Iterator[tuple[Path, dict[str, str]]]:
    """A clone of what is committed, and variables for a home with nothing in it."""
    nothing = dict.fromkeys(("PYTHONPATH", "WAYPOST_CACHE", "XDG_CACHE_HOME"), "")
    with checked_out("HEAD") as (tree,), tempfile.TemporaryDirectory() as home:
        yield tree, {"HOME": home, "TMPDIR": home} | nothing


def demo(tree: Path, variables: dict[str, str]) -> Ran:
    """`make demo`, which must tell all of its story."""
    (tree / PICTURE).unlink(missing_ok=True)
    ran = measured("make", "-C", tree, "demo", **variables)
    if not (is_complete(ran.output) and (tree / PICTURE).exists()):
        sys.exit(f"  MISS a run of the demo is not complete:\n{ran.output}")
    print(f"  make demo: {ran.processor_seconds:.0f} CPU s, {ran.seconds:.0f} s by the clock, complete", flush=True)
    return ran


def is_complete(text: str) -> bool:
    """Whether each planner has its rows, with all their figures, and there is a picture."""
    rows = [[cell.strip() for cell in line.strip("│").split("│")] for line in text.splitlines() if line.startswith("│")]
    has_figures = all(re.search(r"\d", cell) for row in rows for cell in row[1:])
    return [row[0] for row in rows] == [*PLANNERS, *PLANNERS[:3]] and has_figures and f"Wrote {PICTURE}" in text


@contextmanager
def others(count: int) -> Iterator[None]:
    """Processes that use the machine all the time."""
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(count)]
    try:
        yield
    finally:
        for each in busy:
            each.kill()
            each.wait()


def main() -> None:
    parser = argparse.ArgumentParser(prog="benchmarks.demo", description=__doc__)
    parser.add_argument("--fresh", type=int, default=FRESH, help="fresh clones")
    parser.add_argument("--again", type=int, default=AGAIN, help="runs beside others; fewer of either leave the page")
    options = parser.parse_args()
    report.start("The demo on a new machine")
    installs, first, second, loaded = [], [], [], []
    for number in range(options.fresh):
        with new_machine() as (tree, variables):
            installs.append(measured("make", "-C", tree, ".venv/.core-installed", **variables))
            print(f"  a fresh clone, installed in {installs[-1].seconds:.0f} s", flush=True)
            first.append(demo(tree, variables))
            second.append(demo(tree, variables))
            if number == options.fresh - 1 and options.again:
                print(f"  beside {LOAD} busy processes:", flush=True)
                with others(LOAD):
                    loaded = [demo(tree, variables) for _ in range(options.again)]
    cpu = [run.processor_seconds for run in first]
    compiling = [cold.processor_seconds - warm.processor_seconds for cold, warm in zip(first, second, strict=True)]
    held = [
        report.bar("make demo, compiling included", max(cpu), "CPU s", at_most=90),
        report.bar("of these compiling", max(compiling), "CPU s", at_most=45),
        report.bar("the same by the clock", max(run.seconds for run in first), "s", at_most=120),
    ]
    if options.fresh < FRESH or options.again < AGAIN:
        sys.exit(not all(held))
    rows = (
        ("installing, by the clock", "", _range(run.seconds for run in installs)),
        (f"`make demo` in {FRESH} fresh clones with an empty home, processor time", "90 s", _range(cpu)),
        ("... of these compiling: less what a second run takes", "45 s", _range(compiling)),
        ("... by the clock", "120 s", _range(run.seconds for run in first)),
        ("... a second run, by the clock", "", _range(run.seconds for run in second)),
        (f"{AGAIN} more runs beside {LOAD} busy processes, by the clock", "", _range(run.seconds for run in loaded)),
        ("runs that did not end complete", "0", f"0 of {2 * FRESH + AGAIN}"),
    )
    pages.write(PAGE, TARGET, "\n".join(["| what | bar | measured |", "|---|---|---|", *map(_line, rows)]))
    sys.exit(not all(held))


def _range(values: Iterable[float]) -> str:
    low, *_, high = sorted(values)
    return f"{low:.0f} to {high:.0f} s"


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |".replace("|  |", "| |")


if __name__ == "__main__":
    main()
