import itertools
from dataclasses import replace

import numpy as np
import pytest

from tests.support.suites import read, run
from waypost.bench import plot
from waypost.bench.labels import place_labels
from waypost.bench.summary import summarise
from waypost.bench.sweeps import short, sweeps, varied

CROWDED = """
title = "A title that is rather long, so long that it would run into what stands beside the plot, or off it"

[[maps]]
generate = "caves"
size = [24, 20]
seed = 3

[problems]
random = 3
seed = 2

[[planner]]
name = "*"

[[planner]]
name = "lss"
lookahead = [40, 10]
moves_per_plan = [1, 0]

[[planner]]
name = "lrts"
depth = [3, 5]
gamma = [0.2, 1.0]
quota = [100, 1e6]
"""
WORK, TIME, QUALITY = "work_per_move_mean", "move_us_mean", "suboptimality_percent"


@pytest.fixture(scope="module")
def outcome(tmp_path_factory):
    return run(tmp_path_factory.mktemp("crowded"), CROWDED)


@pytest.fixture(params=[WORK, TIME])
def axes(outcome, request):
    with plot.matplotlib.rc_context(plot.STYLE):
        figure = plot.draw_front(outcome, [*summarise(outcome)], request.param, QUALITY)
        figure.draw_without_rendering()
        yield figure.axes[0]


def boxes_of(axes):
    return [plot.matplotlib.text.Text.get_window_extent(note) for note in axes.texts]


def test_every_point_has_a_label_inside_the_axes(axes, outcome):
    boxes = boxes_of(axes)
    assert len(boxes) == len(outcome.suite.settings)
    inside = axes.bbox.padded(1)
    assert all(inside.contains(*corner) for box in boxes for corner in (box.min, box.max))
    assert not any(note.get_in_layout() for note in axes.texts)


def test_labels_are_apart(axes):
    assert not any(a.padded(-1).overlaps(b.padded(-1)) for a, b in itertools.combinations(boxes_of(axes), 2))


def test_titles_and_legend_are_on_the_page_and_apart(axes):
    figure = axes.figure
    texts = {
        text.get_text(): text.get_window_extent() for text in (*figure.texts, *axes.findobj(plot.matplotlib.text.Text))
    }
    legend, head = axes.get_legend().get_window_extent(), texts[figure.get_suptitle()]
    title = texts[axes.get_title(loc="left")]
    for box in (legend, head, title):
        assert figure.bbox.padded(1).contains(*box.min)
        assert figure.bbox.padded(1).contains(*box.max)
    assert not legend.overlaps(head)
    assert not legend.overlaps(title)
    assert not legend.overlaps(axes.bbox)


def test_work_of_planners_that_are_not_real_time_is_hollow_and_explained(axes):
    astar = next(line for line in axes.lines if line.get_marker() == "o" and line.get_color() == plot.COLOURS[0])
    in_work = "Work" in axes.get_xlabel()
    assert (astar.get_markerfacecolor() == "white") is in_work
    assert ("Not real-time, so on no front of work: astar" in axes.get_title("left")) is in_work
    assert any("not real-time" in text.get_text() for text in axes.get_legend().get_texts()) is in_work


def test_fourteen_planners_look_different():
    pairs = list(itertools.islice(zip(itertools.cycle(plot.COLOURS), itertools.cycle(plot.MARKERS), strict=False), 14))
    assert len(set(pairs)) == 14


def test_styles_differ_between_planners(outcome):
    styles = plot.styles_of(outcome.suite)
    assert len(set(styles.values())) == len(styles) == len({s.planner for s in outcome.suite.settings})


def test_sweeps_join_settings_that_differ_in_one_parameter(tmp_path):
    settings = [*read(tmp_path, CROWDED).settings]
    expected = None
    for turn in range(5):
        found = {tuple(setting.label for setting in sweep) for sweep in sweeps(settings)}
        expected = expected or found
        assert found == expected, "whatever the order of settings"
        for sweep in sweeps(settings):
            values = [dict(setting.params) for setting in sweep]
            (name,) = (name for name in values[0] if len({value[name] for value in values}) > 1)
            column = [value[name] for value in values]
            assert column == sorted(column)
        settings = [settings[i] for i in np.random.default_rng(turn).permutation(len(settings))]
    assert ("lss(lookahead=10, moves_per_plan=1)", "lss(lookahead=40, moves_per_plan=1)") in expected


def test_labels_are_short(tmp_path):
    settings = read(tmp_path, CROWDED).settings
    names = varied(settings)
    assert (names["lss"], names["astar"]) == (["lookahead", "moves_per_plan"], [])
    texts = {setting.label: short(setting, names[setting.planner]) for setting in settings}
    assert texts["lss(lookahead=40, moves_per_plan=1)"] == "40, 1"
    assert texts["lrts(depth=3, gamma=0.2, quota=1000000.0)"] == "3, 0.2, 1e6"
    assert texts["astar"] == ""


def test_placing_labels():
    page = (0, 0, 300, 200)
    assert place_labels(np.array([[100.0, 100.0]]), [(0, 0)], page) == [None]
    ((dx, dy, leader),) = place_labels(np.array([[100.0, 100.0]]), [(20, 8)], page)
    assert (dx > 10, dy, leader) == (True, 0, False)
    ((dx, dy, leader),) = place_labels(np.array([[295.0, 100.0]]), [(20, 8)], page)
    assert dx < 10, "not over the edge"
    heap = place_labels(np.full((20, 2), 100.0), [(30, 8)] * 20, page)
    centres = [place[:2] for place in heap]
    assert all(abs(a[0] - b[0]) >= 30 or abs(a[1] - b[1]) >= 8 for a, b in itertools.combinations(centres, 2))
    assert any(place.leader for place in heap)
    assert place_labels(np.array([[5.0, 5.0]]), [(30, 30)], (0, 0, 10, 10)) == [None], "no room at all"


def test_the_front_is_explained(axes):
    assert any("Pareto front" in text.get_text() for text in axes.get_legend().get_texts())


def test_of_very_many_settings_only_some_have_labels(outcome, monkeypatch):
    """The ends of lines, single ones, and the front."""
    monkeypatch.setattr(plot, "MOST_LABELS", 3)
    settings = [s for s in outcome.suite.settings if s.planner in ("astar", "lrts")]
    depths = [replace(settings[-1], label=f"lrts {d}", params=(("depth", d),)) for d in (3, 5, 7, 9)]
    assert plot.labelled([settings[0], *depths], {"lrts 5"}) == {"astar", "lrts 3", "lrts 5", "lrts 9"}
    assert plot.labelled(depths[:3], set()) == {"lrts 3", "lrts 5", "lrts 7"}


def test_a_crowded_plot_leaves_labels_out_and_says_so(outcome, monkeypatch):
    settings = outcome.suite.settings
    monkeypatch.setattr(plot, "MOST_LABELS", len(settings) - 1)
    monkeypatch.setattr(plot, "labelled", lambda *_: {settings[0].label, settings[-1].label})
    with plot.matplotlib.rc_context(plot.STYLE):
        figure = plot.draw_front(outcome, [*summarise(outcome)], WORK, QUALITY)
    assert len(figure.axes[0].texts) == 2
    assert "only on the front" in figure.axes[0].get_title(loc="left").replace("\n", " ")
