import numpy as np
import pytest

import waypost as wp
from waypost.runs.crowd import Places
from waypost.runs.rush import rush, seconds_of_paths

AGENTS = 40


@pytest.fixture(scope="module")
def crowd():
    planner = wp.build("dba", wp.load_map("caves"))
    places = Places(planner.grid, 1)
    return planner, places.draw(AGENTS), places.draw(AGENTS)


def test_everyone_moves_at_once_where_there_is_time(crowd):
    arrived = []
    found = rush(*crowd, 1e9, arrived.append)
    assert (found.frames_to_move, found.units_on_way) == (1, 0)
    longest = max(len(crowd[0].path(*ends)) - 1 for ends in zip(*crowd[1:], strict=True))
    assert len(found.tick_us) == longest
    assert sum(arrived) == AGENTS


def test_one_a_frame_where_there_is_none(crowd):
    found = rush(*crowd, 0, lambda count=1: None)
    assert found.frames_to_move == AGENTS
    assert found.units_on_way == 0


def test_whole_paths_are_measured_for_a_while_and_taken_for_all(crowd):
    planner, starts, goals = crowd
    seconds, paths = seconds_of_paths(planner, starts, goals, 1e-9)
    assert paths == 1
    assert seconds > 0
    assert seconds_of_paths(planner, starts, goals, 60)[1] == AGENTS


def test_nobody_moves_who_is_there(crowd):
    planner, starts, _ = crowd
    found = rush(planner, starts, starts, 1000, lambda count=1: None)
    assert (found.frames_to_move, len(found.tick_us)) == (0, 0)
    assert isinstance(found.tick_us, np.ndarray)
