"""Files of machine code that was compiled on this machine: one for each kernel and signature, written whole or not."""

import contextlib
import hashlib
import os
import tempfile
from pathlib import Path

from waypost.machine_code import folders

__all__ = ["Store"]

_DIGEST = hashlib.sha256().digest_size


class Store:
    """Entries of one set of sources, in folders of its name; a damaged one counts as none."""

    def __init__(self, folder_name: str) -> None:
        self.folder_name = folder_name

    def has(self, name: str) -> bool:
        """Whether there is an entry of this name; it may turn out to be damaged."""
        return any((folder / name).exists() and folders.trusted(folder) for folder in folders.places(self.folder_name))

    def read(self, name: str) -> bytes | None:
        """The entry of this name from the first folder that has it whole, and that only its owner can write to."""
        for folder in folders.places(self.folder_name):
            path = folder / name
            try:
                content = path.read_bytes() if path.exists() and folders.trusted(folder) else b""
            except OSError:
                continue
            digest, data = content[:_DIGEST], content[_DIGEST:]
            if data and hashlib.sha256(data).digest() == digest:
                return data
        return None

    def write(self, name: str, data: bytes) -> None:
        """Keep an entry, if there is a place for it; others see it whole or not at all."""
        folder = folders.writable_place(self.folder_name)
        if folder is None:
            return
        with contextlib.suppress(OSError):  # a full disk: it is compiled again another time
            handle, unfinished = tempfile.mkstemp(dir=folder, prefix=".unfinished-")
            try:
                with open(handle, "wb") as file:
                    file.write(hashlib.sha256(data).digest() + data)
                os.chmod(unfinished, 0o644)  # code that root prepared is for everybody
                os.replace(unfinished, folder / name)
            except OSError:
                Path(unfinished).unlink(missing_ok=True)
                raise
