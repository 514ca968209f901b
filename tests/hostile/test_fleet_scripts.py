"""Some scripts for fleets; `make hostile` runs 10,000."""

from collections import Counter

from tests.hostile import fleet_scripts
from tests.support.worlds import IS_DEEP
from waypost import fleet as fleets

COUNT, SEED = 1200 if IS_DEEP else 80, 2_000_000


def test_calls_are_refused_or_do_what_they_say():
    outcomes, before = Counter(), fleets.TROOP
    failures = fleet_scripts.run(COUNT, SEED, lambda outcome: outcomes.update([outcome]))
    assert not failures
    assert outcomes["sound, some calls refused"] > COUNT // 2
    assert before == fleets.TROOP


def test_a_fault_is_a_failure(monkeypatch):
    """Were a doubled id accepted, or a refusal half carried out, the scripts would tell."""
    monkeypatch.setattr(fleets.Fleet, "remove", lambda *_: None)
    assert fleet_scripts.run(20, SEED, lambda _: None)
