"""Rules of the code base that import contracts cannot say."""

import ast
from pathlib import Path

import pytest

import waypost
from waypost.kernels import compiling

ROOT = Path(__file__).parents[1]
SOURCES = sorted((ROOT / "src").rglob("*.py"))
ORACLES = sorted((ROOT / "tests" / "oracle").glob("*.py"))


def imports_of(path):
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)
def test_sources(path):
    imported = {name.split(".")[0] for name in imports_of(path)}
    assert path.name != "utils.py"
    assert not imported & {"pickle", "shelve", "marshal"}, "nothing is unpickled"
    if "kernels" not in path.parts:
        assert "njit" not in path.read_text()
        assert "numba" not in imported
    for package, home in (("matplotlib", "bench/plot.py"), ("pyarrow", "bench/results.py")):
        if not path.as_posix().endswith(home):
            assert f'"{package}' not in path.read_text(), f"only {home} knows {package}"
            assert package not in imported
    assert len(path.read_text().splitlines()) <= 400


@pytest.mark.parametrize("path", ORACLES, ids=lambda path: path.stem)
def test_oracles_know_nothing_of_ours(path):
    for name in imports_of(path):
        assert not name.startswith("waypost")
        assert not name.startswith("tests") or name.startswith("tests.oracle")


def test_agents_share_kernels_not_parents():
    for path in (ROOT / "src" / "waypost" / "agents").glob("*.py"):
        siblings = [n for n in imports_of(path) if n.startswith("waypost.agents.")]
        assert set(siblings) <= {"waypost.agents.base", "waypost.agents.corridor"}


def test_public_names():
    assert sorted(waypost.__all__) == [
        "Agent", "AgentStatus", "Batch", "Fleet", "Grid", "OutOfMoves", "Planner", "Problem", "Status", "Step", "Trace",
        "Unreachable", "WaypostError", "__version__", "build", "bundled_maps", "grid_from_array", "grid_from_text",
        "load", "load_map", "load_problems", "sample_problems", "save_map", "simulate",
    ]  # fmt: skip
    assert sorted([*waypost._HOMES, "__version__"]) == sorted(waypost.__all__) == sorted(dir(waypost))
    for name in waypost.__all__:
        assert getattr(waypost, name) is not None
    for name, home in waypost._HOMES.items():
        assert name != home.split(".")[0], "importing the module would hide the public name"
    with pytest.raises(AttributeError, match="has no attribute 'nonsense'"):
        waypost.nonsense  # noqa: B018


def test_kernels_are_registered_once():
    names = [(kernel.__module__, kernel.__qualname__) for kernel in compiling.ENTRY_POINTS]
    assert len(names) == len(set(names))
