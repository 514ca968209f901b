"""Catalog entries of PR LRTA*, which walks over regions by LRTA* and refines each step (2008; algorithms 7.3)."""

from waypost.planners.entry import Entry, Param
from waypost.planners.prlrta.agent import PathRefinement
from waypost.planners.prlrta.index import UpperPairs

__all__ = ["ENTRIES", "PLACE"]

PLACE = 70  # in the table of planners

_PROGRESS = {
    "by_progress": Param(1, 0, 1, "1: subgoals lead ever nearer to the goal; 0: where regions are left", offline=True)
}
_EUCLID = {"euclid": Param(1, 0, 1, "1: distances of regions are Euclidean; 0: octile", offline=True)}
_ONLINE = {
    "gamma": Param(1.0, 0.1, 1.0, "weight of g; smaller is greedier"),
    "first": Param(1, 0, 1, "1: a step ends in the first cell of the next region; 0: in its representative"),
    "oldest": Param(0, 0, 1, "1: of equals, searches take the oldest first; 0: the newest, which expands less"),
}


_PUBLISHED = {"by_progress": 0, "first": 0, "oldest": 1}


def _level(default: int) -> dict[str, Param]:
    return {
        "level": Param(
            default, 1, 30, "level of the clique abstraction whose nodes are the regions", offline=True, steps=(6, 5, 4)
        )
    }


def _upper(default: int) -> dict[str, Param]:
    return {"upper": Param(default, 1, 30, "level whose regions tables are about; at least `level`", offline=True)}


def _depth(default: int) -> dict[str, Param]:
    return {"depth": Param(default, 1, 100, "regions of lookahead", steps=(1, 3, 5, 10))}


def _cap(default: int) -> dict[str, Param]:
    return {"cap": Param(default, 1, 10_000, "most regions of lookahead", offline=True)}


def _entry(name: str, title: str, choices: str, *params: dict[str, Param]) -> Entry:
    """One of the four, of which two have subgoals, and two have stored depths."""
    known = {key: param for some in (*params, _ONLINE) for key, param in some.items()}
    return Entry(
        name,
        title,
        PathRefinement,
        paper=f"Bulitko et al. 2008, PR LRTA*({choices})",
        revision=1,
        presets={"published": {key: value for key, value in _PUBLISHED.items() if key in known}},
        params=known,
        learns=True,
        index=UpperPairs,
        work_bound=PathRefinement.work_bound,
    )


ENTRIES = (
    _entry("prlrta", "PR LRTA*", "F,G", _level(5), _EUCLID, _depth(5)),
    _entry("prlrta-f-pdb", "PR LRTA* with subgoals", "F,PDB", _level(4), _upper(6), _PROGRESS, _EUCLID, _depth(3)),
    _entry("prlrta-pdb-g", "PR LRTA* of stored depths", "PDB,G", _level(5), _upper(5), _cap(20), _EUCLID),
    _entry(
        "prlrta-pdb-pdb",
        "PR LRTA* with subgoals, of stored depths",
        "PDB,PDB",
        _level(4),
        _upper(6),
        _PROGRESS,
        _cap(10),
        _EUCLID,
    ),
)
