"""What type checkers and completion know of our planners: their names and parameters. A test compares the catalog."""

from typing import Literal, NewType, TypedDict

from typing_extensions import TypeAliasType

__all__ = ["BuiltInName", "BuiltInParams", "PlannerName"]

BuiltInName = TypeAliasType("BuiltInName", Literal[
    "dba", "hcdps", "gates", "hub", "knn", "knn-2009", "trees",
    "astar", "jps", "wastar", "dijkstra", "pra-sector", "pra-clique", "tba",
    "lrta", "lrta-cost", "rta", "lrta-k", "plrta", "lss", "klrta", "rtaa", "lrts",
    "dlrta", "lrta-pdb-g", "lrta-pdb-pdb", "prlrta", "prlrta-f-pdb", "prlrta-pdb-g", "prlrta-pdb-pdb",
    "lrta-dt-g", "lrta-oracle-g",
])  # fmt: skip
"""The planners that come with Waypost, and their aliases."""

PlannerName = NewType("PlannerName", str)
"""The name of a planner of another package, or one that is only known when the program runs: PlannerName("mine")."""


class BuiltInParams(TypedDict, total=False):
    """Parameters of all of them; which planner has which, `waypost list NAME` shows."""

    preset: Literal["published", "trimmed"]
    ahead: int
    budget: int
    by_progress: int
    candidates: int
    cap: int
    climb_exits: int
    climbs: int
    cutoff: int
    deepest: int
    depth: int
    direct: int
    drop_trace: int
    ends: int
    entries: int
    euclid: int
    fine: int
    first: int
    gamma: float
    goal_depths: int
    goals_kept: int
    history: int
    hops: int
    horizon: float
    joins: int
    joints: int
    k: int
    last_exit: int
    leaf: int
    level: int
    limit: int
    lookahead: int
    moves_per_plan: int
    oldest: int
    presearch: int
    problems: int
    queue: int
    quota: float
    ratio: int
    records: int
    redraw: int
    restricted: int
    second_limit: int
    sector: int
    seed: int
    share: float
    shortcut: int
    shortest: int
    skip_ends: int
    skip_first: int
    skip_last: int
    slice: int
    spacing: int
    spread: int
    steps: int
    straight_first: int
    thin: int
    tree: int
    trees: int
    tries: int
    trim: int
    upper: int
    wait: int
    width: int
