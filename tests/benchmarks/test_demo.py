"""What makes a run of the demo complete, and where its figures go."""

import pytest

from benchmarks import demo, pages

ROW = "│ {} │ 1.2 us │ > 3 % │"
COMPLETE = [
    *map(ROW.format, ("dba", "jps", "astar", "tba", "lss", "lrta", "dba", "jps", "astar")),
    "Wrote waypost-demo.png",
]


def test_a_run_is_complete_if_each_planner_has_its_figures():
    assert demo.is_complete("\n".join(COMPLETE), demo.PICTURE)
    for i, line in enumerate(COMPLETE):
        assert not demo.is_complete("\n".join(COMPLETE[:i] + COMPLETE[i + 1 :]), demo.PICTURE), f"without {line}"
    assert not demo.is_complete("\n".join(COMPLETE).replace("> 3 %", "-", 1), demo.PICTURE)


def test_figures_have_a_place_in_the_page(tmp_path):
    page, start = tmp_path / "page.md", pages.begin("bench-it")
    page.write_text(f"before\n{start}\nold\n{pages.END}\nafter\n")
    pages.write(page, "bench-it", "new")
    assert page.read_text() == f"before\n{start}\n\nnew\n\n{pages.END}\nafter\n"
    with pytest.raises(ValueError, match="no place for figures"):
        pages.write(page, "bench-other", "new")
