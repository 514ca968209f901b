"""Rules of the code base that import contracts cannot say."""

import ast
import importlib
import importlib.util
import re
from collections import defaultdict
from pathlib import Path

import pytest

import waypost
from waypost.kernels import compiling

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "waypost"
SOURCES = sorted(PACKAGE.rglob("*.py"))
SHARED_ORACLES = "waypost.testing.oracle"
ORACLES = sorted(
    path for folder in ("tests/oracle", "src/waypost/testing/oracle") for path in (ROOT / folder).glob("*.py")
)


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
    if not path.as_posix().endswith("machine_code/numba_private.py"):  # decision 0012
        assert not imported & {"pickle", "shelve", "marshal"}, "nothing is unpickled"
    if "kernels" not in path.parts:
        assert "njit" not in path.read_text()
    for package, *homes in (("matplotlib", "bench/plot.py"), ("pyarrow", "bench/results.py", "bench/packing.py")):
        if not path.as_posix().endswith(tuple(homes)):
            assert f'"{package}' not in path.read_text(), f"only {' and '.join(homes)} know {package}"
            assert package not in imported
    assert len(path.read_text().splitlines()) <= 400


@pytest.mark.parametrize("path", ORACLES, ids=lambda path: path.stem)
def test_oracles_know_nothing_of_ours(path):
    for name in imports_of(path):
        assert not name.startswith("waypost") or name.startswith(SHARED_ORACLES)
        assert not name.startswith("tests") or name.startswith("tests.oracle")


def test_agents_share_kernels_not_parents():
    """But for what is made to be shared: the base, the skeletons, and corridors, which PR LRTA* has, too."""
    skeletons = {"waypost.planners.learning.agent", "waypost.planners.walking.agent"}
    shared = {"waypost.agents.base", "waypost.planners.pra_clique.corridor"} | skeletons
    for path in (ROOT / "src" / "waypost" / "planners").glob("*/*.py"):
        if path.stem in {"agent", "control", "guide", "route"}:
            others = {
                name for name in imports_of(path) if name.split(".")[-1] in {"agent", "base", "corridor", "route"}
            }
            at_home = ("waypost.indexes.", f"waypost.planners.{path.parent.name}.")
            assert {name for name in others if not name.startswith(at_home) and ".kernels." not in name} <= shared


MOST_ARGUMENTS = 16


def arguments_of(function):
    arguments = function.args
    named = arguments.posonlyargs + arguments.args + arguments.kwonlyargs
    return len(named) + (arguments.vararg is not None) + (arguments.kwarg is not None)


def test_no_function_takes_many_arguments():
    many = {
        f"{path.relative_to(PACKAGE).as_posix()}: {node.name}"
        for path in SOURCES
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and arguments_of(node) > MOST_ARGUMENTS
    }
    assert not many


def family_of(path):
    """The folder within which one name should mean one number: a family of planners, or a package."""
    folders = path.relative_to(PACKAGE).parts[:-1]
    return "/".join(folders[: 2 if folders[:1] == ("planners",) else 1])


def constants_of(path):
    """Names and values of the integers that a module itself assigns."""
    module = importlib.import_module(".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts))
    for node in ast.parse(path.read_text()).body:
        targets = (
            node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        )
        for name in (part.id for target in targets for part in ast.walk(target) if isinstance(part, ast.Name)):
            if type(value := getattr(module, name, None)) is int:
                yield name, value


def test_a_constant_means_one_number_in_its_family():
    values = defaultdict(set)
    for path in SOURCES:
        if path.stem not in {"__init__", "__main__"}:
            for name, value in constants_of(path):
                values[f"{family_of(path)}: {name}"].add(value)
    assert not {name for name, found in values.items() if len(found) > 1}


OURS = ("benchmarks", "docs", "examples", "src", "tests", "tools")
PUBLIC = {"_asdict", "_exit", "_fields", "_make", "_replace"}
"""Names of named tuples and of `os` that are public all the same."""


def private_names(node):
    """Those that a node takes from another class or module of ours."""
    if isinstance(node, ast.Attribute) and getattr(node.value, "id", None) not in {"self", "cls"}:
        names = [node.attr]
    elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in {*OURS, "own_planner", "waypost"}:
        names = [alias.name for alias in node.names]
    elif isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "setattr":
        named = [word.value for word in node.args if isinstance(word, ast.Constant)]
        names = str(named[0]).split(".") if named else []
    else:
        names = []
    return [name for name in names if re.match(r"_[^_]", name) and name not in PUBLIC]


@pytest.mark.parametrize("folder", OURS)
def test_private_names_stay_at_home(folder):
    """What another module or a test needs to see has a name without an underscore."""
    for path in (ROOT / folder).rglob("*.py"):
        if path.name == "numba_private.py":  # the place for Numba's (decision 0012)
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            found = private_names(node)
            assert not found, f"{path.relative_to(ROOT)}, line {node.lineno}: {found[0]}"


def test_private_names_are_seen():
    code = "from waypost.planner import _x\nfrom numba import _y\na._b\nself._c\nd._make(())\nm.setattr('e._f', 1)"
    assert [name for node in ast.walk(ast.parse(code)) for name in private_names(node)] == ["_x", "_b", "_f"]


def test_public_names():
    assert sorted(waypost.__all__) == [
        "Agent", "Batch", "Distances", "Entry", "Fleet", "Frame", "Grid", "Limits", "MemberStatus", "OutOfMoves",
        "Param", "Paths", "Planner", "PlannerName", "Problem", "RunStatus", "Step", "Trace", "Tuning", "Unreachable",
        "Waypoints", "WaypostError", "World", "__version__", "build", "bundled_maps", "grid_from_array",
        "grid_from_occupancy", "grid_from_text", "load", "load_map", "load_problems", "prepare", "register",
        "sample_problems", "save_map", "simulate", "tune", "tuned",
    ]  # fmt: skip
    assert sorted(waypost.__all__) == sorted(dir(waypost))
    for name in waypost.__all__:
        assert getattr(waypost, name) is not None
        assert importlib.util.find_spec(f"waypost.{name}") is None, "importing the module would hide the public name"
    with pytest.raises(AttributeError, match="has no attribute 'nonsense'"):
        waypost.nonsense  # noqa: B018


def test_kernels_are_registered_once():
    names = [(kernel.__module__, kernel.__qualname__) for kernel in compiling.ENTRY_POINTS]
    assert len(names) == len(set(names))
