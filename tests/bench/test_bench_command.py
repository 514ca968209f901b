"""The command, and the whole way from maps to plots over every planner in the catalog."""

import importlib
import re
import sys

import pytest

from tests.bench.suites import TINY
from tests.test_cli import refused, waypost  # noqa: F401 - fixtures
from waypost.bench.suite import shipped_suites
from waypost.catalog import CATALOG


def test_smoke(waypost, tmp_path):  # noqa: F811
    status, out, _ = waypost("bench", "smoke", "--out", tmp_path, "--front", "suboptimality_percent,online_kb")
    assert status == 0
    for name in CATALOG:
        assert name in out
    assert "Not beaten on these" in out
    assert "Means over the problems that arrived; of times the median; of other maxima the largest." in out
    written = re.findall(r"^Wrote (.*?)(?::.*)?$", out, re.MULTILINE)
    assert len(written) >= 5
    for path in written:
        assert (tmp_path / path).exists()
    assert list((tmp_path / "plots").glob("*.png"))
    assert "16/16" in out
    assert re.search(r"^0 of \d+ episodes were run now", waypost("bench", "smoke", "--out", tmp_path)[1], re.MULTILINE)


def test_list(waypost):  # noqa: F811
    status, out, _ = waypost("bench", "--list")
    assert status == 0
    assert all(name in out for name in shipped_suites())


def test_results_go_to_a_folder_of_the_suites_name(waypost, tmp_path, monkeypatch):  # noqa: F811
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.toml").write_text(TINY)
    assert waypost("bench", "mine.toml", "--no-plots")[0] == 0
    assert (tmp_path / "waypost-bench" / "mine" / "episodes.parquet").exists()
    assert not (tmp_path / "waypost-bench" / "mine" / "plots").exists()


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ([], "name a suite, or list them with --list"),
        (["nonsense"], "there is no suite called 'nonsense'"),
        (["smoke", "--front", "speed,moves"], "there is no metric called 'speed'"),
        (["smoke", "--front", "moves"], "name 2 or 3 different metrics, not 'moves'"),
        (["smoke", "--workers", "0"], "--workers"),
        (["exact", "--maps", "/no/such/place"], "there is no folder of maps at /no/such/place"),
        (["smoke", "--out", "/dev/null/x"], "cannot write results to /dev/null/x"),
    ],
)
def test_refusals(refused, arguments, complaint):  # noqa: F811
    assert complaint in refused("bench", *arguments)


@pytest.mark.parametrize(("package", "extra"), [("pyarrow", "bench"), ("matplotlib", "plot")])
def test_missing_packages_are_named(refused, monkeypatch, package, extra):  # noqa: F811
    for name in ("waypost.bench.results", "waypost.bench.plot", "waypost.bench.runner", "waypost.bench.report"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    really = importlib.import_module

    def without(name, *rest):
        if name.split(".")[0] == package:
            raise ImportError(name)
        return really(name, *rest)

    monkeypatch.setattr(importlib, "import_module", without)
    assert f'pip install "waypost[{extra}]"' in refused("bench", "smoke")
