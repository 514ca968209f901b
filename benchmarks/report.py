"""What every benchmark prints: the machine, and each bar beside the figure measured."""

import os
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from waypost import Agent
from waypost.system import machine
from waypost.world.problem import Problem


def start(title: str) -> None:
    """Print the title and the machine."""
    print(f"{title}\n  {machine.describe()}", flush=True)


def bar(name: str, measured: float, unit: str, *, at_most: float | None = None, at_least: float | None = None) -> bool:
    """Print one figure beside its bar and say whether it holds."""
    holds = (at_most is None or measured <= at_most) and (at_least is None or measured >= at_least)
    limit = f"at most {at_most:g}" if at_most is not None else f"at least {at_least:g}"
    print(f"  {'ok  ' if holds else 'MISS'} {name}: {measured:,.4g} {unit} (bar: {limit})", flush=True)
    return holds


def asking_seconds(agent: Agent, problems: Sequence[Problem], ask: Callable[[], object], rounds: int) -> float:
    """Processor time of asking an agent about all problems, the least of some rounds."""
    taken = []
    for _ in range(rounds):
        begin = time.thread_time()
        for problem in problems:
            agent.reset(problem)
            ask()
        taken.append(time.thread_time() - begin)
    return min(taken)


def maps_folder() -> Path:
    """The folder of MovingAI benchmark sets named by WAYPOST_MAPS, or a plain refusal."""
    folder = os.environ.get("WAYPOST_MAPS", "")
    if not (Path(folder) / "dao").is_dir():
        sys.exit("Set WAYPOST_MAPS to a folder that holds the MovingAI sets dao, rooms, mazes and random.")
    return Path(folder)


PAPER_2013 = (
    "hrt000d", "orz100d", "orz103d", "orz300d", "orz700d", "orz702d", "orz900d", "ost000a", "ost000t", "ost100d",
)  # fmt: skip
"""The ten Dragon Age: Origins maps of the 2013 DBA* paper."""
