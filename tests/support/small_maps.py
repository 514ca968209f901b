"""Small maps of all kinds, by their names."""

from tests.support.worlds import DRAWINGS
from waypost.maps.generate import GENERATORS
from waypost.maps.text import read_drawing

SMALL = {name: read_drawing(drawing)[0] for name, drawing in DRAWINGS.items()} | {
    name: make(31, 23, seed=5) for name, make in GENERATORS.items()
}
"""Drawn ones with a trap in each, and one of each kind that can be generated."""
