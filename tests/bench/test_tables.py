"""Tables that suites ask for: settings side by side, the best under a limit, and when a build pays off."""

import math
from dataclasses import replace

import pytest

import waypost as wp
from tests.bench.test_summary import summary_of
from tests.support.suites import TINY, read, run
from waypost.bench.report import write_report
from waypost.bench.summary import Stats, summarise
from waypost.bench.tables import fill

SWEEP = TINY.replace('planner = ["astar", "wastar"]', "") + (
    '[[planner]]\nname = "astar"\n[[planner]]\nname = "lss"\nlookahead = [8, 32, 64]\n'
)
LSS = [f"lss(lookahead={lookahead})" for lookahead in (8, 32, 64)]
SIDE_BY_SIDE = 'metrics = ["moves", "length_cells"]\nof = [{ planner = "lss", lookahead = [8, 64] }, "astar"]\n'
LIMITED = 'limit = "work_per_move_max"\nmetric = "moves"\n'
PAYS_OFF = 'of = "lss"\nagainst = "astar"\nclosest = "length_cells"\n'


def suite_with(folder, table):
    return read(folder, f'{SWEEP}[[table]]\ntitle = "Some"\n{table}')


def filled(folder, table, figures, **changes):
    """Head and rows of a table where settings, in their order, have these figures; without errors."""
    suite = suite_with(folder, table)
    summaries = [
        replace(summary_of(**of_setting), label=setting.label, **changes)
        for setting, of_setting in zip(suite.settings, figures, strict=True)
    ]
    head, rows, _ = fill(suite.comparisons[0], suite.settings, summaries)
    return head, [[text.partition(" ±")[0] for text in row] for row in rows]


def test_side_by_side(tmp_path):
    figures = [{"moves": moves, "length_cells": 2 * moves} for moves in (10, 20, 30, 40)]
    head, rows = filled(tmp_path, SIDE_BY_SIDE, figures)
    assert head == ["setting", "Moves", "Path length (cells)"]
    assert rows == [[LSS[0], "20", "40"], [LSS[2], "40", "80"], ["astar", "10", "20"]]


@pytest.mark.parametrize("change", [{"arrived": 0}, {"planned": 2}, {"disqualified": True}])
@pytest.mark.parametrize("table", [SIDE_BY_SIDE, LIMITED, PAYS_OFF])
def test_what_does_not_compare_is_named(tmp_path, table, change):
    """Whoever did not arrive, has not run every problem yet, or was disqualified."""
    suite = suite_with(tmp_path, table)
    summaries = [replace(summary_of(), label=setting.label) for setting in suite.settings]
    whole = fill(suite.comparisons[0], suite.settings, summaries)
    summaries[1] = replace(summaries[1], **change)
    found = fill(suite.comparisons[0], suite.settings, summaries)
    assert whole.note == ""
    assert found.note.endswith(f": {LSS[0]}.")
    assert LSS[0] not in str(found.rows)


def test_side_by_side_with_errors(tmp_path):
    suite = suite_with(tmp_path, 'metrics = "moves"\nof = ["astar"]\n')
    summary = replace(summary_of(), label="astar", metrics={"moves": Stats(100.5, 100.5, 1)})
    assert fill(suite.comparisons[0], suite.settings, [summary]).rows == [["astar", "100.5 ± 1.96"]]


def test_the_best_under_each_limit(tmp_path):
    """Neither one that needs more and is no better, nor one that needs as much and is worse."""
    needs, moves = (50, 7, 9, 7), (5, 8, 8, 9)
    figures = [{"work_per_move_max": need, "moves": made} for need, made in zip(needs, moves, strict=True)]
    head, rows = filled(tmp_path, LIMITED, figures)
    assert head == ["Limit: Most work in a move", "best setting", "Moves"]
    assert rows == [["7 and more", LSS[0], "8"], ["50 and more", "astar", "5"]]
    figures[3] = figures[1]
    assert filled(tmp_path, LIMITED, figures)[1] == rows  # the first of two that are alike


def test_what_is_not_known_is_under_no_limit(tmp_path):
    figures = [{"work_per_move_max": need, "moves": 9} for need in (math.nan, 5, math.nan, math.nan)]
    assert filled(tmp_path, LIMITED, figures)[1] == [["5 and more", LSS[0], "9"]]


