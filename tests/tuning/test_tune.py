"""Races on small maps: the answer, what is kept, and what becomes of limits that nothing keeps."""

import json
import re
import subprocess
import sys
import tomllib

import numpy as np
import pytest

import waypost as wp
from tests.support.chance import seeded
from waypost.bench.runner import run_suite
from waypost.bench.suite import read_suite
from waypost.errors import WaypostError
from waypost.maps.movingai import write_scenarios
from waypost.tuning.folder import chosen_problems
from waypost.tuning.resident import resident_bytes

FEW = ("jps", "dba", "tba")


@pytest.fixture(scope="module")
def grid():
    return wp.load_map("rooms")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("race")


@pytest.fixture(scope="module")
def problems(grid):
    return wp.sample_problems(grid, 120, seed=5)


@pytest.fixture(scope="module")
def found(grid, folder, problems):
    """What keeps a limit on the work of a move, with the shortest walks."""
    limits = wp.Limits(response_work=100_000, memory="300KB")
    return wp.tune(grid, limits, problems=problems, folder=folder, planners=FEW, map_name="rooms")


def test_the_choice_keeps_the_limits(found, grid):
    choice = found.choice
    assert choice.planner == "dba"
    assert found.complete
    assert choice.figures.memory <= 300 * 1024
    assert choice.figures.work_bound <= 100_000
    assert choice.fresh.problems == 40
    assert choice.figures.problems == 80
    assert choice.figures.suboptimality.low <= choice.figures.suboptimality.value <= choice.figures.suboptimality.high
    planner = wp.build(choice.planner, grid, **choice.params)
    assert planner.work_bound == choice.figures.work_bound


def test_nothing_else_was_better(found, grid, problems):
    """The settings of the same planner, one by one, on the problems that were chosen by."""
    problems = chosen_problems(grid, problems)[:80]

    def percent(**params):
        planner = wp.build("dba", grid, **params)
        if planner.work_bound > 100_000 or resident_bytes(planner) > 300 * 1024:
            return np.inf
        agent = planner.agent()
        walks = [wp.simulate(agent, problem, each_move=False).cost for problem in problems]
        optima = wp.build("jps", grid).cost(
            grid.xys(np.array([p.start for p in problems])), grid.xys(np.array([p.goal for p in problems]))
        )
        return float(np.mean(np.array(walks) / optima - 1))

    ours = percent(**found.choice.params)
    others = [percent(sector=sector, ahead=ahead) for sector in (0, 8, 16, 32) for ahead in (0, 4)]
    assert np.isfinite(ours)
    assert np.isfinite(others).sum() > 1
    assert ours <= min(others) * 1.02 + 1e-4


def test_others_and_reasons(found):
    fallen = dict(found.fallen)
    assert fallen["jps"] == "is not real-time: the work of a move has no bound"
    assert {other.planner for other in found.runners_up} >= {"dba"}
    assert len(found.runners_up) == 3
    assert all(str(other) != str(found.choice) for other in found.runners_up)
    text = str(found)
    assert 'In Python: wp.build("dba", grid' in text
    assert "On the command line: waypost run rooms --planner dba" in text
    assert "fresh problems" in text
    assert "jps: is not real-time" in found.explain() or "jps, " in found.explain()


def test_the_file_builds_the_planner(found, tmp_path, monkeypatch, grid):
    found.save(tmp_path / "tuned.toml")
    monkeypatch.chdir(tmp_path.parent)
    planner = wp.build(**wp.tuned(tmp_path / "tuned.toml"))
    assert planner.entry.name == "dba"
    assert {name: planner.params[name] for name in found.choice.params} == dict(found.choice.params)
    values = tomllib.loads((tmp_path / "tuned.toml").read_text())
    assert values["limits"] == {"response_work": 100_000, "memory": "300KB"}
    assert values["figures"]["problems"] == 80
    assert wp.tuned(tmp_path / "tuned.toml", grid)["grid"] is grid
    with pytest.raises(WaypostError, match="was tuned for another map than this one of 100 x 70"):
        wp.tuned(tmp_path / "tuned.toml", wp.load_map("maze"))


def test_bench_goes_on_with_the_folder(found, folder):
    before = sum(1 for _ in (folder / "runs").rglob("*.arrow"))
    outcome = run_suite(read_suite(str(folder / "suite.toml")), folder, maps=folder / "maps")
    assert outcome.complete
    assert 0 < outcome.fresh < outcome.episodes, "what the race has walked is not walked again"
    assert before > 0
    assert [path.suffix for path in found.draw()] == [".svg", ".png"] * 3


def test_a_second_search_walks_nothing_again(found, grid, folder, problems, monkeypatch):
    monkeypatch.setattr("waypost.bench.episodes.Workbench.measure", None)
    limits = wp.Limits(response_work=100_000, memory="300KB")
    again = wp.tune(grid, limits, problems=problems, folder=folder, planners=FEW, map_name="rooms")
    assert again.choice == found.choice
    assert again.fallen == found.fallen


