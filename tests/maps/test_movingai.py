import numpy as np
import pytest

import waypost as wp
from waypost.maps import movingai, scenarios

PLAIN = "type octile\nheight 2\nwidth 3\nmap\n.G@\nSTO\n"


@pytest.fixture
def write(tmp_path):
    def write(content, name="a.map"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


@pytest.mark.parametrize(
    "content",
    [
        PLAIN,
        PLAIN.replace("\n", "\r\n"),
        PLAIN.rstrip("\n"),
        PLAIN + "\n\n",
        PLAIN.replace("height 2\nwidth 3", "width 3\nheight 2"),
        PLAIN.replace("height 2", "height  2 "),
    ],
    ids=["plain", "CRLF", "no last line end", "blank lines after", "width first", "more blanks"],
)
def test_maps_as_found_in_the_wild(write, content):
    assert movingai.read_map(write(content)).tolist() == [[True, True, False], [True, False, False]]


def test_terrain(write):
    row = ".GS@OTW"
    assert movingai.read_map(write(f"type octile\nheight 1\nwidth 7\nmap\n{row}")).tolist() == [
        [True] * 3 + [False] * 4
    ]


def test_maps_round_trip(tmp_path):
    is_open = np.random.default_rng(0).random((17, 29)) < 0.6
    movingai.write_map(tmp_path / "a.map", wp.Grid(is_open))
    assert np.array_equal(movingai.read_map(tmp_path / "a.map"), is_open)


TABS = "version 1\n0\tmaps/dao/a.map\t3\t2\t0\t0\t1\t0\t1\n9\tmaps/dao/a.map\t3\t2\t0\t0\t0\t1\t1.41421356\n"


@pytest.mark.parametrize(
    "content",
    [TABS, TABS.replace("\t", " ").replace("version 1", "version 1.0"), TABS.replace("\n", "\r\n"), TABS[10:]],
    ids=["tabs", "spaces, version 1.0", "CRLF", "no version"],
)
def test_scenarios_as_found_in_the_wild(write, content):
    scenarios = movingai.read_scenarios(write(content, "a.map.scen"))
    assert scenarios == [
        movingai.Scenario(0, "a.map", 3, 2, (0, 0), (1, 0), 1.0),
        movingai.Scenario(9, "a.map", 3, 2, (0, 0), (0, 1), 1.41421356),
    ]


def test_a_map_name_with_blanks_in_a_tabbed_file(write):
    (scenario,) = movingai.read_scenarios(write("version 1\n0\tmy maps/the map.map\t3\t2\t0\t0\t1\t0\t1\n", "a.scen"))
    assert scenario.map_name == "the map.map"


def test_thousands_of_lines_however_they_are_written(write):
    """Plain lines are read by a kernel, the others one by one: in one file, they are what they are alone."""
    random = np.random.default_rng(3)
    written, expected = ["version 1\n"], []
    for i in range(9000):
        start, goal = [tuple(random.integers(0, 10 ** random.integers(1, 6), 2).tolist()) for _ in range(2)]
        length = round(1000 * random.random(), int(random.integers(0, 14)))
        fields = (i % 99, f"maps/{i % 7}.map", 3, 2, *start, *goal, length)
        expected.append(movingai.Scenario(fields[0], f"{i % 7}.map", 3, 2, start, goal, length))
        separator = ("\t", " ")[i // 4000 % 2]
        odd = i // 500 % 3 == 0 and random.integers(6)
        line = (separator * (2 if odd == 1 and separator == " " else 1)).join(map(str, fields))
        written.append(f"{line}{' ' if odd == 2 else ''}{(chr(10), chr(13) + chr(10))[i // 700 % 2]}")
        written.append("\n" if odd == 3 else "")
    content = "".join(written)
    assert movingai.read_scenarios(write(content, "a.scen")) == expected
    assert movingai.read_scenarios(write(content.rstrip(), "a.scen")) == expected


@pytest.mark.parametrize(
    ("line", "singly"),
    [
        ("7\ta.map\t9\t9\t1\t2\t3\t4\t31.5 \n", 0),
        ("7  a.map  9 9  1 2  3 4  31.5\n", 0),
        (" 7 a.map 9 9 1 2 3 4 31.5\n\n", 0),
        ("7\ta.map\t9\t9\t1\t2\t3\t4\t3.15e1\n", 1),
    ],
)
def test_odd_lines_are_read_once(write, monkeypatch, line, singly):
    taken = []

    def counted(lines, *others):
        taken.extend(lines)
        return read_lines(lines, *others)

    read_lines = scenarios.read_lines
    monkeypatch.setattr(scenarios, "read_lines", counted)
    found = movingai.read_scenarios(write(line * 5000, "a.scen"))
    assert found == [movingai.Scenario(7, "a.map", 9, 9, (1, 2), (3, 4), 31.5)] * 5000
    assert len(taken) == 5000 * singly


def test_numbers_of_any_size(write):
    for number in (0, 127, 128, -129, 40_000, -(2**31), 2**40, 10**30):
        (first, second) = movingai.read_scenarios(
            write(f"0\ta.map\t3\t2\t{number}\t0\t1\t0\t1\n0\t\t3\t2\t0\t0\t1\t{number}\t1\n", "a.scen")
        )
        assert (first.start, second.goal, second.map_name) == ((number, 0), (1, number), "")


def test_problems_of_thousands_of_lines(write):
    grid = wp.Grid(np.ones((90, 80), bool))
    problems = wp.sample_problems(grid, 9000, 2)
    path = write("", "a.scen")
    movingai.write_scenarios(path, grid, problems, "a.map")
    assert wp.load_problems(path, grid) == problems
    lines = path.read_text().splitlines(keepends=True)
    lines[7001] = lines[7001].replace("\t80\t90\t", "\t80\t91\t")
    with pytest.raises(wp.WaypostError, match="scenario 7001: the scenario is for a map of 80 x 91"):
        wp.load_problems(write("".join(lines), "a.scen"), grid)
    lines[7001] = "0\n"
    with pytest.raises(wp.WaypostError, match="line 7002: a scenario has 9 fields, this line has 1"):
        wp.load_problems(write("".join(lines), "a.scen"), grid)


def test_problems_keep_what_has_no_path(write):
    grid = wp.load_map(write("type octile\nheight 1\nwidth 3\nmap\n.@.\n"))
    scen = write("version 1\n0\ta.map\t3\t1\t0\t0\t2\t0\t0\n0\ta.map\t3\t1\t0\t0\t0\t0\t0\n", "a.scen")
    problems = wp.load_problems(scen, grid)
    assert [(grid.xy(p.start), grid.xy(p.goal)) for p in problems] == [((0, 0), (2, 0)), ((0, 0), (0, 0))]


def test_scenarios_round_trip(tmp_path):
    grid = wp.Grid(np.ones((9, 9), bool))
    problems = wp.sample_problems(grid, 20, 1, min_length=1)
    movingai.write_scenarios(tmp_path / "a.scen", grid, problems, "a.map")
    back = movingai.read_scenarios(tmp_path / "a.scen")
    assert [movingai.scenario_problem(s, grid) for s in back] == [wp.Problem(p.start, p.goal) for p in problems]
    assert [s.length for s in back] == pytest.approx([grid.length(p.optimal) for p in problems])
    assert all(s.bucket == int(s.length) // 4 for s in back)
