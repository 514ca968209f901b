"""Prlrta."""
