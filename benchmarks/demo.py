"""The demo on a new machine: fresh clones with an empty home, and then again and again while others use the machine."""

import argparse
import re
import sys
import tempfile
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
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
    check_complete(ran, tree / PICTURE)
    print(f"  make demo: {ran.processor_seconds:.0f} CPU s, {ran.seconds:.0f} s by the clock, complete", flush=True)
    return ran


def told(tree: Path, picture: Path, variables: dict[str, str]) -> Ran:
    """The same by the command that make runs, with a picture of its own."""
    ran = measured(tree / ".venv" / "bin" / "waypost", "demo", "--out", picture, **variables)
    check_complete(ran, picture)
    return ran


def check_complete(ran: Ran, picture: Path) -> None:
    """Stop if the demo did not tell all of its story."""
    if not (is_complete(ran.output, picture.name) and picture.exists()):
        sys.exit(f"  MISS a run of the demo is not complete:\n{ran.output}")


def is_complete(text: str, picture: str) -> bool:
    """Whether each planner has its rows, with all their figures, and there is a picture."""
    rows = [[cell.strip() for cell in line.strip("│").split("│")] for line in text.splitlines() if line.startswith("│")]
    has_figures = all(re.search(r"\d", cell) for row in rows for cell in row[1:])
    return [row[0] for row in rows] == [*PLANNERS, *PLANNERS[:3]] and has_figures and picture in text


def beside_others(tree: Path, variables: dict[str, str], count: int) -> list[float]:
    """So many runs, nine of them at a time, each of which is a load of eight for each other; seconds by the clock."""

    def run(number: int) -> float:
        ran = told(tree, tree / f"demo-{number}.png", variables)
        print(f"  beside {LOAD} others: {ran.seconds:.0f} s by the clock, complete", flush=True)
        return ran.seconds

    with ThreadPoolExecutor(LOAD + 1) as threads:
        return list(threads.map(run, range(count + LOAD)))[:count]  # the last ones keep the load up


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
                loaded = beside_others(tree, variables, options.again)
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
        (f"{AGAIN} more runs beside {LOAD} others of the same, by the clock", "", _range(loaded)),
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
