"""Checks that a planner walks the same way however it is asked: steps, stretches, paths, batches, fleets, threads."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import numpy.typing as npt

from waypost.agents.base import Agent
from waypost.agents.step import RunStatus
from waypost.errors import Unreachable
from waypost.planner import Planner
from waypost.runs.simulation import simulate
from waypost.testing.subject import MOST_MOVES, Subject, problems_of, refused
from waypost.testing.worlds import drawn, random_open
from waypost.world.grid import COSTS, DIAGONALS, Grid
from waypost.world.problem import Problem, sample_problems

__all__ = ["CHECKS"]

_WORLDS = 40
_MOST_MOVES = 3000  # some settings lead back and forth for long; then all ways must do so

Walked = tuple[list[int], list[tuple[int, ...]]]


def walks_one_way_however_it_is_asked(subject: Subject) -> None:
    """On random small maps, under random rules, with random parameters."""
    random = np.random.default_rng(29)
    for _ in subject.some_of(range(_WORLDS)):
        rule = list(DIAGONALS)[random.integers(len(DIAGONALS))]
        costs = list(COSTS)[random.integers(len(COSTS))]
        grid = Grid(random_open(random, 9), diagonals=rule, costs=costs)
        if grid.component_sizes.max() < 2:
            continue
        planner = subject.build(grid, **subject.some_params(random))
        problems = sample_problems(grid, 5, int(random.integers(1000)))
        agents = planner.agent(), planner.agent(), planner.agent(record=True)
        found = [_walked_each_way(planner, agents, problem, random) for problem in problems]
        _check_batches(planner, problems, found)
        if planner.entry.walks:
            fleet = planner.fleet(*_ends(grid, problems), threads=1)
            for tick in range(1, 60):
                fleet.tick()
                assert fleet.cells.tolist() == [cells[min(tick, len(cells) - 1)] for cells in found], "a fleet differs"


def _walked_each_way(
    planner: Planner, agents: tuple[Agent, Agent, Agent], problem: Problem, random: np.random.Generator
) -> list[int]:
    agent, other, recording = agents
    cells, work = _by_steps(agent, problem)
    assert problem.goal not in cells[:-1], "it walked past its goal"
    assert _by_stretches(other, problem, random) == (cells, work), "walking in stretches differs from stepping"
    assert _by_steps(recording, problem) == (cells, work), "recording changes moves or work"
    other.reset(problem)
    walk = other.walk(_MOST_MOVES)
    assert walk.cells.tolist() == cells, "walk() differs from stepping"
    assert [tuple(row) for row in walk.work.tolist()] == work, "walk() counts other work than stepping"
    other.reset(problem)
    half = other.walk(len(work) // 2).cells.tolist()
    if len(work) < _MOST_MOVES:
        grid = planner.grid
        assert half[:-1] + other.path(_MOST_MOVES).tolist() == cells, "path() from half-way differs"
        path = planner.path(grid.xy(problem.start), grid.xy(problem.goal), max_moves=_MOST_MOVES)
        assert path.tolist() == grid.xys(np.array(cells)).tolist(), "path() differs from stepping"
        other.reset(problem)
        assert other.path_cost(_MOST_MOVES) == grid.path_cost(np.array(cells)), "path_cost() differs"
    return cells


def _by_steps(agent: Agent, problem: Problem) -> Walked:
    """Cells and work of single steps."""
    agent.reset(problem)
    cells: list[int] = [agent.cell]
    work: list[tuple[int, ...]] = []
    while agent.cell != agent.goal and len(work) < _MOST_MOVES:
        step = agent.step()
        cells.append(step.cell)
        work.append(step[2:])
    return cells, work


def _by_stretches(agent: Agent, problem: Problem, random: np.random.Generator) -> Walked:
    """The same in stretches of random lengths, some of them single steps."""
    agent.reset(problem)
    cells: list[int] = [agent.cell]
    work: list[tuple[int, ...]] = []
    while agent.cell != agent.goal and len(work) < _MOST_MOVES:
        if random.integers(4):
            stretch = agent.walk(min(int(random.integers(0, 9)), _MOST_MOVES - len(work)))
            assert (stretch.status is RunStatus.ARRIVED) == (agent.cell == agent.goal)
            cells += stretch.cells[1:].tolist()
            work += [tuple(row) for row in stretch.work.tolist()]
        else:
            step = agent.step()
            cells.append(step.cell)
            work.append(step[2:])
    return cells, work


def _ends(grid: Grid, problems: list[Problem]) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    return grid.xys(np.array([p.start for p in problems])), grid.xys(np.array([p.goal for p in problems]))


def _check_batches(planner: Planner, problems: list[Problem], found: list[list[int]]) -> None:
    grid = planner.grid
    for paths in (False, True):
        batch = planner.batch(*_ends(grid, problems), paths=paths, threads=1, max_moves=_MOST_MOVES)
        for i, cells in enumerate(found):
            arrived = cells[-1] == problems[i].goal
            assert batch.costs[i] == (grid.path_cost(np.array(cells)) if arrived else -2), "a batch differs"
            if paths and arrived:
                assert batch.path(i).tolist() == grid.xys(np.array(cells)).tolist(), "a batch's path differs"


def walks_as_it_steps_and_says_what_it_learned(subject: Subject) -> None:
    """Also in parts; memory and learned values agree with its catalog line."""
    grid = Grid(drawn("rooms"))
    planner = subject.build(grid)
    agent = planner.agent()
    for problem in problems_of(grid):
        stepped, walked = (simulate(agent, problem, each_move=each) for each in (True, False))
        assert walked.status is stepped.status
        assert np.array_equal(walked.cells, stepped.cells)
        assert np.array_equal(walked.work, stepped.work)
        assert walked.memory == stepped.memory
        for few in (0, 1, stepped.moves // 2):
            agent.reset(problem)
            part = agent.walk(few)
            assert len(part.cells) == min(few, stepped.moves) + 1
            rest = agent.walk()
            assert np.array_equal(np.concatenate([part.cells[:-1], rest.cells]), stepped.cells)
            assert np.array_equal(np.concatenate([part.work, rest.work]), stepped.work)
        cells, values = agent.learned()
        assert cells.size == values.size
        assert planner.entry.learns or not cells.size, "it raised values, and its entry does not say that it learns"
        if planner.index is None:
            assert cells.size == stepped.memory.learned
        else:  # what was learned about a subgoal is forgotten when it is reached, and stays counted
            assert cells.size <= stepped.memory.learned
        assert (np.diff(cells) > 0).all()


def serves_several_threads(subject: Subject) -> None:
    """One planner, four threads, the same paths."""
    grid = Grid(subject.is_open)
    planner = subject.build(grid)
    asked = [(grid.xy(p.start), grid.xy(p.goal)) for p in sample_problems(grid, 200, 3)]
    alone = [planner.path(*pair).tolist() for pair in asked]
    with ThreadPoolExecutor(4) as threads:
        together = [path.tolist() for path in threads.map(lambda pair: planner.path(*pair), asked)]
    assert alone == together


def solves_many_problems_as_single_ones(subject: Subject) -> None:
    """With as many moves as each takes, one less, or none; who stands on the goal has arrived."""
    grid = Grid(drawn("rooms"))
    planner = subject.build(grid)
    agent, alone = planner.agent(), planner.agent()
    problems = problems_of(grid)
    starts, goals = (np.array([getattr(problem, end) for problem in problems], np.int32) for end in ("start", "goal"))
    walks = []
    for problem in problems:
        alone.reset(problem)
        walks.append(alone.path(MOST_MOVES))
    costs = np.array([grid.path_cost(cells) for cells in walks])
    moves = np.array([cells.size - 1 for cells in walks])
    for most in (0, 1, *moves.tolist(), *(moves - 1).clip(0).tolist()):
        arrives = moves <= most
        for paths in (True, False):
            solved = agent.solve_many(starts, goals, most, paths=paths)
            assert solved.costs.tolist() == np.where(arrives, costs, -2).tolist()
            kept = [cells for cells, is_there in zip(walks, arrives, strict=True) if paths and is_there]
            assert solved.lengths.tolist() == (np.where(arrives, moves + 1, 0) if paths else 0 * moves).tolist()
            assert solved.cells.tolist() == [cell for cells in kept for cell in cells.tolist()]
    assert agent.solve_many(starts[:0], goals[:0]).costs.size == 0
    agent.reset(problems[-1])  # and it is as good as new
    assert np.array_equal(agent.path(), walks[-1])
    walled = Grid(drawn("islands"))
    agent, labels = subject.build(walled).agent(), walled.component
    first, other = (np.flatnonzero(labels == label)[:1].astype(np.int32) for label in (1, walled.component_count))
    with refused("no path leads from", Unreachable):
        agent.solve_many(first, other)
    with refused("1 starts but 2 goals"):
        agent.solve_many(first, np.repeat(first, 2))
    for wall in (0, -1, labels.size):
        with refused("not an open cell"):
            agent.solve_many(first, np.array([wall], np.int32))


def answers_batches_as_single_problems(subject: Subject) -> None:
    """On one thread or four; goals that cannot be reached cost -1."""
    for grid in (Grid(subject.is_open), Grid(drawn("islands"))):
        planner = subject.build(grid)
        cells = np.flatnonzero(grid.component)
        random = np.random.default_rng(2)
        starts, goals = (grid.xys(random.choice(cells, 150)) for _ in range(2))
        one, four = (planner.batch(starts, goals, paths=True, threads=n) for n in (1, 4))
        assert one.offsets is not None
        assert four.offsets is not None
        assert np.array_equal(one.costs, four.costs)
        assert np.array_equal(one.offsets, four.offsets)
        assert np.array_equal(one.cells, four.cells)
        assert np.array_equal(planner.batch(starts, goals).costs, one.costs)
        for i, (start, goal) in enumerate(zip(starts.tolist(), goals.tolist(), strict=True)):
            if grid.connected(grid.cell(start), grid.cell(goal)):
                assert one.path(i).tolist() == planner.path(start, goal).tolist()
                assert one.lengths[i] == grid.length(int(one.costs[i]))
            else:
                assert one.costs[i] == -1
                assert len(one.path(i)) == 0
                assert np.isnan(one.lengths[i])


CHECKS = (
    solves_many_problems_as_single_ones,
    walks_one_way_however_it_is_asked,
    walks_as_it_steps_and_says_what_it_learned,
    serves_several_threads,
    answers_batches_as_single_problems,
)
