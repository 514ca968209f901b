"""Planners chosen by the map."""

import numpy as np
import pytest

import waypost as wp
from tests.support.neighbour_index import ENTRY
from waypost import choosing
from waypost.catalog import CATALOG, check_params
from waypost.errors import ParameterError


def test_small_maps_have_shortest_walks():
    grid = wp.load_map("rooms")
    planner = wp.build("auto", grid)
    assert planner.entry.optimal
    assert planner.entry.real_time
    assert wp.build("auto", grid=grid, threads=1, progress=False).entry.name == planner.entry.name


def test_other_rules_and_large_maps_have_planners_of_their_own():
    assert wp.build("auto", wp.grid_from_text("....\n..#.\n....", diagonals="always")).entry.name == "dba"
    (rule,) = choosing.choose(wp.Grid(np.ones((1001, 1000), np.bool_)))
    assert rule.planner == "gates"


def test_what_cannot_be_built_gives_way(monkeypatch):
    few = choosing.RULES[0]._replace(params={"budget": 100_000})
    monkeypatch.setattr(choosing, "RULES", (few._replace(planner="astar", params={}), *choosing.RULES))
    assert wp.build("auto", wp.load_map("rooms")).entry.name == "astar"
    monkeypatch.setattr(choosing, "RULES", (few._replace(params={"budget": 1}), *choosing.RULES[2:]))
    assert wp.build("auto", wp.load_map("rooms")).entry.name == "dba"


def test_a_planner_that_refuses_leaves_no_journal_in_the_way(monkeypatch, tmp_path):
    first, last = choosing.RULES[0]._replace(params={"budget": 100_000}), choosing.RULES[-1]
    monkeypatch.setattr(choosing, "RULES", (first, last))
    grid = wp.Grid(np.random.default_rng(1).random((200, 200)) < 0.85)
    with pytest.raises(wp.WaypostError, match="take jps"):
        wp.build("hub", grid, budget=100_000)
    planner = wp.build("auto", grid, checkpoint=tmp_path / "a.partial", progress=False)
    assert planner.entry.name == last.planner


def test_the_table_is_sound():
    for rule in choosing.RULES:
        assert check_params(CATALOG[rule.planner], rule.params)
        assert rule.evidence
    assert choosing.RULES[-1].most_cells == np.inf
    assert not choosing.RULES[-1].diagonals


def test_nonsense_is_refused():
    grid = wp.grid_from_text("...")
    with pytest.raises(ParameterError, match="auto chooses parameters, too, and takes none; it is given sector"):
        wp.build("auto", grid, sector=8)
    with pytest.raises(ParameterError, match="no planner can be called auto"):
        wp.register(wp.Entry("auto", "Any", ENTRY.agent))
    with pytest.raises(ParameterError, match="a parameter of mine cannot be called grid"):
        wp.Entry("mine", "Mine", ENTRY.agent, params={"grid": wp.Param(1, 0, 2, "what")})
    with pytest.raises(ParameterError, match="a step of depth of mine must be from 0 to 2"):
        wp.Entry("mine", "Mine", ENTRY.agent, params={"depth": wp.Param(1, 0, 2, "what", steps=(1, 3))})
