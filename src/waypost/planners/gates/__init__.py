"""Large maps by gates: crossings of sector borders, joined by a hierarchy that the map's lattice gives."""
