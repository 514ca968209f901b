import pytest

import waypost as wp
from waypost.maps import text
from waypost.maps.text import read_drawing


def test_drawings():
    is_open, marks = read_drawing("""
        a.#
        .b@
    """)
    assert is_open.tolist() == [[True, True, False], [True, True, False]]
    assert marks == {"a": (0, 0), "b": (1, 1)}


def test_large_drawings_are_read_piece_by_piece(monkeypatch):
    drawing = "\n".join(f"  {'.#' * 4}{'abcdefg_'[y]}  " for y in range(8))
    whole = read_drawing(drawing)
    for size in (1, 7, 30):
        monkeypatch.setattr(text, "CHARACTERS_AT_ONCE", size)
        is_open, marks = read_drawing(drawing)
        assert is_open.tolist() == whole[0].tolist()
        assert marks == whole[1] == {letter: (8, y) for y, letter in enumerate("abcdefg")}
        with pytest.raises(wp.WaypostError, match="row 8 of the drawing has 3 cells, but row 0 has 9"):
            read_drawing(drawing + "\n...")


@pytest.mark.parametrize(
    ("drawing", "complaint"),
    [
        ("", "empty"),
        ("...\n..", "row 1 of the drawing has 2 cells, but row 0 has 3"),
        ("..?", r"'\?' at \(2, 0\)"),
        ("a.a", "marks 'a' twice"),
        ("##", "no open cell"),
    ],
)
def test_bad_drawings(drawing, complaint):
    with pytest.raises(wp.WaypostError, match=complaint):
        wp.grid_from_text(drawing)
