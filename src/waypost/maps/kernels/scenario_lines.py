"""Plain lines of MovingAI scenarios, read without an object for each of their fields."""

from waypost.kernels.compiling import helper, kernel

NUMBERS = 7
"""Whole numbers of a line: bucket, width, height, start x and y, goal x and y."""
_MOST_DIGITS = 9  # so that a number is far below what an int64 holds
_MOST_LENGTH_DIGITS = 15  # so that the length is a quotient of two exact floats, and thus the nearest one
_TAB, _END, _RETURN, _BLANK, _POINT, _ZERO = 9, 10, 13, 32, 46, 48


@kernel
def read_plain(text, at, end, numbers, names, lengths):
    """Read lines from `at` on, up to the first that is not plain or not complete; returns how many, and where it ended.

    Of each its numbers, where the name of its map begins and ends, and its length. A plain line has nine fields, parted
    by single tabs or single blanks. Any other may still be a scenario.
    """
    count = 0
    while count < numbers.shape[0]:
        i, numbers[count, 0] = _digits(text, at, end, _MOST_DIGITS)
        if i < 0 or i == end or (text[i] != _TAB and text[i] != _BLANK):
            break
        separator = text[i]
        names[count, 0] = i + 1
        i = _name_end(text, i + 1, end, separator)
        names[count, 1] = i
        if i == names[count, 0]:
            break
        for field in range(1, NUMBERS):
            if i < 0 or i == end or text[i] != separator:
                break
            i, numbers[count, field] = _digits(text, i + 1, end, _MOST_DIGITS)
        if i < 0 or i == end or text[i] != separator:
            break
        i, lengths[count] = _length(text, i + 1, end)
        if 0 <= i < end and text[i] == _RETURN:
            i += 1
        if i < 0 or i == end or text[i] != _END:
            break
        count += 1
        at = i + 1
    return count, at


@helper
def _digits(text, at, end, most):
    """Where the digits that begin here end, and their number; -1 if there are none, or too many."""
    value = 0
    i = at
    while i < end and _ZERO <= text[i] < _ZERO + 10:
        if i == at + most:
            return -1, 0
        value = 10 * value + int(text[i]) - _ZERO
        i += 1
    return (-1, 0) if i == at else (i, value)


@helper
def _name_end(text, at, end, separator):
    """Where a map's name ends; it holds blanks only where tabs part the fields."""
    i = at
    while i < end and (text[i] > _BLANK or (text[i] == _BLANK and separator == _TAB)):
        i += 1
    return i


@helper
def _length(text, at, end):
    """Where the decimal number that begins here ends, and its value; -1 if it is none, or has too many digits."""
    i, whole = _digits(text, at, end, _MOST_LENGTH_DIGITS)
    if i < 0 or i == end or text[i] != _POINT:
        return i, float(whole)
    scale = 1
    for j in range(i + 1, end):
        if not _ZERO <= text[j] < _ZERO + 10:
            return j, whole / scale
        if j - at > _MOST_LENGTH_DIGITS:
            return -1, 0.0
        whole = 10 * whole + int(text[j]) - _ZERO
        scale *= 10
    return -1, 0.0
