"""Builds: the same parts whatever the threads and chunks, and everything stops soon."""

import threading

import numpy as np
import pytest

import waypost as wp
from waypost.errors import ParameterError, WaypostError
from waypost.indexes import building
from waypost.indexes.building import Works


def items(first, last):
    return (np.arange(first, last),)


def joined(parts):
    return np.concatenate([part for (part,) in parts]).tolist()


@pytest.mark.parametrize("threads", [1, 2, 5])
@pytest.mark.parametrize("chunk", [1, 3, 100, None])
@pytest.mark.parametrize("total", [0, 1, 2, 17, 64])
def test_parts_cover_everything_in_order(threads, chunk, total):
    assert joined(Works(threads, show_progress=False).parts("items", total, items, chunk=chunk)) == list(range(total))


def test_bars_are_shown_unless_nobody_wants_them(monkeypatch):
    really, asked = building.progress, []
    monkeypatch.setattr(building, "progress", lambda *what, show: asked.append(show) or really(*what, show=False))
    grid = wp.grid_from_text("...\n...")
    for wanted in (True, False):
        asked.clear()
        wp.build("dba", grid, progress=wanted)
        assert set(asked) == {wanted}
    with pytest.raises(ParameterError, match="progress must be True or False"):
        wp.build("dba", grid, progress=0)


def test_chunks_grow_with_fast_items_and_are_small_at_the_end():
    parts = Works(1, show_progress=False).parts("items", 10_000, items)
    sizes = [len(part) for (part,) in parts]
    assert sizes[0] == 1
    assert max(sizes) > 500
    assert sizes[-1] < 10


def test_chunks_shrink_with_slow_items():
    from waypost.indexes import building

    assert building.next_size(8, 0.01) == 16
    assert building.next_size(8, 0.15) == 8
    assert building.next_size(8, 3.0) == 4
    assert building.next_size(1, 3.0) == 1


@pytest.mark.parametrize("error", [KeyboardInterrupt, WaypostError])
def test_an_error_in_one_thread_stops_all(error):
    made = []

    def make(first, last):
        made.append(first)
        if first >= 10:
            raise error("enough")
        return items(first, last)

    before = threading.active_count()
    with pytest.raises(error, match="enough"):
        Works(3, show_progress=False).parts("items", 1_000_000, make, chunk=1)
    assert len(made) < 100
    assert threading.active_count() == before


def test_titles_tell_parts_apart(tmp_path):
    works = Works(1, tmp_path / "j", show_progress=False)
    assert joined(works.parts("a", 5, items)) == joined(works.parts("b", 5, items))
    with pytest.raises(ValueError, match="two parts called 'a'"):
        works.parts("a", 5, items)
    works.close()
    again = Works(1, tmp_path / "j")

    never = None  # would be called

    assert joined(again.parts("b", 5, never)) == joined(again.parts("a", 5, never)) == list(range(5))
    again.discard()


def test_it_says_from_where_it_goes_on(tmp_path, capsys):
    def make(first, last):
        if first >= 4:
            raise KeyboardInterrupt
        return items(first, last)

    works = Works(1, tmp_path / "j")
    with pytest.raises(KeyboardInterrupt):
        works.parts("counting", 10, make, chunk=1)
    works.close()
    assert "going on" not in capsys.readouterr().err
    works = Works(1, tmp_path / "j")
    assert joined(works.parts("counting", 10, items)) == list(range(10))
    assert "counting: going on from 40 %" in capsys.readouterr().err
    works.discard()


def test_without_a_checkpoint_nothing_is_written(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    works = Works()
    works.parts("items", 5, items)
    works.close()
    works.discard()
    assert not list(tmp_path.iterdir())
    assert works.seconds > 0


@pytest.mark.parametrize("bad", [{"threads": 0}, {"threads": 1.5}])
def test_bad_threads(bad):
    with pytest.raises(WaypostError, match="threads must be"):
        Works(**bad)
