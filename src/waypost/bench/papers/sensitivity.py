"""Sensitivity: how far the corner rule and the choice of maps decide a figure. A spread, not one number."""

import math
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from waypost.bench.numbers import number
from waypost.bench.papers.description import Paper, Rules, Sets
from waypost.bench.papers.document import Block, Cells, Heading, Lines
from waypost.bench.papers.filled import figure, filled_columns, named
from waypost.bench.papers.quantities import QUANTITIES
from waypost.bench.papers.results import PaperResults, SuiteResults
from waypost.bench.suite import Setting

__all__ = ["sensitivity_blocks"]

_SEED_OF_SETS = 11


def sensitivity_blocks(paper: Paper, results: PaperResults) -> Iterator[Block]:
    """Tables over rules, and over random sets of maps."""
    if not (paper.rules or paper.sets):
        return
    yield Heading("Sensitivity")
    for rules in paper.rules:
        yield Heading(f"{rules.title}: {QUANTITIES[rules.quantity].title}", 3)
        yield _rule_cells(rules, results)
    for sets in paper.sets:
        how = ", as ratio of sums" if sets.by_sums else ""
        yield Heading(f"{sets.title}: {QUANTITIES[sets.quantity].title}{how}", 3)
        yield from _set_blocks(sets, results)


def _rule_cells(rules: Rules, results: PaperResults) -> Cells:
    rows = []
    for row in rules.rows:
        figures = []
        for name in rules.suites:
            groups = results[name].groups(row)[:1]
            estimates = [results[name].estimate(group, rules.quantity) for group in groups]
            figures += [figure(one.mean) if one.episodes else "not run yet" for one in estimates] or ["not in this run"]
        rows.append((row.label or str(row.of), figure(row.paper[0]), *figures))
    return filled_columns(Cells(("setting", "paper", *rules.suites), tuple(rows)))


def _set_blocks(sets: Sets, results: PaperResults) -> Iterator[Block]:
    suite = results[sets.suite]
    chosen, said = _drawn(sets, suite)
    yield Lines((said,))
    rows = []
    for row in sets.rows:
        for group in (groups := suite.groups(row)):
            of_sets = _figures_of_sets(sets, suite, group, chosen)
            of_sets = of_sets[~np.isnan(of_sets)]
            rows.append((named(row, group, len(groups)), figure(row.paper[0]), *_spread(of_sets, row.paper[0])))
    head = ("setting", "paper", "5 % of sets below", "half below", "95 % below", "sets below the paper's")
    yield filled_columns(Cells(head, tuple(rows)))


def _figures_of_sets(
    sets: Sets, suite: SuiteResults, group: list[Setting], chosen: list[npt.NDArray[np.int64]]
) -> npt.NDArray[np.float64]:
    """What stands for each set: all maps have as many problems, so that sums go by the means of maps."""
    if sets.by_sums:
        walked, optimal = (np.array(suite.map_means(group, of)) for of in ("cost", "optimal"))
        return np.array([100 * (walked[draw].sum() / optimal[draw].sum() - 1) for draw in chosen])
    means = np.array(suite.map_means(group, sets.quantity))
    return np.array([means[draw].mean() for draw in chosen])


def _drawn(sets: Sets, suite: SuiteResults) -> tuple[list[npt.NDArray[np.int64]], str]:
    """Sets as places of their maps, and in words what they are drawn from."""
    always = [i for i, name in enumerate(suite.maps) if name in sets.always]
    kinds = [
        [i for i, name in enumerate(suite.maps) if name.startswith(begin) and i not in always] for begin, _ in sets.take
    ]
    counts = [min(count, len(kind)) for kind, (_, count) in zip(kinds, sets.take, strict=True)]
    if counts == [len(kind) for kind in kinds]:
        every = np.array([*always, *(place for kind in kinds for place in kind)], np.int64)
        return [every] if every.size else [], f"There is but one set in this run, that of all {len(every)} maps."
    drawn = [f"{count} of {len(kind)}" for count, kind in zip(counts, kinds, strict=True) if kind]
    fixed = [f"{len(always)} that are always among them"] if always else []
    sizes = np.array([width * height for _, width, height, _ in suite.open_cells.values()])
    random = np.random.default_rng(_SEED_OF_SETS)
    low, high = sets.cells or (0.0, np.inf)
    chosen = []
    for _ in range(sets.draws if sum(counts) else 0):
        draws = (random.choice(kind, count, replace=False) for kind, count in zip(kinds, counts, strict=True))
        places = np.concatenate([np.array(always, np.int64), *draws]).astype(np.int64)
        if low <= sizes[places].mean() <= high:
            chosen.append(places)
    size = f" whose mean size is {low:,.0f} to {high:,.0f} cells" if sets.cells else ""
    return chosen, f"{len(chosen):,} random sets of {' and '.join([*fixed, *drawn])} maps{size}."


def _spread(of_sets: npt.NDArray[np.float64], paper: float) -> tuple[str, ...]:
    if not of_sets.size:
        return ("not run yet",) * 4
    below = figure(math.nan) if math.isnan(paper) else f"{100 * float((of_sets <= paper).mean()):.0f} %"
    return (*(number(float(value)) for value in np.percentile(of_sets, [5, 50, 95])), below)
