"""Every example runs, and writes what its first argument names."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize("script", sorted((ROOT / "examples").glob("*.py")), ids=lambda path: path.stem)
def test_example(script, tmp_path):
    done = subprocess.run([sys.executable, script, tmp_path / "out.png"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "Wrote" in done.stdout
    assert (tmp_path / "out.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("name", ["generators", "growing_town", "sizes", "warehouse"])
def test_the_picture_of_the_documentation_is_what_the_example_draws(name, tmp_path):
    subprocess.run([sys.executable, ROOT / "examples" / f"{name}.py", tmp_path / "out.png"], check=True)
    shown = ROOT / "docs" / "images" / f"{name}.png"
    # Pixels, not bytes: zlib may pack them differently elsewhere.
    assert np.array_equal(*map(pixels, (shown, tmp_path / "out.png")))


def pixels(path):
    """Of a picture, or of the first of several."""
    with Image.open(path) as picture:
        return np.asarray(picture)
