import logging

import pytest

from waypost.machine_code import events, signatures
from waypost.preparing import telling

COSTS = {"one.kernels.a": 3.0, "one.kernels.b": 4.0, "one.kernels.fleet": 5.0, "quick.kernels.c": 1.0}


@pytest.fixture
def compiled(monkeypatch):
    """Planners whose kernels are all missing, as no planner of ours is; what is compiled of them."""
    compiled = []
    lists = {"one": ["one.kernels.a", "one.kernels.b"], "quick": ["quick.kernels.c"]}

    def kernels_of(planner, *, batches, fleet):
        assert not batches, "what solves many problems waits until it is asked for"
        return lists.get(planner, []) + (["one.kernels.fleet"] if fleet and planner == "one" else [])

    monkeypatch.setattr(telling, "READY", set())
    monkeypatch.setattr(signatures, "kernels_of", kernels_of)
    monkeypatch.setattr(signatures, "seconds_of", COSTS.get)
    monkeypatch.setattr(telling, "missing", lambda kernels: [each for each in kernels if each not in compiled])
    monkeypatch.setattr(telling, "compile_kernel", compiled.append)
    return compiled


def test_what_takes_long_is_compiled_at_once_and_said_in_a_line(compiled, caplog):
    with caplog.at_level(logging.WARNING, "waypost"):
        telling.make_ready("one")
        telling.make_ready("one")
    assert compiled == ["one.kernels.a", "one.kernels.b"]
    assert caplog.messages == [
        "Waypost compiles one for this machine, once: about 7 s. To have it done ahead: waypost prepare one"
    ]
    telling.make_ready("one", fleet=True)
    assert compiled[2:] == ["one.kernels.fleet"]
    assert "about 5 s" in caplog.messages[-1]


def test_on_a_terminal_it_is_said_there(compiled, caplog, capsys, monkeypatch):
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    telling.make_ready("one")
    assert "Waypost compiles one for this machine, once: about 7 s." in capsys.readouterr().err
    assert caplog.messages == []


def test_without_a_bar_it_goes_to_the_log_there_too(compiled, caplog, capsys, monkeypatch):
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    telling.make_ready("one", show=False)
    assert capsys.readouterr().err == ""
    assert len(caplog.messages) == 1


def test_what_is_quick_is_left_until_it_is_called(compiled, caplog):
    telling.make_ready("quick")
    telling.make_ready("a planner of others")
    assert compiled == []
    assert caplog.messages == []


def test_kernels_of_others_are_said_once_they_have_taken_long(caplog, monkeypatch):
    listeners = []
    monkeypatch.setattr(events, "listen", listeners.append)
    import importlib

    importlib.reload(telling)
    (teller,) = listeners
    clock = iter(range(0, 100, 3))
    monkeypatch.setattr(telling.time, "process_time", lambda: next(clock))
    for _ in range(3):
        teller.begins("elsewhere.kernels.walk.walk")
        teller.ends("elsewhere.kernels.walk.walk")
    assert [line for line in caplog.messages if "elsewhere" in line] == [
        "Waypost compiles elsewhere for this machine, once. To have it done ahead: waypost prepare --all"
    ]
