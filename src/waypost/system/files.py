"""Reading and writing files: one-sentence errors, and writes that leave the old file or the whole new one."""

import mmap
import os
import secrets
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from waypost.errors import WaypostError, shown

__all__ = [
    "PART_ENDING",
    "atomic_file",
    "check_name",
    "check_writable",
    "explained_writing",
    "lock",
    "map_file",
    "read_bytes",
    "write_atomically",
]

_MOST_BYTES = 1 << 32  # twice the largest map

PART_ENDING = ".part"
"""Of files that are not complete yet: what a killed process leaves behind."""


def check_name(path: object, what: str) -> None:
    """Refuse what is no file name, such as a number, which the system would take for a file that is open."""
    if not isinstance(path, (str, os.PathLike)):
        raise WaypostError(f"{what} must be the name of a file, not {shown(path)}")


def read_bytes(path: str | os.PathLike[str], what: str, most_bytes: int = _MOST_BYTES) -> bytes:
    """The content of a plain file, or one sentence saying why there is none."""
    check_name(path, f"a {what}")
    with _explained_reading(path, what):
        size = _plain_size(path, what)
        if size > most_bytes:
            raise WaypostError(f"{path} is too large for a {what}: {size:,} bytes, and at most {most_bytes:,} are read")
        return Path(path).read_bytes()


def map_file(path: str | os.PathLike[str], what: str) -> memoryview:
    """A plain file as read-only memory that all processes share, or one sentence saying why there is none."""
    check_name(path, f"a {what}")
    with _explained_reading(path, what):
        if _plain_size(path, what) == 0:  # which cannot be mapped
            return memoryview(b"")
        with open(path, "rb") as file:
            return memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))


def check_writable(path: str | os.PathLike[str]) -> None:
    """Refuse a place that cannot be written, before the work whose result should go there."""
    folder = os.path.dirname(os.path.realpath(path))
    if os.path.isdir(path):
        raise WaypostError(f"cannot write {path}: it is a directory")
    if not os.path.isdir(folder):
        raise WaypostError(f"cannot write {path}: there is no directory {folder}")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise WaypostError(f"cannot write {path}: the directory {folder} is not writable")


def write_atomically(path: str | os.PathLike[str], content: bytes | Iterable[bytes | memoryview]) -> None:
    """Write a file, given whole or in pieces, beside its place and move it there; of a link the target is written."""
    check_name(path, "a place to write to")
    is_device = os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path)
    there = explained_writing(path) if is_device else atomic_file(path)  # a pipe or a device cannot be moved to
    with there as place, open(place, "wb") as file:
        file.writelines([content] if isinstance(content, bytes) else content)


@contextmanager
def atomic_file(path: str | os.PathLike[str]) -> Iterator[Path]:
    """A place beside a file to write to: moved to the file when it is complete, removed if something fails."""
    target = Path(os.path.realpath(path))
    part = target.with_name(f".{secrets.token_hex(6)}{PART_ENDING}")
    try:
        with explained_writing(path):
            part.touch(exist_ok=False)
            yield part
            with open(part, "rb") as file:
                os.fsync(file.fileno())
            part.replace(target)
    finally:
        part.unlink(missing_ok=True)


@contextmanager
def explained_writing(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Say in one sentence why a file could not be written."""
    try:
        yield Path(path)
    except OSError as error:
        raise WaypostError(f"cannot write {path}: {error.strerror or error}") from None


def lock(file: BinaryIO) -> bool:
    """Hold an open file against other processes, until it is closed or the process ends; whether it could be held."""
    try:
        import fcntl
    except ImportError:  # not on this platform: two runs at once are the user's to avoid
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _plain_size(path: str | os.PathLike[str], what: str) -> int:
    found = os.stat(path)
    if stat.S_ISDIR(found.st_mode):
        raise WaypostError(f"{path} is a directory; give a {what}")
    if not stat.S_ISREG(found.st_mode):
        raise WaypostError(f"{path} is not a plain file; give a {what}")
    return found.st_size


@contextmanager
def _explained_reading(path: str | os.PathLike[str], what: str) -> Iterator[None]:
    """Say in one sentence why a file could not be read."""
    try:
        yield
    except FileNotFoundError:
        raise WaypostError(f"there is no {what} at {path}") from None
    except OSError as error:
        raise WaypostError(f"cannot read {what} {path}: {error.strerror}") from None
    except ValueError as error:  # a null byte in the name
        raise error if isinstance(error, WaypostError) else WaypostError(f"{path!r} is not a file name") from None
