import csv
import math
import re

import pytest

from tests.bench.test_summary import summary_of
from tests.support.suites import TINY, run
from waypost.bench.numbers import number
from waypost.bench.plot import draw_plots
from waypost.bench.report import write_gppc, write_report
from waypost.bench.summary import moves_to_pay_off, summarise
from waypost.runs.metrics import GPPC_COLUMNS, METRICS

FULL = (
    TINY.replace("planner", 'baseline = "astar"\nplanner', 1)
    + """
[limits]
work_per_move = 100

[[front]]
metrics = ["suboptimality_percent", "move_us_mean", "online_kb"]

[[plot]]
x = "expansions"
y = "suboptimality_percent"

[[plot]]
x = "build_seconds"
y = "suboptimality_percent"

[[published]]
label = "A*, as printed"
source = "a paper, table 7"
beside = "astar"
figures = { suboptimality_percent = 12.5 }
"""
)


@pytest.fixture
def outcome(tmp_path):
    return run(tmp_path, FULL)


def report_of(outcome):
    return write_report(outcome, [*summarise(outcome)], []).read_text()


def test_the_report_says_what_was_run_on_what(outcome):
    text = report_of(outcome)
    for words in (
        "# Tiny",
        "Means over the problems that arrived; of times the median; of other maxima the largest.",
        "2 maps: caves(24x20, seed=3), rooms(24x20, seed=3)",
        "12 problems: 6 random ones on each map, seed 2",
        "an episode ends after 1,000,000 moves; real-time cut-off 100 units of work in a move",
        "Machine: ",
        "the floor under every time per move",
        "Suboptimality as ratio of sums (%)",
        "Break-even with astar (agents)",
        "Pays off against astar (moves)",
        "## Not beaten on Suboptimality (%), Time per move (us) and On-line memory",
        "| setting | mean | standard error | median | p99 | max |",
        "Disqualified for more work than 100 in one move: none.",
        "Disqualified because nothing bounds their work in one move (most seen): astar (",
        "| astar (disqualified) |",
        "| A*, as printed | Suboptimality (%) | 12.5 | 0 | a paper, table 7 |",
    ):
        assert words in text, words
    assert "NOT COMPLETE" not in text


def test_figures_of_those_that_arrived_say_how_many(tmp_path):
    few = FULL.replace('"astar", "wastar"', '"astar", "lrta"').replace("work_per_move = 100", "moves = 25")
    text = report_of(run(tmp_path, few.replace('beside = "astar"', 'beside = "lrta"')))
    assert re.search(r"\| 12\.5 \| [\d.]+ \(\d+/12 arrived\) \| a paper, table 7 \|", text)
    assert re.search(r"Compared with astar over the problems that both arrived at: lrta \d+/12\.", text)
    none = report_of(run(tmp_path, few.replace("moves = 25", "moves = 1")))
    assert re.search(r"\| lrta \|.* - \| - \|$", none, re.MULTILINE)
    assert "| 12.5 | - (0/12 arrived) |" in none


def test_a_lead_that_is_lost_is_told_from_none():
    early, late = summary_of(move_us_mean=5), summary_of(move_us_mean=1, build_seconds=3)
    assert moves_to_pay_off(early, late) == "only until 749,999"
    assert moves_to_pay_off(late, early) == "750,001"
    assert moves_to_pay_off(early, early) == "never"


def test_every_table_is_rectangular(outcome):
    for table in re.findall(r"(?:^\|.*\n)+", report_of(outcome), re.MULTILINE):
        assert len({line.count("|") for line in table.splitlines()}) == 1


def test_metrics_that_nobody_has_are_left_out(outcome):
    text = report_of(outcome)
    assert f"## {METRICS['expansions_per_move_mean'].title}" in text
    assert f"## {METRICS['climbs_per_move_mean'].title}" not in text
    assert f"## {METRICS['build_seconds'].title}" not in text


def test_an_unfinished_or_disturbed_run_says_so(tmp_path):
    text = report_of(run(tmp_path, TINY + "[limits]\nsuite_seconds = 0\nepisode_seconds = 3\n"))
    assert "NOT COMPLETE: 0 of 24 episodes so far" in text
    assert "A move that plans nothing" not in text
    assert "an episode ends after 1,000,000 moves or 3 s" in text
    assert "timings disturbed each other" in report_of(run(tmp_path, timing_workers=2))
    walks = TINY.replace("planner", 'timing = "walk"\nplanner', 1)
    assert "times of single moves are not known" in report_of(run(tmp_path, walks))
    rounds = TINY.replace("planner", "rounds = 2\nplanner", 1)
    assert "Each walk was made 2 times; of each move the shortest time counts" in report_of(run(tmp_path, rounds))


def test_gppc_files(outcome):
    astar, wastar = write_gppc(outcome)
    assert (astar.name, wastar.name) == ("astar.csv", "wastar.csv")
    found = list(csv.DictReader(wastar.read_text().splitlines()))
    assert list(found[0]) == list(GPPC_COLUMNS)
    assert len(found) == 12
    assert {row["map"] for row in found} == {"caves(24x20, seed=3)", "rooms(24x20, seed=3)"}
    assert [row["experiment_id"] for row in found] == [*"012345"] * 2
    assert all(float(row["path_length"]) >= float(row["ref_length"]) > 0 for row in found)


def test_gppc_files_leave_out_times_that_are_not_known(tmp_path):
    for path in write_gppc(run(tmp_path, TINY.replace("planner", 'timing = "walk"\nplanner', 1))):
        for row in csv.DictReader(path.read_text().splitlines()):
            assert (row["20steps_cost"], row["max_step_time"]) == ("", "")
            assert float(row["time_cost"]) > 0


def test_figures_have_the_digits_that_mean_something():
    values = (math.nan, math.inf, 0, 3, 0.012345, 12.345, 123.45, 12345.6)
    assert [number(value) for value in values] == ["-", "never", "0", "3", "0.0123", "12.3", "123.5", "12,346"]


def test_plots_say_which_way_is_better_and_what_was_run(outcome, monkeypatch):
    monkeypatch.setattr("waypost.bench.plot.STYLE", {"svg.fonttype": "none", "svg.hashsalt": "waypost"})
    svg, png = draw_plots(outcome, [*summarise(outcome)])
    assert svg.name == "suboptimality_percent-against-expansions.svg", "none where there is nothing to compare"
    assert png.read_bytes().startswith(b"\x89PNG")
    text = svg.read_text()
    for words in (
        "Tiny",
        "down and left is better",
        "lower is better",
        "2 maps: caves",
        "Machine: ",
        "wastar",
        "astar",
    ):
        assert words in text, words
    assert "hollow: on no front" in text, "nothing here passes the cut-off"
    assert "Pareto front" not in text
    assert "<dc:date>" not in text
    before = svg.read_bytes()
    draw_plots(outcome, [*summarise(outcome)])
    assert svg.read_bytes() == before, "the same results make the same file"
