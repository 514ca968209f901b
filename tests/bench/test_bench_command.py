"""The command, and the whole way from maps to plots over every planner in the catalog."""

import importlib
import re
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.support.suites import TINY, small_demo
from waypost.bench.suite import shipped_suites
from waypost.catalog import CATALOG, DEFAULT
from waypost.cli import bench, show

TEXTS = {"map": ["a"], "setting": ["dba"], "diagonals": ["both-open"], "costs": ["sqrt2"], "machine": ["this one"]}
NUMBERS = ("start_x", "start_y", "goal_x", "goal_y", "revision", "arrived", *bench.SHOWN)
COLUMNS = TEXTS | {name: [1] for name in NUMBERS}
"""An episode, as far as comparisons look at it."""


def test_smoke(waypost, tmp_path):
    status, out, _ = waypost("bench", "smoke", "--out", tmp_path, "--front", "suboptimality_percent,online_kb")
    assert status == 0
    for name in CATALOG:
        assert name in out
    assert "Not beaten on these" in out
    assert "Means over the problems that arrived; of times the median; of other maxima the largest." in out
    written = re.findall(r"^Wrote (.*?)(?::.*)?$", out, re.MULTILINE)
    assert len(written) >= 5
    for path in written:
        assert (tmp_path / path).exists()
    assert list((tmp_path / "plots").glob("*.png"))
    assert "16/16" in out
    assert re.search(r"^0 of \d+ episodes were run now", waypost("bench", "smoke", "--out", tmp_path)[1], re.MULTILINE)


def test_the_demo_is_complete_and_fits_a_narrow_terminal(waypost, tmp_path, monkeypatch):
    monkeypatch.setattr(show, "WIDE", 80)
    (tmp_path / "demo.toml").write_text(small_demo())
    command = ("bench", tmp_path / "demo.toml", "--no-plots", "--out", tmp_path / "results")
    status, out, err = waypost(*command)
    assert status == 0
    assert "Planners on a map of half a million open cells: takes about a minute; on a new machine about" in err
    rows = re.findall(r"│ (\S+) +│ (\d+)/(\d+) ", out)
    assert rows[0] == (DEFAULT, "3", "3")
    assert {row[1:] for row in rows} == {("3", "3")}
    assert len(rows) == 13
    assert "…" not in out
    assert "39 of 39 episodes were run now.\n" in out
    assert "NOT COMPLETE" not in out
    assert waypost(*command)[2] == "", "nothing takes long any more"


def test_settings_without_episodes_have_no_row(waypost, tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(TINY)
    assert waypost("bench", path, "--no-plots", "--out", tmp_path / "results")[0] == 0
    path.write_text(TINY.replace('"wastar"', '"wastar", "jps", "lrta"') + "[limits]\nsuite_seconds = 0\n")
    _, out, _ = waypost("bench", path, "--no-plots", "--out", tmp_path / "results")
    assert "0/0" not in out
    assert "Not run yet: jps, lrta." in out
    assert "NOT COMPLETE: 24 of 48 episodes so far" in out
    report = (tmp_path / "results" / "summary.md").read_text()
    assert "0/0" not in report
    assert "Not run yet: jps, lrta." in report


def test_two_folders_are_compared_map_by_map(waypost, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("a.toml").write_text(TINY)
    Path("b.toml").write_text(TINY.replace('"wastar"', '"dijkstra"').replace("random = 6", "random = 4"))
    status, out, _ = waypost("bench", "a.toml", "--no-plots", "--out", "a", "--by-map")
    assert status == 0
    assert [out.count(f"\n{name}(24x20, seed=3)") for name in ("caves", "rooms")] == [1, 1], "a table of each map"
    assert waypost("bench", "b.toml", "--no-plots", "--out", "b")[0] == 0
    status, out, _ = waypost("bench", "--compare", "a", "b")
    assert status == 0
    titles = re.findall(r"^(\S.*): a → b", out, re.MULTILINE)
    assert titles == ["All maps", "caves(24x20, seed=3)", "rooms(24x20, seed=3)"]
    assert re.findall(r"^│ (\S+) +│ (\S+) ", out, re.MULTILINE) == [
        ("astar", "8/8"),
        ("astar", "4/4"),
        ("astar", "4/4"),
    ]
    assert "a: 8 of 24 episodes are in both; measured on " in out
    assert "Only in a: wastar.\nb: 8 of 16 episodes" in out
    assert "Only in b: dijkstra.\n" in out
    assert "revision" not in out


def test_folders_that_cannot_be_compared(refused, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, table in (("other", {"setting": ["dba"]}), ("none", {}), ("a", COLUMNS), ("b", COLUMNS | {"map": ["b"]})):
        Path(name).mkdir()
        pq.write_table(pa.table(table), Path(name) / "episodes.parquet")
    Path("damaged").mkdir()
    Path("damaged", "episodes.parquet").write_bytes(b"PAR1" * 9)
    assert "there is no file of results at nowhere/episodes.parquet" in refused("bench", "--compare", "nowhere", "a")
    assert "damaged/episodes.parquet is damaged, or no file of results" in refused("bench", "--compare", "a", "damaged")
    for name in ("other", "none"):
        assert f"{name}/episodes.parquet has no column map: it has no episodes" in refused(
            "bench", "--compare", name, "a"
        )
    assert "a and b have no problem of a setting in common" in refused("bench", "--compare", "a", "b")


def test_list(waypost):
    status, out, _ = waypost("bench", "--list")
    assert status == 0
    assert all(name in out for name in shipped_suites())


def test_results_go_to_a_folder_of_the_suites_name(waypost, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.toml").write_text(TINY)
    assert waypost("bench", "mine.toml", "--no-plots")[0] == 0
    assert (tmp_path / "waypost-bench" / "mine" / "episodes.parquet").exists()
    assert not (tmp_path / "waypost-bench" / "mine" / "plots").exists()


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ([], "name a suite, or list them with --list"),
        (["nonsense"], "there is no suite called 'nonsense'"),
        (["smoke", "--front", "speed,moves"], "there is no metric called 'speed'"),
        (["smoke", "--front", "moves"], "name 2 or 3 different metrics, not 'moves'"),
        (["smoke", "--workers", "0"], "--workers"),
        (["exact", "--maps", "/no/such/place"], "there is no folder of maps at /no/such/place"),
        (["smoke", "--out", "/dev/null/x"], "cannot write results to /dev/null/x"),
    ],
)
def test_refusals(refused, arguments, complaint):
    assert complaint in refused("bench", *arguments)


@pytest.mark.parametrize(("package", "extra"), [("pyarrow", "bench"), ("matplotlib", "plot")])
def test_missing_packages_are_named(refused, monkeypatch, package, extra):
    for name in ("waypost.bench.results", "waypost.bench.plot", "waypost.bench.runner", "waypost.bench.report"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    really = importlib.import_module

    def without(name, *rest):
        if name.split(".")[0] == package:
            raise ImportError(name)
        return really(name, *rest)

    monkeypatch.setattr(importlib, "import_module", without)
    assert f'pip install "waypost[{extra}]"' in refused("bench", "smoke")
