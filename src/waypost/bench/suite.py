"""Suite: a benchmark described in TOML (docs/bench.md), read and checked."""

import itertools
import math
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

from waypost import catalog
from waypost.bench.claims import Claim, read_claim
from waypost.bench.comparisons import Comparison, read_comparison
from waypost.bench.keys import Table
from waypost.bench.worlds import MapChoice, MapSource, ProblemChoice, read_maps, read_problems
from waypost.errors import ParameterError, WaypostError, shown
from waypost.planners.names import PlannerName
from waypost.runs.metrics import METRICS, check_metrics
from waypost.system.files import read_bytes
from waypost.world.grid import COSTS, DIAGONALS, DiagonalCost, DiagonalRule

__all__ = [
    "Limits", "Published", "Setting", "Suite", "make_suite", "read_settings", "read_suite", "read_title",
    "shipped_suites", "suite_values",
]  # fmt: skip

SHIPPED = resources.files("waypost.bench") / "suites"
_MOST_BYTES = 1 << 20
_MOST_SETTINGS = 10_000
_MOST_ROUNDS = 100
_MOST_MOVES = 1_000_000_000
_QUALITY = "suboptimality_percent"
_PLOTS = tuple((x, _QUALITY) for x in ("move_us_mean", "cumulative_kb", "work_per_move_mean", "build_seconds"))

Values = tuple[tuple[str, Any], ...]


@dataclass(frozen=True)
class Setting:
    """A planner with a value for each of its parameters."""

    label: str
    planner: PlannerName
    revision: int
    params: Values
    """Of the agent, all of them."""
    index: Values = ()
    """Of what is built offline, apart from the agent's, so that one build serves a sweep."""
    preset: str = ""
    """The preset that some of the values are from, if any; what it stands for is among them."""

    @property
    def values(self) -> dict[str, Any]:
        """Every parameter, of the agent and offline."""
        return dict((*self.params, *self.index))

    @property
    def key(self) -> dict[str, Any]:
        """All that decides what the planner does."""
        return {
            "planner": self.planner,
            "revision": self.revision,
            "params": dict(self.params),
            "index": dict(self.index),
        }


@dataclass(frozen=True)
class Limits:
    """When to stop, and what disqualifies."""

    moves: int = 1_000_000
    """Of an episode."""
    episode_seconds: float = math.inf
    suite_seconds: float = math.inf
    """No episode begins later; the next run of the suite goes on from there."""
    work_per_move: float = math.inf
    """A setting that ever does more work in one move, or has no bound on it, is disqualified (the real-time cut-off of
    the 2008 paper)."""


@dataclass(frozen=True)
class Published:
    """Figures of a paper, to stand beside ours."""

    label: str
    source: str
    beside: str
    """The label of our setting."""
    figures: tuple[tuple[str, float], ...]


@dataclass(frozen=True)
class Suite:
    """What to run on what, and what to show of it."""

    name: str
    title: str
    about: str
    maps: tuple[MapChoice, ...]
    problems: ProblemChoice
    settings: tuple[Setting, ...]
    limits: Limits
    diagonals: DiagonalRule
    costs: DiagonalCost
    each_move: bool
    """Time every move; otherwise walks at full speed, timed as a whole."""
    baseline: str
    """The label of the setting that others are compared with, or nothing."""
    plots: tuple[tuple[str, str], ...]
    """Pairs of metrics, x and y."""
    fronts: tuple[tuple[str, ...], ...]
    """Two or three metrics each."""
    published: tuple[Published, ...]
    claims: tuple[Claim, ...] = ()
    """What a paper says about these settings, to be held against the results."""
    comparisons: tuple[Comparison, ...] = ()
    """Tables of some of them."""
    takes: str = ""
    """About how long, in words, or nothing."""
    rounds: int = 1
    """How often each walk is made; the shortest time of each move counts."""

    def find_maps(self, folder: Path | None) -> list[MapSource]:
        """All maps, each once."""
        found = {source.name: source for choice in self.maps for source in choice.find(folder)}
        return list(found.values())


