import os
import sys
from pathlib import Path

import pytest

from tests.support.families import all_families, concerns, planners_of
from waypost import cli


def pytest_addoption(parser):
    parser.addoption("--family", choices=all_families(), help="only tests that concern a family of planners")


def pytest_collection_modifyitems(config, items):
    """The check that every kernel was compiled once must see the whole run."""
    items.sort(key=lambda item: item.path.name == "test_signatures.py")
    if family := config.getoption("--family"):
        planners = planners_of(family)
        items[:] = [item for item in items if concerns(item, family, planners)]


@pytest.fixture(scope="session")
def real_maps():
    """The folder of benchmark maps, where the user has them."""
    folder = os.environ.get("WAYPOST_MAPS")
    if not folder:
        pytest.skip("WAYPOST_MAPS is not set: point it at a folder with dao, rooms, mazes and random from MovingAI")
    return Path(folder)


@pytest.fixture
def waypost(monkeypatch, capsys):
    """Run a command line; returns the exit status, what it printed and what it complained about."""

    def waypost(*arguments):
        monkeypatch.setattr(sys, "argv", ["waypost", *map(str, arguments)])
        with pytest.raises(SystemExit) as stop:
            cli.main()
        output = capsys.readouterr()
        return stop.value.code or 0, output.out, output.err

    return waypost


@pytest.fixture
def refused(waypost):
    """Run a command line that must be refused: exit 2, one line, nothing printed; returns the line."""

    def refused(*arguments):
        status, out, err = waypost(*arguments)
        assert status == 2
        assert out == ""
        assert err.startswith("waypost: ")
        assert err.count("\n") == 1
        return err

    return refused
