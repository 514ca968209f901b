"""Worlds and optima that many planners are compared in, made once: tests that share them run one after the other."""

from functools import lru_cache
from types import MappingProxyType

import numpy as np

from tests.oracle.dijkstra import all_costs
from tests.support.chance import seeded
from tests.support.learning_worlds import random_world


def optimal_costs(is_open, rule, costs, start):
    """{place: cost} of all places in reach, by the oracle's Dijkstra."""
    return _optimal_costs(is_open.shape, is_open.tobytes(), rule, costs, start)


@lru_cache(maxsize=64)
def _optimal_costs(shape, content, rule, costs, start):
    is_open = np.frombuffer(content, bool).reshape(shape)
    return MappingProxyType(all_costs(is_open.tolist(), rule, costs, start))


@lru_cache(maxsize=128)
def small_world(seed, number, rule, costs):
    """(is_open, start, goal) with a detour: one of many by a seed."""
    is_open, start, goal = random_world(seeded((seed, number)), rule, costs)
    is_open.setflags(write=False)
    return is_open, start, goal
