"""A paper's claims: held, within the interval, missed for a known reason, or missed."""

import math
from dataclasses import dataclass
from enum import StrEnum

from waypost.bench.claims import Claim
from waypost.bench.papers.description import Cause, Paper
from waypost.bench.papers.results import PaperResults
from waypost.bench.verdicts import Verdict, judge

__all__ = ["Judged", "State", "judged", "state_of"]


class State(StrEnum):
    """Of a claim, or of what it says of one setting."""

    HELD = "held"
    WITHIN = "within the interval"
    EXPLAINED = "missed, cause known"
    MISSED = "MISSED"
    OPEN = "not run"


@dataclass(frozen=True)
class Judged:
    """A claim, what became of it setting by setting, and its cause if there is one."""

    suite: str
    claim: Claim
    verdicts: tuple[Verdict, ...]
    cause: Cause | None

    @property
    def states(self) -> list[State]:
        """Of each setting; a cause explains misses only as long as enough settings hold."""
        plain = [state_of(verdict) for verdict in self.verdicts]
        known = [state for state in plain if state is not State.OPEN]
        good = sum(state in (State.HELD, State.WITHIN) for state in known)
        explained = self.cause is not None and good >= math.floor(self.cause.holds * len(known))
        return [State.EXPLAINED if state is State.MISSED and explained else state for state in plain]

    @property
    def state(self) -> State:
        """Of the claim as a whole: the worst of its settings."""
        for state in (State.MISSED, State.EXPLAINED, State.WITHIN, State.HELD):
            if state in self.states:
                return state
        return State.OPEN


def state_of(verdict: Verdict) -> State:
    """Of one setting: a difference that chance explains is no miss."""
    if verdict.held:
        return State.HELD
    mine, other = verdict.figure, verdict.against
    if math.isnan(mine.value) or math.isnan(other.value):  # not all arrived, or it is not known
        return State.MISSED
    slack = math.hypot(*(0.0 if math.isnan(f.error) else f.error for f in (mine, other)))
    return State.WITHIN if abs(mine.value - other.value) <= slack else State.MISSED


def judged(paper: Paper, results: PaperResults) -> list[Judged]:
    """All claims of a paper's suites."""
    causes = {cause.claim: cause for cause in paper.causes}
    found = []
    for name, suite in results.suites.items():
        begun = [summary for summary in suite.summaries if summary.episodes]
        for claim in suite.suite.claims:
            verdicts = judge(claim, suite.own, begun)
            found.append(Judged(name, claim, tuple(verdicts), causes.get(claim.text)))
    return found
