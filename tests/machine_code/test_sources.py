import ast
import sys
from types import SimpleNamespace

import pytest

from waypost.machine_code import sources

REMEMBERED = (sources.sources_of, sources.kernel_digest, sources.package_digest)


@pytest.fixture(autouse=True)
def forget():
    """What was read of other sources must not be remembered."""
    forget_all()
    yield
    forget_all()


def forget_all():
    for function in REMEMBERED:
        function.cache_clear()


@pytest.fixture
def tree(tmp_path, monkeypatch):
    """A package in place of ours; writes a module of it, and forgets what was read before."""
    monkeypatch.setattr(sources, "PACKAGE", tmp_path)

    def write(module, text):
        path = tmp_path.joinpath(*module.split(".")).with_suffix(".py")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        forget_all()

    write("kernels.tiles", "side = 8")
    write("kernels.marks", "from waypost.kernels import (\n    tiles,\n)")
    write("planners.one.kernels.walk", "from waypost.kernels.marks import cost_of")
    write("planners.two.kernels.walk", "import numpy as np")
    return write


ONE, TWO = (f"waypost.planners.{family}.kernels.walk.walk" for family in ("one", "two"))


def test_a_kernel_is_known_by_its_module_and_all_that_it_imports(tree):
    one, two, whole = sources.kernel_digest(ONE), sources.kernel_digest(TWO), sources.package_digest()
    tree("kernels.tiles", "side = 16")
    assert sources.kernel_digest(ONE) != one
    assert sources.kernel_digest(TWO) == two
    assert sources.package_digest() != whole
    tree("kernels.tiles", "side = 8")
    assert sources.kernel_digest(ONE) == one
    tree("planners.two.kernels.walk", "import numpy as np, waypost.kernels.tiles")
    assert sources.kernel_digest(TWO) != two
    assert sources.kernel_digest(ONE) == one


def test_a_kernel_whose_module_is_not_found_is_known_by_all_sources(tree):
    assert sources.kernel_digest("waypost.planners.one.kernels.walk.Some.walk") == sources.package_digest()


def test_kernels_of_another_package_are_known_by_its_sources_and_ours(tree, tmp_path, monkeypatch):
    other = tmp_path / "elsewhere"
    (other / "kernels").mkdir(parents=True)
    (other / "kernels" / "steps.py").write_text("one")
    monkeypatch.setitem(sys.modules, "elsewhere", SimpleNamespace(__path__=[str(other)]))
    found = {sources.kernel_digest("elsewhere.kernels.walk.walk")}
    assert found == {sources.package_digest("elsewhere")}
    (other / "kernels" / "steps.py").write_text("two")
    forget_all()
    found.add(sources.kernel_digest("elsewhere.kernels.walk.walk"))
    tree("kernels.tiles", "side = 16")
    found.add(sources.kernel_digest("elsewhere.kernels.walk.walk"))
    assert len(found) == 3


def imported_by(source):
    """What a source imports, by its syntax tree."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level
            yield from (node.module, *(f"{node.module}.{alias.name}" for alias in node.names))


def test_every_import_of_our_kernels_is_found():
    for module, source in sources.sources_of().items():
        assert {*imported_by(source)} <= {*sources.imported(source)}, module
        assert {name for name in imported_by(source) if name in sources.sources_of()} <= {*sources.needed(module)}


def test_a_family_is_not_made_of_all_others():
    everything = sources.sources_of()
    assert len(everything) > 60
    assert len(sources.needed("waypost.planners.regions.kernels.walk")) < len(everything) / 2
