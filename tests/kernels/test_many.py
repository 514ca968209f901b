"""Many problems taken up one after the other, by the loop that every planner's kernel has, here in plain Python."""

import numpy as np
import pytest

from waypost.agents import many as agents_many
from waypost.agents.many import CELLS_FULL, OUT_OF_MOVES, ManyProblems
from waypost.kernels import many as kernels
from waypost.kernels.many import DONE, GIVEN_UP, MOVES_AT_ONCE, Many
from waypost.maps.text import grid_from_text

LONG = MOVES_AT_ONCE + 500


@pytest.fixture(scope="module")
def corridor():
    return grid_from_text("." * (LONG + 1))


def problems_on(grid, ends, max_moves, paths):
    first = grid.cell((0, 0))
    starts, goals = (np.array(column, np.int32) + first for column in zip(*ends, strict=True))
    return ManyProblems(grid, starts, goals, max_moves, paths)


def step(many, grid):
    """Log one move after another along the corridor, as a planner's kernel does; returns how many."""
    now = many.progress[0]
    cell, goal = int(now["cell"]), int(kernels.goal_of(many))
    room = kernels.log_size(many) // kernels.ENTRIES
    assert 0 < room <= MOVES_AT_ONCE
    made = min(room, abs(goal - cell))
    many.log[:made] = cell + np.sign(goal - cell) * np.arange(1, made + 1)
    return made


def solved(problems, advance):
    """Answers, with the problems begun and the statuses on the way."""
    begun, statuses = [], []
    while True:
        many = Many(*problems.arrays)
        while kernels.take_up(many):
            if kernels.is_new(many):
                begun.append((int(kernels.start_of(many)), int(kernels.goal_of(many))))
            advance(many)
        statuses.append(int(many.progress[0]["status"]))
        if statuses[-1] != CELLS_FULL:
            return problems.solved, begun, statuses
        problems.make_room()


@pytest.mark.parametrize("paths", [False, True])
@pytest.mark.parametrize("max_moves", [0, 1, 9, LONG - 1, LONG, 2**62])
@pytest.mark.parametrize("at_once", [False, True])
def test_each_problem_is_begun_once_and_answered(corridor, paths, max_moves, at_once, monkeypatch):
    monkeypatch.setattr(agents_many, "FIRST_CELLS", 1)
    ends = [(0, 3), (5, 5), (LONG, 0), (3, 12), (0, LONG), (LONG, LONG - 1)]
    problems = problems_on(corridor, ends, max_moves, paths)

    def by_log(many):
        kernels.keep_log(many, step(many, corridor))

    def as_a_whole(many):
        cell, goal = int(many.progress[0]["cell"]), int(kernels.goal_of(many))
        moves = abs(goal - cell)
        cost = corridor.costs.straight * moves
        assert kernels.needs_moves(many, cost) or not paths
        if not kernels.needs_moves(many, cost):
            assert moves <= max_moves
        if kernels.takes_way(many, cost, moves):
            last = int(many.progress[0]["used"])
            many.cells[last - moves : last] = cell + np.sign(goal - cell) * np.arange(1, moves + 1)

    answers, begun, statuses = solved(problems, as_a_whole if at_once else by_log)
    first = corridor.cell((0, 0))
    assert statuses[-1] == DONE
    assert (CELLS_FULL in statuses) == paths
    assert begun == [(first + a, first + b) for a, b in ends if a != b and max_moves > 0]
    cells = []
    for (start, goal), cost, length in zip(ends, answers.costs.tolist(), answers.lengths.tolist(), strict=True):
        moves = abs(goal - start)
        arrives = moves <= max_moves
        assert cost == (corridor.costs.straight * moves if arrives else OUT_OF_MOVES)
        assert length == (moves + 1 if arrives and paths else 0)
        if length:
            way = np.sign(goal - start)
            cells += [first + start + way * i for i in range(moves + 1)]
    assert answers.cells.tolist() == cells


def test_who_makes_no_move_has_given_up(corridor):
    problems = problems_on(corridor, [(0, 3), (4, 9)], 100, True)
    _, _, statuses = solved(problems, lambda many: kernels.keep_log(many, 0))
    assert statuses == [GIVEN_UP]
    first = corridor.cell((0, 0))
    assert problems.at_hand == (first, first + 3)


def test_moves_cost_what_they_cost_and_waits_nothing():
    grid = grid_from_text("...\n...")
    problems = ManyProblems(grid, *(np.array([grid.cell(p)], np.int32) for p in ((0, 0), (2, 0))), 10, True)
    way = np.array([grid.cell(p) for p in ((0, 0), (1, 1), (1, 1), (1, 0), (2, 0))], np.int32)
    many = Many(*problems.arrays)
    assert kernels.take_up(many)
    kernels.keep_cells(many, way, 1, 4)
    assert not kernels.take_up(many)
    assert problems.solved.costs.tolist() == [grid.path_cost(way)]
    assert problems.solved.cells.tolist() == way.tolist()
