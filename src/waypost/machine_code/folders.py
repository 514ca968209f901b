"""Where machine code is kept: folders that only their owner can write to, for code is run as it is found."""

import contextlib
import functools
import logging
import os
import stat
import sys
import tempfile
from pathlib import Path

__all__ = ["places", "trusted", "user_cache", "writable_place"]

_NAMED = "WAYPOST_CACHE"
_LOG = logging.getLogger("waypost")


def places(name: str) -> list[Path]:
    """Folders of this name in which code may lie, the first to be asked first."""
    return [base / name for base in (*_own(), *_temporary())]


def writable_place(name: str) -> Path | None:
    """The first of them that can be written to, made if need be; None if there is none.

    The log says so if that is none of the user's own, since what is compiled is then compiled again some day.
    """
    for base in _own():
        if _made(base / name):
            return base / name
    fallback = next((base for base in _temporary() if _made(base / name)), None)
    _tell(fallback, *_own())
    return fallback / name if fallback else None


def trusted(folder: Path) -> bool:
    """Whether this user or root owns a folder and the one that it lies in, and nobody else can write to them."""
    try:
        return all(_is_ours(os.stat(each)) for each in (folder, folder.parent))
    except OSError:
        return False


def user_cache() -> Path | None:
    """Where a user keeps what can be made again; None without a home, as in some containers."""
    if "NUMBA_CACHE_DIR" in os.environ:
        return Path(os.environ["NUMBA_CACHE_DIR"])
    if sys.platform != "win32" and (named := os.environ.get("XDG_CACHE_HOME")):
        return Path(named)
    home = os.path.expanduser("~")
    if not os.path.isabs(home):
        return None
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or os.path.join(home, "AppData", "Local"))
    return Path(home, "Library", "Caches") if sys.platform == "darwin" else Path(home, ".cache")


def _own() -> list[Path]:
    """The folder that the user names, and that of this user."""
    bases = []
    if named := os.environ.get(_NAMED):
        bases.append(Path(named))
    if cache := user_cache():
        bases.append(cache / "waypost")
    return bases


def _temporary() -> list[Path]:
    """One of this user's among temporary files."""
    with contextlib.suppress(OSError):  # there may be no place for them either
        return [Path(tempfile.gettempdir()) / (f"waypost-{os.getuid()}" if hasattr(os, "getuid") else "waypost")]
    return []


@functools.cache
def _tell(fallback: Path | None, *own: Path) -> None:
    """Say once where machine code goes that cannot be kept in the user's own folders."""
    why = f"{' and '.join(map(str, own))} cannot be written safely" if own else "this user has no home"
    where = f"is kept in {fallback}, which may be emptied," if fallback else "is not kept, so each process compiles it,"
    _LOG.warning(f"Machine code of Waypost {where} because {why}; {_NAMED} can name another folder.")


@functools.cache
def _made(folder: Path) -> bool:
    """Whether a folder can be written to, and may be."""
    with contextlib.suppress(OSError):
        # A folder that a umask lets a group write to would not be trusted afterwards.
        if not folder.parent.exists():
            folder.parent.parent.mkdir(parents=True, exist_ok=True)
            folder.parent.mkdir(mode=0o755, exist_ok=True)
            folder.parent.chmod(0o755)
        if not folder.exists():
            folder.mkdir(mode=0o755, exist_ok=True)
            folder.chmod(0o755)
    return trusted(folder) and os.access(folder, os.W_OK | os.X_OK)


def _is_ours(found: os.stat_result) -> bool:
    if not stat.S_ISDIR(found.st_mode):
        return False
    if not hasattr(os, "geteuid"):  # Windows: what lies in a user's profile is that user's
        return True
    return found.st_uid in (0, os.geteuid()) and not found.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
