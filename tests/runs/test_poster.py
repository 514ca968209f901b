"""Posters and their letters."""

import string

import numpy as np
import pytest

import waypost as wp
from waypost.runs import lettering, picture
from waypost.runs.poster import Panel, poster
from waypost.runs.walks_poster import draw_walks

WHITE, BLACK = 255, (0, 0, 0)


def sheet(width=120, height=60):
    return np.full((height, width, 3), WHITE, np.uint8)


def written(text, size=20, bold=False, x=10, y=10):
    pixels = sheet()
    end = lettering.write(pixels, text, x, y, size, BLACK, bold)
    return pixels, end


def test_every_sign_looks_different():
    signs = string.ascii_letters + string.digits + ".,:;-+*=><()/'!?%"
    assert len({written(sign)[0].tobytes() for sign in signs}) == len(signs)
    assert np.array_equal(written("€")[0], written("ß")[0]), "what it cannot write is a box"


def test_capitals_are_as_high_as_asked_for_and_stand_on_a_line():
    for size in (12, 24):
        rows = np.flatnonzero((written("H", size)[0] < 128).any(axis=(1, 2)))
        assert abs(rows[0] - 10) <= 2
        assert abs(rows[-1] - (10 + size)) <= 2


def test_a_line_takes_what_its_width_says():
    pixels, end = written("Hill")
    columns = np.flatnonzero((pixels < 128).any(axis=(0, 2)))
    width = lettering.width_of("Hill", 20)
    assert columns[-1] < 10 + width + 2 < end
    assert (written("Hill", bold=True)[0] < 128).sum() > (pixels < 128).sum()


@pytest.mark.parametrize("place", [(-7, 10), (110, 10), (10, -9), (10, 50), (500, 500), (-500, -500)])
def test_what_does_not_fit_is_cut_off(place):
    x, y = place
    whole = np.full((1200, 1300, 3), WHITE, np.uint8)
    lettering.write(whole, "Waypost", x + 600, y + 600, 20, BLACK)
    pixels = sheet()
    lettering.write(pixels, "Waypost", x, y, 20, BLACK)
    assert np.array_equal(pixels, whole[600:660, 600:720])


def test_a_poster_holds_all_pictures_and_its_words_fit():
    panels = [
        Panel("a long name of a planner", "longest move 123,456 us", "about", sheet(30, 20) - shade)
        for shade in (9, 99, 199)
    ]
    whole = poster("Title", "about", panels, [((1, 2, 3), "one"), ((3, 2, 1), "two")], columns=2)
    for shade in (9, 99, 199):
        assert (whole == WHITE - shade).all(axis=2).sum() >= 30 * 20
    assert (whole == (1, 2, 3)).all(axis=2).any()
    assert (whole[:, -20:] == WHITE).all(), "a margin"
    assert (whole[-20:] == WHITE).all()


def test_walks_side_by_side_say_who_gave_up():
    grid = wp.load_map("caves")
    planners = [wp.build(name, grid) for name in ("astar", "lrta")]
    problem = planners[0].problem((122, 17), (44, 81))
    ended, given_up = (draw_walks(planners, problem, most) for most in (10_000, 20))
    assert ended.shape == given_up.shape
    assert not np.array_equal(ended, given_up)
    for colour in (picture.START, picture.GOAL, picture.PATH, picture.WALL):
        assert (ended == colour).all(axis=2).any()
