"""Reading and writing files: one-sentence errors, and writes that leave the old file or the whole new one."""

import os
import tempfile
from pathlib import Path

from waypost.errors import WaypostError

__all__ = ["check_writable", "read_bytes", "write_atomically"]


def read_bytes(path: str | os.PathLike[str], what: str) -> bytes:
    """The content of a file, or one sentence saying why there is none."""
    path = Path(path)
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise WaypostError(f"there is no {what} at {path}") from None
    except IsADirectoryError:
        raise WaypostError(f"{path} is a directory; give a {what}") from None
    except OSError as error:
        raise WaypostError(f"cannot read {what} {path}: {error.strerror}") from None


def check_writable(path: str | os.PathLike[str]) -> None:
    """Refuse a place that cannot be written, before the work whose result should go there."""
    path = Path(path)
    if path.is_dir():
        raise WaypostError(f"cannot write {path}: it is a directory")
    if not path.parent.is_dir():
        raise WaypostError(f"cannot write {path}: there is no directory {path.parent}")
    if not os.access(path.parent, os.W_OK | os.X_OK):
        raise WaypostError(f"cannot write {path}: the directory {path.parent} is not writable")


def write_atomically(path: str | os.PathLike[str], content: bytes) -> None:
    """Write a file beside its place and move it there when it is complete."""
    path = Path(path)
    temporary = None
    try:
        with tempfile.NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.", delete=False) as file:
            temporary = Path(file.name)
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        temporary.chmod(0o666 & ~_umask())
        temporary.replace(path)
    except OSError as error:
        if temporary is not None:
            temporary.unlink(missing_ok=True)
        raise WaypostError(f"cannot write {path}: {error.strerror}") from None


def _umask() -> int:
    """The process's umask: temporary files are private, finished ones should be as any other file."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
