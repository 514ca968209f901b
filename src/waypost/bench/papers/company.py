"""How busy the machine was while a paper ran: times measured beside other work are noisy, and the page says so."""

import json
import os
from pathlib import Path

from waypost.system.files import write_atomically

__all__ = ["COMPANY", "company", "keep_company"]

COMPANY = "company.json"
_ALONE = 0.5  # of a process above the cores: what runs on a quiet machine anyway


def keep_company(folder: Path) -> None:
    """Write down how many processes want how many cores, if that is more than ever before."""
    if not hasattr(os, "getloadavg"):  # nobody counts them there
        return
    now = {"wanting": max(os.getloadavg()[:2]), "cores": os.cpu_count() or 1}
    place = folder / COMPANY
    before = json.loads(place.read_text()) if place.exists() else now
    if before["wanting"] <= now["wanting"]:
        write_atomically(place, json.dumps(now).encode())


def company(folder: Path) -> str:
    """A sentence about it, or nothing where the machine was quiet."""
    place = folder / COMPANY
    if not place.exists():
        return ""
    known = json.loads(place.read_text())
    wanting, cores = float(known["wanting"]), int(known["cores"])
    if wanting <= cores + _ALONE:
        return ""
    return f"While it ran up to {wanting:.1f} processes wanted the {cores} cores, so that its times are noisy"
