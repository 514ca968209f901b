"""Compiled code of Worlds."""
