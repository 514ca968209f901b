"""The command that trains trees of lookahead depths: train-depth."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from waypost.cli.app import CostsOption, DiagonalsOption, SeedOption, app
from waypost.cli.inputs import check_outputs, load

if TYPE_CHECKING:
    from waypost.planners.depths.fit import Fit

_EXAMPLES = """Examples: waypost train-depth caves city rooms -o tree.waypost; then
waypost run outdoor --index tree.waypost. For deeper lookahead:
waypost train-depth maps/*.map -o deep.waypost --deepest 20 --problems 50 --leaf 25"""


@app.command("train-depth", epilog=_EXAMPLES)
def train_depth(
    maps: Annotated[list[str], typer.Argument(metavar="MAPS...", help="Map files, or names of bundled maps.")],
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="FILE", help="Where to write the tree, e.g. tree.waypost.")
    ],
    problems: Annotated[int, typer.Option(min=1, help="Random problems on each map.")] = 100,
    seed: SeedOption = 0,
    deepest: Annotated[int, typer.Option(min=1, help="Most moves of lookahead.")] = 10,
    history: Annotated[int, typer.Option(min=1, help="Moves that agents remember for the tree to ask about.")] = 60,
    presearch: Annotated[int, typer.Option(min=1, max=2, help="Moves of lookahead before the tree is asked.")] = 1,
    leaf: Annotated[int, typer.Option(min=1, help="Fewest samples in a leaf.")] = 100,
    pruning: Annotated[
        float | None, typer.Option(min=0, help="Cost-complexity to prune by; by default cross-validation chooses.")
    ] = None,
    threads: Annotated[int | None, typer.Option(min=1, help="Number of threads; by default one per core.")] = None,
    diagonals: DiagonalsOption = "both-open",
    costs: CostsOption = "sqrt2",
) -> None:
    """Train a decision tree that says how far to look ahead, for lrta-dt-g on any map.

    Agents that look as far as they may walk on each map; a sample of each move is its situation, and the least depth
    that would have done. Cross-validation says how often trees are right on maps that they were not trained on.
    """
    from waypost import catalog
    from waypost.indexes.building import Works
    from waypost.planner import Planner
    from waypost.planners.depths.index import DepthTree, train

    check_outputs(out)
    entry = catalog.find("lrta-dt-g")
    given = {"deepest": deepest, "history": history, "presearch": presearch}
    params = catalog.check_params(entry, given | {"problems": problems, "seed": seed, "leaf": leaf})
    grids = [load(name, diagonals, costs) for name in maps]
    works = Works(threads)
    fit = train(grids, params, works, pruning)
    tree = DepthTree.from_arrays(grids[0], params, fit.arrays)
    planner = Planner(entry, grids[0], params, tree)
    planner.facts = works.facts | {"maps": ", ".join(Path(name).name for name in maps), "pruning": fit.alpha}
    if fit.confusion.any():
        planner.facts |= {"accuracy": round(fit.accuracy, 4), "confusion": str(fit.confusion.tolist())}
        _show(fit, "map" if len(grids) > 1 else "problem")
    planner.save(out)
    print(f"Wrote {out}: {tree.bytes:,} bytes, {tree.states:,} nodes, in {works.seconds:,.1f} s")


def _show(fit: "Fit", group: str) -> None:
    """Print how trees did on samples that they had not seen."""
    print(f"Right in {100 * fit.accuracy:.1f} % of {fit.confusion.sum():,} samples, cross-validated by {group}.")
    print("How often each depth (rows) was taken for another (columns):")
    width = len(f"{fit.confusion.max():,}") + 1
    print("     " + "".join(f"{depth:>{width}}" for depth in range(1, len(fit.confusion) + 1)))
    for depth, row in enumerate(fit.confusion.tolist(), 1):
        print(f"{depth:>4} " + "".join(f"{count:>{width},}" for count in row))
