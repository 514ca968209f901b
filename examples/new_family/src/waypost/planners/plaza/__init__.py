"""Plaza: LRTA* by way of one cell of the map (docs/planners/plaza.md)."""
