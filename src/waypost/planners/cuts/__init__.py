"""Cuts."""
