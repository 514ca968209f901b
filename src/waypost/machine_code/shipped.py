"""Machine code that came with the package: packs of all kernels, one for each level of processors.

`waypost.shipped.contents`, which only platform wheels have, says of each pack what it was made for, and of each kernel
where its entry lies and its SHA-256: nothing is read that is not what was built (decision 0012).
"""

import functools
import hashlib
import importlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from waypost.machine_code import switches

__all__ = ["Pack", "contents_of", "find_pack"]

_CONTENTS = "waypost.shipped.contents"


class Pack(NamedTuple):
    """Entries of one level of processors."""

    level: str
    data: bytes
    entries: Mapping[str, tuple[str, int, int, str]]
    """By kernel: signature, offset, size and SHA-256."""

    def has(self, kernel: str, signature: str) -> bool:
        """Whether there is an entry of a kernel for a signature."""
        return kernel in self.entries and self.entries[kernel][0] == signature

    def read(self, kernel: str, signature: str) -> bytes | None:
        """The entry of a kernel for a signature, if it is here and undamaged."""
        if not self.has(kernel, signature):
            return None
        _, offset, size, digest = self.entries[kernel]
        data = self.data[offset : offset + size]
        return data if hashlib.sha256(data).hexdigest() == digest else None


@functools.cache
def find_pack(sources: str) -> Pack | str:
    """The pack of kernels with this digest of their sources that this process can use, or why there is none."""
    contents = contents_of()
    if contents is None:
        return "this installation came without machine code"
    if switches.platform_tag() != contents.PLATFORM:
        return f"the machine code of this installation is for {contents.PLATFORM}"
    if sources != contents.SOURCES:
        return "the kernels of this installation were edited"
    if changed := switches.changed_settings():
        return f"{changed[0]} asks for other machine code"
    if named := switches.named_processor():
        return f"{named} asks for other machine code"
    for level in switches.usable_levels():
        if level in contents.PACKS:
            path = Path(contents.__file__).with_name(f"{level}.pack")
            try:
                return Pack(level, path.read_bytes(), contents.PACKS[level])
            except OSError as error:
                return f"{path.name} cannot be read: {error.strerror}"
    return "the machine code of this installation is for other processors"


def contents_of() -> Any:
    """What is shipped, or None."""
    try:
        return importlib.import_module(_CONTENTS)
    except ImportError:
        return None
