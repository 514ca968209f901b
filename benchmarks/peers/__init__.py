"""Waypost beside the path-finding libraries that pip offers: the same problems, one run, one process per library."""
