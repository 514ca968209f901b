"""Records: numbers by name in an array of one row, whose dtype `compiling.record` makes."""

import numpy as np


def new_record(dtype, settings):
    """A record with these settings, a NamedTuple, in the fields of their names; all other fields are 0."""
    made = np.zeros(1, dtype)
    for name, value in zip(settings._fields, settings, strict=True):
        made[name] = value
    return made
