"""The page about suites is true: its suite can be read, its commands and its Python run, its lists are complete."""

import re
import shlex
from pathlib import Path

from tests.support.suites import TINY, read
from tests.test_readme import blocks
from waypost.agents.step import WORK_COUNTERS
from waypost.bench.suite import shipped_suites
from waypost.runs.metrics import METRICS

PAGE = (Path(__file__).parents[2] / "docs" / "bench.md").read_text()


def test_the_suite_can_be_read(tmp_path):
    text, *_ = blocks("toml", PAGE)
    suite = read(tmp_path, text)
    assert [setting.label for setting in suite.settings] == ["astar", *(f"wastar(gamma={g})" for g in (0.2, 0.5, 0.8))]
    assert len(suite.find_maps(None)) == 5


def test_the_claims_and_tables_can_be_read(tmp_path):
    _, claims, tables = blocks("toml", PAGE)
    names = ("pra-sector", "astar", "lss")
    planners = '[[planner]]\nname = "dba"\npreset = "published"\n' + "".join(
        f'[[planner]]\nname = "{n}"\n' for n in names
    )
    suite = read(tmp_path, TINY.replace('planner = ["astar", "wastar"]', "") + planners + claims + tables)
    assert len(suite.claims) == 3
    assert len(suite.comparisons) == 3


def test_the_commands_and_the_python_run(waypost, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    first, *_ = blocks("sh", PAGE)
    for line in first.splitlines():
        assert waypost(*shlex.split(line, comments=True)[1:])[0] == 0
    (code,) = blocks("python", PAGE)
    exec(code, {})  # noqa: S102
    assert "move_us_max_max" in capsys.readouterr().out


def test_every_suite_and_every_metric_is_named():
    for name in shipped_suites():
        assert f"`{name}`" in PAGE
    per_move = {f"{name}_per_move_{way}" for name in (*WORK_COUNTERS, "work") for way in ("mean", "max")}
    for name in METRICS.keys() - per_move - {"length_cells", "moves"}:
        assert re.search(rf"`{name}`", PAGE), name
    for name in (*WORK_COUNTERS, "work"):
        assert f"`{name}`" in PAGE
