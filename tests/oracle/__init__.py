"""Slow plain-Python twins of the kernels, written from the specification. They import nothing of Waypost."""
