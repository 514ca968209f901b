"""The rules of the world and exact costs in plain Python: they know nothing of Waypost, and so can judge it."""
