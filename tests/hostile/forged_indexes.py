"""Index files that are whole and wrong: refused in one sentence, or every walk by them is legal and comes to an end."""

import tempfile
import traceback
import warnings
from collections import deque
from functools import lru_cache
from pathlib import Path

import numpy as np

import waypost as wp
from tests.hostile.forgery import forge
from tests.oracle import rules
from waypost import catalog
from waypost.errors import IndexFileError
from waypost.fleet import MemberStatus
from waypost.indexes.store import write_index
from waypost.maps.generate import generate

PLANNERS = [name for name, entry in catalog.CATALOG.items() if entry.index]
KINDS = (("rooms", {"size": 3}), ("caves", {"walls": 0.45}), ("maze", {"corridor": 1}), ("maze", {"corridor": 2}))
WORLDS, SETTINGS = 24, 8
TRIES = 20  # to change anything
PROBLEMS = 3
STEPS = 250  # that are also made one by one, and in a fleet
NO_WAY, TOO_FAR = "the index leads no way", "a learned distance went beyond"

SMALL = {
    "sector": (2, 6), "spacing": (2, 6), "cutoff": (2, 6), "level": (1, 3), "upper": (1, 4), "cap": (1, 5),
    "records": (1, 40), "depth": (1, 4), "problems": (2, 6), "leaf": (1, 4), "history": (1, 9), "goals_kept": (0, 1),
    "tries": (0, 50), "limit": (1, 250), "second_limit": (0, 50), "deepest": (1, 5), "ahead": (0, 5), "quota": (0, 4),
    "hops": (1, 3), "trim": (0, 90), "steps": (0, 5), "width": (0, 2), "candidates": (0, 20), "joins": (0, 5),
}  # fmt: skip
"""Parameters that suit small maps, drawn from these ranges; those of few values are drawn from all of them."""


def run(count, seed, report):
    """Forge so many index files, of the numbers from seed on, and walk by those that are accepted."""
    return run_cases(Case, "indexes", count, seed, report)


def run_cases(kind, name, count, seed, report):
    """Try so many cases of a kind, and tell what came of each; returns a sentence for each failure."""
    failures = []
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("error")
        for number in range(seed, seed + count):
            case = kind(number, Path(folder) / "forged.waypost")
            try:
                outcome = case.outcome()
            except Exception:  # whatever it is, it should not have come up
                outcome = "failed"
                said = " | ".join(line.strip() for line in traceback.format_exc().splitlines()[-4:])
                failures.append(f"{name} {number}: {case}: {said}")
            report(outcome)
    return failures


@lru_cache
def world(number):
    """A small map, of a rule and costs."""
    random = np.random.default_rng([1, number])
    width, height = random.integers(8, 19, size=2).tolist()
    if number % (len(KINDS) + 1) == len(KINDS):
        is_open = random.random((height, width)) < 0.7
        is_open[0, :2] = True
    else:
        kind, params = KINDS[number % (len(KINDS) + 1)]
        is_open = generate(kind, width, height, number, **params)
    rule = random.choice(rules.DIAGONALS) if number % 2 else "both-open"
    return wp.Grid(is_open, diagonals=str(rule), costs=str(random.choice(list(rules.COSTS))))


def settings(name, number):
    """Parameters of a planner, drawn but for the first two; every other one as published, where that is a preset."""
    entry = catalog.CATALOG[name]
    random = np.random.default_rng([2, number, *name.encode()])
    chosen = {"preset": "published"} if number % 2 and "published" in entry.presets else {}
    for param, about in entry.params.items():
        low, high = SMALL.get(param, (about.lowest, about.highest))
        if param in SMALL or high - low <= 2:
            low, high = max(low, about.lowest), min(high, about.highest)
            drawn = random.integers(low, high + 1) if isinstance(about.default, int) else random.uniform(low, high)
            is_of_preset = param in entry.presets.get("published", {}) and number % 2 and param not in SMALL
            if not is_of_preset and (number > 1 or param in ("problems", "records")):
                chosen[param] = drawn.item() if isinstance(drawn, np.integer) else drawn
    return chosen


