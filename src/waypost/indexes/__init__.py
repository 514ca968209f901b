"""What is computed offline for one grid: arrays, saved to one file, read-only, shared by all agents and threads."""
