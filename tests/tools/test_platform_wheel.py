"""Wheels with machine code: what is Python in the recipe, for every system."""

import base64
import hashlib
import zipfile

import pytest

from tools import pack_kernels, platform_wheel
from waypost.machine_code.switches import LEVELS

METADATA = (
    "Name: waypost\nRequires-Dist: numba>=0.61\nRequires-Dist: numpy>=2.0\nRequires-Dist: numba-extras; extra == 'x'\n"
)
WHEEL = "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"


@pytest.fixture
def versions(monkeypatch):
    """Versions that the environment of a build answers with."""
    monkeypatch.setattr(platform_wheel, "run", lambda *_: "0.68.1 0.50.0\n")


@pytest.fixture
def pure(tmp_path):
    """A small pure wheel."""
    path = tmp_path / "waypost-0.1.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as wheel:
        wheel.writestr("waypost/__init__.py", "")
        wheel.writestr("waypost-0.1.0.dist-info/METADATA", METADATA)
        wheel.writestr("waypost-0.1.0.dist-info/WHEEL", WHEEL)
        wheel.writestr("waypost-0.1.0.dist-info/RECORD", "waypost/__init__.py,,\n")
    return path


@pytest.mark.parametrize(
    ("is_x86_linux", "system", "expected"),
    [
        (True, "linux-x86_64", "manylinux_2_17_x86_64"),
        (False, "linux-aarch64", "linux_aarch64"),
        (False, "macosx-14.0-arm64", "macosx_14_0_arm64"),
        (False, "win-amd64", "win_amd64"),
    ],
)
def test_tags(monkeypatch, is_x86_linux, system, expected):
    monkeypatch.setattr(platform_wheel, "IS_X86_LINUX", is_x86_linux)
    monkeypatch.setattr(platform_wheel.sysconfig, "get_platform", lambda: system)
    python, abi, tag = platform_wheel.tag().split("-")
    assert python == abi
    assert python.startswith("cp3")
    assert tag == expected


def test_it_asks_for_just_the_versions_that_made_the_code(versions):
    assert platform_wheel.exact_requirements(METADATA, None).splitlines() == [
        "Name: waypost",
        "Requires-Dist: numba==0.68.1",
        "Requires-Dist: llvmlite==0.50.0",
        "Requires-Dist: numpy>=2.0",
        "Requires-Dist: numba-extras; extra == 'x'",
    ]


def test_a_wheel_that_does_not_ask_for_numba_is_refused(versions):
    with pytest.raises(SystemExit, match="must ask for numba once"):
        platform_wheel.exact_requirements("Name: waypost\n", None)


def test_what_is_written(versions, pure, tmp_path):
    added = {"waypost/shipped/generic.pack": b"machine code"}
    (tmp_path / "again").mkdir()
    wheel, again = (platform_wheel.write_wheel(pure, place, added, None) for place in (tmp_path, tmp_path / "again"))
    assert wheel.read_bytes() == again.read_bytes()
    assert wheel.name == f"waypost-0.1.0-{platform_wheel.tag()}.whl"
    with zipfile.ZipFile(wheel) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    assert files["waypost/shipped/generic.pack"] == b"machine code"
    about = files["waypost-0.1.0.dist-info/WHEEL"].decode().splitlines()
    assert about == ["Wheel-Version: 1.0", "Root-Is-Purelib: false", f"Tag: {platform_wheel.tag()}"]
    record = files.pop("waypost-0.1.0.dist-info/RECORD").decode().splitlines()
    assert record.pop() == "waypost-0.1.0.dist-info/RECORD,,"
    for row, (name, data) in zip(record, sorted(files.items()), strict=True):
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip("=")
        assert row == f"{name},sha256={digest},{len(data)}"


def test_levels_have_names_that_packages_know():
    assert set(platform_wheel.DEFAULT_LEVELS) <= set(LEVELS)
    assert set(pack_kernels.FORBIDDEN) < set(LEVELS)


def test_a_command_that_fails_ends_the_build():
    with pytest.raises(SystemExit, match=r"failed"):
        platform_wheel.run("python3", "-c", "raise SystemExit(3)")


def test_a_table_that_lacks_a_kernel_fails_the_build(monkeypatch, tmp_path):
    monkeypatch.setattr(pack_kernels.sys, "argv", ["pack_kernels", str(tmp_path), "generic"])
    monkeypatch.setattr(pack_kernels, "all_kernels", lambda: ["waypost.kernels.new.kernel"])
    with pytest.raises(SystemExit, match=r"new\.kernel is not in the table of kernels"):
        pack_kernels.main()


def test_a_kernel_without_machine_code_fails_the_build(monkeypatch, tmp_path):
    monkeypatch.setattr(pack_kernels.sys, "argv", ["pack_kernels", str(tmp_path), "generic"])
    store = pack_kernels.code_of().store
    monkeypatch.setattr(store, "read", lambda _: None)
    with pytest.raises(SystemExit, match="has no machine code for"):
        pack_kernels.main()
