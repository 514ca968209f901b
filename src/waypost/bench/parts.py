"""Parts of results: files with a digest of their bytes in their name, checked before anything else reads them.

<name>.<digest>.arrow is a file that any Arrow reader opens, and one rename puts a part and its digest in place.
"""

import hashlib
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from waypost.errors import WaypostError
from waypost.system.files import explained_writing, read_bytes, write_atomically

__all__ = ["Part", "find_parts", "read_part", "remove", "write_part"]

_DIGEST_BYTES = 16
_FILE = re.compile(r"([^.]+)(?:\.([0-9a-f]{32}))?\.arrow")


class Part(NamedTuple):
    """A file that is there; whether it is whole is not known before it is read."""

    name: str
    digest: str
    """As the file's name has it: nothing if it was written before parts had one."""
    path: Path

    def is_whole(self) -> bool:
        """Whether its bytes can be read and are those that were written, under this name in this folder."""
        try:
            content = read_bytes(self.path, "part of results")
        except WaypostError:
            return False
        return self.digest == _digest(self.path.parent, self.name, content)


def find_parts(folder: Path, name: str) -> Iterator[Part]:
    """The parts in a folder whose names match a pattern, in no order."""
    for path in folder.glob(f"{name}*.arrow"):
        if match := _FILE.fullmatch(path.name):
            yield Part(match[1], match[2] or "", path)


def read_part(part: Part) -> bytes:
    """What a part holds; one that is damaged is refused."""
    content = read_bytes(part.path, "part of results")
    if part.digest != _digest(part.path.parent, part.name, content):
        raise WaypostError(f"{part.path} is damaged; run the suite again, and what it held is run again")
    return content


def write_part(folder: Path, name: str, content: memoryview) -> None:
    """Write a part of this name."""
    write_atomically(folder / f"{name}.{_digest(folder, name, content)}.arrow", [content])


def remove(path: Path) -> None:
    """Remove what is at a place of results, whatever it is; what a link leads to stays."""
    with explained_writing(path):
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)


def _digest(folder: Path, name: str, content: bytes | memoryview) -> str:
    """Of the place as well, so that a part of another run or of other episodes is not taken for this one."""
    digest = hashlib.blake2b(f"{folder.name}/{name}\n".encode(), digest_size=_DIGEST_BYTES)
    digest.update(content)
    return digest.hexdigest()
