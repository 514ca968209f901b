"""A build that is killed again and again: it goes on each time, and the file is that of an undisturbed build."""

import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Final

import waypost as wp
from benchmarks import report
from waypost.maps.generate import generate

KILLS = 20
PLANNER: Final = "trees"
WAIT_SECONDS = 120


def command(world: Path, file: Path) -> list[str]:
    """The command line that builds an index."""
    return [sys.executable, "-m", "waypost", "build", str(world), "--planner", PLANNER, "--out", str(file)]


def killed(world: Path, file: Path, seconds: float) -> bool:
    """Run a build, and kill it so long after it has written something down; whether it was still running."""
    journal = Path(f"{file}.partial")
    before = journal.stat().st_size if journal.exists() else 0
    child = subprocess.Popen(command(world, file), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    until = time.monotonic() + WAIT_SECONDS
    while child.poll() is None and time.monotonic() < until:
        if journal.exists() and journal.stat().st_size > before:
            break
        time.sleep(0.001)
    time.sleep(seconds)
    if child.poll() is None:
        child.send_signal(signal.SIGKILL)
    return child.wait() != 0


def journal_cost() -> bool:
    """What writing everything down adds to the processor time of a build."""
    grid = wp.load_map("caves")
    plain: list[float] = []
    kept: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        for times, checkpoint in ((plain, None), (kept, Path(folder) / "journal")) * 4:
            begin = time.process_time()
            wp.build(PLANNER, grid, checkpoint=checkpoint)
            times.append(time.process_time() - begin)
            if checkpoint:
                checkpoint.unlink()
    added = 100 * (min(kept[1:]) / min(plain[1:]) - 1)  # the first ones compile
    return report.bar("processor time that the journal adds to a build", added, "%", at_most=10)


def main() -> None:
    report.start(f"A build that is killed {KILLS} times")
    seconds = random.Random(3)  # noqa: S311 - not a secret
    with tempfile.TemporaryDirectory() as name:
        world, undisturbed, file = (Path(name) / file for file in ("a.map", "undisturbed.waypost", "killed.waypost"))
        wp.save_map(wp.Grid(generate("caves", 200, 140, 1)), world)
        subprocess.run(command(world, undisturbed), check=True)
        sizes, kills = [], 0
        while kills < KILLS and not file.exists():
            kills += killed(world, file, seconds.uniform(0, 0.25))
            sizes.append(Path(f"{file}.partial").stat().st_size if not file.exists() else 0)
        print(f"  journal after each kill, in MB: {' '.join(f'{size / 1e6:.1f}' for size in sizes)}", flush=True)
        subprocess.run(command(world, file), check=True)
        held = [
            report.bar("kills during one build", kills, "", at_least=KILLS),
            report.bar("kills without progress", sum(map(int.__le__, sizes[1:], sizes)), "", at_most=0),
            report.bar("files that differ", file.read_bytes() != undisturbed.read_bytes(), "", at_most=0),
            report.bar("journals left behind", Path(f"{file}.partial").exists(), "", at_most=0),
        ]
    held.append(journal_cost())
    sys.exit(not all(held))


if __name__ == "__main__":
    main()
