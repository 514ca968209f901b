"""Claims of papers: read from suites, judged setting by setting, printed with their figures."""

import math
from dataclasses import replace

import pytest

import waypost as wp
from tests.bench.test_summary import summary_of
from tests.support.suites import TINY, read, run
from waypost.bench.claims import RATIO_OF_SUMS_PERCENT
from waypost.bench.curves import Curve
from waypost.bench.numbers import Figure
from waypost.bench.report import claim_line, verdict_row, write_report
from waypost.bench.summary import Stats, summarise
from waypost.bench.sweeps import short, varied
from waypost.bench.verdicts import judge

SWEEP = TINY.replace('planner = ["astar", "wastar"]', "") + (
    '[[planner]]\nname = "astar"\n[[planner]]\nname = "lss"\nlookahead = [8, 32]\nmoves_per_plan = [0, 1]\n'
    '[[planner]]\nname = "rtaa"\nlookahead = [8, 32]\n'
)
BOUND = 'at_most = 3\nof = "lss"\nmetric = "moves"\n'


def suite_with(folder, claim):
    return read(folder, f'{SWEEP}[[claim]]\ntext = "As said"\nsource = "a paper"\n{claim}', "claims")


def verdicts(folder, claim, figures, **changes):
    """What a claim comes to where settings, in their order, have these figures of a metric."""
    suite = suite_with(folder, claim)
    names = [metric for metric in (suite.claims[0].metric,) if metric != RATIO_OF_SUMS_PERCENT]
    summaries = [
        replace(
            summary_of(**dict.fromkeys(names, figure)), label=setting.label, ratio_of_sums_percent=figure, **changes
        )
        for setting, figure in zip(suite.settings, figures, strict=True)
    ]
    return [(v.label, v.beside, v.held) for v in judge(suite.claims[0], suite.settings, summaries)]


LSS = [f"lss(lookahead={look}, moves_per_plan={moves})" for look in (8, 32) for moves in (0, 1)]
RTAA = [f"rtaa(lookahead={look})" for look in (8, 32)]


def test_bounds(tmp_path):
    figures = [0, 1, 2, 3, 4, 9, 9]
    held = [(LSS[0], "", True), (LSS[1], "", True), (LSS[2], "", True), (LSS[3], "", False)]
    assert verdicts(tmp_path, BOUND, figures) == held
    assert verdicts(tmp_path, BOUND.replace("moves", RATIO_OF_SUMS_PERCENT), figures) == held
    both = BOUND + "at_least = 2\n"
    assert [found[2] for found in verdicts(tmp_path, both, figures)] == [False, True, True, False]


def test_some_settings_of_a_planner(tmp_path):
    claim = BOUND.replace('"lss"', '{ planner = "lss", lookahead = [32, 64], moves_per_plan = 1 }')
    assert verdicts(tmp_path, claim, [0, 1, 2, 3, 4, 9, 9]) == [(LSS[3], "", False)]


def test_less_than_others(tmp_path):
    claim = 'of = "rtaa"\nbelow = "lss"\nmetric = "moves"\n'
    figures = [0, 5, 7, 6, 8, 5, 4]
    assert verdicts(tmp_path, claim, figures) == [(RTAA[0], LSS[0], False), (RTAA[1], LSS[0], True)]
    claim += 'same = "lookahead"\n'
    assert verdicts(tmp_path, claim, figures) == [(RTAA[0], LSS[0], False), (RTAA[1], LSS[2], True)]


def test_not_more_than_others(tmp_path):
    claim = 'of = "rtaa"\nnot_above = "lss"\nmetric = "moves"\n'
    assert verdicts(tmp_path, claim, [0, 5, 7, 6, 8, 5, 6]) == [(RTAA[0], LSS[0], True), (RTAA[1], LSS[0], False)]


def test_nothing_to_compare_with(tmp_path):
    claim = (
        'of = { planner = "rtaa", lookahead = 8 }\nbelow = { planner = "lss", lookahead = 32 }\nsame = "lookahead"\n'
    )
    assert verdicts(tmp_path, claim + 'metric = "moves"\n', range(7)) == []


