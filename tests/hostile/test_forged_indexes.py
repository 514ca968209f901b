"""Some forged index files; `make hostile` runs 10,000."""

import subprocess
import sys
from collections import Counter

from tests.hostile import __main__ as hostile
from tests.hostile import forged_indexes
from tests.support.worlds import IS_DEEP

COUNT, SEED = 1200 if IS_DEEP else 150, 1_000_000


def test_they_are_refused_or_every_walk_ends():
    outcomes = Counter()
    failures = forged_indexes.run(COUNT, SEED, lambda outcome: outcomes.update([outcome]))
    assert not failures
    assert sum(outcomes.values()) == COUNT
    assert set(outcomes) >= {"refused", "sound", "led no way"}


def test_a_case_can_be_repeated():
    """It follows from its number, wherever a run begins."""
    runs = []
    for count, seed in ((6, SEED), (3, SEED + 3)):
        forged_indexes.run(count, seed, (outcomes := []).append)
        runs.append(outcomes)
    assert runs[0][3:] == runs[1]


def test_the_command_counts():
    command = [sys.executable, "-m", "tests.hostile", "indexes", "--count=2", "--seed=7"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    assert "indexes: 2 of 2 cases" in done.stdout
    assert "; 0 failures" in done.stdout


def test_a_process_that_ends_badly_is_a_failure(monkeypatch):
    monkeypatch.setattr(hostile.sys, "executable", "false")
    assert hostile.one_process("indexes", 2, 0, Counter(), []) == (0, "the process ended with 1")
