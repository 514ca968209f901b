"""Make a wheel that carries machine code: python -m tools.platform_wheel [--level LEVEL]... PURE_WHEEL FOLDER.

The pure wheel is installed into an environment of its own, at a place that names no machine; there all kernels are
compiled for each level of processors, packed, and added to the wheel, which then asks for just this Numba and is tagged
for just this Python and system. The same on every system: on arm64, macOS and Windows there is one level, the
processor that Numba calls generic.
"""

import argparse
import base64
import hashlib
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import venv
import zipfile
from pathlib import Path
from pprint import pformat
from typing import Any

ROOT = Path(__file__).parents[1]
IS_X86_LINUX = sys.platform == "linux" and platform.machine() == "x86_64"
DEFAULT_LEVELS = ["x86-64-v2"] if IS_X86_LINUX else ["generic"]
TIMESTAMP = (1980, 1, 1, 0, 0, 0)  # so that two builds are equal
CONTENTS = '''"""What machine code this wheel carries (see machine_code.shipped); tools/platform_wheel.py wrote it."""

PLATFORM = {platform!r}
SOURCES = {sources!r}
PACKS = {packs}
'''


def build_environment(pure: Path) -> Path:
    """The interpreter of an environment that has the pure wheel, at a neutral place: code names files of Numba."""
    place = Path(tempfile.gettempdir()) / "waypost-build"
    venv.create(place, clear=True, with_pip=True)
    python = place / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    run(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", str(pure))
    return python


def run(*command: object, **environment: str) -> str:
    """What a command prints."""
    words = [str(word) for word in command]
    done = subprocess.run(words, check=False, env=os.environ | environment, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(words[:4])} ... failed")
    return done.stdout


def packed(python: Path, level: str, folder: Path) -> dict[str, Any]:
    """Compile all kernels for a level, and put them into one file."""
    # NUMBA_CPU_FEATURES must be set, to nothing: else those of this machine are added to the named processor's.
    settings = {"NUMBA_CPU_NAME": level, "NUMBA_CPU_FEATURES": "", "PYTHONPATH": str(ROOT)}
    with tempfile.TemporaryDirectory() as cache:
        settings["WAYPOST_CACHE"] = cache
        print(f"{level}: {run(python, '-m', 'waypost', 'prepare', '--all', **settings).strip()}", flush=True)
        return dict(json.loads(run(python, "-m", "tools.pack_kernels", folder, level, **settings)))


def tag() -> str:
    """The tag of wheels for this Python and system."""
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    system = "manylinux_2_17_x86_64" if IS_X86_LINUX else re.sub(r"[-.]", "_", sysconfig.get_platform())
    return f"{python}-{python}-{system}"


def exact_requirements(metadata: str, python: Path) -> str:
    """Metadata that asks for just the Numba and llvmlite that made the code."""
    script = "import llvmlite, numba; print(numba.__version__, llvmlite.__version__)"
    numba_version, llvmlite_version = run(python, "-c", script).split()
    exact = f"Requires-Dist: numba=={numba_version}\nRequires-Dist: llvmlite=={llvmlite_version}"
    changed, count = re.subn(r"^Requires-Dist: numba(?![\w-]).*$", exact, metadata, flags=re.MULTILINE)
    if count != 1:
        sys.exit("the metadata of the pure wheel must ask for numba once")
    return changed


def write_wheel(pure: Path, out: Path, added: dict[str, bytes], python: Path) -> Path:
    """The pure wheel with more files, and with metadata that fit."""
    files: dict[str, bytes] = {}
    with zipfile.ZipFile(pure) as wheel:
        for name in wheel.namelist():
            files[name] = wheel.read(name)
    record = next(name for name in files if name.endswith(".dist-info/RECORD"))
    folder = record.removesuffix("RECORD")
    del files[record]
    files |= added
    files[f"{folder}METADATA"] = exact_requirements(files[f"{folder}METADATA"].decode(), python).encode()
    about = re.sub(r"(?m)^Tag: .*$", f"Tag: {tag()}", files[f"{folder}WHEEL"].decode())
    files[f"{folder}WHEEL"] = about.replace("Root-Is-Purelib: true", "Root-Is-Purelib: false").encode()
    rows = [f"{name},sha256={_digest(data)},{len(data)}\n" for name, data in sorted(files.items())]
    files[record] = "".join([*rows, f"{record},,\n"]).encode()
    target = out / re.sub(r"-py3-none-any\.whl$", f"-{tag()}.whl", pure.name)
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as wheel:
        for name in sorted(files, key=lambda name: (name == record, name)):
            entry = zipfile.ZipInfo(name, TIMESTAMP)
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            wheel.writestr(entry, files[name])
    return target


def _digest(data: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pure", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--level", action="append", dest="levels")
    given = parser.parse_args()
    levels = given.levels or DEFAULT_LEVELS
    python = build_environment(given.pure.resolve())
    added = {"waypost/shipped/__init__.py": b'"""Machine code that came with the package."""\n'}
    with tempfile.TemporaryDirectory() as folder:
        found = {level: packed(python, level, Path(folder)) for level in levels}
        for level in levels:
            added[f"waypost/shipped/{level}.pack"] = (Path(folder) / f"{level}.pack").read_bytes()
    first = found[levels[0]]
    packs = pformat({level: each["entries"] for level, each in found.items()}, width=100_000)
    contents = CONTENTS.format(platform=first["platform"], sources=first["sources"], packs=packs)
    added["waypost/shipped/contents.py"] = contents.encode()
    given.out.mkdir(parents=True, exist_ok=True)
    wheel = write_wheel(given.pure, given.out, added, python)
    shutil.rmtree(python.parents[1])
    print(f"{wheel}: {wheel.stat().st_size / 1e6:.2f} MB, {len(first['entries'])} kernels, {', '.join(levels)}")


if __name__ == "__main__":
    main()
