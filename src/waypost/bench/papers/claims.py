"""The section on claims: each with what became of it, and why where it was missed."""

import math
from collections import Counter
from collections.abc import Iterator

from waypost.bench.claims import RATIO_OF_SUMS_PERCENT
from waypost.bench.numbers import number, with_error
from waypost.bench.papers.document import Block, Cells, Heading, Lines
from waypost.bench.papers.verdicts import Judged, State
from waypost.bench.summary import RATIO_OF_SUMS
from waypost.runs.metrics import METRICS

__all__ = ["claim_blocks", "counted", "unexplained"]

_HEAD = ("claim", "source", "verdict", "orderings that hold", "paper", "ours, smallest to largest")


def claim_blocks(claims: list[Judged]) -> Iterator[Block]:
    """A table of all claims, then what is missed, setting by setting."""
    if not claims:
        return
    yield Heading("Claims")
    yield Lines(tuple(counted(claims)))
    yield Cells(_HEAD, tuple(map(_row, claims)))
    for one in claims:
        if one.state in (State.EXPLAINED, State.MISSED):
            yield from _missed(one)


def counted(claims: list[Judged]) -> list[str]:
    """How many orderings hold, in sentences."""
    states = Counter(state for one in claims for state in one.states)
    total = sum(states.values())
    good = states[State.HELD] + states[State.WITHIN]
    share = f" ({100 * good / total:.0f} %)" if total else ""
    lines = [
        f"{good:,} of {total:,} claimed orderings hold{share}, {states[State.WITHIN]:,} of them within the interval."
    ]
    lines.append(f"{states[State.EXPLAINED]:,} are missed for a known cause, and {states[State.MISSED]:,} without one.")
    return lines


def unexplained(claims: list[Judged]) -> list[Judged]:
    """Claims that are missed without a recorded cause."""
    return [one for one in claims if one.state is State.MISSED]


def _row(one: Judged) -> tuple[str, ...]:
    good = sum(state in (State.HELD, State.WITHIN) for state in one.states)
    is_bound = one.claim.at_most is not None or one.claim.at_least is not None
    paper = f"{number(one.claim.times)} times less" if one.claim.times else "a bound" if is_bound else "an order"
    counted = f"{good} of {len(one.states)}"
    return one.claim.text, one.claim.source, one.state.value, counted, paper, _range(one)


def _range(one: Judged) -> str:
    """From the smallest figure to the largest: how many times less, or the figures themselves."""
    known = [verdict.times.value for verdict in one.verdicts if verdict.times.value > 0]
    figures = known or [verdict.figure.value for verdict in one.verdicts if not math.isnan(verdict.figure.value)]
    if not figures:
        return "not run yet"
    low, high = number(min(figures)), number(max(figures))
    return (low if low == high else f"{low} to {high}") + (" times less" if known else "")


def _missed(one: Judged) -> Iterator[Block]:
    yield Heading(f"Missed: {one.claim.text}", 3)
    if one.cause:
        yield Lines((*one.cause.text, f"Shown by `{one.cause.command}`."))
    else:
        yield Lines(("No cause is known.",))
    title = RATIO_OF_SUMS if one.claim.metric == RATIO_OF_SUMS_PERCENT else METRICS[one.claim.metric].title
    yield Lines((f"Suite `{one.suite}`; {title}.",))
    rows = tuple(
        (v.label, with_error(v.figure), f"{v.demand} {with_error(v.against)}", *([v.beside] if v.beside else ()))
        for v, state in zip(one.verdicts, one.states, strict=True)
        if state in (State.EXPLAINED, State.MISSED)
    )
    yield Cells(("setting", "figure", "demand", "of")[: len(rows[0])], rows)
