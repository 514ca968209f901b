"""Bad map and scenario files of tens of megabytes: how soon they are refused, and in how much memory."""

import json
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from benchmarks import report

SIDE = 1000
HEADER = "type octile\nheight {}\nwidth {}\nmap\n"
ROW = "." * SIDE + "\n"
LINE = "7\tmaps/dao/arena.map\t{0}\t{0}\t{1}\t{2}\t{2}\t{1}\t31.45584412\n"
MILLION = 1_000_000

MAPS: dict[str, Callable[[], str]] = {
    "short rows": lambda: HEADER.format(1000, 1000) + ".\n" * 25_000_000,
    "short rows, CRLF": lambda: HEADER.format(1000, 1000) + ".\r\n" * 17_000_000,
    "rows of one cell, the last unknown": lambda: HEADER.format(25_000_000, 1) + ".\n" * 24_999_999 + "x\n",
    "too many rows": lambda: HEADER.format(2, 1) + ".\n" * 25_000_000,
    "one endless row": lambda: HEADER.format(1000, 1000) + "." * 50_000_000,
    "unknown terrain in the last row": lambda: HEADER.format(50_000, SIDE) + ROW * 49_999 + "x" * SIDE,
    "cut off in the last row": lambda: HEADER.format(50_000, SIDE) + ROW * 49_999 + "...",
    "all walls": lambda: HEADER.format(50_000, SIDE) + ROW.replace(".", "@") * 50_000,
    "not ASCII at its end": lambda: HEADER.format(50_000, SIDE) + ROW * 49_999 + "." * (SIDE - 1) + "é\n",
    "header lines": lambda: "height 5\n" * 5_500_000,
    "type lines": lambda: "type octile\n" * 4_200_000,
}
IMAGES: dict[str, Callable[[], str]] = {
    "numbers in text, the last a word": lambda: "P2 5000 5000 255\n" + "0 " * (5000 * 5000 - 1) + "x",
    "numbers in text, the last too bright": lambda: "P2 5000 5000 255\n" + "0 " * (5000 * 5000 - 1) + "256",
}
SCENARIOS: dict[str, Callable[[], str]] = {
    "good": lambda: "version 1\n" + _lines(MILLION),
    "good, blanks between fields": lambda: "version 1\n" + _lines(MILLION).replace("\t", " "),
    "a name in every line": lambda: "".join(LINE.replace("arena", str(i)).format(SIDE, 7, 8) for i in range(MILLION)),
    "a word in the last line": lambda: _lines(MILLION - 1) + LINE.format(SIDE, "here", 0),
    "outside in the last line": lambda: _lines(MILLION - 1) + LINE.format(SIDE, SIDE, 0),
    "another map": lambda: _lines(MILLION).replace(str(SIDE), str(SIDE + 1)),
    "short lines, the last too short": lambda: "0 a 1000 1000 0 0 0 0 0\n" * MILLION + "0\n",
    "empty lines": lambda: "\n" * 10 * MILLION,
    "one endless line": lambda: "0 " * 25 * MILLION,
}

# In a process of its own: memory that was held before would be used again and not be counted.
LOADING = f"""
import json, sys, time
import waypost as wp
import numpy as np
grid = wp.Grid(np.ones(({SIDE}, {SIDE}), bool))
from benchmarks.peers.measure import peak_bytes
held, begin = peak_bytes(), time.process_time()
try:
    wp.load_problems(sys.argv[1], grid) if sys.argv[1].endswith("scen") else wp.load_map(sys.argv[1])
    said = "loaded"
except wp.WaypostError as error:
    said = str(error)
print(json.dumps([time.process_time() - begin, peak_bytes() - held, said]))
"""


def main() -> None:
    report.start("Bad files of tens of megabytes")
    held = []
    with tempfile.TemporaryDirectory() as folder:
        for name, make in MAPS.items():
            held += _load(Path(folder) / "bad.map", name, make().encode(), seconds_per_file=1)
        for name, make in IMAGES.items():
            held += _load(Path(folder) / "bad.pgm", name, make().encode(), seconds_per_file=1)
        for name, make in SCENARIOS.items():
            held += _load(Path(folder) / "bad.scen", name, make().encode(), seconds_per_file=4)
    sys.exit(not all(held))


def _load(path: Path, name: str, content: bytes, seconds_per_file: float) -> list[bool]:
    path.write_bytes(content)
    command = [sys.executable, "-c", LOADING, str(path)]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    seconds, taken, said = json.loads(output)
    print(f"  {path.suffix} {name}, {len(content) / 1e6:.0f} MB: {said.replace(str(path), 'it')[:100]}")
    held = [report.bar("  processor time", seconds, "s", at_most=seconds_per_file)]
    if said != "loaded":  # problems are larger than their lines
        held.append(report.bar("  memory, in sizes of the file", taken / len(content), "times", at_most=3))
    return held


def _lines(count: int) -> str:
    return "".join(LINE.format(SIDE, i % SIDE, i // 7 % SIDE) for i in range(count))


if __name__ == "__main__":
    main()
