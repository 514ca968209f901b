"""tuned.toml, read and written."""

import tomllib

import pytest

import waypost as wp
from waypost.errors import WaypostError
from waypost.tuning.settings_file import Tuned, write_tuned
from waypost.tuning.toml_text import toml_text


@pytest.fixture
def grid():
    return wp.load_map("rooms")


@pytest.fixture
def write(tmp_path, grid):
    """Writes a file, some of it otherwise, and returns its place."""

    def write(name="tuned.toml", **changed):
        values = {
            "planner": "dba",
            "params": {"sector": 8},
            "map_name": "rooms",
            "fingerprint": grid.fingerprint,
            "diagonals": "both-open",
            "costs": "sqrt2",
            "limits": {"memory": "1MB"},
            "figures": {"move_us": [1.0, 2.0]},
            "date": "2026-11-19",
        } | changed
        write_tuned(tmp_path / name, Tuned(**values))
        return tmp_path / name

    return write


def test_a_planner_comes_back(write):
    planner = wp.build(**wp.tuned(write()))
    assert (planner.entry.name, planner.params["sector"]) == ("dba", 8)


def test_a_map_of_a_file_is_found_from_elsewhere(write, grid, tmp_path, monkeypatch):
    wp.save_map(grid, tmp_path / "mine.map")
    path = write(map_name=str(tmp_path / "mine.map"))
    monkeypatch.chdir("/")
    assert wp.tuned(path)["grid"].fingerprint == grid.fingerprint


def test_a_map_of_no_file_is_given(write, grid):
    path = write(map_name="")
    with pytest.raises(WaypostError, match=r"the map that .* was tuned for is in no file; give it"):
        wp.tuned(path)
    assert wp.tuned(path, grid)["grid"] is grid
    with pytest.raises(WaypostError, match="was tuned for another map"):
        wp.tuned(path, wp.load_map("maze"))


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (("[map]", "[map"), "is not TOML"),
        (('planner = "dba"', 'planner = "dbba"'), "did you mean 'dba'"),
        (('planner = "dba"', ""), "planner is missing"),
        (("sector = 8", "sector = 800"), "sector of dba must be from 0 to 256"),
        (("sector = 8", "sektor = 8"), "dba has no parameter called 'sektor'"),
        (("fingerprint", "fingerprinted"), "fingerprint"),
        (('diagonals = "both-open"', 'diagonals = "some"'), "diagonals must be one of"),
        (('date = "2026-11-19"', "extra = 1"), "there is no key 'extra'"),
    ],
)
def test_what_is_wrong_is_refused_in_one_sentence(write, change, complaint):
    path = write()
    path.write_text(path.read_text().replace(*change))
    with pytest.raises(WaypostError, match=complaint) as refused:
        wp.tuned(path)
    assert "\n" not in str(refused.value)


def test_nothing_to_write(write):
    with pytest.raises(WaypostError, match="nothing was found within the limits"):
        write(planner="")
    with pytest.raises(WaypostError, match="there is no file of tune"):
        wp.tuned("nowhere.toml")


def test_toml_comes_back():
    values = {
        "text": 'a "quoted"\nline \x7f ü',
        "whole": 3,
        "number": 0.1,
        "truth": True,
        "list": [1, 2],
        "odd key": 1,
        "table": {"a": 1, "inner": {"b": [0.5]}},
        "tables": [{"name": "x", "index": {"sector": 8}}, {"name": "y"}],
    }
    assert tomllib.loads(toml_text(values)) == values
