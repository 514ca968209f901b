"""Suites on maps that change."""

import csv
import os
from pathlib import Path

import pytest

import waypost as wp
from tests.maps.test_changing import write
from waypost.bench.changing import is_about_changes, read_changing_suite, run_changing_suite

SUITE = """
title = "A small map that changes"
about = "A test."
changes = "tracks/small.scen"
planner = ["jps", "lss", "dba"]
again = ["jps"]
"""


@pytest.fixture
def maps(tmp_path, monkeypatch):
    folder = tmp_path / "maps"
    (folder / "tracks").mkdir(parents=True)
    write(folder / "tracks")
    monkeypatch.setenv("WAYPOST_MAPS", os.fspath(folder))
    monkeypatch.chdir(tmp_path)
    return folder


def suite(text=SUITE):
    Path("small.toml").write_text(text)
    return "small.toml"


def test_a_suite_of_changes(waypost, maps, tmp_path):
    status, said, _ = waypost("bench", suite())
    assert status == 0
    assert "made again" in said
    assert "rebuilds" in said
    with open(tmp_path / "waypost-bench" / "small" / "changes.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    kinds = [("jps", "repairs"), ("jps", "made again"), ("lss", "repairs"), ("dba", "rebuilds")]
    assert [(row["setting"], row["after_edit"]) for row in rows] == kinds
    assert all(row["queries"] == "3" and row["changes"] == "2" for row in rows)
    assert rows[0]["exact"] == rows[1]["exact"] == "3"
    assert all(float(row["change_us"]) > 0 and float(row["path_us"]) > 0 for row in rows)
    report = (tmp_path / "waypost-bench" / "small" / "report.md").read_text()
    assert "| jps | repairs |" in report
    assert "3 of 3" in report


def test_the_first_stages(maps, tmp_path):
    rows = run_changing_suite(read_changing_suite(suite(SUITE + "stages = 1\n")), tmp_path / "out", maps)
    assert {row.changes for row in rows} == {0}
    assert {row.queries for row in rows} == {1}


def test_which_suites_these_are(maps):
    assert is_about_changes("dynamic")
    assert not is_about_changes("smoke")
    assert read_changing_suite("dynamic").files == ("dynamic/dao_arena2.scen",)


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ('planner = ["jps", "lss", "dba"]', "", r"\[\[planner\]\] is missing"),
        ('again = ["jps"]', 'again = ["astar"]', "again must be labels of settings"),
        ("about", "abuot", "there is no key 'abuot' here; did you mean 'about'"),
        ("tracks/small.scen", "tracks/none.scen", "none.scen"),
        ('"tracks/small.scen"', "3", "changes must be a text or a list of texts"),
    ],
)
def test_odd_suites(waypost, maps, old, new, complaint):
    with pytest.raises(wp.WaypostError, match=complaint):
        run_changing_suite(read_changing_suite(suite(SUITE.replace(old, new))), Path("out"), maps)


def test_a_folder_of_maps_is_needed(waypost, maps, monkeypatch):
    monkeypatch.delenv("WAYPOST_MAPS")
    status, _, said = waypost("bench", suite())
    assert status == 2
    assert "WAYPOST_MAPS" in said
