from waypost import readiness
from waypost.readiness import Prepared, Readiness


def test_check_says_where_code_comes_from(waypost, monkeypatch):
    found = {
        "dba": Readiness("dba", 3, 2, 0, 0.0),
        "astar": Readiness("astar", 0, 0, 4, 2.6),
        "jps": Readiness("jps", 0, 0, 0, 0.0),
    }
    monkeypatch.setattr(readiness, "readiness", found.get)
    monkeypatch.setattr(readiness, "why_not_shipped", lambda: "this installation came without machine code")
    status, out, err = waypost("prepare", "--check", *found)
    assert (status, err) == (0, "")
    assert "3 shipped, 2 cached" in out
    assert "4 of 4 kernels, about 3 s" in out
    assert "what it needs shows when it is used" in out
    assert "Shipped code is not used: this installation came without machine code." in out
    monkeypatch.setattr(readiness, "why_not_shipped", lambda: None)
    assert "Shipped code is used." in waypost("prepare", "--check", "dba")[1]


def test_it_says_what_it_compiled(waypost, monkeypatch):
    asked = []
    monkeypatch.setattr(
        readiness, "prepared", lambda *names, processes: asked.append((names, processes)) or Prepared(2, 9, 3.0, 5.5)
    )
    monkeypatch.setattr(readiness, "prepare_all", lambda processes: Prepared(0, 93, 0.1, 0.0))
    status, out, _ = waypost("prepare", "dba", "--processes", 2)
    assert status == 0
    assert asked == [(("dba",), 2)]
    assert "Compiled 2 of 9 kernels in 3.0 s (5.5 s of the processor); they are in " in out
    assert waypost("prepare", "--all")[1] == "All 93 kernels are ready: nothing was to be compiled.\n"


def test_an_unknown_planner_is_refused(refused):
    assert "no planner called" in refused("prepare", "dbaa")
    assert "no planner called" in refused("prepare", "--check", "dbaa")
