"""The command on a tiny paper of generated maps: it runs, goes on, keeps rows, and says what was missed."""

import re
import zipfile
from pathlib import Path

import pytest

from waypost.bench.papers import description
from waypost.errors import WaypostError

SUITE = """
title = "Tiny"
baseline = "astar"

[[planner]]
name = "astar"

[[planner]]
name = "wastar"
gamma = 0.5

[[maps]]
generate = ["caves", "rooms"]
size = [24, 20]
seed = 3

[problems]
random = 6
seed = 2

[[claim]]
text = "A* expands little"
of = "astar"
metric = "expansions_per_move_max"
at_most = 1
"""
PAPER = """
title = "A tiny paper"
source = "Nobody 2026"
about = "It is about nothing."

[[suite]]
name = "tiny"
base = "tiny.toml"
beyond = true
why = "Because they are small."
quick = { problems = { random = 3 }, values = { gamma = { "0.5" = 0.8 } } }
standin = { problems = { random = 4 } }

[[statistic]]
title = "optimal cost"
suite = "tiny"
of = "astar"
quantity = "optimal"
paper = [1, 2, 3, nan, 4]

[[item]]
number = "Table 1"
title = "Costs"
suite = "tiny"
columns = ["suboptimality", "expanded"]
rows = [
    { label = "A*", of = "astar", paper = [0, 5] },
    { label = "WA*", of = { planner = "wastar", gamma = 0.5 }, paper = [3, nan] },
]

[[item]]
number = "Figure 1"
title = "Costs"
suite = "tiny"
rows_of = "Table 1"
panels = [{ x = "expanded", y = "suboptimality" }]

[[item]]
number = "Figure 2"
title = "Maps"
suite = "tiny"
illustration = "maps"
facts = [7]

[[item]]
number = "Table 2"
title = "Beside each other"
suite = "tiny"
pairs = [{ label = "A*", of = "astar", against = "wastar", measure = "costs", paper = [1.5] }]

[[item]]
number = "Table 3"
title = "Read off"
suite = "tiny"
read_off = [{ label = "where there are 5", of = "wastar", at = 5, paper = 3 }]

[[rules]]
title = "Rules"
suites = ["tiny"]
quantity = "suboptimality"
rows = [{ label = "WA*", of = "wastar", paper = [3] }]

[[sets]]
title = "Sets"
suite = "tiny"
quantity = "suboptimality"
take = { caves = 1 }
always = ["rooms(24x20, seed=3)"]
draws = 10
rows = [{ label = "WA*", of = "wastar", paper = [3] }]

[[sets]]
title = "Sums of sets"
suite = "tiny"
quantity = "suboptimality"
by_sums = true
take = { caves = 1 }
draws = 5
rows = [{ label = "WA*", of = "wastar" , paper = [3] }]

[[missing]]
what = "Nothing."
text = "It is all there."
"""


