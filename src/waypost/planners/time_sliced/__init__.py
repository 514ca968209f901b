"""Time sliced."""