def shipped_suites() -> list[str]:
    """Names of the suites that come with Waypost."""
    return sorted(file.name.removesuffix(".toml") for file in SHIPPED.iterdir() if file.name.endswith(".toml"))


def read_suite(name: str) -> Suite:
    """A suite by its file, or by the name of one that comes with Waypost."""
    return make_suite(Path(name).stem if name.endswith(".toml") else name, suite_values(name))


def suite_values(name: str) -> dict[str, Any]:
    """What a suite's file holds, not yet checked but for planners by their names: papers run suites with changes."""
    if name.endswith(".toml"):
        return _with_tables(_parse(name, read_bytes(name, "suite", _MOST_BYTES)))
    if name in shipped_suites():
        return _with_tables(_parse(name, (SHIPPED / f"{name}.toml").read_bytes()))
    there = ", ".join(shipped_suites())
    raise WaypostError(f"there is no suite called {shown(name)}; there are {there}, or give a .toml file")


def read_title(name: str) -> str:
    """What a suite that comes with Waypost calls itself; its planners need not be in the catalog yet."""
    return str(_parse(name, (SHIPPED / f"{name}.toml").read_bytes())["title"])


def _parse(name: str, content: bytes) -> dict[str, Any]:
    try:
        return tomllib.loads(content.decode())
    except (ValueError, RecursionError) as error:  # also a number of thousands of digits
        raise WaypostError(f"suite {name} is not TOML: {' '.join(str(error).split())}") from None


def _with_tables(values: dict[str, Any]) -> dict[str, Any]:
    """Planners as tables, also those that were named alone: with their defaults."""
    names = [values["planner"]] if isinstance(values.get("planner"), str) else values.get("planner")
    if isinstance(names, list) and all(isinstance(item, str) for item in names):
        values["planner"] = [{"name": item} for item in names]
    return values


def make_suite(name: str, values: dict[str, Any]) -> Suite:
    """A suite of this name, of the values that a file could hold."""
    table = Table(values, f"suite {name}")
    title, about, takes = table.text("title"), table.text("about", ""), table.text("takes", "")
    diagonals = table.choice("diagonals", tuple(DIAGONALS), "both-open")
    costs = table.choice("costs", tuple(COSTS), "sqrt2")
    each_move = table.choice("timing", ("moves", "walk"), "moves") == "moves"
    rounds = table.whole("rounds", 1, lowest=1, highest=_MOST_ROUNDS)
    maps = tuple(read_maps(one) for one in table.tables("maps"))
    settings = tuple({_same(s): s for one in table.tables("planner") for s in read_settings(one)}.values())
    problems = read_problems(table.table("problems"))
    limits = _limits(table.table("limits"))
    plots = tuple(_plot(one) for one in table.tables("plot")) or _PLOTS
    fronts = tuple(_front(one) for one in table.tables("front")) or ((_QUALITY, "move_us_mean"),)
    labels = [setting.label for setting in settings]
    published = tuple(_published(one, labels) for one in table.tables("published"))
    known = [(setting.planner, setting.values) for setting in settings]
    claims = tuple(read_claim(one, known) for one in table.tables("claim"))
    comparisons = tuple(read_comparison(one, known) for one in table.tables("table"))
    baseline = table.choice("baseline", tuple(labels), "")
    table.end()
    if rounds > 1 and math.isfinite(limits.episode_seconds):
        raise table.complaint("rounds make the same moves again, so episode_seconds must not end them")
    for what, found in (("maps", maps), ("planner", settings)):
        if not found:
            raise table.complaint(f"there is nothing to run: [[{what}]] is missing")
    return Suite(
        name, title, about, maps, problems, settings, limits, diagonals, costs, each_move, baseline, plots, fronts,
        published, claims, comparisons, takes, rounds,
    )  # fmt: skip