@pytest.fixture
def paper(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("WAYPOST_MAPS", raising=False)
    monkeypatch.setattr(description, "planners_beyond", lambda: ["jps"])
    monkeypatch.setattr("waypost.bench.papers.scale.planners_beyond", lambda: ["jps"])
    monkeypatch.setattr("waypost.bench.papers.refusals.planners_beyond", lambda: ["jps"])
    Path("tiny.toml").write_text(SUITE)
    Path("paper.toml").write_text(PAPER)
    return "paper.toml"


def without_times(report):
    return re.sub(r"\| (us per move|build per map)[^#]*|- While it ran .*\n", "", report)


def test_a_paper_runs_goes_on_and_keeps_its_rows(paper, waypost):
    status, out, err = waypost("paper", paper, "--quick", "--keep-rows", "rows.zip", "--page", "docs.md")
    assert status == 1, "it expands much, and no cause is recorded"
    assert "generated stand-ins are used instead" in err
    assert "Missed without a known cause: A* expands little" in out
    report = Path("waypost-paper/paper-quick/report.md").read_text()
    assert "**STAND-INS" in report
    assert "Quick, to scale, on stand-ins: complete, 16 of 16 episodes." in report
    for heading in ("Table 1", "Figure 1", "Figure 2", "Table 2", "Claims", "Beyond the paper", "Sensitivity"):
        assert re.search(rf"^##+ {heading}", report, re.MULTILINE), heading
    assert "| suboptimality (%) | paper | ours | ours / paper |" in report
    assert "| A* | 0 | 0 | 1.00 |" in report
    assert "| where there are 5 | 5 | 3 |" in report
    assert "| maps | 7 | 2 |" in report
    by_sums = report.split("### Sums of sets: suboptimality (%), as ratio of sums")[1].split("###")[0]
    assert "| WA* | 3 | 0" in by_sums
    assert "There is but one set in this run, that of all 2 maps." in report
    page = Path("waypost-paper/paper-quick/report.html").read_text()
    assert page.count("data:image/png;base64,") == len(re.findall(r"^!\[", report, re.MULTILINE))
    assert "](pictures/docs/figure-1.png)" in Path("docs.md").read_text()
    assert Path("pictures/docs/figure-1.png").exists()

    with zipfile.ZipFile("rows.zip") as archive:
        assert "tiny/episodes.parquet" in archive.namelist()
    status, out, _ = waypost("paper", paper, "--quick", "--rows", "rows.zip", "--minutes", "0", "--out", "other")
    assert status == 1
    assert "Took 24 episodes from rows.zip" in out
    assert "NOT COMPLETE" not in out
    assert without_times(Path("other/report.md").read_text()) == without_times(report)


def test_a_planner_of_today_that_refuses_a_map_is_left_out_in_a_sentence(paper, waypost, monkeypatch):
    for module in ("description", "scale", "refusals"):
        monkeypatch.setattr(f"waypost.bench.papers.{module}.planners_beyond", lambda: ["jps", "hub"])

    def refuse(runs, _threads):
        raise WaypostError("it is too large, for a test")

    monkeypatch.setattr("waypost.bench.papers.running.build_indexes", refuse)
    status, out, _ = waypost("paper", paper, "--quick", "--keep-rows", "rows.zip")
    assert status == 1, "for the claim that is missed"
    assert "NOT COMPLETE" not in out
    said = '`hub` is left out: of caves(24x20, seed=3) it says "it is too large, for a test".'
    assert said in Path("waypost-paper/paper-quick/report.md").read_text()
    waypost("paper", paper, "--quick", "--rows", "rows.zip", "--minutes", "0", "--out", "other")
    assert said in Path("other/report.md").read_text()


def test_a_planner_of_the_paper_must_not_refuse(paper, waypost, monkeypatch):
    Path("tiny.toml").write_text(SUITE.replace('name = "wastar"\ngamma = 0.5', 'name = "dba"'))
    Path(paper).write_text(re.sub(r'"wastar"|\{ planner = "wastar", gamma = 0.5 \}', '"dba"', PAPER))

    def refuse(runs, _threads):
        raise WaypostError("it is too large, for a test")

    monkeypatch.setattr("waypost.bench.papers.running.build_indexes", refuse)
    status, _, err = waypost("paper", paper)
    assert status == 2
    assert err.endswith("waypost: it is too large, for a test\n")


def test_times_beside_other_work_are_called_noisy(paper, waypost, monkeypatch):
    monkeypatch.setattr("os.getloadavg", lambda: (7.5, 3.0, 1.0))
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    waypost("paper", paper, "--quick")
    monkeypatch.setattr("os.getloadavg", lambda: (0.5, 0.5, 0.5))
    waypost("paper", paper, "--quick")
    report = Path("waypost-paper/paper-quick/report.md").read_text()
    assert "- While it ran up to 7.5 processes wanted the 2 cores, so that its times are noisy." in report


def test_without_time_the_report_says_what_is_not_run(paper, waypost):
    status, out, _ = waypost("paper", paper, "--quick", "--minutes", "0")
    assert status == 0, "what has not been run is not missed"
    assert "NOT COMPLETE: run it again to go on." in out
    report = Path("waypost-paper/paper-quick/report.md").read_text()
    assert "NOT COMPLETE, 0 of 16 episodes." in report
    assert "not run yet" in report


def test_what_a_description_cannot_mean_is_refused(paper, refused):
    for old, new, said in (
        ('of = "astar", paper = [0, 5]', 'of = "astar", paper = [0]', "paper must list 2 numbers"),
        ('quantity = "optimal"', 'quantity = "beauty"', "quantity must be one of"),
        ('suite = "tiny"\nrows_of', 'suite = "huge"\nrows_of', "there is no suite called 'huge'"),
        ("gamma = 0.5 }", "delta = 0.5 }", "wastar has no parameter called delta"),
        ('illustration = "maps"', "", "nothing says what fills it"),
    ):
        Path("bad.toml").write_text(PAPER.replace(old, new))
        assert said in refused("paper", "bad.toml")
    Path("bad.zip").write_text("no zip")
    assert "holds no rows of a paper" in refused("paper", paper, "--rows", "bad.zip")
    assert "there is no paper called '1999'" in refused("paper", "1999")
