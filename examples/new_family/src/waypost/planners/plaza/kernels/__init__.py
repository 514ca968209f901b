"""Compiled code of plazas."""