def test_trends(tmp_path):
    claim = 'of = "lss"\nfalls_with = "lookahead"\nmetric = "moves"\n'
    figures = [0, 5, 7, 5, 8, 0, 0]
    assert verdicts(tmp_path, claim, figures) == [(LSS[2], LSS[0], True), (LSS[3], LSS[1], False)]
    claim = claim.replace("falls", "rises")
    assert verdicts(tmp_path, claim, figures) == [(LSS[2], LSS[0], True), (LSS[3], LSS[1], True)]


@pytest.mark.parametrize("claim", [BOUND, 'of = "lss"\nbelow = "rtaa"\nmetric = "moves"\n'])
def test_what_is_not_known_does_not_hold(tmp_path, claim):
    assert not any(held for *_, held in verdicts(tmp_path, claim, [math.nan] * 7))
    assert not any(held for *_, held in verdicts(tmp_path, claim, [1, 4, 4, 4, 4, 9, math.nan]))
    assert not any(held for *_, held in verdicts(tmp_path, claim, [1, 1, 1, 1, 1, 2, 2], arrived=0))


@pytest.mark.parametrize(
    ("claim", "complaint"),
    [
        (BOUND.replace("moves", "speed"), "claim 1: there is no metric called 'speed'"),
        (
            BOUND.replace("at_most = 3\n", ""),
            "a claim says one of at_most, at_least, below, not_above, falls_with, rises_with, or",
        ),
        (BOUND + 'falls_with = "lookahead"\n', "or both bounds; not 2 of them"),
        (BOUND.replace('"lss"', '"lsss"'), "there is no planner called 'lsss'; did you mean 'lss'?"),
        (BOUND.replace('"lss"', '"tba"'), "of takes in no setting of this suite"),
        (BOUND.replace('"lss"', '{ planner = "lss", lookahead = 9 }'), "of takes in no setting of this suite"),
        (BOUND.replace('"lss"', '{ planner = "lss", depth = 9 }'), "lss has no parameter called 'depth'"),
        (BOUND.replace('"lss"', "{ lookahead = 9 }"), "of must name a planner, or be a table with one"),
        (BOUND.replace('"lss"', "3"), "of must be a text or a table, not 3"),
        ('of = "lss"\nfalls_with = "depth"\nmetric = "moves"\n', "lss has no parameter called 'depth'"),
        ('of = "lss"\nbelow = "astar"\nsame = "lookahead"\nmetric = "moves"\n', "astar has no parameter called"),
        (BOUND + 'same = "lookahead"\n', "there is no key 'same' here"),
    ],
)
def test_refusals(tmp_path, claim, complaint):
    with pytest.raises(wp.WaypostError) as refusal:
        suite_with(tmp_path, claim)
    assert complaint in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_the_report_tells_what_held(tmp_path):
    claims = 'text = "Shortest"\nof = "astar"\nmetric = "suboptimality_percent"\nat_most = 0\n'
    worse = 'text = "Never"\nof = "wastar"\nbelow = "astar"\nmetric = "ratio_of_sums_percent"\n'
    outcome = run(tmp_path, f'{TINY}[[claim]]\nsource = "a paper"\n{claims}[[claim]]\n{worse}')
    summaries = [*summarise(outcome)]
    text = write_report(outcome, summaries, []).read_text()
    assert "## Claims and whether they held here" in text
    assert "**Shortest (a paper): Suboptimality (%), held for 1 of 1**" in text
    assert "| astar | 0 ± 0 | at most 0 | - | held |" in text
    assert "**Never: Suboptimality as ratio of sums (%), held for 0 of 1**" in text
    (verdict,) = judge(outcome.suite.claims[1], outcome.suite.settings, summaries)
    assert verdict_row(verdict)[2:] == ["less than 0 of astar", "-", "NOT HELD"]
    assert claim_line(outcome.suite.claims[1], []).endswith("held for 0 of 0")


