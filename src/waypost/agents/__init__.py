"""Agents: one file per skeleton, not per algorithm."""
