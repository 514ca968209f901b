"""The page about suites is true: its suite can be read, its commands and its Python run, its lists are complete."""

import re
import shutil
from pathlib import Path

from tests.support.pages import ROOT, blocks, commands, python_of
from tests.support.suites import TINY, read, small_demo
from waypost.agents.step import WORK_COUNTERS
from waypost.bench.changing import read_changing_suite
from waypost.bench.suite import SHIPPED, shipped_suites
from waypost.runs.metrics import METRICS

PAGE = ROOT / "docs" / "bench.md"
TEXT = PAGE.read_text()


def to_run(language):
    return [block for block in blocks(PAGE) if block.language == language and not block.why_not]


def test_the_suite_can_be_read(tmp_path):
    first, *_ = to_run("toml")
    suite = read(tmp_path, first.code)
    assert [setting.label for setting in suite.settings] == ["astar", *(f"wastar(gamma={g})" for g in (0.2, 0.5, 0.8))]
    assert len(suite.find_maps(None)) == 5


def test_the_suite_of_changes_can_be_read(tmp_path):
    place = tmp_path / "changes.toml"
    place.write_text(to_run("toml")[1].code)
    suite = read_changing_suite(str(place))
    assert [setting.label for setting in suite.settings] == ["jps", "dba"]
    assert (suite.again, suite.stages) == (("jps",), 20)


def test_the_claims_and_tables_can_be_read(tmp_path):
    _, _, claims, tables = to_run("toml")
    names = ("pra-sector", "astar", "lss")
    planners = '[[planner]]\nname = "dba"\npreset = "published"\n' + "".join(
        f'[[planner]]\nname = "{n}"\n' for n in names
    )
    suite = read(tmp_path, TINY.replace('planner = ["astar", "wastar"]', "") + planners + claims.code + tables.code)
    assert len(suite.claims) == 3
    assert len(suite.comparisons) == 3


def test_the_commands_and_the_python_run(waypost, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    shutil.copytree(SHIPPED, "suites")
    Path("suites", "demo.toml").write_text(small_demo())
    monkeypatch.setattr("waypost.bench.suite.SHIPPED", tmp_path / "suites")
    for block in to_run("sh"):
        for words in commands(block):
            assert waypost(*words[1:])[0] == 0
    (code,) = python_of(PAGE)
    exec(code, {})  # noqa: S102
    assert "move_us_max_max" in capsys.readouterr().out


def test_every_suite_and_every_metric_is_named():
    for name in shipped_suites():
        assert f"`{name}`" in TEXT
    per_move = {f"{name}_per_move_{way}" for name in (*WORK_COUNTERS, "work") for way in ("mean", "max")}
    for name in METRICS.keys() - per_move - {"length_cells", "moves"}:
        assert re.search(rf"`{name}`", TEXT), name
    for name in (*WORK_COUNTERS, "work"):
        assert f"`{name}`" in TEXT
