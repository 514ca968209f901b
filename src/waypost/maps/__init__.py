"""Reading, drawing and generating maps. Here, and only at such edges, places are x, y."""
