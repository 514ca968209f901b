import pytest

import waypost as wp
from waypost import catalog, readiness
from waypost.errors import ParameterError
from waypost.machine_code import signatures


@pytest.fixture
def three_kernels(monkeypatch):
    """DBA* as if it had three kernels: one shipped, one cached and one to be compiled."""
    sources = {"a": "shipped", "b": "cached", "c": None}
    monkeypatch.setattr(signatures, "kernels_of", lambda name, **_: list(sources) if name == "dba" else None)
    monkeypatch.setattr(signatures, "seconds_of", lambda kernel: 7.0)
    monkeypatch.setattr(readiness, "source_of", sources.get)
    monkeypatch.setattr(readiness, "missing", lambda kernels: [each for each in kernels if sources[each] is None])

    def compile_all(kernels, jobs, compiled):
        for kernel in kernels:
            sources[kernel] = "cached"
            compiled(kernel, 2.5)

    monkeypatch.setattr(readiness, "compile_all", compile_all)
    return sources


def test_it_compiles_what_is_missing_and_says_what_it_did(three_kernels):
    done = wp.prepare("dba")
    assert (done.compiled, done.kernels, done.processor_seconds) == (1, 3, 2.5)
    assert wp.prepare().compiled == 0


def test_in_the_background_it_returns_at_once(three_kernels):
    later = wp.prepare("dba", background=True)
    assert later.result(timeout=60).compiled == 1


def test_where_code_comes_from(three_kernels):
    found = readiness.readiness("dba")
    assert (found.shipped, found.cached, found.missing, found.seconds, found.kernels) == (1, 1, 1, 7.0, 3)
    assert readiness.readiness("astar").is_unknown


def test_planners_of_others_are_rehearsed(monkeypatch):
    rehearsed = []
    monkeypatch.setattr(signatures, "kernels_of", lambda name, **_: None)
    monkeypatch.setattr(readiness, "rehearse", rehearsed.append)
    monkeypatch.setattr(readiness, "rehearse_batches", lambda name: rehearsed.append(f"batches of {name}"))
    monkeypatch.setattr(readiness, "rehearse_fleet", lambda name: rehearsed.append(f"fleet of {name}"))
    wp.prepare("dba")
    wp.prepare("dba", fleet=False)
    assert rehearsed == ["dba", "batches of dba", "fleet of dba", "dba", "batches of dba"]


def test_everything(three_kernels, monkeypatch):
    monkeypatch.setattr(readiness, "all_kernels", lambda: ["a", "c"])
    for rehearse in ("rehearse", "rehearse_batches", "rehearse_fleet"):
        monkeypatch.setattr(readiness, rehearse, lambda name: None)
    assert readiness.prepare_all().compiled == 1


def test_wrong_arguments_are_refused():
    with pytest.raises(ParameterError, match="no planner called"):
        wp.prepare("dbaa")
    with pytest.raises(ParameterError):
        wp.prepare("dba", processes=0)


@pytest.mark.parametrize("name", list(catalog.CATALOG))
def test_the_table_names_all_kernels_that_a_planner_uses(name):
    """By its family's folder at least: `make wheel` uses every planner, and counts."""
    family = catalog.find(name).agent.__module__.rpartition(".")[0]
    kernels = signatures.kernels_of(name)
    assert any(kernel.startswith(("waypost.kernels.", f"{family}.kernels.")) for kernel in kernels)
