"""What stands for many episodes: known figures of known columns."""

import math

import numpy as np
import pytest

from waypost.bench.claims import Claim
from waypost.bench.numbers import Figure
from waypost.bench.papers.claims import counted
from waypost.bench.papers.description import Cause
from waypost.bench.papers.document import Cells, Heading, Lines, as_html, as_markdown
from waypost.bench.papers.estimates import estimate
from waypost.bench.papers.matching import Match
from waypost.bench.papers.quantities import QUANTITIES
from waypost.bench.papers.verdicts import Judged, State, state_of
from waypost.bench.verdicts import Verdict


def columns(percent, optimal=10.0, arrived=None):
    values = np.array(percent, float)
    return {
        "arrived": np.ones(values.size, bool) if arrived is None else np.array(arrived),
        "optimal_cells": np.full(values.size, optimal),
        "length_cells": optimal * (1 + values / 100),
        "suboptimality_percent": values,
    }


def test_mean_median_and_intervals():
    found = estimate(QUANTITIES["suboptimality"], [columns([0, 10, 20, 30]), columns([40, 50, 60, 70])])
    assert found.mean == 35
    assert found.median == 35
    assert found.ratio_of_sums == pytest.approx(35)
    assert found.over_problems.holds(35)
    assert 5 < found.over_problems.low < 35 < found.over_problems.high < 65
    assert found.over_maps == (15, 55), "of two maps one may be drawn twice"
    assert found.worst_share == 70 / 280


def test_the_ratio_of_sums_weighs_long_problems():
    merged = {name: np.concatenate([columns([100], 10)[name], columns([0], 90)[name]]) for name in columns([0])}
    found = estimate(QUANTITIES["suboptimality"], [merged])
    assert found.mean == 50
    assert found.ratio_of_sums == pytest.approx(10)
    assert estimate(QUANTITIES["times"], [merged]).ratio_of_sums == pytest.approx(1.1)


def test_failures_are_counted_and_left_out():
    found = estimate(QUANTITIES["suboptimality"], [columns([10, 900, 30], arrived=[True, False, True])])
    assert (found.mean, found.failures, found.episodes) == (20, 1, 3)
    nothing = estimate(QUANTITIES["suboptimality"], [columns([5], arrived=[False])])
    assert math.isnan(nothing.mean)
    assert nothing.failures == 1


def verdict(mine, other, held, error=0.0):
    return Verdict("a", Figure(mine, error), "less than", Figure(other, error), "b", held)


def test_a_miss_within_the_interval_is_none():
    assert state_of(verdict(1, 2, True)) is State.HELD
    assert state_of(verdict(2.1, 2, False, error=0.2)) is State.WITHIN
    assert state_of(verdict(2.1, 2, False, error=0.01)) is State.MISSED
    assert state_of(verdict(math.nan, 2, False)) is State.MISSED


def test_a_cause_explains_misses_as_long_as_enough_hold():
    claim = Claim("so it is", "", Match("dba"), "suboptimality_percent")
    cause = Cause("so it is", ("Because.",), "waypost paper 2009", holds=0.5)
    missed, held = verdict(9, 1, False), verdict(1, 9, True)
    assert Judged("s", claim, (missed, held), cause).state is State.EXPLAINED
    assert Judged("s", claim, (missed, missed, missed, held), cause).state is State.MISSED, "too few hold"
    assert Judged("s", claim, (missed, held), None).state is State.MISSED
    assert Judged("s", claim, (held,), None).state is State.HELD
    assert Judged("s", claim, (), None).state is State.OPEN
    assert counted([Judged("s", claim, (missed, held), cause)])[0].startswith("1 of 2 claimed orderings hold (50 %)")


def test_documents(tmp_path):
    blocks = [Heading("A < B"), Lines(("See `x < 1`.", "**So.**")), Cells(("a", "b"), (("1 | 2", "3"),))]
    assert (
        as_markdown(blocks, tmp_path) == "## A < B\n\nSee `x < 1`.\n**So.**\n\n| a | b |\n|---|---:|\n| 1 / 2 | 3 |\n"
    )
    page = as_html("T", blocks)
    assert "<h2>A &lt; B</h2>" in page
    assert "<code>x &lt; 1</code>" in page
    assert "<strong>So.</strong>" in page
    assert "<td>1 | 2</td>" in page
