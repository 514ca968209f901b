"""Blocks of learned values: thousands of legs in one pool, against a dictionary."""

import numba
import numpy as np
import pytest

from tests.support.chance import seeded
from tests.support.worlds import cases
from waypost.planners.walking.kernels import blocks

ACROSS = 4


@numba.njit
def begin_leg(pool):
    return blocks.begin_leg(pool)


@numba.njit
def end_leg(pool, first, last):
    blocks.end_leg(pool, first, last)


class Pool:
    """A pool with room for so many blocks, and the same in a dictionary: {leg: {tile: 64 values}}."""

    def __init__(self, room):
        size, chains = blocks.pool_size(room)
        self.pool = np.zeros(size + blocks.BLOCK, np.int32)
        self.pool[size:] = -77  # what lies behind the pool must stay as it is
        self.room, self.chains, self.size = room, chains, size
        blocks.prepare(self.pool, chains)
        self.legs, self.ends = {}, {}
        self.most_alive = 0

    @property
    def alive(self):
        return sum(len(tiles) for tiles in self.legs.values())

    def begin(self):
        leg = np.int64(begin_leg(self.pool))  # as walkers keep it
        assert leg > 0
        assert leg not in self.legs
        self.legs[leg], self.ends[leg] = {}, (0, 0)

    def store(self, leg, tile, at, value):
        """Store a value, in a new block where the leg has none for the tile; not if there is no room for it."""
        values = blocks.values_of(self.pool, leg, tile)
        assert bool(values) == (tile in self.legs[leg])
        if not values:
            if self.alive == self.room:
                return
            first, last = self.ends[leg]
            block = int(blocks.add_block(self.pool, leg, tile, last))
            self.ends[leg] = first or block, block
            self.legs[leg][tile] = [0] * 64
            values = blocks.values_of(self.pool, leg, tile)
            assert (self.pool[values : values + 64] == 0).all()
        self.pool[values + at] = value
        self.legs[leg][tile][at] = value
        self.most_alive = max(self.most_alive, self.alive)

    def end(self, leg):
        end_leg(self.pool, *self.ends.pop(leg))
        del self.legs[leg]

    def check(self, tile_count):
        """All values of all legs; and no more blocks were ever made than were alive at a time."""
        for leg, tiles in self.legs.items():
            for tile in range(tile_count):
                values = blocks.values_of(self.pool, leg, tile)
                assert bool(values) == (tile in tiles)
                assert not values or self.pool[values : values + 64].tolist() == tiles[tile]
            assert sorted(zip(*self.raised(leg), strict=True)) == sorted(
                (8 * (tile % ACROSS) + at % 8, 8 * (tile // ACROSS) + at // 8, value)
                for tile, values in tiles.items()
                for at, value in enumerate(values)
                if value
            )
        end = blocks.CHAINS + self.chains + blocks.BLOCK * self.most_alive
        assert self.pool[blocks.FRESH] == end <= self.size
        assert (self.pool[self.size :] == -77).all()

    def raised(self, leg):
        return blocks.raised(self.pool, *self.ends[leg], ACROSS).tolist()


@pytest.mark.parametrize("room", [1, 2, 5, 16, 40])
def test_legs_in_random_order_equal_a_dictionary(room):
    random = seeded(room)
    pool = Pool(room)
    tile_count = 12
    turns = max(5_000, cases(20_000))
    for turn in range(turns):
        what = random.random()
        legs = list(pool.legs)
        if not legs or (what < 0.15 and len(legs) < 8):
            pool.begin()
        elif what < 0.3:
            pool.end(legs[random.integers(len(legs))])
        else:
            leg, tile = legs[random.integers(len(legs))], int(random.integers(tile_count))
            pool.store(leg, tile, int(random.integers(64)), int(random.integers(1, 1000)))
        if turn % 50 == 0:
            pool.check(tile_count)
    assert pool.pool[blocks.LEGS] > turns // 20
    assert pool.most_alive == room


def test_an_ended_leg_leaves_nothing_behind():
    pool = Pool(3)
    for _ in range(10):
        pool.begin()
        (leg,) = pool.legs
        for tile in range(3):
            pool.store(leg, tile, 5, 9)
        pool.end(leg)
        assert all(blocks.values_of(pool.pool, leg + 1, tile) == 0 for tile in range(3))
    assert pool.most_alive == 3


def test_numbers_of_legs_begin_anew():
    pool = np.zeros(blocks.pool_size(1)[0], np.int32)
    pool[blocks.LEGS] = blocks.MOST_LEGS - 1
    assert [int(begin_leg(pool)) for _ in range(3)] == [2**31 - 1, 1, 2]
