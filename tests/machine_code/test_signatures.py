import numpy as np
import pytest
from numba import typeof, types

from waypost.machine_code import signatures
from waypost.machine_code.signatures import parsed, written

RECORD = np.dtype([("now", np.int64), ("is_open", np.bool_), ("share", np.float64), ("cell", np.int32)], align=True)


def read_only(array):
    array.setflags(write=False)
    return array


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (5, "int64"),
        (0.5, "float64"),
        (True, "bool"),
        (np.zeros(3, np.int32), "int32[1]"),
        (read_only(np.zeros((3, 2), np.uint8)), "uint8[2]!"),
        (np.zeros((3, 2), order="F"), "float64[2]F"),
        (np.zeros((3, 4))[:, ::2], "float64[2]A"),
        ((1, 2), "(int64, int64)"),
        ((1, np.zeros(1, np.bool_), (2.0,)), "(int64, bool[1], (float64))"),
        (np.zeros(1, RECORD), "{now:int64@0, is_open:bool@8, share:float64@16, cell:int32@24; 32}[1]"),
    ],
)
def test_types_are_written_and_read(value, text):
    given = (typeof(value), types.int64)
    assert written(given) == f"{text}, int64"
    again = parsed(written(given))
    assert again == given
    assert str(again) == str(given), "entries of machine code are found by this text"


def test_no_arguments_are_no_text():
    assert written(()) == ""
    assert parsed("") == ()


def test_a_type_that_no_kernel_takes():
    with pytest.raises(TypeError, match="no kernel takes a unicode_type"):
        written([types.unicode_type])


@pytest.mark.parametrize("text", ["int32[1", "(int64", "{now int64}", "int64 int64"])
def test_what_was_not_written_so_is_refused(text):
    with pytest.raises((ValueError, TypeError)):
        parsed(text)


def test_the_table_is_whole():
    from waypost import catalog
    from waypost.preparing.missing import all_kernels

    known = all_kernels()
    for kernel in known:
        signature = signatures.signature_of(kernel)
        assert signature is not None, f"{kernel} is not in the table: make kernel-table"
        assert isinstance(parsed(signature), tuple)
        assert signatures.seconds_of(kernel) > 0
    for name, entry in catalog.CATALOG.items():
        if entry.agent.__module__.startswith("waypost."):
            kernels = signatures.kernels_of(name)
            assert set(kernels) <= set(known)
            assert len(kernels) > len(signatures.kernels_of(name, fleet=False)) or not entry.walks
    assert signatures.kernels_of("a planner of others") is None
    assert signatures.signature_of("elsewhere.kernels.walk") is None