@lru_cache(maxsize=2000)
def built(name, of_world, of_settings):
    """A sound planner."""
    return wp.build(name, world(of_world), threads=1, **settings(name, of_settings))


class Case:
    """One forged file, which follows from its number."""

    def __init__(self, number, path):
        self.path = path
        self.random = np.random.default_rng([3, number])
        self.name = PLANNERS[number % len(PLANNERS)]
        self.world, self.other_world = self.random.choice(WORLDS, size=2, replace=False).tolist()
        self.settings, self.other_settings = self.random.choice(SETTINGS, size=2, replace=False).tolist()
        if self.random.random() < 0.5:  # the other index is of another map or of other settings
            self.other_world = self.world
        else:
            self.other_settings = self.settings
        self.done = "nothing yet"

    def __str__(self):
        return f"{self.name} {settings(self.name, self.settings)} on world {self.world}, {self.done}"

    def outcome(self):
        """Forge, load and walk; returns what came of it, or raises whatever is wrong."""
        sound = built(self.name, self.world, self.settings)
        self.grid = sound.grid
        others = built(self.name, self.other_world, self.other_settings).index.arrays
        with np.errstate(all="ignore"):
            for _ in range(TRIES):
                arrays, self.done = forge(self.random, sound.index.arrays, others)
                if any(not np.array_equal(arrays[key], array) for key, array in sound.index.arrays.items()):
                    break
        about = {"planner": self.name, "revision": sound.entry.revision, "grid": self.grid, "params": sound.params}
        write_index(self.path, **about, arrays=arrays)
        try:
            planner = wp.load(self.path, self.grid)
            assert planner.work_bound is None or planner.work_bound > 0
        except wp.WaypostError as error:
            one_sentence(error)
            return "refused"
        return self.walk(planner)

    def walk(self, planner):
        """Walk in all ways; all of them have to agree."""
        problems = [problem for _ in range(PROBLEMS) if is_accepted(planner, *(problem := self.draw_problem()))]
        if not problems:
            return "refused"
        walks = [alone(planner, *problem) for problem in problems]
        for (start, goal), (cells, error) in zip(problems, walks, strict=True):
            self.check_legal(cells)
            by_steps(planner, start, goal, cells, error)
        in_batch(planner, problems, walks)
        if planner.entry.walks:
            in_fleet(planner, problems, walks)
        said = {error for _, error in walks if error}
        return "led no way" if NO_WAY in said else "learned too far" if said else "sound"

    def draw_problem(self):
        component = self.grid.component
        start = self.random.choice(np.flatnonzero(component))
        goal = self.random.choice(np.flatnonzero(component == component[start]))
        return self.grid.xy(int(start)), self.grid.xy(int(goal))

    def check_legal(self, cells):
        """Every move, by the open cells and the rule alone; standing still is none."""
        is_open = np.pad(self.grid.is_open, 1)
        y, x = np.divmod(np.asarray(cells, np.int64), self.grid.width + 2)
        dx, dy = np.diff(x), np.diff(y)
        assert is_open[y, x].all(), "stands on a wall"
        assert (np.maximum(abs(dx), abs(dy)) == 1).all(), "jumps or stands still"
        beside = is_open[y[:-1], x[:-1] + dx] * 1 + is_open[y[:-1] + dy, x[:-1]]
        least = {"both-open": 2, "one-open": 1, "always": 0, "never": 3}[self.grid.diagonals]
        assert (beside >= least)[(dx != 0) & (dy != 0)].all(), "cuts a corner"


def is_accepted(planner, *ends):
    """Whether what is checked before it is first used is good, for both directions."""
    try:
        planner.agent(*ends).retarget(ends[0])
    except IndexFileError as error:
        one_sentence(error)
        return False
    return True


def alone(planner, start, goal):
    """The cells of a walk, and the beginning of what was raised on the way; raises what is wrong."""
    agent = planner.agent(start, goal)
    cells, left = [agent.cell], most_moves(planner.grid, agent.cell)
    while agent.cell != agent.goal:
        assert left > 0, f"walks forever from {start} to {goal}"
        try:
            walk = agent.walk(min(left, AT_ONCE[min(len(cells) > STEPS, 1)]))
        except wp.WaypostError as error:
            return cells, beginning(error)
        cells += walk.cells[1:].tolist()
        left -= len(walk.work)
    return cells, None


