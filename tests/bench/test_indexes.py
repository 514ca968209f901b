"""Suites whose planners have an index: built once for all settings of the agent, kept, and its facts in every row."""

import json
from dataclasses import replace

import pytest

import waypost as wp
from tests.support import neighbour_index
from tests.support.suites import TINY, read, rows, run, untimed
from waypost import catalog
from waypost.bench import offline, runner
from waypost.bench.summary import summarise
from waypost.indexes.building import Works

NAME = neighbour_index.ENTRY.name
SUITE = TINY.replace('planner = ["astar", "wastar"]', "") + (
    f'[[planner]]\nname = "{NAME}"\nlast_first = [0, 1]\n[planner.index]\nbackwards = [0, 1]\n'
    '[[planner]]\nname = "astar"\n'
)


@pytest.fixture(autouse=True)
def _entered(monkeypatch):
    neighbour_index.enter(monkeypatch.setitem)


@pytest.fixture
def builds(monkeypatch):
    """The parameters of each build."""
    done = []

    def build(name, grid, **options):
        done.append((name, grid.width, options["backwards"]))
        return wp.build(name, grid, **options)

    monkeypatch.setattr(offline, "build", build)
    return done


def test_settings(tmp_path):
    labels = {s.label: (dict(s.params), dict(s.index)) for s in read(tmp_path, SUITE).settings}
    assert labels.pop("astar") == ({}, {})
    assert labels == {
        f"{NAME}(backwards={b}, last_first={a})": ({"last_first": a}, {"backwards": b}) for a in (0, 1) for b in (0, 1)
    }


@pytest.mark.parametrize(
    ("keys", "complaint"),
    [
        ("backwards = 1", "backwards of neighbours is a parameter of the index: it is given in [planner.index]"),
        (
            "[planner.index]\nlast_first = 1",
            "last_first of neighbours is a parameter of the agent: it is given outside",
        ),
        ("[planner.index]\nbackwards = 3", "backwards of neighbours must be from 0 to 1, not 3"),
        ("[planner.index]\nnonsense = 3", "has no parameter called 'nonsense'"),
        ("backwards = 1\n[planner.index]\nbackwards = 1", "backwards of neighbours is a parameter of the index"),
    ],
)
def test_refusals(tmp_path, keys, complaint):
    text = TINY.replace('planner = ["astar", "wastar"]', "") + f'[[planner]]\nname = "{NAME}"\n{keys}\n'
    with pytest.raises(wp.WaypostError) as refusal:
        read(tmp_path, text)
    assert complaint in str(refusal.value)


def test_one_build_serves_all_settings_of_the_agent(tmp_path, builds):
    assert run(tmp_path, SUITE).complete
    assert sorted(builds) == [(NAME, 24, 0), (NAME, 24, 0), (NAME, 24, 1), (NAME, 24, 1)], "two maps, two indexes each"
    for row in rows(tmp_path):
        has_index = row["planner"] == NAME
        assert (row["index_bytes"] > 0) == (row["build_seconds"] > 0) == (row["index_relative_size"] > 0) == has_index
        assert (json.loads(row["index_params"]) != {}) == has_index
        assert row["status"] == "arrived"
    files = sorted(path.name for path in (tmp_path / "results" / "indexes").iterdir())
    assert len(files) == 8, "four indexes and their facts, no journal"


def test_what_is_there_is_not_built_again_and_keeps_its_build_time(tmp_path, builds):
    run(tmp_path, SUITE.replace("last_first = [0, 1]", "last_first = 0"))
    times = {(row["map"], row["index_params"]): row["build_seconds"] for row in rows(tmp_path)}
    assert len(builds) == 4
    run(tmp_path, SUITE)
    assert len(builds) == 4
    for row in rows(tmp_path):
        assert row["build_seconds"] == times[row["map"], row["index_params"]]
    assert run(tmp_path, SUITE).fresh == 0


def test_damaged_indexes_and_such_without_facts_are_built_again(tmp_path, builds):
    run(tmp_path, SUITE.replace("last_first = [0, 1]", "last_first = 0"))
    before = untimed(tmp_path)
    damaged, without_facts, *_ = sorted((tmp_path / "results" / "indexes").glob("*.waypost"))
    damaged.write_bytes(damaged.read_bytes()[:-1])
    (without_facts.parent / f"{without_facts.name}.facts.json").unlink()
    builds.clear()
    run(tmp_path, SUITE)
    assert len(builds) == 2
    assert [row for row in untimed(tmp_path) if row in before] == before


def test_a_build_that_was_interrupted_goes_on(tmp_path, monkeypatch, capsys):
    parts = Works.parts

    def cut_short(self, title, total, make, **_):
        def until(first, last):
            if last > total / 2:
                raise KeyboardInterrupt
            return make(first, last)

        return parts(self, title, total, until, chunk=5)

    with monkeypatch.context() as patch:
        patch.setattr(runner, "warm_up", lambda *_: None)  # or it would be cut short there
        patch.setattr(Works, "parts", cut_short)
        with pytest.raises(KeyboardInterrupt):
            run(tmp_path, SUITE)
    assert [path.suffix for path in (tmp_path / "results" / "indexes").iterdir()] == [".partial"]
    assert run(tmp_path, SUITE).complete
    assert "going on from" in capsys.readouterr().err
    assert not list((tmp_path / "results" / "indexes").glob("*.partial"))


@pytest.mark.skipif(not any(e.index for e in catalog.CATALOG.values()), reason="no planner has an index yet")
def test_several_processes_use_one_build(tmp_path):
    name = next(name for name, entry in catalog.CATALOG.items() if entry.index)
    text = TINY.replace('"wastar"', f'"{name}"')
    run(tmp_path, text)
    alone = untimed(tmp_path)
    (other := tmp_path / "other").mkdir()
    run(other, text, workers=2, timing_workers=2)
    assert untimed(other) == alone


def test_a_setting_is_real_time_only_if_its_work_is_bounded_with_its_index(tmp_path, monkeypatch):
    unbounded = replace(
        neighbour_index.ENTRY, work_bound=lambda p, index: None if p["backwards"] else index.arrays["cells"].size
    )
    monkeypatch.setitem(catalog.CATALOG, NAME, unbounded)
    real_time = {summary.label: summary.real_time for summary in summarise(run(tmp_path, SUITE))}
    assert real_time == {
        "astar": False,
        f"{NAME}(backwards=0, last_first=0)": True,
        f"{NAME}(backwards=0, last_first=1)": True,
        f"{NAME}(backwards=1, last_first=0)": False,
        f"{NAME}(backwards=1, last_first=1)": False,
    }
    for row in rows(tmp_path):
        assert row["work_per_move_max"] <= row["work_bound"]
