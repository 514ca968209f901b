"""Walking by subgoal trees: what random worlds seldom hold, and what they must."""

import pytest

from tests.oracle.dijkstra import all_costs
from tests.planners.trees.twins import TWINS, Pair
from tests.support.chance import seeded
from tests.support.worlds import WORLDS, cases
from waypost.maps.text import read_drawing

each_rule = pytest.mark.parametrize(("rule", "costs"), WORLDS)


TARGET_AGAIN = "#.. ... #.# ..# a#. .b#", "#.##... .#...#. ..a#.#. .#.b##.", "b##..#. ..##... #.#...# #..a..."
"""Drawings, rows parted by blanks, in which a walker arrives at a target on which it has stood before."""
NEAREST_TWICE = "b.. ##. a..", "... .#b a..", "..a .## .b.", ".#.b .#.. #..a"
"""Drawings in which two nodes are nearest to the start."""


@each_rule
@pytest.mark.parametrize("drawing", [*TARGET_AGAIN, *NEAREST_TWICE])
def test_what_random_worlds_seldom_hold(drawing, rule, costs):
    is_open, places = read_drawing("\n".join(drawing.split()))
    start, goal = places["a"], places["b"]
    if goal in all_costs(is_open, rule, costs, start):
        for climb_exits in (0, 1):
            for tries in (0, 1):
                Pair(
                    "trees", (is_open, rule, costs), start, goal, climb_exits=climb_exits, tries=tries, limit=1
                ).follow()


def test_both_rules_for_the_first_target_were_met_with_every_answer():
    """The worlds of the twins must hold what they are for: climbs that fail first, that all fail, and learning."""
    random = seeded(4)
    seen = set()
    for _ in range(max(50, cases(200))):
        pair = TWINS[0].small_pair(random, "both-open", "sqrt2", climb_exits=0, tries=3, limit=6)
        walker = pair.walker
        if walker.here in walker.parent:
            seen.add("on a node")
            continue
        chosen = walker.first_target()
        ranked = sorted(walker.parent, key=lambda n: (walker.octile(walker.here, n) + walker.way_down(n), n[::-1]))
        seen.add(min(ranked.index(chosen), 1) if walker.work["climbs"] else "no step")
        seen.add("all fail" if ranked[0] == chosen and walker.work["climbs"] > 6 else "")
        pair.follow()
        seen.add("learned" if walker.ever_learned else "")
    assert seen >= {"on a node", 0, 1, "all fail", "learned"}
