"""The checksum of index files, with whole numbers of any size."""


def mix(lanes, words):
    """Lane i takes every eighth word from the i-th on: xor, multiply, and xor the upper half onto the lower."""
    lanes = list(lanes)
    for place, word in enumerate(words):
        mixed = (lanes[place % 8] ^ word) * 0x9FB21C651E98DF25 % 2**64
        lanes[place % 8] = mixed ^ (mixed // 2**32)
    return lanes