@pytest.mark.parametrize(
    ("limits", "told"),
    [
        ({"memory": "1KB", "suboptimality": "0.01%", "response_work": 600}, "comes nearest: relax"),
        ({"response_work": 1}, "relax response_work to"),
        ({"edits": True, "agents": 2}, "no planner can be what is wanted: .*has no fleets"),
    ],
)
def test_where_nothing_fits(grid, folder, problems, limits, told):
    found = wp.tune(grid, limits, problems=problems, folder=folder, planners=FEW)
    assert found.choice is None
    assert re.search(told, str(found))
    assert not found.python
    assert not found.command
    with pytest.raises(WaypostError, match="nothing was found within the limits"):
        found.save(folder / "none.toml")


def test_an_interrupt_gives_the_best_so_far(grid, tmp_path, problems):
    def interrupt(race):
        if race.best:
            raise KeyboardInterrupt

    found = wp.tune(grid, {}, problems=problems, folder=tmp_path, planners=FEW, tell=interrupt)
    assert not found.complete
    assert found.choice is not None
    assert "best so far" in str(found)
    assert wp.tune(grid, {}, problems=problems, folder=tmp_path, planners=FEW).complete


@pytest.mark.parametrize(
    "notes", [b"", b"[1]", b'{"a": "b", "c": {"d": [1]}, "e": [1, 2, "3"]}', b"\xff", b"[" * 100_000, None]
)
def test_damaged_notes_are_measured_again(grid, tmp_path, problems, notes):
    before = wp.tune(grid, {}, problems=problems[:30], folder=tmp_path, planners=("jps",))
    if notes is None:
        kept = json.loads((tmp_path / "notes.json").read_text())
        notes = json.dumps(
            {key: {"else": [1, 2]} if isinstance(value, dict) else 5 for key, value in kept.items()}
        ).encode()
    (tmp_path / "notes.json").write_bytes(notes)
    again = wp.tune(grid, {}, problems=problems[:30], folder=tmp_path, planners=("jps",))
    assert again.choice.figures.suboptimality == before.choice.figures.suboptimality
    assert again.choice.figures.memory == before.choice.figures.memory


def test_an_interrupt_before_anything_fits(grid, tmp_path, problems):
    def interrupt(race):
        raise KeyboardInterrupt

    found = wp.tune(grid, {}, problems=problems, folder=tmp_path, planners=FEW, tell=interrupt)
    assert str(found) == "Nothing that keeps the limits was found so far."


def test_problems_of_a_log(grid, tmp_path, problems):
    write_scenarios(tmp_path / "log.scen", grid, problems[:30], "rooms.map")
    found = wp.tune(grid, {}, problems=tmp_path / "log.scen", folder=tmp_path / "race", planners=("jps",))
    assert (found.choice.figures.problems, found.choice.fresh.problems) == (20, 10)
    one = wp.tune(grid, {}, problems=problems[:1], folder=tmp_path / "one", planners=("jps",))
    assert one.choice.fresh is None


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ({"limits": {"memori": 1}}, "there is no limit called 'memori'; there are memory, response_us"),
        ({"limits": 5}, "limits are a waypost.Limits, or values by their names, not 5"),
        ({"planners": "dba"}, r"planners are several names, such as \['dba'\]"),
        ({"planners": ()}, "there is no planner to try"),
        ({"planners": ("dbba",)}, "did you mean 'dba'"),
        ({"problems": []}, "none of these problems has a way"),
        ({"problems": "none.scen"}, "there is no scenario file at none.scen"),
    ],
)
def test_nonsense_is_refused(grid, tmp_path, arguments, complaint):
    with pytest.raises(WaypostError, match=complaint) as refused:
        wp.tune(grid, folder=tmp_path, **arguments)
    assert "\n" not in str(refused.value)


SCRIPT = """
import sys
import waypost as wp
grid = wp.load_map("maze")
problems = wp.sample_problems(grid, 180, seed=3)
limits = wp.Limits(memory="200KB", suboptimality="3%", objective="memory")
found = wp.tune(grid, limits, problems=problems, folder=sys.argv[1], planners=("jps", "hub", "tba"))
print(found.choice.planner, found.choice.figures.memory, found.complete)
"""


def begun(folder):
    return subprocess.Popen([sys.executable, "-c", SCRIPT, str(folder)], stdout=subprocess.PIPE, text=True)


def test_a_killed_race_comes_to_the_same_answer(tmp_path):
    """By what is counted: settings of a planner that hold as much are told apart by the clock."""
    undisturbed = begun(tmp_path / "undisturbed")
    wanted, _ = undisturbed.communicate()
    random = seeded(31)
    for _ in range(2):
        process = begun(tmp_path / "killed")
        try:
            process.communicate(timeout=float(random.uniform(1, 4)))
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
    last, _ = begun(tmp_path / "killed").communicate()
    assert wanted
    assert last == wanted
