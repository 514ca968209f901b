"""Two planners for Waypost: one in plain Python, one with a kernel and an index."""
