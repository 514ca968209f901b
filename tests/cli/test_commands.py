import csv
import json
import os
import re
import subprocess
import sys
import time

import numpy as np
import pytest

import waypost as wp
from waypost.catalog import CATALOG
from waypost.cli import completion, show
from waypost.indexes.store import write_index
from waypost.maps import generate, movingai
from waypost.runs.metrics import GPPC_COLUMNS

COMMANDS = ("list", "info", "build", "solve", "run", "draw", "demo", "bench", "generate", "convert", "scale", "swarm")


def test_list(waypost):
    status, out, _ = waypost("list")
    assert status == 0
    for word in (
        "astar",
        "wastar",
        "lss",
        "= klrta",
        "real-time, learns",
        "caves, city, maze, outdoor, rooms",
    ):
        assert word in out
    assert out.index("DBA*") < out.index("A*  "), "the default comes first"


def test_list_says_all_about_a_planner(waypost, refused, monkeypatch):
    monkeypatch.setattr(show, "WIDE", 80)
    status, out, _ = waypost("list", "knn")
    assert status == 0
    assert max(map(len, out.splitlines())) <= 80
    rows = [re.split(r" *│ *", line)[1:-1] for line in out.splitlines() if line.startswith("│")]
    assert ["promises", "real-time, learns, index, fleets"] in rows
    for name, param in CATALOG["knn"].params.items():
        (row,) = (row for row in rows if row[0] == name)
        assert row[1:3] == [f"{param.default:,.0f}", f"{param.lowest:,.0f} to {param.highest:,.0f}"], (
            "10,000 and not 1e+04"
        )
        assert row[3].startswith(param.about[:10])
    assert out.count("(index)") >= sum(param.offline for param in CATALOG["knn"].params.values())
    assert "preset=published" in out
    assert "It has no parameters." in waypost("list", "astar")[1]
    assert "name     │ lss or klrta" in waypost("list", "klrta")[1]
    assert "edits    │ repairs" in waypost("list", "lss")[1]
    assert "did you mean 'dba'" in refused("list", "dbba")


def completed(*words):
    """What the shell is offered for the last of these words."""
    words = {"COMP_WORDS": " ".join(words), "COMP_CWORD": str(len(words) - 1)}
    environment = os.environ | {"_WAYPOST_COMPLETE": "complete_bash"} | words
    done = subprocess.run([sys.executable, "-m", "waypost"], env=environment, capture_output=True, text=True)
    assert done.stderr == ""
    return done.stdout.split()


def test_the_shell_completes_commands_and_names():
    assert completed("waypost", "sw") == ["swarm"]
    assert completed("waypost", "solve", "--planner", "knn") == ["knn", "knn-2009"]
    assert completion.complete_map("ci") == ["city"]
    assert completion.complete_suite("paper-2013") == ["paper-2013"]
    assert completion.complete_paper("201") == ["2010", "2011", "2013"]
    assert completion.complete_diagonals("o") == ["one-open"]
    assert completion.complete_costs("") == ["sqrt2", "1.4"]


