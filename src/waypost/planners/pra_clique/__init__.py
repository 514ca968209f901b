"""Pra clique."""