PRESETS = TINY.replace('planner = ["astar", "wastar"]', "") + (
    '[[planner]]\nname = "dba"\npreset = "published"\n[planner.index]\nsector = [8, 16]\n'
    '[[planner]]\nname = "dba"\n[planner.index]\nsector = [8, 16]\n'
)


def test_presets_stand_for_parameters_of_agent_and_index(tmp_path):
    suite = read(tmp_path, PRESETS)
    assert [setting.label for setting in suite.settings] == [
        "dba(sector=8, preset=published)",
        "dba(sector=16, preset=published)",
        "dba(sector=8)",
        "dba(sector=16)",
    ]
    published, default = suite.settings[0], suite.settings[2]
    assert (published.values["ahead"], published.values["depth"], published.preset) == (0, 2, "published")
    assert (default.values["ahead"], default.values["depth"], default.preset) == (4, 4, "")
    assert published.values["sector"] == default.values["sector"] == 8


def test_plots_name_the_preset_and_not_what_it_stands_for(tmp_path):
    settings = read(tmp_path, PRESETS).settings
    names = varied(settings)["dba"]
    assert names == ["preset", "sector"]
    assert [short(setting, names) for setting in settings] == ["published, 8", "published, 16", "8", "16"]


def test_a_preset_that_is_not_there(tmp_path):
    with pytest.raises(wp.WaypostError, match="dba has no preset called 'publshed'; its presets: published"):
        read(tmp_path, PRESETS.replace('"published"', '"publshed"'))


def test_less_at_equal_cost(tmp_path):
    """Rivals have (work, figure) = (1, 10), (100, 2): 6 at a work of 10, on a logarithmic scale. (20, 20) is beaten."""
    suite = suite_with(tmp_path, 'of = "rtaa"\nbelow = "lss"\nat_equal = "moves"\nmetric = "length_cells"\n')
    points = [(0, 0), (1, 10), (100, 2), (1, 10), (20, 20), (10, 5.9), (10, 6.1)]
    summaries = [
        replace(summary_of(moves=x, length_cells=y), label=setting.label)
        for setting, (x, y) in zip(suite.settings, points, strict=True)
    ]
    found = judge(suite.claims[0], suite.settings, summaries)
    assert [(v.label, round(v.against.value, 9), v.held) for v in found] == [(RTAA[0], 6, True), (RTAA[1], 6, False)]


def test_only_settings_with_little_of_something(tmp_path):
    suite = suite_with(tmp_path, f"{BOUND}only = {{ work_per_move_max = 5 }}\n")
    summaries = [
        replace(summary_of(moves=i, work_per_move_max=5 + i % 2), label=setting.label)
        for i, setting in enumerate(suite.settings)
    ]
    assert [v.label for v in judge(suite.claims[0], suite.settings, summaries)] == [LSS[1], LSS[3]]


def test_only_the_best_setting(tmp_path):
    figures = [0, 5, 7, 6, 8, 5, 4]
    assert verdicts(tmp_path, f"{BOUND}best = true\n", figures) == [(LSS[0], "", False)]
    claim = 'of = "rtaa"\nbelow = "lss"\nbest = true\nmetric = "moves"\n'
    assert verdicts(tmp_path, claim, figures) == [(RTAA[1], LSS[0], True)]
    assert verdicts(tmp_path, claim, [*figures[:5], 9, math.nan]) == [(RTAA[0], LSS[0], False)]
    assert verdicts(tmp_path, f"{claim}only = {{ work_per_move_max = -1 }}\n", figures) == []


