import math

import numpy as np
import pytest

from tests.support.suites import TINY, rows, run
from waypost.bench.summary import (
    Stats,
    Summary,
    ahead_until_moves,
    amortisation_moves,
    break_even_agents,
    on_common_problems,
    summarise,
)
from waypost.runs.metrics import METRICS


def summary_of(label="a", *, arrived=1, disqualified=False, real_time=True, **means):
    """A summary with these means, and 0 for all else."""
    metrics = {name: Stats(*[float(means.get(name, 0))] * 6) for name in METRICS}
    return Summary(label, label.partition("(")[0], 1, 1, arrived, metrics, 0.0, 0.0, disqualified, real_time)


def test_statistics_are_those_of_the_rows(tmp_path):
    for summary in summarise(run(tmp_path, TINY.replace("random = 6", "random = 150"))):
        own = [row for row in rows(tmp_path) if row["setting"] == summary.label]
        assert (summary.episodes, summary.arrived, summary.planned) == (300, 300, 300)
        for name, stats in summary.metrics.items():
            values = sorted(row[name] for row in own)
            assert stats.mean == pytest.approx(np.mean(values))
            assert stats.median == pytest.approx(np.median(values))
            assert stats.p99 == values[296]
            assert stats.max == values[-1]
            assert stats.standard_error == pytest.approx(np.std(values, ddof=1) / math.sqrt(300))
        sums = [sum(row[name] for row in own) for name in ("length_cells", "optimal_cells")]
        assert summary.ratio_of_sums_percent == pytest.approx(100 * (sums[0] / sums[1] - 1))
        ratios = [row["length_cells"] / row["optimal_cells"] for row in own]
        assert summary.mean("suboptimality_percent") == pytest.approx(100 * (np.mean(ratios) - 1))
        assert summary.most_work_in_a_move == max(row["work_per_move_max"] for row in own)


@pytest.mark.parametrize(
    ("online_kb", "cumulative_kb", "agents"),
    [
        (8.62, 265.65, 1),  # kNN LRTA* with 10,000 records
        (5.04, 1034.08, 1),
        (4.23, 1547.85, 2),
        (4.22, 2062.20, 2),
        (18.76, 87019.74, 66),  # D LRTA* of level 12
        (11.09, 87018.50, 65),  # printed as 66
        (8.24, 87066.34, 65),
        (3.04, 87456.35, 65),
    ],
)
def test_break_even_points_of_the_2010_paper(online_kb, cumulative_kb, agents):
    """Table 6, from tables 4 and 5, against TBA*."""
    ours = summary_of(online_kb=online_kb, index_bytes=1024 * (cumulative_kb - online_kb))
    assert break_even_agents(ours, summary_of(online_kb=1353.94)) == agents


def test_break_even_with_an_index_of_unknown_size():
    assert math.isnan(break_even_agents(summary_of(index_bytes=math.nan), summary_of(online_kb=8)))


def test_break_even_where_there_is_none():
    lean, rich = summary_of(online_kb=1, index_bytes=0), summary_of(online_kb=2, index_bytes=4096)
    assert break_even_agents(lean, rich) == 1
    assert break_even_agents(rich, lean) == math.inf
    assert break_even_agents(lean, lean) == math.inf
    assert break_even_agents(summary_of(online_kb=3), summary_of(online_kb=2, index_bytes=4096)) == 1


def test_a_real_time_cut_off_wants_a_bound(tmp_path):
    text = TINY.replace('"astar", "wastar"', '"astar", "lrta", "tba"')
    free = summarise(run(tmp_path, text))
    assert [(s.real_time, s.disqualified) for s in free] == [(False, False), (True, False), (True, False)]
    wide = summarise(run(tmp_path, text + "[limits]\nwork_per_move = 1e9\n"))
    assert [s.disqualified for s in wide] == [True, False, False], "A* did little here, but nothing keeps it to that"
    narrow = summarise(run(tmp_path, text + "[limits]\nwork_per_move = 20\n"))
    assert [s.disqualified for s in narrow] == [True, False, True]


def test_amortisation():
    built, plain = summary_of(move_us_mean=1, build_seconds=3), summary_of(move_us_mean=5)
    assert amortisation_moves(built, plain) == 750_001, "after 750,000 they are even"
    assert ahead_until_moves(built, plain) == 0
    assert amortisation_moves(plain, built) == math.inf
    assert ahead_until_moves(plain, built) == 749_999
    assert amortisation_moves(plain, plain) == math.inf
    assert ahead_until_moves(plain, plain) == 0
    assert amortisation_moves(summary_of(move_us_mean=1), plain) == 0
    assert amortisation_moves(plain, summary_of(move_us_mean=5, build_seconds=1)) == 0


@pytest.mark.parametrize("seed", range(5))
def test_amortisation_is_what_counting_says(seed):
    for build_a, build_b, move_a, move_b in np.random.default_rng(seed).integers(0, 6, (100, 4)).tolist():
        a = summary_of(build_seconds=build_a, move_us_mean=1e6 * move_a)
        b = summary_of(build_seconds=build_b, move_us_mean=1e6 * move_b)
        less = [m for m in range(50) if build_a + m * move_a < build_b + m * move_b]
        behind = [m for m in range(50) if m not in less]
        from_then = max(behind, default=-1) + 1
        expected = math.inf if from_then == 50 else from_then if from_then > 1 else 0
        assert amortisation_moves(a, b) == expected
        assert ahead_until_moves(a, b) == (less[-1] if less and expected == math.inf else 0)


def test_a_headline_stands_for_many_episodes(tmp_path):
    for summary in summarise(run(tmp_path)):
        own = [row for row in rows(tmp_path) if row["setting"] == summary.label]
        for name, of in (("moves", np.mean), ("work_per_move_max", np.max), ("move_us_max", np.median)):
            assert summary.mean(name) == pytest.approx(of([row[name] for row in own])), name
            assert METRICS[name].over_runs is of


def test_settings_are_compared_over_the_problems_that_both_arrived_at(tmp_path):
    outcome = run(tmp_path, TINY.replace('"astar", "wastar"', '"astar", "lrta"') + "[limits]\nmoves = 25\n")
    astar, lrta = summarise(outcome)
    assert 0 < lrta.arrived < astar.arrived
    theirs, ours = on_common_problems(outcome, astar, lrta)
    by_setting = [[row for row in rows(tmp_path) if row["setting"] == label] for label in ("astar", "lrta")]
    both = [pair for pair in zip(*by_setting, strict=True) if all(row["arrived"] for row in pair)]
    for summary, own in zip((theirs, ours), zip(*both, strict=True), strict=True):
        assert (summary.episodes, summary.arrived, summary.planned) == (len(both), len(both), 12)
        assert summary.mean("moves") == pytest.approx(np.mean([row["moves"] for row in own]))


def test_settings_that_have_come_differently_far(tmp_path):
    outcome = run(tmp_path)
    for part in (tmp_path / "results" / "runs" / outcome.runs[-1].identity).iterdir():
        part.unlink()
    astar, wastar = summarise(outcome)
    assert (astar.episodes, wastar.episodes) == (12, 6)
    assert [one.episodes for one in on_common_problems(outcome, astar, wastar)] == [6, 6]
