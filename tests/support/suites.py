"""Suites that tests run."""

import pyarrow.parquet as pq

from waypost.bench.runner import run_suite
from waypost.bench.suite import SHIPPED, read_suite
from waypost.runs.metrics import METRICS

TINY = """
title = "Tiny"
planner = ["astar", "wastar"]

[[maps]]
generate = ["caves", "rooms"]
size = [24, 20]
seed = 3

[problems]
random = 6
seed = 2
"""

TIMED = {metric.name for metric in METRICS.values() if metric.timed} | {"machine", "call_floor_us", "timing_workers"}


def read(folder, text, name="suite"):
    path = folder / f"{name}.toml"
    path.write_text(text)
    return read_suite(str(path))


def run(folder, text=TINY, **options):
    return run_suite(read(folder, text), folder / "results", **options)


def rows(folder):
    return pq.read_table(folder / "results" / "episodes.parquet").to_pylist()


def untimed(folder):
    return [{name: value for name, value in row.items() if name not in TIMED} for row in rows(folder)]


def small_demo():
    """The text of the suite `demo`, on a small map."""
    text = (SHIPPED / "demo.toml").read_text()
    for large, small in (("[1130, 940]", "[96, 80]"), ("random = 12", "random = 3"), ("radius = 36", "radius = 5")):
        assert large in text
        text = text.replace(large, small)
    return text
