"""What every planner of the catalog promises, by `waypost.testing`: a new one is covered by its catalog line."""

import numpy as np
import pytest

import waypost as wp
from tests.support.small_maps import SMALL
from tests.support.worlds import FEW, IS_DEEP
from waypost.agents.trace import Event
from waypost.catalog import CATALOG
from waypost.testing import contract_tests

QUICK = {} if IS_DEEP else {"params": {"records": 300, "problems": 3}, "one_of": 4}
test_contract = contract_tests(*CATALOG, most=FEW, **QUICK)


@pytest.mark.parametrize("name", CATALOG)
def test_what_is_expanded_is_recorded(name):
    planner = wp.build(name, wp.Grid(SMALL["dead end"]))
    trace = wp.simulate(planner.agent(record=True), planner.problem((0, 3), (9, 3)))
    assert np.count_nonzero(trace.events["kind"] == Event.EXPANDED) == trace.work[:, 0].sum()


@pytest.mark.parametrize("name", CATALOG)
def test_it_is_said_where_a_planner_comes_from(name):
    assert CATALOG[name].paper
