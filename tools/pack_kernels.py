"""Put the machine code of every kernel into one file: python -m tools.pack_kernels FOLDER LEVEL.

Runs in the environment whose code it is, with NUMBA_CPU_NAME set to the level and all kernels compiled. Writes
FOLDER/LEVEL.pack and prints, as JSON, what `waypost.shipped.contents` is to say of it. Fails if a kernel has no code,
or uses registers that processors of the level may not have.
"""

import hashlib
import json
import pickle
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from waypost.kernels.compiling import code_of
from waypost.machine_code import numba_private, signatures, switches
from waypost.preparing.missing import all_kernels

FORBIDDEN = {"x86-64-v2": r"%[yz]mm\d", "x86-64-v3": r"%zmm\d"}


def forbidden_registers(data: bytes, level: str) -> list[str]:
    """Registers in the code of an entry that are not for its level, by a disassembler; other systems have none."""
    if level not in FORBIDDEN:
        return []
    ((_, _, (code, _)), *_) = pickle.loads(data)  # noqa: S301 - made a moment ago
    with tempfile.NamedTemporaryFile(suffix=".o") as file:
        file.write(code)
        file.flush()
        listing = subprocess.run(["objdump", "-d", file.name], check=True, capture_output=True, text=True).stdout
    return sorted(set(re.findall(FORBIDDEN[level], listing)))


def main() -> None:
    folder, level = Path(sys.argv[1]), sys.argv[2]
    code = code_of()
    entries: dict[str, tuple[str, int, int, str]] = {}
    size = 0
    with open(folder / f"{level}.pack", "wb") as pack:
        for kernel in all_kernels():
            text = signatures.signature_of(kernel)
            if text is None:
                sys.exit(f"{kernel} is not in the table of kernels: make kernel-table")
            signature = signatures.parsed(text)
            data = code.store.read(numba_private.entry_name(kernel, signature))
            if data is None:
                sys.exit(f"{kernel} has no machine code for {text}: the table is stale (make kernel-table)")
            if found := forbidden_registers(data, level):
                sys.exit(f"{kernel} uses {', '.join(found)}, which is not for {level}")
            pack.write(data)
            entries[kernel] = (str(signature), size, len(data), hashlib.sha256(data).hexdigest())
            size += len(data)
    print(json.dumps({"sources": code.sources, "platform": switches.platform_tag(), "entries": entries}))


if __name__ == "__main__":
    main()
