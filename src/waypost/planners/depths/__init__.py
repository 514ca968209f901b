"""Depths."""
