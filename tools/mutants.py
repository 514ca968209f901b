"""Do the tests of a family notice a fault in it? python -m tools.mutants [--seed N] [--count N] [--jobs N]

Faults are drawn by a seed, one family after the other, and each is planted in a copy of the tree. Then the tests of its
family run (`pytest --family NAME`): kernels as plain Python first, which takes seconds, then compiled. What they miss
and `make test-deep` would catch is said to be missed; what changes no machine code, or is listed with a reason in
tests/harmless_faults.toml, is drawn again. Rows are kept in build/mutants.jsonl: killed, the same command goes on.
"""

import argparse
import functools
import hashlib
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from tools.mutation import Fault, faults_in, planted

ROOT = Path(__file__).parents[1]
FAMILIES = ROOT / "src" / "waypost" / "planners"
HARMLESS = ROOT / "tests" / "harmless_faults.toml"
COPIED = ("src", "tests", "docs", "benchmarks", "examples", "tools")
MOST_BYTES = 16 << 30
LEAST_SHARE = 0.95
"""Of all faults, that must be caught."""
_NO_TESTS = 5  # what pytest says where a family has none of a kind
CAUGHT, MISSED, UNSEEN, HARMLESS_ONE = "caught", "missed", "unseen", "changes nothing"
MACHINE_CODE = """
import hashlib, importlib
from waypost.machine_code import signatures
from waypost.preparing.missing import all_kernels
from waypost.preparing.worker import compile_kernel
digest = hashlib.sha256()
for name in all_kernels():
    if any(f"planners.{family}." in name for family in FAMILIES):
        compile_kernel(name)
        module, _, function = name.rpartition(".")
        digest.update("".join(getattr(importlib.import_module(module), function).inspect_asm().values()).encode())
print(digest.hexdigest())
"""


def families() -> list[str]:
    """Folders of families that have code."""
    return sorted(path.parent.name for path in FAMILIES.glob("*/__init__.py"))


def draws(seed: int, number: int) -> Iterator[tuple[str, Path, Fault]]:
    """Faults for one place of the list, one after the other: a family, a source of it, a fault."""
    family = families()[number % len(families())]
    sources = [path for path in sorted((FAMILIES / family).rglob("*.py")) if path.name != "entries.py"]
    chance = random.Random(f"{seed} {number}")  # noqa: S311 - not for secrets
    pool = [(path, fault) for path in sources for fault in faults_in(path.read_text())]
    while True:
        path, fault = chance.choice(pool)
        if _parses(planted(path.read_text(), fault)):
            yield family, path, fault


def _parses(source: str) -> bool:
    try:
        compile(source, "a fault", "exec")
    except SyntaxError:
        return False
    return True


def judged(family: str, path: Path, fault: Fault, most_seconds: float) -> dict[str, Any]:
    """What the tests say of a fault; a loop that does not end is noticed by the time that it takes."""
    with tempfile.TemporaryDirectory(prefix="waypost-mutant-") as folder:
        copy = Path(folder) / "main"
        _copy_tree(copy)
        place = copy / path.relative_to(ROOT)
        place.write_text(planted(path.read_text(), fault))
        is_kernel = "kernels" in path.parts
        settings = {"WAYPOST_CACHE": str(copy / "cache")} if is_kernel else {}
        kernel_tests = [str(each.relative_to(copy)) for each in copy.glob("tests/**/kernels")]
        stages: dict[str, Callable[[], bool]] = {
            "as plain Python": lambda: passes(copy, family, kernel_tests, most_seconds, NUMBA_DISABLE_JIT="1"),
            "compiled": lambda: passes(copy, family, ["tests"], most_seconds, **settings),
        }
        for stage, check in stages.items():
            if not check():
                return {"verdict": CAUGHT, "by": stage}
        if is_kernel and machine_code(copy, family) == machine_code(ROOT, family):
            return {"verdict": HARMLESS_ONE, "by": "equal machine code"}
        is_noticed = not passes(copy, family, ["tests"], 4 * most_seconds, WAYPOST_TEST_DEEP="1", **settings)
        return {"verdict": MISSED if is_noticed else UNSEEN, "by": "all random cases" if is_noticed else "nothing"}


def _copy_tree(copy: Path) -> None:
    for name in COPIED:
        shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
    for path in (*ROOT.glob("*.md"), ROOT / "pyproject.toml", ROOT / "Makefile"):
        shutil.copy(path, copy)


