"""The descriptions of the papers: every table and figure is there by its number, and everything means something."""

import re

import pytest

from tests.support.pages import ROOT
from waypost.bench.papers.description import read_paper, shipped_papers
from waypost.bench.papers.illustrations import ILLUSTRATIONS
from waypost.bench.papers.scale import Scale, suite_of
from waypost.bench.papers.verdicts import State

NUMBERS = {"2008": (15, 14), "2009": (8, 1), "2010": (15, 7), "2011": (2, 0), "2013": (2, 0)}
"""How many figures and tables each paper has."""
SCALES = [Scale(quick=quick, standin=standin) for quick in (False, True) for standin in (False, True)]


def test_all_papers_are_there():
    assert shipped_papers() == list(NUMBERS)
    assert sum(map(sum, NUMBERS.values())) == 64


@pytest.mark.parametrize("name", NUMBERS)
def test_every_table_and_figure_is_there_by_its_number(name):
    figures, tables = NUMBERS[name]
    wanted = {f"Figure {i + 1}" for i in range(figures)} | {f"Table {i + 1}" for i in range(tables)}
    numbers = [item.number for item in read_paper(name).items]
    assert len(set(numbers)) == len(numbers)
    assert {number for number in numbers if re.fullmatch(r"(Figure|Table) \d+", number)} == wanted


@pytest.mark.parametrize("name", NUMBERS)
def test_every_suite_can_be_made_at_every_scale(name):
    paper = read_paper(name)
    for use in paper.suites:
        settings = [len(suite_of(paper, use, scale).settings) for scale in SCALES]
        assert min(settings) > 0
        assert settings[2] <= settings[0], "a quick run has no setting that the full one has not"
        assert use.why
        assert use.quick
        assert use.standin["maps"], "there must be maps for those who have none of the benchmark"


@pytest.mark.parametrize("name", NUMBERS)
def test_every_row_means_a_setting_of_the_full_run(name):
    paper = read_paper(name)
    settings = {use.name: suite_of(paper, use, SCALES[0]).settings for use in paper.suites}
    rows = [(item.suite, row) for item in paper.items for row in item.rows]
    rows += [(suite, row) for rules in paper.rules for suite in rules.suites for row in rules.rows]
    rows += [(sets.suite, row) for sets in paper.sets for row in sets.rows]
    for suite, row in rows:
        found = row.of.of(settings[suite])
        assert found, f"{row.label} of {suite}"
        papers_figures = any(figure == figure for figure in row.paper)
        assert len(found) == 1 or row.is_pooled or not papers_figures, f"{row.label} has one figure for {len(found)}"
    pairs = [(item.suite, match) for item in paper.items for pair in item.pairs for match in (pair.of, pair.against)]
    assert all(len(match.of(settings[suite])) == 1 for suite, match in pairs)


@pytest.mark.parametrize("name", NUMBERS)
def test_every_cause_is_of_a_claim_and_has_a_command(name):
    paper = read_paper(name)
    suites = [suite_of(paper, use, SCALES[0]) for use in paper.suites]
    claims = {claim.text for suite in suites for claim in suite.claims}
    assert {cause.claim for cause in paper.causes} <= claims
    assert all(cause.command.startswith("waypost ") and cause.text for cause in paper.causes)
    titles = {comparison.title for suite in suites for comparison in suite.comparisons}
    assert {item.comparison for item in paper.items if item.comparison} <= titles
    shown = {item.number for item in paper.items}
    assert {item.rows_of for item in paper.items if item.rows_of} <= shown


def test_the_papers_numbers_are_as_the_specification_has_them():
    table = {row.label: row.paper for item in read_paper("2010").items if item.number == "Table 1" for row in item.rows}
    assert table["kNN LRTA* (60000)"] == (6.4, 12.77)
    assert table["TBA* (50)"] == (83.31, 131.12), "and not as tables 4 and 5 misprint it"


@pytest.mark.parametrize("name", sorted(set(ILLUSTRATIONS) - {"maps", "tree-memory"}))
def test_every_illustration_can_be_drawn(name):
    drawn = ILLUSTRATIONS[name](None)
    assert drawn.pictures
    assert drawn.facts
    assert all(fact.ours == fact.ours for fact in drawn.facts)
    assert not drawn.shows_benchmark_map


def test_the_climb_of_theorem_6():
    climb, shortest = ILLUSTRATIONS["detour"](None).facts
    assert climb.ours == pytest.approx(climb.paper)
    assert climb.paper == 16.4
    assert shortest.ours == pytest.approx(shortest.paper)
    assert shortest.paper == 15


def test_rows_that_are_kept_are_small_files():
    kept = list((ROOT / "benchmarks" / "papers").glob("*.zip"))
    assert {path.stem for path in kept} <= set(NUMBERS)
    assert all(path.stat().st_size < 5_000_000 for path in kept)


@pytest.mark.parametrize("name", NUMBERS)
def test_the_page_of_a_paper_has_all_of_it(name):
    page = (ROOT / "docs" / "papers" / f"{name}.md").read_text()
    assert re.search(r"^\*\*(Full|Quick: to scale, in minutes); (complete|NOT COMPLETE)\.\*\*$", page, re.MULTILINE)
    for item in read_paper(name).items:
        assert f"\n### {item.number}: {item.title}\n" in page, "make the page again: --page"


def test_states_are_words():
    assert {state.value for state in State} >= {"held", "MISSED"}
