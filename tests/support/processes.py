"""A new process with a cache of its own, that says what it compiled."""

import json
import os
import subprocess
import sys
import tempfile

SCRIPT = """
import json
import numpy as np
from waypost.kernels.moves import cells_of
from waypost.machine_code import events
cells = np.zeros(2, np.int64)
assert cells_of(np.array([[1, 1], [2, 0]]), 3, 3, 5, cells) == -1
assert cells.tolist() == [12, 8]
print(json.dumps([events.compilations() - globals().get("compiled_before", 0)]))
"""
"""Calls one small kernel."""


AS_NOBODY = """
import os
import numba, numpy as np
import waypost.kernels.moves, waypost.machine_code.events
numba.njit(lambda values: 2 * values[:, 0])(np.zeros((2, 2), np.int64))  # all of Numba is loaded while it can be read
os.setgid(65534)
os.setuid(65534)
compiled_before = waypost.machine_code.events.compilations()
"""
"""Goes on as a user who owns nothing."""


def compilations(script=SCRIPT, **environment):
    """Functions that a script compiles in a process that finds no other cache, and what it complained about."""
    known = {name: value for name, value in os.environ.items() if not name.startswith(("NUMBA_", "WAYPOST_"))}
    known |= {"PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "PYTHONDONTWRITEBYTECODE": "1"}
    with tempfile.TemporaryDirectory() as empty:
        known |= {"XDG_CACHE_HOME": empty, "TMPDIR": empty}
        wanted = {name: str(value) for name, value in (known | environment).items() if value is not None}
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env=wanted)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)[0], done.stderr
