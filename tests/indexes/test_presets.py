"""Presets: names of settings, for builds and for indexes that are there."""

import pytest

import waypost as wp


def test_a_preset_sets_all_parameters_of_a_build_but_those_given():
    grid = wp.grid_from_text("....\n.##.\n....")
    planner = wp.build("dba", grid, preset="published", sector=2)
    assert {name: planner.params[name] for name in ("sector", "depth", "ahead", "direct", "entries")} == {
        "sector": 2, "depth": 2, "ahead": 0, "direct": 0, "entries": 0,
    }  # fmt: skip
    assert wp.build("dba", grid, preset="published", ahead=3).params["ahead"] == 3


def test_of_an_index_that_is_there_a_preset_sets_the_agent(tmp_path):
    grid = wp.grid_from_text("....\n.##.\n....")
    wp.build("dba", grid, sector=2, depth=3).save(tmp_path / "a.waypost")
    planner = wp.load(tmp_path / "a.waypost", grid, preset="published", direct=1)
    assert (planner.params["depth"], planner.params["ahead"], planner.params["direct"]) == (3, 0, 1)
    with pytest.raises(wp.WaypostError, match="was built with depth=3, not 2"):
        wp.load(tmp_path / "a.waypost", grid, preset="published", depth=2)
    with pytest.raises(wp.WaypostError, match="dba has no preset called 'nonsense'; its presets: published"):
        wp.load(tmp_path / "a.waypost", grid, preset="nonsense")
    with pytest.raises(wp.WaypostError, match="has no parameter called 'nonsense'"):
        wp.load(tmp_path / "a.waypost", grid, nonsense=3)
