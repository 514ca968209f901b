import numpy as np
import pytest

from tests.oracle import checksum as oracle
from tests.support.chance import seeded
from tests.support.worlds import cases
from waypost.indexes.kernels import checksum


@pytest.fixture(autouse=True)
def _wrapping():
    """Products wrap; without the compiler numpy would warn of it."""
    with np.errstate(over="ignore"):
        yield


def mixed(words, lanes=None):
    lanes = np.arange(1, 9, dtype=np.uint64) if lanes is None else lanes
    words = np.array(words, np.uint64)
    words.setflags(write=False)
    checksum.mix(lanes, words)
    return lanes


def random_words(random, blocks):
    return random.integers(0, 2**64, 8 * blocks, dtype=np.uint64)


def test_equals_the_oracle():
    random = seeded(1)
    for _ in range(cases(100)):
        words = random_words(random, random.integers(0, 20))
        assert mixed(words).tolist() == oracle.mix(range(1, 9), words.tolist())


def test_pieces_are_mixed_like_the_whole():
    words = random_words(seeded(2), 6)
    assert np.array_equal(mixed(words[16:], mixed(words[:16])), mixed(words))


def test_a_change_of_one_word_changes_its_lane_and_no_other():
    random = seeded(3)
    for _ in range(cases(200)):
        words = random_words(random, 5)
        before, place = mixed(words), int(random.integers(words.size))
        words[place] ^= np.uint64(1) << np.uint64(random.integers(64))
        assert np.flatnonzero(mixed(words) != before).tolist() == [place % 8]


def test_order_counts():
    words = np.arange(16, dtype=np.uint64)
    assert not np.array_equal(mixed(words), mixed(np.roll(words, 8)))
