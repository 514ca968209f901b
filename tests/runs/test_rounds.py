import numpy as np
import pytest

import waypost as wp
from waypost.runs import rounds, simulation
from waypost.runs.rounds import simulate_rounds


@pytest.fixture
def clock(monkeypatch):
    """Times of walks as they are named here, in turn; walks to get warm take long."""
    named: list[list[int]] = []

    def simulate(agent, problem, *, max_moves, each_move):
        run = simulation.simulate(agent, problem, max_moves=max_moves, each_move=each_move)
        times = [10**9] * 3 if max_moves < 3 else named.pop(0)
        move_ns = np.array(times[: run.moves]) if each_move else run.move_ns
        return rounds.replace(run, move_ns=move_ns, total_ns=sum(times))

    monkeypatch.setattr(rounds, "simulate", simulate)
    monkeypatch.setattr(rounds, "FEW_MOVES", 2)
    return named


@pytest.fixture
def walk():
    planner = wp.build("lrta", wp.grid_from_text("...."))
    return planner.agent(), planner.problem((0, 0), (3, 0))


def test_of_each_move_the_shortest_time_counts(clock, walk):
    clock += [[9, 1, 70], [8, 50, 2], [60, 1, 3]]
    run = simulate_rounds(*walk, 3)
    assert run.move_ns.tolist() == [8, 1, 2]
    assert run.total_ns == 11
    assert run.status is wp.RunStatus.ARRIVED


def test_of_whole_walks_the_shortest(clock, walk):
    clock += [[9, 1, 70], [8, 50, 2], [60, 1, 3]]
    run = simulate_rounds(*walk, 3, each_move=False)
    assert (run.total_ns, run.move_ns.size) == (60, 0)
