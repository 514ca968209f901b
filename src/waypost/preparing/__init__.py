"""Kernels compiled before they are called: which are missing, all at once, and what users are told meanwhile."""
