"""How a call to a search ended. The FULL ones ask for a larger array; the search goes on where it was."""

RUNNING, FOUND, EXHAUSTED, POOL_FULL, RING_FULL, EVENTS_FULL, TOO_FAR = range(7)
