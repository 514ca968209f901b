"""What searches record: one row of whole numbers per event."""

from waypost.kernels.compiling import helper

EVENT_COLUMNS = 5  # kind, cell, parent, g and the key f
EXPANDED, GENERATED_NEW, GENERATED_CHEAPER, LEARNED, TARGETED = range(5)  # the kinds
MOST_EVENTS = 10  # of one expansion, and one of the kernel that let it happen


@helper
def record_event(events, index, kind, cell, parent, g, f):
    """Write one event."""
    events[index, 0] = kind
    events[index, 1] = cell
    events[index, 2] = parent
    events[index, 3] = g
    events[index, 4] = f
