"""The command that finds a planner."""

import re

import pytest

import waypost as wp
from waypost.maps.movingai import write_scenarios


@pytest.fixture
def log(tmp_path):
    grid = wp.load_map("maze")
    write_scenarios(tmp_path / "log.scen", grid, wp.sample_problems(grid, 60, seed=1), "maze.map")
    return tmp_path / "log.scen"


def test_tune(waypost, tmp_path, log):
    race, file = tmp_path / "race", tmp_path / "tuned.toml"
    options = ("--problems", log, "--folder", race, "--planner", "dba", "--planner", "jps", "-o", file, "--explain")
    status, out, _ = waypost("tune", "maze", "--memory", "100KB", "--suboptimality", "10%", *options)
    assert status == 0
    assert "The choice and the next best" in out
    assert re.search(r"In Python: wp\.build\(\"(dba|jps)\", grid", out)
    assert re.search(r"On the command line: waypost run maze --planner (dba|jps)", out)
    assert f'wp.build(**wp.tuned("{file}"))' in out
    assert "is beaten by" in out or "was not among" in out
    assert list((race / "plots").glob("*.png"))
    assert wp.build(**wp.tuned(file)).index_bytes <= 100 * 1024
    command = re.search(r"waypost (bench .*) goes on with them", out)[1].split()
    assert waypost(*command, "--no-plots")[0] == 0


def test_where_nothing_fits(waypost, tmp_path, log):
    options = ("--problems", log, "--folder", tmp_path / "race", "--planner", "dba", "--planner", "jps")
    status, out, _ = waypost("tune", "maze", "--response-work", "3", *options)
    assert status == 1
    assert "nothing keeps these limits; dba" in out
    assert "relax response_work to" in out


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (("--memory", "lots"), "memory must be a number of at least 0, such as 200KB"),
        (("--objective", "speed"), "--objective is one of suboptimality, time, memory"),
        (("-o", "nowhere/tuned.toml"), "there is no directory"),
        (("--problems", "none.scen"), "there is no scenario file"),
        (("--planner", "dbba"), "did you mean 'dba'"),
    ],
)
def test_nonsense(refused, options, complaint, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert complaint in refused("tune", "maze", *options)


def test_auto(waypost):
    status, out, _ = waypost("run", "maze", "--planner", "auto", "--problems", "3")
    assert status == 0
    assert "Hub labels" in out
