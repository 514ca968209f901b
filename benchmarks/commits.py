"""Commits of this repository, checked out beside one another to be compared."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]


@contextmanager
def checked_out(*commits: str | None) -> Iterator[list[Path]]:
    """A tree of each commit; None is what stands in the working tree."""
    trees: list[Path] = []
    with tempfile.TemporaryDirectory() as folder:
        try:
            for number, commit in enumerate(commits):
                trees.append(ROOT if commit is None else Path(folder, str(number)))
                if commit is not None:
                    _git("worktree", "add", "--quiet", "--detach", trees[-1], commit)
            yield trees
        finally:
            for tree in trees:
                if tree != ROOT:
                    _git("worktree", "remove", "--force", tree)


def run_in(tree: Path, code: str, *words: str) -> Any:
    """What a program prints as JSON that runs with the package of this tree."""
    environment = {**os.environ, "PYTHONPATH": str(tree / "src")}
    command = [sys.executable, "-c", code, *words]
    return json.loads(subprocess.run(command, env=environment, cwd=tree, check=True, stdout=subprocess.PIPE).stdout)


def _git(*words: str | Path) -> None:
    subprocess.run(["git", *words], cwd=ROOT, check=True)  # noqa: S607 - wherever it is
