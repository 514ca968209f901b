"""Optional packages: imported when something needs them, with one sentence where they are missing."""

import importlib
from typing import Any

from waypost.errors import WaypostError

__all__ = ["need"]


def need(module: str, what: str, extra: str) -> Any:
    """The module of an optional package; `what` (in the plural) cannot be had without that extra of Waypost."""
    try:
        return importlib.import_module(module)
    except ImportError:
        raise WaypostError(
            f'{what} need an optional package; install it with: pip install "waypost[{extra}]"'
        ) from None
