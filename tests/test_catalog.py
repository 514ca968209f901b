"""The table of planners, and its door for other packages."""

import importlib.metadata
import subprocess
import sys
from dataclasses import replace
from inspect import signature

import pytest

import waypost as wp
from tests.support.neighbour_index import ENTRY, Follower
from waypost import catalog
from waypost.catalog import CATALOG, Catalog
from waypost.errors import ParameterError
from waypost.planners.entry import TAKEN


@pytest.fixture(autouse=True)
def _leave_no_trace():
    before = dict(CATALOG)
    yield
    for name in set(CATALOG) - set(before):
        del CATALOG[name]


class Installed:
    """An entry point of an installed package."""

    def __init__(self, package, load):
        self.dist = type("Distribution", (), {"name": package})
        self.value, self.load = f"{package}.entries:ENTRIES", load

    def __lt__(self, other):
        return self.value < other.value


@pytest.fixture
def installed(monkeypatch):
    """Makes a table in an environment with these packages."""

    def make(**packages):
        points = [Installed(package, load) for package, load in packages.items()]
        monkeypatch.setattr(catalog, "entry_points", lambda group: points if group == "waypost.planners" else [])
        return Catalog({"astar": CATALOG["astar"]})

    return make


def test_a_registered_planner_is_known_everywhere():
    wp.register(replace(ENTRY, aliases=("next-door",)))
    grid = wp.grid_from_text("...")
    assert wp.build("neighbours", grid).path((0, 0), (2, 0)).tolist() == [[0, 0], [1, 0], [2, 0]]
    assert catalog.find("next-door").name == "neighbours"
    with pytest.raises(ParameterError, match="did you mean 'next-door'"):
        catalog.find("next-dor")


@pytest.mark.parametrize(
    ("entry", "complaint"),
    [
        (replace(ENTRY, name="astar"), r"^there is a planner called 'astar' already: A\*$"),
        (replace(ENTRY, name="klrta"), "there is a planner called 'klrta' already: LSS"),
        (replace(ENTRY, aliases=("lss",)), "there is a planner called 'lss' already"),
        (replace(ENTRY, aliases=("klrta",)), "there is a planner called 'klrta' already"),
        (replace(ENTRY, aliases=("neighbours",)), "there is a planner called 'neighbours' already"),
        (Follower, "a planner is registered by a waypost.Entry, not by"),
        ("neighbours", "a planner is registered by a waypost.Entry, not by 'neighbours'"),
        (None, "a planner is registered by a waypost.Entry, not by None"),
    ],
)
def test_registering_is_refused_in_one_sentence(entry, complaint):
    before = dict(CATALOG)
    with pytest.raises(ParameterError, match=complaint) as refused:
        wp.register(entry)
    assert "\n" not in str(refused.value)
    assert dict(CATALOG) == before


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"name": "Two Words"}, "small letters, digits and hyphens"),
        ({"name": None}, "small letters, digits and hyphens"),
        ({"aliases": ("-",)}, "small letters, digits and hyphens"),
        ({"agent": wp.Grid}, "the agent of neighbours must be a kind of Agent"),
        ({"agent": "Follower"}, "the agent of neighbours must be a kind of Agent"),
        ({"index": Follower}, "the index of neighbours must be a kind of Index"),
        ({"params": {"depth": 3}}, "depth of neighbours is described by a waypost.Param, not by 3"),
        (
            {"params": {"progress": wp.Param(0, 0, 1, "how far")}},
            "neighbours cannot be called progress: build takes that",
        ),
        ({"index": None}, "backwards of neighbours is offline=True, but there is no index"),
        ({"presets": {"odd": {"wings": 2}}}, "the preset odd of neighbours sets what is no parameter: wings"),
    ],
)
def test_an_entry_that_makes_no_sense_is_refused_when_it_is_made(change, complaint):
    with pytest.raises(ParameterError, match=complaint):
        replace(ENTRY, **change)


def test_what_build_takes_itself_is_no_name_of_a_parameter():
    own = [name for name, each in signature(wp.build).parameters.items() if each.kind is not each.VAR_KEYWORD]
    assert sorted([*own, catalog.PRESET]) == sorted(TAKEN)


def test_an_entry_needs_three_things_and_takes_all_others_by_name():
    entry = wp.Entry("plain", "Plain", Follower)
    assert (entry.revision, entry.params, entry.real_time, entry.walks) == (1, {}, False, False)
    with pytest.raises(TypeError):
        wp.Entry("plain", "Plain", Follower, "a paper")
    with pytest.raises(TypeError):
        wp.Entry("plain", "Plain", Follower, wings=2)
    with pytest.raises(TypeError):
        wp.Param(0, 0, 1, "what it is", True)


def test_planners_of_installed_packages_are_found_when_the_table_is_read(installed):
    loaded = []
    table = installed(more=lambda: loaded.append("more") or [ENTRY])
    assert not loaded
    assert list(table) == ["astar", "neighbours"]
    assert len(table) == 2
    assert loaded == ["more"]


def test_a_package_that_fails_is_left_out_and_all_others_work(installed):
    def broken():
        raise ImportError("no module\nnamed wings")

    table = installed(
        a_broken=broken, b_leaves=lambda: sys.exit("bye"), c_clashes=lambda: [ENTRY, CATALOG["astar"]], d_odd=lambda: 5,
        e_good=lambda: [ENTRY],
    )  # fmt: skip
    with pytest.warns(RuntimeWarning) as told:
        assert list(table) == ["astar", "neighbours"]
    assert [str(warning.message) for warning in told][:3] == [
        "the planners of a_broken (a_broken.entries:ENTRIES) are left out: ImportError: no module named wings",
        "the planners of b_leaves (b_leaves.entries:ENTRIES) are left out: SystemExit: bye",
        "the planners of c_clashes (c_clashes.entries:ENTRIES) are left out: "
        "ParameterError: there is a planner called 'astar' already: A*",
    ]
    assert "d_odd" in str(told[3].message)
    assert table["neighbours"] is ENTRY


def test_a_package_may_read_the_table_while_it_is_loaded(installed):
    seen = []
    table = installed(nosy=lambda: seen.extend(table) or [ENTRY])
    assert list(table) == ["astar", "neighbours"]
    assert seen == ["astar"]


def test_help_and_import_look_for_no_package(tmp_path):
    """An installed package whose planners take for ever to load."""
    info = tmp_path / "slow-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: slow\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[waypost.planners]\nslow = slow:ENTRIES\n")
    (tmp_path / "slow.py").write_text("raise RuntimeError('loaded')\n")
    assert [path.name for path in importlib.metadata.Distribution.at(info).entry_points] == ["slow"]
    command = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); from waypost.cli import main; main()"

    def run(argument):
        return subprocess.run([sys.executable, "-c", command, argument], capture_output=True, text=True)

    assert run("--help").stderr == ""
    listed = run("list")
    assert listed.returncode == 0
    assert listed.stderr == "waypost: the planners of slow (slow:ENTRIES) are left out: RuntimeError: loaded\n"
