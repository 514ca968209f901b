"""Run suites of hostile input: python -m tests.hostile [NAME ...] --count 10000 --seed 0 [--seconds N].

Cases are run in processes of their own, some hundreds each, so that one that crashes or hangs is a failure like any
other. A case depends on its number alone: `--seed NUMBER --count 1` repeats it.
"""

import argparse
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from threading import Timer

from tests.hostile import fleet_scripts, forged_indexes, forged_journals

SUITES = {"indexes": forged_indexes.run, "journals": forged_journals.run, "fleets": fleet_scripts.run}
"""By name: run(count, seed, report) runs the cases seed, seed + 1, ..., tells `report` what came of each, and returns a
sentence for each failure."""

IN_A_PROCESS = 500  # cases
LONGEST_CASE = 600  # seconds, in which kernels may have to be compiled
FAILURE = "FAILURE"


def in_this_process(name, count, seed):
    """Run cases one by one, and write what came of each at once."""
    for number in range(seed, seed + count):
        for failure in SUITES[name](1, number, lambda outcome: print(outcome, flush=True)):
            print(FAILURE, failure, flush=True)


def in_processes(name, count, seed, seconds):
    """Run cases in processes; returns what came of them, and the failures."""
    outcomes, failures = Counter(), []
    until = time.monotonic() + seconds if seconds else float("inf")
    done = 0
    while done < count and time.monotonic() < until:
        some = min(IN_A_PROCESS, count - done)
        ended, crash = one_process(name, some, seed + done, outcomes, failures)
        done += ended
        if crash:
            failures.append(f"{name} {seed + done}: {crash}")
            outcomes["crashed or hung"] += 1
            done += 1
        found = ", ".join(f"{number:,} {outcome}" for outcome, number in sorted(outcomes.items()))
        print(f"{name}: {done:,} of {count:,} cases: {found}; {len(failures)} failures", flush=True)
    return failures


def one_process(name, count, seed, outcomes, failures):
    """Run cases in one process; returns how many ended, and how the process did if that was not well."""
    command = [sys.executable, "-m", "tests.hostile", name, f"--count={count}", f"--seed={seed}", "--here"]
    ended = 0
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        watch = watched(process)
        for line in process.stdout:
            watch.cancel()
            watch = watched(process)
            if line.startswith(FAILURE):
                failures.append(line.removeprefix(FAILURE).strip())
            else:
                outcomes[line.strip()] += 1
                ended += 1
        code = process.wait()
        watch.cancel()
    if code == 0 and ended == count:
        return ended, None
    if code == -signal.SIGABRT and ended < count:
        return ended, f"nothing came of it within {LONGEST_CASE} seconds"
    return ended, f"the process ended with {code}"


def watched(process):
    """A timer that ends a process which says nothing for too long, with a traceback."""
    watch = Timer(LONGEST_CASE, lambda: os.kill(process.pid, signal.SIGABRT))
    watch.daemon = True
    watch.start()
    return watch


def main():
    """Exits 1 if anything failed."""
    parser = argparse.ArgumentParser(prog="python -m tests.hostile")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(SUITES)}; all by default")
    parser.add_argument("--count", type=int, default=10_000, help="cases of each")
    parser.add_argument("--seed", type=int, default=0, help="the number of the first case")
    parser.add_argument("--seconds", type=float, help="begin no more processes after that, for each suite")
    parser.add_argument("--here", action="store_true", help="in this process, a line for each case")
    asked = parser.parse_args()
    if unknown := set(asked.names) - set(SUITES):
        parser.error(f"there is no suite called {unknown.pop()}; there are {', '.join(SUITES)}")
    failures = []
    for name in asked.names or SUITES:
        if asked.here:
            in_this_process(name, asked.count, asked.seed)
        else:
            failures += in_processes(name, asked.count, asked.seed, asked.seconds)
    print(*failures, sep="\n", end="\n" if failures else "")
    sys.exit(bool(failures))


if __name__ == "__main__":
    main()
