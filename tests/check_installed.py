"""Run where pip has installed the wheel and examples/own_planner, and nothing else of ours: does everything work?"""

import subprocess
import sys
import tempfile
from importlib import metadata
from pathlib import Path

import waypost as wp
from waypost.testing import check_planner

package = Path(wp.__file__).parent
assert "site-packages" in package.parts, f"imported from {package}, not from the wheel"
assert (package / "py.typed").is_file()
assert wp.bundled_maps() == ["caves", "city", "maze", "outdoor", "rooms"]
assert metadata.version("waypost") == wp.__version__
assert wp.build("astar", wp.load_map("rooms")).path((0, 0), (5, 5)).shape == (6, 2)

command = Path(sys.executable).with_name("waypost")
with tempfile.TemporaryDirectory() as folder:
    shown = subprocess.run(
        [command, "demo", "--size", "300x250"], cwd=folder, check=True, capture_output=True, text=True
    ).stdout
    assert (Path(folder) / "waypost-demo.png").read_bytes().startswith(b"\x89PNG")
assert "all have moved after" in shown
assert "smoke" in subprocess.run([command, "bench", "--list"], check=True, capture_output=True, text=True).stdout
refused = subprocess.run([command, "bench", "smoke"], capture_output=True, text=True)
assert refused.returncode == 2, "benchmarks need an extra"
assert 'pip install "waypost[' in refused.stderr
assert "Usage" in subprocess.run([command, "--help"], check=True, capture_output=True, text=True).stdout

listed = subprocess.run([command, "list"], check=True, capture_output=True, text=True).stdout
for name in ("bfs", "beacons"):  # of the package own-planner
    assert name in listed.split(), f"{name} is not listed"
    check_planner(name)
print(f"The wheel of waypost {wp.__version__} is complete and works, also with planners of another package.")
