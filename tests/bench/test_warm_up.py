"""Compiling is on no clock of the bench: not on a build's, an episode's, a move's, nor the suite's."""

import json
import subprocess
import sys
from dataclasses import replace

import pytest

from tests.support.suites import TINY, run
from waypost import catalog
from waypost.bench import episodes
from waypost.bench.suite import Setting
from waypost.bench.warm_up import warm_up

CHILD = """
import json, sys
from pathlib import Path
from numba.core import event
from waypost.bench import offline, runner
from waypost.bench.suite import read_suite

class Loads(event.Listener):
    count = 0
    def on_start(self, _):
        self.count += 1
    def on_end(self, _):
        pass

loads = Loads()
event.register("numba:compiler_lock", loads)  # compiling takes it, and fetching from disk what is compiled
seen = {}

def watched(module, name, label):
    inner = getattr(module, name)
    def outer(*args, **options):
        before = loads.count
        try:
            return inner(*args, **options)
        finally:
            key = label(*args)
            seen[key] = seen.get(key, 0) + loads.count - before
    setattr(module, name, outer)

watched(offline, "build", lambda name, *_: f"the build of {name}")
watched(runner, "_measure_all", lambda *_: "the suite and its episodes")
runner.run_suite(read_suite(sys.argv[1]), Path(sys.argv[2]))
print(json.dumps([loads.count, seen]))
"""


def test_nothing_is_compiled_or_fetched_on_a_clock(tmp_path):
    done = subprocess.run([sys.executable, "-c", CHILD, "smoke", tmp_path], capture_output=True, text=True, check=True)
    count, seen = json.loads(done.stdout)
    assert count > len(seen) > sum(entry.index is not None for entry in catalog.CATALOG.values())
    assert {clock: loads for clock, loads in seen.items() if loads} == {}


def test_a_walk_during_which_something_is_compiled_is_taken_again(tmp_path, monkeypatch):
    walks, loads = [], iter([0, 1, 1, *[1] * 1000])
    simulate = episodes.simulate

    def spied(agent, problem, **options):
        walks.append(problem)
        return simulate(agent, problem, **options)

    monkeypatch.setattr(episodes, "simulate", spied)
    monkeypatch.setattr(episodes, "loads", lambda: next(loads))
    assert run(tmp_path, TINY.replace(', "wastar"', "").replace(', "rooms"', "")).fresh == 6
    warm, first, again, *others = walks
    assert warm == first == again
    assert len(others) == 5


def test_settings_that_do_not_suit_a_tiny_map_are_no_error():
    warm_up([Setting("astar", "astar", 1, (("nonsense", 1),))], "both-open", "sqrt2", True)


@pytest.mark.parametrize("each_move", [True, False])
@pytest.mark.parametrize("diagonals", ["both-open", "never"])
def test_a_sweep_is_warmed_up_by_one_build(monkeypatch, each_move, diagonals):
    module = sys.modules[warm_up.__module__]
    built, build = [], module.build
    monkeypatch.setattr(module, "build", lambda *args, **options: built.append(args[0]) or build(*args, **options))
    entry = catalog.CATALOG["pra-sector"]
    params = catalog.check_params(entry, {})
    offline = entry.offline(params)
    online = tuple((name, value) for name, value in params.items() if name not in offline)
    one = Setting("one", entry.name, entry.revision, online, tuple(offline.items()))
    warm_up([one, replace(one, label="two")], diagonals, "sqrt2", each_move)
    assert built == ["pra-sector"]
