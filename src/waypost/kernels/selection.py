"""Selection: the key that would stand in some place if all were sorted, without sorting them (quickselect).

By hand, since NumPy's partition takes seconds to compile.
"""

from waypost.kernels.compiling import helper


@helper
def select(keys, low, high, place):
    """Move the key that belongs in a place from low to high there, those below it before and those above it behind."""
    while low < high:
        pivot = keys[(low + high) >> 1]
        up = low
        down = high
        while up <= down:
            while keys[up] < pivot:
                up += 1
            while keys[down] > pivot:
                down -= 1
            if up <= down:
                keys[up], keys[down] = keys[down], keys[up]
                up += 1
                down -= 1
        if place <= down:
            high = down
        elif place >= up:
            low = up
        else:
            return
