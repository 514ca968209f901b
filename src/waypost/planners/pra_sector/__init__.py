"""Pra sector."""
