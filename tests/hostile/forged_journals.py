"""Journals of builds that are whole and wrong: the build says so in one sentence, or makes an index to walk by."""

from contextlib import redirect_stderr
from functools import lru_cache
from io import StringIO
from unittest.mock import patch

import waypost as wp
from tests.hostile.forged_indexes import Case, built, one_sentence, run_cases, settings, world
from tests.hostile.forgery import forge
from waypost.indexes.journal import Journal


def run(count, seed, report):
    """Forge so many journals, of the numbers from seed on, and walk by the indexes that come of them."""
    return run_cases(JournalCase, "journals", count, seed, report)


class JournalCase(Case):
    """One forged journal of a build that is over, which follows from its number."""

    def outcome(self):
        self.grid = world(self.world)
        self.path.write_bytes(journal_of(self.name, self.world, self.settings, self.path))
        with (
            patch("waypost.indexes.building.Journal", lambda *about: Forging(self, *about)),
            redirect_stderr(StringIO()),
        ):
            try:
                planner = build(self.name, self.world, self.settings, self.path)
            except wp.WaypostError as error:
                one_sentence(error)
                return "refused"
        return self.walk(planner)


class Forging(Journal):
    """A journal whose parts are not what was written: forging a file with its digests comes to the same."""

    def __init__(self, case, *about):
        super().__init__(*about)
        self._case = case

    def parts(self, title, total):
        found = super().parts(title, total)
        case = self._case
        for piece, arrays in found.items():
            if case.random.random() < 0.7:
                named = {str(place): array for place, array in enumerate(arrays)}
                forged, done = forge(case.random, named, named)
                found[piece] = tuple(forged.values())
                case.done = f"{case.done}, {title} {piece}: {done}"
        return found


def build(name, of_world, of_settings, journal):
    return wp.build(name, world(of_world), threads=1, checkpoint=journal, **settings(name, of_settings))


@lru_cache(maxsize=500)
def journal_of(name, of_world, of_settings, path):
    """What a build leaves behind that is over, but for its index being saved."""
    built(name, of_world, of_settings)  # so that a build which cannot be is refused before it has a journal
    path.unlink(missing_ok=True)
    build(name, of_world, of_settings, path)
    return path.read_bytes()
