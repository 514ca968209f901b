"""All checks of a planner, one after the other or each as a test of pytest."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from waypost import catalog
from waypost.testing import copies, distances, edits, fleets, indexes, moves, refusals, ways
from waypost.testing.subject import Subject
from waypost.testing.worlds import small_maps

__all__ = ["Check", "check_planner", "checks_of", "contract_tests"]

_OF_ALL = (*moves.CHECKS, *ways.CHECKS, *distances.CHECKS, *refusals.CHECKS, *copies.CHECKS, *edits.CHECKS)


@dataclass(frozen=True)
class Check:
    """One thing that a planner promises: call it, and it raises `AssertionError` if that is not so."""

    promise: Callable[[Subject], None]
    subject: Subject

    def __call__(self) -> None:
        """Check it."""
        if not __debug__:
            raise RuntimeError("checks are assert statements, which python -O leaves out")
        try:
            self.promise(self.subject)
        except Exception as error:
            error.add_note(f"The planner broke its contract: {self}")
            raise

    def __str__(self) -> str:
        return f"{self.subject.name} {self.promise.__name__.replace('_', ' ')}"


def checks_of(
    name: str,
    *,
    maps: Mapping[str, npt.NDArray[np.bool_]] | None = None,
    most: Mapping[str, float] | None = None,
    params: Mapping[str, Any] | None = None,
    one_of: int = 1,
) -> list[Check]:
    """All checks of a planner by its name, which is that of its entry in the catalog.

    They are made on `maps`, arrays in which True is open; by default on small ones of all kinds. Random values of
    parameters go up to 60, or as `most` says by name: larger ones should differ by the time they take only. To take
    less time, `params` has values in place of defaults, and of many cases that are alike one of `one_of` is tried.
    """
    entry, chosen = catalog.find(name), small_maps() if maps is None else maps
    subject = Subject(entry.name, chosen, most or {}, params or {}, one_of)
    of_index = indexes.CHECKS if subject.entry.index else ()
    of_fleets = fleets.CHECKS if subject.entry.walks else ()
    return [Check(promise, subject) for promise in (*_OF_ALL, *of_index, *of_fleets)]


def check_planner(name: str, **settings: Any) -> None:
    """Check that a planner keeps its contract; settings are those of `checks_of`."""
    for check in checks_of(name, **settings):
        check()


def contract_tests(*names: str, **settings: Any) -> Any:
    """A test function for pytest, with each check of each planner as a case: test_contract = contract_tests("mine")."""
    import pytest

    checks = [check for name in names for check in checks_of(name, **settings)]

    @pytest.mark.parametrize("check", checks, ids=str)
    def test_contract(check: Check) -> None:
        check()

    return test_contract
