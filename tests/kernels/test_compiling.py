import ast
import importlib
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.support.worlds import JIT_IS_OFF
from waypost.kernels import compiling


@pytest.fixture
def own_package(tmp_path, monkeypatch):
    """Another package, with a kernel and a helper in another file."""
    folder = tmp_path / "elsewhere" / "kernels"
    folder.mkdir(parents=True)
    for place in (folder.parent, folder):
        (place / "__init__.py").touch()
    (folder / "steps.py").write_text(
        "from waypost.kernels.compiling import helper\n@helper\ndef step(n):\n    return n + 1\n"
    )
    (folder / "walk.py").write_text(
        "from elsewhere.kernels.steps import step\nfrom waypost.kernels.compiling import kernel\n"
        "@kernel\ndef walk(n):\n    return step(step(n))\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    yield folder
    for name in [name for name in sys.modules if name.partition(".")[0] == "elsewhere"]:
        del sys.modules[name]


@pytest.mark.usefixtures("own_package")
def test_kernels_of_another_package_are_kept_in_a_folder_of_their_own(tmp_path, monkeypatch):
    monkeypatch.setenv("WAYPOST_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(compiling, "ENTRY_POINTS", [])
    assert importlib.import_module("elsewhere.kernels.walk").walk(1) == 3
    name = compiling.code_of("elsewhere").store.folder_name
    assert name.startswith("elsewhere-kernels")
    assert any((tmp_path / "cache" / name).glob("elsewhere.kernels.walk.walk-*.code")) != JIT_IS_OFF


def test_editing_a_helper_of_another_package_changes_what_a_new_process_does(own_package, tmp_path):
    command = [sys.executable, "-c", "from elsewhere.kernels.walk import walk; print(walk(1))"]
    environment = os.environ | {
        "WAYPOST_CACHE": str(tmp_path / "cache"), "PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path]),
    }  # fmt: skip
    source = own_package / "steps.py"
    for step in (1, 2):
        source.write_text(source.read_text().replace("n + 1", f"n + {step}"))
        done = subprocess.run(command, capture_output=True, text=True, env=environment, check=True)
        assert done.stdout == f"{1 + 2 * step}\n"


def test_what_stands_in_no_folder_of_kernels_is_not_kept(monkeypatch):
    monkeypatch.setattr(compiling, "ENTRY_POINTS", [])
    world = {"__name__": "notebook"}
    exec("def twice(n):\n    return 2 * n", world)  # noqa: S102
    assert compiling.kernel(world["twice"])(4) == 8


def filled(size):
    """Makes an array."""
    values = np.empty(size, np.int64)
    for i in range(size):
        values[i] = i
    return values


def summed(values):
    """Borrows one, and a part of it."""
    total = 0
    part = values[1:]
    for i in range(part.size):
        total += part[i]
    return total


@pytest.mark.skipif(JIT_IS_OFF, reason="nothing is compiled")
def test_references_are_counted_only_where_memory_is_made(monkeypatch):
    """The option is one of Numba's own: should it go, this says so."""
    monkeypatch.setattr(compiling, "ENTRY_POINTS", [])
    for function in (filled, summed):
        monkeypatch.setattr(function, "__module__", "a_script")  # nothing of it is kept: it must be compiled here
    make, borrow = compiling.kernel(allocates=True)(filled), compiling.kernel(summed)
    assert borrow(make(5)) == 10
    assert counts_references(make)
    assert not counts_references(borrow)


def counts_references(compiled):
    return any("NRT_" in code for code in compiled.inspect_llvm().values())


# What makes an array. Numba refuses some of it where references are not counted, and not always.
MAKING = {
    "arange", "argsort", "array", "astype", "concatenate", "copy", "cumsum", "diff", "empty", "empty_like",
    "flatnonzero", "full", "full_like", "nonzero", "ones", "ones_like", "repeat", "sort", "unique", "where", "zeros",
    "zeros_like",
}  # fmt: skip
# Functions that count no references may call one that does if it returns numbers only: a new array would be lost.
RETURN_NUMBERS = {
    ("waypost.planners.records.kernels.joins", "join"),
    ("waypost.planners.records.kernels.kdtree", "nearest"),
    ("waypost.planners.trees.kernels.grow", "_all_lead_to"),
    ("waypost.planners.trees.kernels.walk", "_climbed"),
}


def modules_of(pattern):
    """Sources of the package by the names of their modules."""
    package = Path(compiling.__file__).parents[1]
    for path in package.rglob(pattern):
        parts = path.relative_to(package.parent).with_suffix("").parts
        yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts), ast.parse(path.read_text())


def names_in(module, tree):
    """What the names of a module stand for: (module, name), or (module, None) for a module itself."""
    names = {node.name: (module, node.name) for node in tree.body if isinstance(node, ast.FunctionDef)}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            assert not node.level, f"{module} imports by dots"
            names |= {alias.asname or alias.name: (node.module, alias.name) for alias in node.names}
        elif isinstance(node, ast.Import):
            names |= {alias.asname or alias.name: (alias.name, None) for alias in node.names}
    return names


def called(function, names):
    """All that a function calls, as (module, name), and the names of methods as they are."""
    for func in (node.func for node in ast.walk(function) if isinstance(node, ast.Call)):
        if isinstance(func, ast.Name):
            yield names.get(func.id, (None, func.id))
        elif isinstance(func, ast.Attribute):
            module, name = names.get(getattr(func.value, "id", None), (None, None))
            yield ".".join(filter(None, (module, name))) or None, func.attr


def used(module, tree, names):
    """All that a module names, as (module, name), but for functions that name only themselves."""
    for statement in tree.body:
        own = module, getattr(statement, "name", None)
        for node in ast.walk(statement):
            if isinstance(node, ast.Name):
                place = names.get(node.id)
            elif isinstance(node, ast.Attribute) and getattr(node.value, "id", None) in names:
                place = ".".join(filter(None, names[node.value.id])), node.attr
            else:
                continue
            if place != own:
                yield place


def origin(place, names_of):
    """Where what a module may have imported from another is defined."""
    module, name = place
    further = names_of.get(module, {}).get(name, place)
    return place if further == place else origin(further, names_of)


def test_a_call_is_followed_through_imports():
    there = "from waypost.a import make as made\ndef take(): pass"
    here = "import numpy as np\nfrom waypost import b\nfrom waypost.b import take, made\ndef f(x):\n"
    here += "    b.take(), made(), take(), np.empty(1), x.sort(), len(x)"
    trees = {"waypost.b": ast.parse(there), "waypost.c": ast.parse(here)}
    names_of = {module: names_in(module, tree) for module, tree in trees.items()}
    assert {origin(place, names_of) for place in called(trees["waypost.c"].body[-1], names_of["waypost.c"])} == {
        ("waypost.b", "take"), ("waypost.a", "make"), ("numpy", "empty"), (None, "sort"), (None, "len"),
    }  # fmt: skip


def test_arrays_are_made_and_taken_only_by_those_who_free_them():
    trees = dict(modules_of("kernels/*.py"))
    names_of = {module: names_in(module, tree) for module, tree in trees.items()}
    counting, calls = set(), {}
    for module, tree in trees.items():
        for node in tree.body:
            if not isinstance(node, ast.FunctionDef) or not node.decorator_list:
                continue
            (decorator,) = node.decorator_list
            if isinstance(decorator, ast.Call) and "allocates=True" in ast.unparse(decorator):
                counting.add((module, node.name))
            else:
                calls[module, node.name] = {origin(place, names_of) for place in called(node, names_of[module])}
    assert len(counting) > 50
    assert counting >= RETURN_NUMBERS
    for function, callees in calls.items():
        made = {name for where, name in callees if where in {None, "numpy"}} & MAKING
        assert not made, f"{'.'.join(function)} makes an array by {made.pop()}"
        taken = callees & (counting - RETURN_NUMBERS)
        assert not taken, f"{'.'.join(function)} takes a new array from {'.'.join(taken.pop())}"


@pytest.mark.skipif(JIT_IS_OFF, reason="once is enough")
def test_what_is_compiled_is_used_by_more_than_tests():
    trees = dict(modules_of("*.py"))
    names_of = {module: names_in(module, tree) for module, tree in trees.items()}
    places = {place for module, tree in trees.items() for place in used(module, tree, names_of[module])}
    named = {origin(place, names_of) for place in places if place}
    compiled = {
        (module, node.name)
        for module, tree in trees.items()
        for node in tree.body
        if ".kernels." in module and isinstance(node, ast.FunctionDef) and node.decorator_list
    }
    assert len(compiled) > 400
    assert not compiled - named
