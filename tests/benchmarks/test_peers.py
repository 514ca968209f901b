"""The comparison with other libraries, on tiny maps and without those libraries."""

import math

import numpy as np
import pytest

from benchmarks.peers import bars, tables, worlds
from benchmarks.peers.edges import legal_edges
from benchmarks.peers.libraries import PEERS, find
from benchmarks.peers.library import Library, read_row_column, read_xy
from benchmarks.peers.measure import measure
from benchmarks.peers.ours import our_libraries
from benchmarks.peers.results import Figures, fastest_exact_peer, figures, times_slower
from benchmarks.peers.walks import CUTS, LEGAL, REFUSED, WRONG, judge, length
from tests.oracle import rules

CORNER = [[True, True, True], [False, True, True], [True, True, True]]


@pytest.mark.parametrize(
    ("points", "verdict"),
    [
        ([(0, 0), (1, 0), (1, 1), (1, 2), (0, 2)], LEGAL),
        ([(0, 0), (1, 1), (0, 2)], CUTS),
        ([(0, 0), (0, 1), (0, 2)], WRONG),
        ([(0, 0), (0, 2)], WRONG),
        ([(0, 0), (1, 0)], WRONG),
        ([], WRONG),
    ],
)
def test_paths_are_judged(points, verdict):
    assert judge(CORNER, points, (0, 0), (0, 2)) == verdict


def test_refusals_are_judged():
    assert judge(CORNER, [], (0, 0), (0, 2), reachable=False) == REFUSED
    assert judge(CORNER, [(0, 0), (1, 1), (0, 2)], (0, 0), (0, 2), reachable=False) == WRONG


def test_length():
    assert length([(0, 0), (1, 1), (1, 1), (2, 1)]) == pytest.approx(1 + math.sqrt(2))


def test_edges_are_the_legal_moves():
    is_open = np.random.default_rng(3).random((7, 9)) > 0.3
    edges = legal_edges(is_open)
    width = is_open.shape[1]
    found = {(s % width, s // width, t % width, t // width): c for s, t, c in zip(*edges, strict=True)}
    expected = {
        (x, y, x + dx, y + dy): math.hypot(dx, dy)
        for y in range(7)
        for x in range(width)
        for dx, dy in rules.ORDER.values()
        if rules.may_move(is_open, "both-open", x, y, dx, dy)
    }
    assert found == pytest.approx(expected)


@pytest.mark.parametrize("library", our_libraries(), ids=lambda library: library.name)
def test_our_planners_are_measured(library, tmp_path):
    world = worlds.generated(6, side=32)
    world.save(tmp_path / "world.npz")
    found = figures(library.name, library.ours, measure(find(library.name), worlds.load(tmp_path / "world.npz"), 5))
    assert found.exact
    assert found.legal
    assert not found.wrong
    assert len(found.query_ms) == 6
    assert found.max_ms >= found.median_ms > 0


@pytest.mark.parametrize("library", our_libraries(), ids=lambda library: library.name)
def test_easy_worlds(library):
    assert figures("", True, measure(library, worlds.one_step(16), 1)).exact
    refused = measure(library, worlds.unreachable(16), 1)
    assert refused["verdicts"] == {REFUSED: worlds.EASY_CALLS}


def test_a_library_that_breaks_the_rules_is_told_from_one_that_keeps_them():
    def straight_through(_is_open):
        return lambda start, goal: [(start[1], start[0]), (1, 1), (goal[1], goal[0])]

    rude = Library("rude", "numpy", "numpy", straight_through, read_row_column, "a map it ignores")
    world = worlds.from_problems("corner", "a corner", np.array(CORNER), [((0, 0), (0, 2))])
    found = figures("rude", False, measure(rude, world, 1))
    assert found.cuts == 1
    assert not found.legal
    assert found.ratios == [pytest.approx(2 * math.sqrt(2) / 4)]


def test_slow_libraries_answer_the_first_problems():
    world = worlds.one_step(16)
    slow = Library("slow", "numpy", "numpy", lambda _: lambda start, goal: [start, goal], read_xy, "nothing")
    assert len(measure(slow, world, 0)["query_ms"]) == 5


def row():
    return [
        Figures("waypost astar", True, query_ms=[1.0, 3.0], verdicts={LEGAL: 2}, ratios=[1.0, 1.0], version="1"),
        Figures("quick", False, query_ms=[2.0], verdicts={CUTS: 1}, ratios=[0.9], version="2"),
        Figures("sound", False, query_ms=[4.0], verdicts={LEGAL: 1}, ratios=[1.0], version="3"),
        Figures("absent", False, missing="ImportError: no such library"),
    ]


def test_ratios_are_taken_over_common_problems():
    figures = row()
    ours, _, sound, _ = figures
    assert times_slower(sound, ours) == 4
    assert fastest_exact_peer(figures, ours) is sound


def test_bars(capsys):
    assert bars.check({"map": row()})
    assert "against sound, the fastest exact peer: 4 times faster" in capsys.readouterr().out
    slow = [Figures("waypost astar", True, query_ms=[3.0], verdicts={LEGAL: 1}, ratios=[1.0]), *row()[1:]]
    assert not bars.check({"map": slow})


def test_tables():
    table = tables.map_table(row()).splitlines()
    assert len({line.count("|") for line in table}) == 1
    assert "| **waypost astar** | kept | 1, exact | 2.00 |" in table[2]
    assert "| quick | cuts corners in 1 of 1 | 0.900 |" in table[3]
    assert "| absent | ImportError: no such library |" in table[5]
    assert tables.easy_table(row(), row()).splitlines()[2] == "| **waypost astar** | 2 ms | 2 ms |"
    assert len(tables.given_table(PEERS).splitlines()) == 2 + len(PEERS)
    assert tables.versions({"map": row()}) == "waypost 1, quick 2, sound 3"


def test_libraries_have_names_of_their_own():
    names = [library.name for library in (*our_libraries(), *PEERS)]
    assert len(names) == len(set(names))
    assert all(find(name).name == name for name in names)