def test_what_pays_off(tmp_path):
    """A build of 2 s and 3 us per move less: 666,667 moves of 1 us."""
    slow = {"build_seconds": 0, "index_bytes": 0, "length_cells": 10, "move_us_mean": 4}
    built = {"build_seconds": 2, "index_bytes": 2048, "length_cells": 12, "move_us_mean": 1}
    figures = [slow, built, built | {"move_us_mean": 5}, slow]
    head, rows = filled(tmp_path, PAYS_OFF, figures)
    assert len(head) == len(rows[0]) == 10
    assert rows[0] == [LSS[0], "2", "2", "12", "1", "astar", "10", "4", "666,667", "0.667"]
    assert rows[1][-2:] == ["never", "never"]
    quick = built | {"build_seconds": 0, "move_us_mean": 5}
    late = filled(tmp_path, PAYS_OFF, [slow | {"build_seconds": 2}, quick, slow, slow])[1]
    assert late[0][-2:] == ["only until 1,999,999", "never"]
    unknown = filled(tmp_path, PAYS_OFF, [slow, built | {"build_seconds": math.nan}, slow, slow])[1]
    assert [row[0] for row in unknown] == LSS[1:]


def test_builds_are_held_against_settings_that_none_beats(tmp_path):
    """Not against the closest one, where another is both better and faster; nor against themselves."""
    rivals = 'of = "lss"\nagainst = "lss"\nclosest = "length_cells"\n'
    lengths, times = (1, 9, 10, 8), (1, 2, 3, 1)
    figures = [{"length_cells": length, "move_us_mean": time} for length, time in zip(lengths, times, strict=True)]
    assert [(row[0], row[5]) for row in filled(tmp_path, rivals, figures)[1]] == [(LSS[0], LSS[2]), (LSS[1], LSS[2])]


def test_the_closest_of_some(tmp_path):
    slow = {"build_seconds": 0, "index_bytes": 0, "length_cells": 10, "move_us_mean": 4}
    built = {"build_seconds": 2, "index_bytes": 2048, "length_cells": 12, "move_us_mean": 1}
    figures = [slow, built, built | {"move_us_mean": 5}, slow]
    near = PAYS_OFF.replace('of = "lss"\nagainst = "astar"', 'of = "astar"\nagainst = "lss"')
    lengths = [figure | {"length_cells": length} for figure, length in zip(figures, (7, 12, 4, 9), strict=True)]
    assert [row[5] for row in filled(tmp_path, near, lengths)[1]] == [LSS[2]]  # 4 is farther from 7 than 9


@pytest.mark.parametrize(
    ("table", "complaint"),
    [
        (SIDE_BY_SIDE.replace("moves", "speed"), "table 1: there is no metric called 'speed'"),
        (SIDE_BY_SIDE.replace('"astar"', "3"), "of must be a list of texts and tables"),
        (SIDE_BY_SIDE.replace('"astar"', '"jps"'), "of takes in no setting of this suite"),
        (LIMITED.replace("moves", "speed"), "there is no metric called 'speed'"),
        (LIMITED.replace("work_per_move_max", "moves"), "different metrics, not 'moves, moves'"),
        (LIMITED + 'of = "lss"\n', "there is no key 'of' here"),
        (PAYS_OFF.replace("length_cells", "speed"), "there is no metric called 'speed'"),
        (PAYS_OFF.replace('"lss"', '"rtaa"'), "of takes in no setting of this suite"),
        ("", "metrics is missing"),
    ],
)
def test_refusals(tmp_path, table, complaint):
    with pytest.raises(wp.WaypostError) as refusal:
        suite_with(tmp_path, table)
    assert complaint in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_the_report_has_them(tmp_path):
    table = '[[table]]\ntitle = "Side by side"\nmetrics = "suboptimality_percent"\nof = ["astar", "wastar"]\n'
    outcome = run(tmp_path, TINY + table)
    text = write_report(outcome, [*summarise(outcome)], []).read_text()
    assert "## Side by side\n\n| setting | Suboptimality (%) |\n" in text
    assert "| astar | 0 ± 0 |" in text