def passes(copy: Path, family: str, tests: list[str], most_seconds: float, **settings: str) -> bool:
    """Whether the tests of a family pass; one that takes too long or too much memory does not."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "--family", family]
    environment = os.environ | {"PYTHONPATH": python_path(copy)} | settings
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    limited = ["sh", "-c", f'ulimit -v {MOST_BYTES >> 10}; exec "$0" "$@"', *command, "--hypothesis-seed=0", *tests]
    process = subprocess.Popen(limited, cwd=copy, env=environment, **quiet)  # type: ignore[call-overload]
    try:
        return process.wait(most_seconds) in (0, _NO_TESTS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        return False


def python_path(copy: Path) -> str:
    """Where Python finds the copy, before all else."""
    return os.pathsep.join([str(copy / "src"), str(copy), os.environ.get("PYTHONPATH", "")])


def machine_code(copy: Path, family: str) -> str:
    """A digest of the machine code of a family's kernels and of those that may have some of it inside."""
    script = f"FAMILIES = {users_of(family)!r}\n{MACHINE_CODE}"
    with tempfile.TemporaryDirectory() as cache:
        settings = {"PYTHONPATH": python_path(copy), "WAYPOST_CACHE": cache, "PYTHONHASHSEED": "0"}
        command = [sys.executable, "-c", script]
        return subprocess.run(command, env=os.environ | settings, check=True, capture_output=True, text=True).stdout


def users_of(family: str) -> list[str]:
    """A family and all that have some of its code in theirs."""
    name = f"waypost.planners.{family}."
    return sorted(
        {path.relative_to(FAMILIES).parts[0] for path in FAMILIES.rglob("*.py") if name in path.read_text()} | {family}
    )


def harmless() -> set[tuple[str, str, str, str]]:
    """Faults that were shown to change nothing that a user or a test could see, by source, line, and words."""
    listed = tomllib.loads(HARMLESS.read_text()).get("fault", []) if HARMLESS.exists() else []
    return {(each["source"], each["line"], each["old"], each["new"]) for each in listed}


def row_of(seed: int, number: int, most_seconds: float, rows: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """The first fault of a place in the list that changes something, with its verdict."""
    known = harmless()
    for family, path, fault in draws(seed, number):
        source = path.relative_to(FAMILIES).as_posix()
        text = path.read_text().splitlines()[fault.line - 1].strip()
        if (source, text, fault.old, fault.new) in known:
            continue
        key = f"{source}:{fault.line}:{fault.column} {fault.old} -> {fault.new} [{state_of(family)}]"
        if key not in rows:
            began = time.monotonic()
            row = {"key": key, "family": family, "line": text} | judged(family, path, fault, most_seconds)
            rows[key] = row | {"seconds": round(time.monotonic() - began)}
            with open(_rows_path(), "a") as file:
                file.write(json.dumps(rows[key]) + "\n")
        if rows[key]["verdict"] != HARMLESS_ONE:
            return rows[key]
    raise AssertionError("there is always another draw")


@functools.cache
def state_of(family: str) -> str:
    """A digest of a family's code and tests: rows about others are of no use."""
    digest = hashlib.sha256()
    for folder in (FAMILIES / family, ROOT / "tests" / "planners" / family):
        for path in sorted(folder.rglob("*.py")):
            digest.update(path.read_bytes())
    return digest.hexdigest()[:8]


def _rows_path() -> Path:
    path = ROOT / "build" / "mutants.jsonl"
    path.parent.mkdir(exist_ok=True)
    return path


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--seconds", type=float, default=600, help="what takes longer than this does not end")
    given = parser.parse_args()
    content = _rows_path().read_text().splitlines() if _rows_path().exists() else []
    rows = {row["key"]: row for row in map(json.loads, content)}
    with ThreadPoolExecutor(given.jobs) as threads:
        found = []
        for row in threads.map(lambda number: row_of(given.seed, number, given.seconds, rows), range(given.count)):
            found.append(row)
            print(f"{len(found):3} {row['verdict']:7} {row['seconds']:4} s  {row['key']}", flush=True)
    counts = {verdict: sum(row["verdict"] == verdict for row in found) for verdict in (CAUGHT, MISSED, UNSEEN)}
    print(", ".join(f"{count} {verdict}" for verdict, count in counts.items()))
    sys.exit(counts[MISSED] > 0 or counts[CAUGHT] < LEAST_SHARE * given.count)


if __name__ == "__main__":
    main()
