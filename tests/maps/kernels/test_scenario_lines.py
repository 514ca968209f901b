import numpy as np
import pytest

from waypost.maps.kernels.scenario_lines import NUMBERS, read_plain

PLAIN = "3\tmaps/a b.map\t49\t50\t1\t2\t3\t4\t31.25\n"


def read(text, end=None, room=8):
    """Numbers, name and length of every line that is read, and the bytes that are left."""
    content = text.encode()
    numbers, names, lengths = np.zeros((room, NUMBERS), np.int64), np.zeros((room, 2), np.int64), np.zeros(room)
    end = len(content) if end is None else end
    count, at = read_plain(np.frombuffer(content, np.uint8), 0, end, numbers, names, lengths)
    rows = zip(numbers.tolist(), names.tolist(), lengths.tolist(), strict=True)
    return [(*row, text[first:last], length) for row, (first, last), length in rows][:count], text[at:]


@pytest.mark.parametrize(
    ("text", "name", "length"),
    [
        (PLAIN, "maps/a b.map", 31.25),
        (PLAIN.replace("\n", "\r\n"), "maps/a b.map", 31.25),
        (PLAIN.replace(" ", "").replace("\t", " "), "maps/ab.map", 31.25),
        (PLAIN.replace("31.25", "31"), "maps/a b.map", 31.0),
        (PLAIN.replace("31.25", "31."), "maps/a b.map", 31.0),
        (PLAIN.replace("31.25", "0.1"), "maps/a b.map", 0.1),
        (PLAIN.replace("31.25", "1234567.12345678"), "maps/a b.map", 1234567.12345678),
    ],
)
def test_plain_lines(text, name, length):
    row = (3, 49, 50, 1, 2, 3, 4, name, length)
    assert read(text) == ([row], "")
    assert read(3 * text) == (3 * [row], "")
    assert read(3 * text, room=2) == (2 * [row], text)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("3\t", "\t"), ("3\t", "-3\t"), ("3\t", "1234567890\t"), ("3\t", "3,"), ("maps/a b.map", ""),
        ("49", "x"), ("49", "4 9"), ("\t4\t", "\t"), ("\t50", " 50"), ("31.25", ""), ("31.25", "nan"),
        ("31.25", "1e9"), ("31.25", ".5"), ("31.25", "-1"), ("31.25", "1.234567890123456"), ("31.25", "1" * 16),
        ("31.25", "31.25 "), ("31.25", "31.25\t5"), ("\n", "\r"), ("a b", "a\rb"), ("3\t", "version"),
    ],
)  # fmt: skip
def test_all_others_are_left_to_others(before, after):
    other = PLAIN.replace(before, after, 1)
    assert other != PLAIN
    assert read(other) == ([], other)
    rows, left = read(PLAIN + other + PLAIN)
    assert len(rows) == 1
    assert left == other + PLAIN


def test_a_line_that_is_cut_off_is_not_read():
    for text in (PLAIN, PLAIN.replace("\n", "\r\n"), PLAIN.replace("31.25", "31")):
        for end in range(len(text)):
            assert read(text, end) == ([], text)
