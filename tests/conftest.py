import os
from pathlib import Path

import pytest


def pytest_collection_modifyitems(items):
    """The check that every kernel was compiled once must see the whole run."""
    items.sort(key=lambda item: item.path.name == "test_signatures.py")


@pytest.fixture(scope="session")
def real_maps():
    """The folder of benchmark maps, where the user has them."""
    folder = os.environ.get("WAYPOST_MAPS")
    if not folder:
        pytest.skip("WAYPOST_MAPS is not set: point it at a folder with dao, rooms, mazes and random from MovingAI")
    return Path(folder)
