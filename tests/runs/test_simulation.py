import numpy as np
import pytest

import waypost as wp
from waypost.runs import simulation

GRID = wp.load_map("rooms")
FAR = max(wp.sample_problems(GRID, 50, seed=1), key=lambda problem: GRID.octile(problem.start, problem.goal))


@pytest.mark.parametrize("each_move", [True, False])
def test_limits(each_move, monkeypatch):
    monkeypatch.setattr(simulation, "STRETCH", 7)
    agent = wp.build("astar", GRID).agent()
    whole = wp.simulate(agent, FAR, each_move=each_move)
    assert whole.status is wp.RunStatus.ARRIVED
    assert whole.moves > 20
    in_time = wp.simulate(agent, FAR, each_move=each_move, max_seconds=60)
    assert in_time.status is wp.RunStatus.ARRIVED
    assert in_time.cells.tolist() == whole.cells.tolist()
    assert in_time.work.tolist() == whole.work.tolist()
    late = wp.simulate(agent, FAR, each_move=each_move, max_seconds=0)
    assert late.status is wp.RunStatus.OUT_OF_TIME
    assert late.cells.tolist() == whole.cells[: late.moves + 1].tolist()
    assert late.moves == (1 if each_move else 7), "the clock is looked at after a move, or a stretch of them"
    for seconds in (None, 60):
        short = wp.simulate(agent, FAR, each_move=each_move, max_moves=10, max_seconds=seconds)
        assert (short.status, short.moves) == (wp.RunStatus.OUT_OF_MOVES, 10)


@pytest.mark.parametrize("bad", ["5", True, -1, float("nan"), np.ma.array(5.0, mask=True), np.array([5.0])])
def test_limits_of_time_are_numbers(bad):
    agent = wp.build("astar", GRID).agent()
    with pytest.raises(wp.WaypostError, match="max_seconds must be"):
        wp.simulate(agent, FAR, max_seconds=bad)
    assert agent.cell == -1
    with pytest.raises(wp.WaypostError, match="each_move must be True or False, not"):
        wp.simulate(agent, FAR, each_move=np.arange(2))
