"""Kernels that call finished ones by their addresses."""

from functools import partial

import numpy as np
import pytest

from tests.support.worlds import JIT_IS_OFF
from waypost.kernels import compiling
from waypost.kernels.compiling import address_of, call, kernel
from waypost.machine_code import events


def add(array, numbers, last):
    """Add up, and write down that it was called."""
    array[0] += 1
    first, second = numbers
    if last < 0:
        raise ValueError("too small")
    return first + second + last


def both(array):
    return array[0], array[1]


def forget(array):
    array[:] = 0


def compiled_here(function):
    """A kernel that is kept nowhere, and so compiled."""
    function.__module__ = "notebook"
    return kernel(function)


@pytest.fixture
def kernels(monkeypatch):
    """Finished kernels, and a door to them."""
    monkeypatch.setattr(compiling, "ENTRY_POINTS", [])
    finished = adds, tells, forgets = tuple(map(compiled_here, (add, both, forget)))

    def through(array, numbers, last, addresses):
        total = call(adds, addresses[0], 0, (array, numbers, last))
        pair = call(tells, addresses[1], (0, 0), (array,))
        call(forgets, addresses[2], None, (array,))
        return total, pair[0], pair[1]

    return finished, compiled_here(through)


def addresses_of(finished, array):
    add, both, forget = finished
    return address_of(add, array, (1, 2), 3), address_of(both, array), address_of(forget, array)


def test_they_do_what_they_do_for_python(kernels):
    finished, through = kernels
    array = np.array([5, 7])
    addresses = addresses_of(finished, array)
    assert through(array, (1, 2), 3, addresses) == (6, 6, 7)
    assert array.tolist() == [0, 0]
    assert address_of(partial(finished[0], array), (1, 2), 3) == addresses[0]
    assert len(set(addresses)) == (1 if JIT_IS_OFF else 3)


def test_an_error_comes_through(kernels):
    finished, through = kernels
    array = np.array([5, 7])
    with pytest.raises(ValueError, match="too small"):
        through(array, (1, 2), -1, addresses_of(finished, array))
    assert array.tolist() == [6, 7]


@pytest.mark.skipif(JIT_IS_OFF, reason="of machine code")
def test_nothing_of_them_is_compiled_again(kernels):
    finished, through = kernels
    array = np.array([5, 7])
    addresses = addresses_of(finished, array)
    before = events.compilations()
    through(array, (1, 2), 3, addresses)
    assert events.compilations() == before + 1
    assert [len(each.signatures) for each in (*finished, through)] == [1, 1, 1, 1]