AT_ONCE = (1, 1 << 16)
"""Moves of a call: one by one at first, since those of a walk that raises are not told."""


def most_moves(grid, cell):
    """More moves than any planner makes that comes nearer to something with every target, sound or not.

    LRTA* reaches a target within n * d straight moves (n cells, none further than d from it): each move of cost c
    raises the sum of all h, less that of the agent's cell, by c or more, and no h exceeds d. There are no more than
    n regions, hence no more than 4 n + 4 hops until a circle is noticed. A climb is shorter than that.
    """
    cells = int(np.count_nonzero(grid.component == grid.component[cell]))
    return 4 * (cells + 1) * cells * 3 * (1 + furthest(grid, cell))


@lru_cache(maxsize=10_000)
def furthest(grid, cell):
    """Moves to the furthest cell; no two are further apart than twice that, of 1.5 straight moves each."""
    is_open, (x, y) = grid.is_open.tolist(), grid.xy(cell)
    away, queue = {(x, y): 0}, deque([(x, y)])
    while queue:
        here = queue.popleft()
        for there, _ in rules.neighbours(is_open, grid.diagonals, "sqrt2", *here):
            if there not in away:
                away[there] = away[here] + 1
                queue.append(there)
    return max(away.values())


def raised_by(call):
    """What a call raises, if it does."""
    try:
        call()
    except wp.WaypostError as error:
        return beginning(error)
    return None


def beginning(error):
    """Which of the two sentences it is that a walk may end with."""
    text = one_sentence(error)
    assert text.startswith((NO_WAY, TOO_FAR)), text
    return NO_WAY if text.startswith(NO_WAY) else TOO_FAR


def one_sentence(error):
    text = str(error)
    assert text.isprintable(), text
    assert len(text) < 600, text
    return text


def by_steps(planner, start, goal, cells, error):
    """The same moves step by step, recorded; then a new goal, and whatever follows ends in one of the known ways."""
    agent = planner.agent(start, goal, record=True)
    for cell in cells[1 : STEPS + 1]:
        assert agent.step().cell == cell, "another move by steps"
        agent.take_events()
    if error and len(cells) <= STEPS:
        assert raised_by(agent.step) == error
    agent.retarget(start)
    raised_by(lambda: agent.walk(STEPS))


def in_batch(planner, problems, walks):
    """The same paths, or the sentence."""
    starts, goals = zip(*problems, strict=True)
    most = max(len(cells) for cells, _ in walks)
    found = []
    error = raised_by(lambda: found.append(planner.batch(starts, goals, paths=True, threads=1, max_moves=most)))
    if error:
        assert error in {error for _, error in walks}
        return
    (batch,) = found
    for i, (cells, error) in enumerate(walks):
        if error is None:
            assert np.array_equal(batch.path(i), planner.grid.xys(np.array(cells)))
        else:
            assert batch.costs[i] == -2, "it was to run out of moves"


def in_fleet(planner, problems, walks):
    """The same moves; who was led no way is lost, and nobody else."""
    fleet = planner.fleet(*zip(*problems, strict=True), threads=1)
    shown = [[walk[0]] for walk, _ in walks]
    ticks = min(2 * max(len(cells) for cells, _ in walks) + 3, 4 * STEPS)
    for _ in range(ticks):
        fleet.tick()
        for path, cell in zip(shown, fleet.cells.tolist(), strict=True):
            if cell != path[-1]:
                path.append(cell)
    for path, (cells, error), status in zip(shown, walks, fleet.status.tolist(), strict=True):
        assert path == cells[: len(path)], "another move in a fleet"
        if 2 * len(cells) + 3 <= ticks:
            assert len(path) == len(cells), "a fleet stops on the way"
            assert status == (MemberStatus.LOST if error else MemberStatus.ARRIVED)