def test_how_many_times_less(tmp_path):
    """With the interval of a quotient; the paper's figure stands beside it."""
    claim = 'of = "rtaa"\nbelow = { planner = "lss", lookahead = 8, moves_per_plan = 0 }\nmetric = "moves"\n'
    suite = suite_with(tmp_path, f"{claim}best = true\ntimes = 5\n")
    stats = [Stats(figure, figure, error) for figure, error in ((9, 1), (12, 0.3), (4, 0.1))]
    known = [setting for setting in suite.settings if setting.label in (LSS[0], *RTAA)]
    summaries = [
        replace(summary_of(), label=setting.label, metrics={"moves": one})
        for setting, one in zip(known, (stats[1], stats[0], stats[2]), strict=True)
    ]
    (verdict,) = judge(suite.claims[0], suite.settings, summaries)
    assert verdict.times.value == 3
    assert verdict.times.error == pytest.approx(1.96 * 3 * math.hypot(0.3 / 12, 0.1 / 4))
    assert verdict_row(verdict)[1:4] == ["4 ± 0.196", f"less than 12 ± 0.588 of {LSS[0]}", "3 ± 0.208"]
    assert (
        claim_line(suite.claims[0], [verdict]) == "As said (a paper): Moves (the paper: 5 times less), held for 1 of 1"
    )


@pytest.mark.parametrize(
    ("claim", "complaint"),
    [
        ('of = "lss"\nfalls_with = "lookahead"\nmetric = "moves"\nbest = true\n', "so best goes with at_most, below"),
        (BOUND + "best = 1\n", "best must be true or false"),
        (BOUND + "times = 5\n", "so it goes with below or not_above"),
        ('of = "rtaa"\nbelow = "lss"\nnot_above = "lss"\nmetric = "moves"\n', "or both bounds; not 2 of them"),
        ('of = "rtaa"\nbelow = "lss"\nat_equal = "nothing"\nmetric = "moves"\n', "no metric called 'nothing'"),
        (
            'of = "rtaa"\nbelow = "lss"\nat_equal = "moves"\nsame = "lookahead"\nmetric = "moves"\n',
            "either same or at_equal, not both",
        ),
        (BOUND + 'only = { moves = "few" }\n', "only, moves, must be a number"),
        (BOUND + "only = { nothing = 1 }\n", "no metric called 'nothing'"),
    ],
)
def test_more_is_refused(tmp_path, claim, complaint):
    with pytest.raises(wp.WaypostError) as refusal:
        suite_with(tmp_path, claim)
    assert complaint in str(refusal.value)


def test_the_error_at_equal_cost_takes_in_that_of_the_place():
    """The figure falls from 10 to 2 between the logarithms of 1 and 100."""
    curve = Curve([(Figure(1, 0), Figure(10, 0)), (Figure(100, 0), Figure(2, 0))])
    assert curve.at(Figure(10, 0)) == (6, 0)
    change = 4 * (math.log10(11) - math.log10(9)) / 2
    assert curve.at(Figure(10, 1)).error == pytest.approx(change)
    assert curve.at(Figure(500, 1)) == (2, 0)
    assert curve.where(Figure(10)) == "at 10"
    assert curve.where(Figure(500)) == "at its end, 100"
    assert curve.where(Figure(math.nan)) == "at an unknown place"
    assert math.isnan(curve.at(Figure(math.nan)).value)


def test_at_equal_cost_everything_must_be_known(tmp_path):
    suite = suite_with(tmp_path, 'of = "rtaa"\nbelow = "lss"\nat_equal = "moves"\nmetric = "length_cells"\n')
    lengths = [9, 9, 9, 9, 9, 5, 5]
    summaries = [
        replace(summary_of(moves=1, length_cells=length), label=setting.label)
        for setting, length in zip(suite.settings, lengths, strict=True)
    ]
    assert all(verdict.held for verdict in judge(suite.claims[0], suite.settings, summaries))
    summaries[1] = replace(summaries[1], arrived=0)
    assert not any(verdict.held for verdict in judge(suite.claims[0], suite.settings, summaries))


def test_at_equal_cost_with_nobody_who_has_been_run_there_is_no_verdict(tmp_path):
    suite = suite_with(tmp_path, 'of = "rtaa"\nbelow = "lss"\nat_equal = "moves"\nmetric = "length_cells"\n')
    begun = [
        replace(summary_of(moves=1, length_cells=9), label=setting.label)
        for setting in suite.settings
        if setting.planner == "rtaa"
    ]
    assert judge(suite.claims[0], suite.settings, begun) == []
