"""Optimal and real-time by hub labels on a taut subgoal graph: hub."""
