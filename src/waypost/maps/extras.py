"""Optional packages: imported when a format needs them, with one sentence where they are missing."""

import importlib
from typing import Any

from waypost.errors import MapError

__all__ = ["need"]


def need(module: str, what: str) -> Any:
    """The module of an optional package; `what` names the files that cannot be read without it."""
    try:
        return importlib.import_module(module)
    except ImportError:
        raise MapError(f'{what} need an optional package; install it with: pip install "waypost[maps]"') from None
