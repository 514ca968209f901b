"""Build and save an index slowly, to be killed: python -m tests.support.slow_build PLANNER MAP FILE SECONDS."""

import signal
import sys
import time

import waypost as wp
from tests.support import neighbour_index
from waypost.indexes.building import Works


def main(name, map_name, file, seconds):
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs ignore Ctrl-C
    neighbour_index.enter()
    parts = Works.parts

    def slow_parts(self, title, total, make, *, chunk=None, fits=None):
        def slow(first, last):
            time.sleep(float(seconds))
            return make(first, last)

        return parts(self, title, total, slow, chunk=max(1, total // 200), fits=fits)

    Works.parts = slow_parts
    wp.build(name, wp.load_map(map_name), threads=2, checkpoint=file + ".partial").save(file)


if __name__ == "__main__":
    main(*sys.argv[1:])