def _same(setting: Setting) -> tuple[Any, ...]:
    return setting.planner, setting.params, setting.index


def read_settings(table: Table) -> Iterator[Setting]:
    """All combinations of the values that one table lists."""
    name, index, params = table.text("name"), table.table("index").rest(), table.rest()
    if name == "*":
        if params or index:
            raise table.complaint("every planner (*) runs with its defaults and takes no parameters")
        yield from (_setting(entry, {}, {}) for entry in catalog.CATALOG.values())
        return
    lists = [(key, value) for key, value in (*params.items(), *index.items()) if isinstance(value, list)]
    for key, values in lists:
        if not values:
            raise table.complaint(f"{key} lists no value; leave it out, or give one")
    if math.prod(len(values) for _, values in lists) > _MOST_SETTINGS:
        raise table.complaint(f"the lists make more than {_MOST_SETTINGS:,} settings")
    with table.placed():
        entry = catalog.find(name)
        for build in _product(index):  # first, so that all settings of one build follow each other
            yield from (_setting(entry, given, build) for given in _product(params))


def _product(lists: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Every way to take one value of each list; a value that is no list is the only one."""
    choices = [value if isinstance(value, list) else [value] for value in lists.values()]
    return (dict(zip(lists, values, strict=True)) for values in itertools.product(*choices))


def _setting(entry: catalog.Entry, given: dict[str, Any], index: dict[str, Any]) -> Setting:
    if index and entry.index is None:
        raise ParameterError(f"{entry.name} has no index, so it takes no index parameters ({', '.join(index)})")
    params = catalog.check_params(entry, index | given)
    offline = entry.offline(params)
    for name in index | given:
        if (name in index) != (name in offline) or (name in given and name in index):
            raise ParameterError(
                f"{name} of {entry.name} is a parameter of {'the index' if name in offline else 'the agent'}: "
                f"it is given {'in' if name in offline else 'outside'} [planner.index]"
            )
    shown_params = ", ".join(f"{name}={params.get(name, value)}" for name, value in (index | given).items())
    label = f"{entry.name}({shown_params})" if shown_params else entry.name
    online = tuple((name, value) for name, value in params.items() if name not in offline)
    preset = str(given.get(catalog.PRESET, ""))
    return Setting(label, PlannerName(entry.name), entry.revision, online, tuple(offline.items()), preset)


def _limits(table: Table) -> Limits:
    limits = Limits(
        table.whole("moves", Limits.moves, lowest=1, highest=_MOST_MOVES),
        table.number("episode_seconds", math.inf),
        table.number("suite_seconds", math.inf),
        table.number("work_per_move", math.inf),
    )
    table.end()
    return limits


def _plot(table: Table) -> tuple[str, str]:
    x, y = table.text("x"), table.text("y")
    table.end()
    with table.placed():
        check_metrics((x, y), 2, 2)
    return x, y


def _front(table: Table) -> tuple[str, ...]:
    metrics = table.texts("metrics")
    table.end()
    with table.placed():
        return check_metrics(metrics, 2, 3)


def _published(table: Table, labels: list[str]) -> Published:
    label, source, beside = table.text("label"), table.text("source"), table.text("beside", "")
    figures = table.table("figures").rest()
    table.end()
    if not figures:
        raise table.complaint("figures are missing; name at least one metric and its value")
    with table.placed():
        check_metrics(tuple(figures), 1, len(METRICS))
    if beside and beside not in labels:
        raise table.complaint(f"beside must be the label of a setting of this suite, not {shown(beside)}")
    for name, figure in figures.items():
        if type(figure) not in (int, float) or not abs(figure) <= sys.float_info.max:
            raise table.complaint(f"{name} must be a number, not {shown(figure)}")
    return Published(label, source, beside, tuple((name, float(figure)) for name, figure in figures.items()))
