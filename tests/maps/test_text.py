import pytest

import waypost as wp
from waypost.maps.text import read_drawing


def test_drawings():
    is_open, marks = read_drawing("""
        a.#
        .b@
    """)
    assert is_open.tolist() == [[True, True, False], [True, True, False]]
    assert marks == {"a": (0, 0), "b": (1, 1)}


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