def test_completion_is_shown_for_the_shell(waypost):
    assert "--install-completion" in waypost("--help")[1]
    environment = os.environ | {"_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"}
    command = [sys.executable, "-m", "waypost", "--show-completion", "bash"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert "complete -o default -F _waypost_completion waypost" in done.stdout


def test_info(waypost):
    status, out, _ = waypost("info", "rooms", "--diagonals", "never")
    assert status == 0
    assert "99 x 69 = 6,831 cells" in out
    assert wp.load_map("rooms", diagonals="never").fingerprint in out


def test_info_on_an_index_file(waypost, refused, tmp_path):
    path = tmp_path / "caves.waypost"
    arrays = {"targets": np.zeros((700, 3), np.int32), "bound": np.array(2.5)}
    about = {"planner": "trees", "revision": 3, "params": {"cap": 250}, "facts": {"build_seconds": 1.5}}
    write_index(path, grid=wp.load_map("caves"), arrays=arrays, **about)
    status, out, _ = waypost("info", path)
    assert status == 0
    for words in (
        "trees, revision 3",
        "parameter cap",
        "250",
        "160 x 100 cells, 10553 of them open",
        "700 x 3 x int32, 8,400 bytes",
        "float64, 8 bytes",
        "build_seconds",
        "1.5",
    ):
        assert words in out
    path.rename(tmp_path / "caves.map")
    assert "trees, revision 3" in waypost("info", tmp_path / "caves.map")[1]
    path.write_bytes((tmp_path / "caves.map").read_bytes()[:-1])
    assert "caves.waypost is cut short" in refused("info", path)
    path.write_bytes(b"")
    assert "is not an index file of Waypost" in refused("info", path)


def test_solve(waypost, tmp_path):
    files = tmp_path / "a.png", tmp_path / "a.json"
    route = ("--from", "5,60", "--to", "150,20")
    status, out, _ = waypost("solve", "caves", *route, "--draw", files[0], "--trace", files[1])
    assert status == 0
    assert "177.47" in out
    assert files[0].read_bytes().startswith(b"\x89PNG")
    assert json.loads(files[1].read_text())["events"]
    status, out, _ = waypost("solve", "caves", *route, "--planner", "wastar", "-p", "gamma=0.2")
    assert status == 0
    assert "Weighted A*" in out


@pytest.mark.parametrize(
    "command",
    [
        ["solve", "caves", "--from", "5,60", "--to", "150,20", "--draw"],
        ["draw", "caves", "--out"],
        ["demo", "--out"],
        ["swarm", "caves", "--out"],
        ["generate", "rooms", "--out", "a.map", "--draw"],
    ],
    ids=lambda command: command[0],
)
def test_a_picture_of_another_format_is_refused_before_any_work(refused, tmp_path, command, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert "is not written: pictures are PNG, so end its name in .png" in refused(*command, tmp_path / "way.jpg")
    assert not list(tmp_path.iterdir())


def test_solve_as_near_as_possible(waypost, tmp_path):
    path = tmp_path / "islands.map"
    movingai.write_map(path, wp.grid_from_text("..#."))
    assert waypost("solve", path, "--from", "0,0", "--to", "3,0", "--nearest")[0] == 0


def test_run_and_gppc_columns(waypost, tmp_path):
    out_csv = tmp_path / "gppc.csv"
    status, out, _ = waypost("run", "rooms", "--planner", "astar", "--problems", 5, "--seed", 3, "--csv", out_csv)
    assert status == 0
    assert "Suboptimality" in out
    rows = list(csv.DictReader(out_csv.read_text().splitlines()))
    assert list(rows[0]) == list(GPPC_COLUMNS)
    assert [row["experiment_id"] for row in rows] == ["0", "1", "2", "3", "4"]
    for row in rows:
        assert float(row["path_length"]) == float(row["ref_length"]) > 0
        first_20, whole = float(row["20steps_cost"]), float(row["time_cost"])
        assert 0 < first_20 <= whole < 10
        assert 0 < float(row["max_step_time"]) <= whole


def test_run_a_scenario_file(waypost, tmp_path):
    grid = wp.grid_from_text("....#.\n....#.")
    movingai.write_map(tmp_path / "a.map", grid)
    cells = [grid.cell(p) for p in [(0, 0), (3, 1), (5, 0)]]
    problems = [wp.Problem(cells[0], cells[2]), wp.Problem(cells[0], cells[1]), wp.Problem(cells[0], cells[0])]
    movingai.write_scenarios(tmp_path / "a.scen", grid, problems, "a.map")
    status, out, _ = waypost("run", tmp_path / "a.map", tmp_path / "a.scen")
    assert status == 0
    assert "2 of 3 problems were left out" in out
    status, out, _ = waypost("run", tmp_path / "a.map", tmp_path / "a.scen", "--csv", tmp_path / "a.csv")
    (row,) = csv.DictReader((tmp_path / "a.csv").read_text().splitlines())
    assert row["experiment_id"] == "1", "rows name the line of the scenario file"
    status, out, _ = waypost("run", tmp_path / "a.map", tmp_path / "a.scen", "--max-moves", 1)
    assert "0/1" in out
    assert "1 of 1 problems ran out of moves after 1;" in out
    assert "nan" not in out


def test_solve_gives_up_after_so_many_moves(waypost):
    route = ("--from", "122,17", "--to", "44,81", "--planner", "lrta")
    status, out, _ = waypost("solve", "caves", *route, "--max-moves", 100)
    assert status == 0
    assert "lrta: 1 of 1 problems ran out of moves after 100;" in out


def test_tables_fit_a_terminal(waypost, monkeypatch, tmp_path):
    """Of 100 columns; a wider one shows no more."""
    monkeypatch.setattr(show, "WIDE", 100)
    problem = ("caves", "--from", "122,17", "--to", "44,81", "--planner", "lrts")
    for command in (
        ["list"],
        ["solve", *problem],
        ["run", "rooms", "--problems", 3],
    ):
        _, out, _ = waypost(*command)
        rows = [line for line in out.splitlines() if line.startswith("│")]
        assert rows
        assert max(map(len, rows)) <= 100
        assert not any("…" in row for row in rows), "nothing is cut short"


def test_names_are_shown_as_they_are(waypost, tmp_path):
    path = tmp_path / "[red]a[/b].map"
    path.parent.mkdir(parents=True, exist_ok=True)
    movingai.write_map(path, wp.grid_from_text(".."))
    status, out, _ = waypost("info", path)
    assert status == 0
    assert "b].map" in out
    movingai.write_map(tmp_path / "[red]x.map", wp.grid_from_text(".."))
    assert "[red]x.map" in waypost("info", tmp_path / "[red]x.map")[1]


def test_nothing_to_run(refused, tmp_path):
    movingai.write_map(tmp_path / "a.map", wp.grid_from_text(".."))
    (tmp_path / "a.scen").write_text("version 1\n")
    assert "no problem with a path" in refused("run", tmp_path / "a.map", tmp_path / "a.scen")


def test_draw(waypost, tmp_path):
    assert waypost("draw", "maze", "--out", tmp_path / "maze.png", "--scale", 3)[0] == 0
    assert (tmp_path / "maze.png").read_bytes().startswith(b"\x89PNG")


def test_commands_are_about_units_of_a_size(waypost, tmp_path):
    pictures = tmp_path / "large.png", tmp_path / "small.png", tmp_path / "regions.png", tmp_path / "traffic.png"
    draw, size = ("draw", "rooms", "--scale", 3, "--out"), ("--size", 2)
    assert waypost(*draw, pictures[0], *size)[0] == waypost(*draw, pictures[1])[0] == 0
    assert pictures[0].read_bytes() != pictures[1].read_bytes(), "less of the map is open for a large unit"
    assert waypost(*draw, pictures[2], *size, "--planner", "dba")[0] == 0
    status, out, _ = waypost("run", "rooms", "--planner", "astar", "--problems", 3, *size)
    assert status == 0
    assert "3 problems" in out
    crowd = ("--agents", 20, "--seconds", 0.01, "--out", pictures[3])
    assert waypost("swarm", "rooms", *crowd, *size)[0] == 0


def test_generate(waypost, tmp_path):
    files = tmp_path / "a.map", tmp_path / "a.png"
    size = ("--size", "60x40", "--seed", 3)
    status, out, _ = waypost("generate", "city", *size, "-p", "block=20", "--out", files[0], "--draw", files[1])
    assert status == 0
    assert "60 x 40 cells" in out
    assert (movingai.read_map(files[0]) == generate.city(60, 40, 3, block=20)).all()
    assert files[1].read_bytes().startswith(b"\x89PNG")


def test_version_and_bare_call(waypost):
    assert waypost("--version") == (0, f"waypost {wp.__version__}\n", "")
    status, out, _ = waypost()
    assert status == 0
    assert "Usage" in out


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["solve", "caves", "--from", "0.5,1", "--to", "2,2"], "--from must be two whole numbers X,Y, not '0.5,1'"),
        (["solve", "caves", "--from", "9", "--to", "2,2"], "--from must be two whole numbers"),
        (["solve", "caves", "--from", "0,0", "--to", "2,2"], "(0, 0) is on a wall"),
        (["solve", "caves", "--from", "999,0", "--to", "2,2"], "outside the map"),
        (["solve", "caves", "--to", "2,2"], "--from"),
        (["info", "no-such-map"], "there is no map file at 'no-such-map'"),
        (["info", "/"], "is a directory"),
        (["info", "rooms", "--costs", "3"], "costs must be one of"),
        (["run", "rooms", "--planner", "astra"], "did you mean 'astar'?"),
        (["run", "rooms", "--planner", "astar", "-p", "depth=3"], "has no parameter called 'depth'"),
        (["run", "rooms", "--planner", "wastar", "-p", "gamma=7"], "gamma of wastar must be from 0.01 to 1"),
        (["run", "rooms", "--planner", "wastar", "-p", "gamma"], "name=value"),
        (["run", "rooms", "nothing.scen"], "there is no scenario file at nothing.scen"),
        (["run", "rooms", "rooms.scen", "--size", "2"], "leave --size or the file out"),
        (["run", "rooms", "--problems", "0"], "--problems"),
        (["run", "rooms", "--problems", "100000000000000"], "--problems"),
        (["demo", "--problems", "100000000000000"], "--problems"),
        (["info", "no\nmap"], "there is no map file at 'no\\nmap'"),
        (["run", "rooms", "no\nscenarios"], "there is no scenario file at no\\nscenarios"),
        (["run", "rooms", "--index", "no\nindex"], "there is no Waypost index at no\\nindex"),
        (["run", "rooms", "--csv", "/no/such/place.csv"], "there is no directory"),
        (["demo", "--out", "/no/such/place.png"], "there is no directory"),
        (["demo", "--size", "5000x4000"], "--size of the demo is at most 16,000,000 cells, not 5,000 x 4,000"),
        (["draw", "rooms", "--out", "/"], "it is a directory"),
        (["generate", "citty", "--out", "a.map"], "no kind of map called 'citty'; did you mean 'city'?"),
        (["generate", "city", "-p", "blok=9", "--out", "a.map"], "no parameter called 'blok'; did you mean 'block'?"),
        (["generate", "city", "-p", "block=2", "--out", "a.map"], "block of city must be from 8 to 100, not 2"),
        (["generate", "city", "-p", "width=20", "--out", "a.map"], "width, height and seed once each"),
        (["generate", "city", "--size", "200", "--out", "a.map"], "--size must be two whole numbers WxH"),
        (["generate", "city", "--size", "7x90", "--out", "a.map"], "at least 8 x 8 cells, not 7 x 90"),
        (["generate", "city", "--size", "999999x999999", "--out", "a.map"], "too large"),
        (["generate", "city", "--out", "/no/such/place.map"], "there is no directory"),
        (["fly"], "No such command 'fly'"),
        (["--fly"], "(waypost --help shows how)"),
        (["run", "rooms", "-p", "grid=3"], "has no parameter called 'grid'"),
        (["run", "rooms", "-p", "name=3"], "has no parameter called 'name'"),
        (["draw", "rooms", "--out", "x" * 300], "cannot write"),
        (["draw", "rooms", "--out", "a.png", "--planner", "trees"], "say about which cell: --goal X,Y"),
        (["draw", "rooms", "--out", "a.png", "--goal", "8,8", "--planner", "astar"], "astar has no index"),
        (["draw", "rooms", "--out", "a.png", "--goal", "9,9", "--from", "9,9"], "not --goal and --from"),
        (["draw", "rooms", "--out", "a.png", "--from", "9", "--planner", "dba"], "--from must be two whole numbers"),
        (["draw", "rooms", "--out", "a.png", "--depths", "9,9", "--goal", "9,9"], "not --goal and --depths"),
        (["draw", "rooms", "--out", "a.png", "--deepest", "9"], "goes with --depths"),
        (["draw", "rooms", "--out", "a.png", "--depths", "9"], "--depths must be two whole numbers"),
        (["draw", "rooms", "--out", "a.png", "--depths", "8,8", "--planner", "dba"], "without lookahead depths"),
        (["draw", "rooms", "--out", "a.png", "--depths", "8,8", "--planner", "lrta"], "lrta has no index"),
        (["draw", "caves", "--out", "a.png", "--goal", "0,0"], "(0, 0) is on a wall"),
        (["draw", "caves", "--out", "a.png", "--goal", "0"], "--goal must be two whole numbers"),
    ],
)
def test_refusals_are_one_line(refused, arguments, complaint):
    assert complaint in refused(*arguments)


