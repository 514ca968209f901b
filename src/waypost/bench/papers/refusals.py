"""Planners of today that refuse a map: the report says so in a sentence, and goes on without them."""

import json
from dataclasses import replace
from pathlib import Path

from waypost.bench.papers.description import planners_beyond
from waypost.bench.suite import Setting, Suite
from waypost.system.files import write_atomically

__all__ = ["REFUSALS", "keep_refusal", "may_refuse", "refusals", "without_refused"]

REFUSALS = "refused.json"


def may_refuse(setting: Setting) -> bool:
    """Whether a paper's report is whole without a setting: that of a planner of today."""
    return setting.planner in planners_beyond() and not setting.preset


def refusals(folder: Path) -> dict[str, str]:
    """What was refused in a folder of results: labels of settings, and a sentence for each."""
    place = folder / REFUSALS
    return dict(json.loads(place.read_text())) if place.exists() else {}


def keep_refusal(folder: Path, setting: Setting, map_name: str, sentence: str) -> None:
    """Write down that a setting cannot be run on a map, the first that it refuses."""
    said = {setting.label: f'`{setting.label}` is left out: of {map_name} it says "{sentence}"'} | refusals(folder)
    write_atomically(folder / REFUSALS, json.dumps(said, indent=1, sort_keys=True).encode())


def without_refused(suite: Suite, folder: Path) -> Suite:
    """The suite without settings that refuse one of its maps."""
    out = refusals(folder)
    return replace(suite, settings=tuple(setting for setting in suite.settings if setting.label not in out))
