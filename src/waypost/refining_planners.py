"""Catalog entries of PR LRTA*, which walks over regions by LRTA* and refines each step (2008; algorithms 7.3)."""

from waypost.agents.path_refinement import PathRefinement
from waypost.entry import Entry, Param
from waypost.indexes.upper_pairs import UpperPairs

__all__ = ["REFINING"]

_LEVEL = {"level": Param(4, 1, 30, "of the clique abstraction, whose nodes are the regions", offline=True)}
_UPPER = {"upper": Param(6, 1, 30, "level whose regions the tables are about; at least `level`", offline=True)}
_PROGRESS = {
    "progress": Param(1, 0, 1, "1: subgoals lead ever nearer to the goal; 0: where regions are left", offline=True)
}
_CAP = {"cap": Param(10, 1, 10_000, "most regions of lookahead", offline=True)}
_EUCLID = {"euclid": Param(1, 0, 1, "1: regions are apart as the crow flies; 0: by the octile distance", offline=True)}
_DEPTH = {"depth": Param(3, 1, 100, "regions of lookahead")}
_ONLINE = {
    "gamma": Param(1.0, 0.1, 1.0, "weight of g; smaller is greedier"),
    "first": Param(1, 0, 1, "1: a step ends in the first cell of the next region; 0: in its representative"),
}


def _entry(name: str, title: str, choices: str, *params: dict[str, Param]) -> Entry:
    """One of the four, of which two have subgoals, and two have stored depths."""
    known = {key: param for some in (_LEVEL, *params, _ONLINE) for key, param in some.items()}
    return Entry(
        name,
        title,
        PathRefinement,
        paper=f"Bulitko et al. 2008, PR LRTA*({choices})",
        revision=1,
        presets={"published": {key: 0 for key in ("progress", "first") if key in known}},
        params=known,
        learns=True,
        index=UpperPairs,
        work_bound=PathRefinement.work_bound,
    )


REFINING = (
    _entry("prlrta", "PR LRTA*", "F,G", _EUCLID, _DEPTH),
    _entry("prlrta-f-pdb", "PR LRTA* with subgoals", "F,PDB", _UPPER, _PROGRESS, _EUCLID, _DEPTH),
    _entry("prlrta-pdb-g", "PR LRTA* of stored depths", "PDB,G", _UPPER, _CAP, _EUCLID),
    _entry("prlrta-pdb-pdb", "PR LRTA* with subgoals of stored depths", "PDB,PDB", _UPPER, _PROGRESS, _CAP, _EUCLID),
)