def test_interrupts_are_quiet(waypost, monkeypatch):
    def interrupt(*_args, **_options):
        raise KeyboardInterrupt

    monkeypatch.setattr("waypost.maps.load.load_map", interrupt)
    status, out, err = waypost("info", "rooms")
    assert status == 130
    assert out == ""
    assert err in ("", "waypost: interrupted\n")


@pytest.mark.parametrize("command", COMMANDS)
def test_help_shows_an_example_and_loads_no_compiler(command):
    script = (
        "import sys; from waypost import cli; sys.argv = ['waypost', sys.argv[1], '--help']\n"
        "try: cli.main()\n"
        "finally: assert not {'numba', 'numpy'} & sys.modules.keys()\n"
    )
    begin = time.perf_counter()
    done = subprocess.run([sys.executable, "-c", script, command], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert f"waypost {command}" in done.stdout
    assert "Example" in done.stdout
    assert time.perf_counter() - begin < 10


def test_output_that_nobody_reads_is_no_error():
    done = subprocess.run(f"{sys.executable} -m waypost list | true", shell=True, capture_output=True, text=True)  # noqa: S602
    assert "Traceback" not in done.stderr


def test_generate_writes_the_format_that_the_ending_says(waypost, refused, tmp_path):
    for name in ("a.map", "a.png", "a.npy", "a.yaml"):
        assert waypost("generate", "rooms", "--size", "40x30", "--out", tmp_path / name)[0] == 0
        assert wp.load_map(tmp_path / name).is_open.tolist() == generate.rooms(40, 30, 0).tolist()
    assert "not a format that can be written" in refused("generate", "rooms", "--out", tmp_path / "a.txt")


def test_list_names_the_parameters_of_generated_maps(waypost):
    _, out, _ = waypost("list")
    for make in generate.GENERATORS.values():
        for name, (default, _) in generate.parameters(make).items():
            assert f"{name}={default}" in out


def test_convert_does_not_overwrite_the_image_it_reads(waypost, refused, tmp_path):
    assert waypost("convert", "rooms", tmp_path / "office.yaml", "--origin", "1,2,0.5", "--resolution", "0.05")[0] == 0
    assert "origin: [1.0, 2.0, 0.5]" in (tmp_path / "office.yaml").read_text()
    assert "would overwrite" in refused("convert", tmp_path / "office.yaml", tmp_path / "office.yml")
    assert "--origin must be three numbers" in refused("convert", "rooms", tmp_path / "a.yaml", "--origin", "1,2")


def test_scale_takes_the_options_of_the_format(waypost, tmp_path):
    np.save(tmp_path / "costs.npy", np.array([[0, 1], [0, 7]]))
    assert waypost("scale", tmp_path / "costs.npy", tmp_path / "big.map", "--factor", 2, "--open", 0)[0] == 0
    assert wp.load_map(tmp_path / "big.map").open_count == 8


def test_swarm_moves_a_crowd_and_draws_its_traffic(waypost, tmp_path):
    status, out, _ = waypost(
        "swarm", "rooms", "--agents", "200", "--seconds", "0.1", "--budget-us", "500", "--planner", "hcdps",
        "--out", tmp_path / "traffic.png",
    )  # fmt: skip
    assert status == 0
    for shown in ("ns per move", "tick p99", "tick max", "waiting now", "bytes per agent", "Wrote"):
        assert shown in out
    assert (tmp_path / "traffic.png").read_bytes().startswith(b"\x89PNG")
    assert waypost("swarm", "rooms", "--planner", "astar")[0] == 2


@pytest.fixture
def office(tmp_path):
    """A ROS map of the bundled rooms."""
    wp.save_map(wp.load_map("rooms"), tmp_path / "office.yaml", resolution=0.5, origin=(-10, 20, 0))
    return tmp_path / "office.yaml"


def test_places_in_metres(waypost, office, tmp_path):
    out = waypost("info", office)[1]
    assert "49.5 x 34.5 m, cells of 0.5 m" in out
    assert "(-10, 20) m, turned by 0 radians" in out
    ends = wp.load_map(office).frame.to_metres([(5, 60), (80, 10)]).tolist()
    start, goal = (f"{x},{y}" for x, y in ends)
    in_cells = waypost("solve", office, "--from", "5,60", "--to", "80,10", "--planner", "jps")[1]
    status, in_metres, _ = waypost("solve", office, f"--from={start}", f"--to={goal}", "--metres", "--planner", "jps")
    assert status == 0
    moves = [line for line in in_cells.splitlines() if line.lstrip("│ ").startswith("Moves")]
    assert moves
    assert set(moves) <= set(in_metres.splitlines())
    assert " m long." in in_metres
    assert " m long." not in in_cells
    for name, place in (("cells.png", ["--goal", "80,10"]), ("metres.png", ["--goal", goal, "--metres"])):
        assert waypost("draw", office, "-P", "dba", *place, "--out", tmp_path / name)[0] == 0
    assert (tmp_path / "cells.png").read_bytes() == (tmp_path / "metres.png").read_bytes()


def test_places_in_metres_that_are_refused(refused, office):
    def solve(map_name, start):
        return refused("solve", map_name, f"--from={start}", "--to=1,1", "--metres")

    assert "--metres takes a map that says where it lies" in solve("rooms", "1,1")
    assert "--from must be two numbers X,Y in metres, not '1'" in solve(office, "1")
    assert "--from (1, 1) m is off the map" in solve(office, "1,1")
    assert "--from must be two finite numbers" in solve(office, "nan,1")


def test_maps_are_drawn_smaller(waypost, refused, tmp_path):
    assert waypost("draw", "maze", "--out", tmp_path / "whole.png", "--scale", 1)[0] == 0
    assert waypost("draw", "maze", "--out", tmp_path / "half.png", "--scale", "1/2")[0] == 0
    size = slice(16, 24)  # width and height stand there in a PNG
    whole, half = (np.frombuffer((tmp_path / name).read_bytes()[size], ">u4") for name in ("whole.png", "half.png"))
    assert half.tolist() == [-(-side // 2) for side in whole.tolist()]
    for odd in ("0", "65", "2/3", "1/0", "1/65", "1.5", "x", "1/"):
        assert "--scale must be a whole number up to 64, or 1/2 to 1/64" in refused(
            "draw", "maze", "--out", tmp_path / "odd.png", "--scale", odd
        )
