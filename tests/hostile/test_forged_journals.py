"""Some forged journals of builds; `make hostile` runs 10,000."""

from collections import Counter

from tests.hostile import forged_journals
from tests.support.worlds import IS_DEEP

COUNT, SEED = 400 if IS_DEEP else 90, 3_000_000


def test_builds_refuse_them_or_make_an_index():
    outcomes = Counter()
    failures = forged_journals.run(COUNT, SEED, lambda outcome: outcomes.update([outcome]))
    assert not failures
    assert sum(outcomes.values()) == COUNT
    assert set(outcomes) >= {"refused", "sound"}
