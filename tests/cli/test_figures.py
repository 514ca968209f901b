"""Tables of figures: at any width every figure stands in one line, whole."""

import re

import pytest

from waypost.cli import show

HEAD = ["setting", "Suboptimality (%)", "us per move", "Longest move, response time (us)", "verdict"]
ROWS = [
    ["dba sector=16, depth=2", "0.123 ± 0.045", "1,234,567", "1,234,567,890.5", "≤ 1,234 of lss lookahead=64"],
    ["lss", "12.3 ± 4.5", "0.56", "123", "≤ 3"],
]


@pytest.mark.parametrize("width", [40, 60, 80, 100, 160])
def test_figures_are_never_cut(capsys, monkeypatch, width):
    monkeypatch.setattr(show, "WIDE", width)
    show.show_figures("Title", HEAD, ROWS)
    out = capsys.readouterr().out
    assert max(map(len, out.splitlines())) <= width
    assert "…" not in out
    cells = {cell for line in out.splitlines() for cell in re.split(r" *[│┃] *", line)}
    assert {text for row in ROWS for text in row[1:4]} <= cells
    words = " ".join(cells).split()
    assert all(word in words for text in (*HEAD, *ROWS[0], *ROWS[1]) for word in text.split())
    tables = out.count("┏")
    assert tables == {40: 4, 60: 2}.get(width, 1)
    assert out.count("setting") == tables, "each begins with the same column"
    assert out.count("Title") == 1
