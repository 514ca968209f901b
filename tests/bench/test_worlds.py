from pathlib import Path

import pytest

import waypost as wp
from tests.support.suites import TINY, read, rows, run
from waypost.bench.worlds import MapSource, ProblemChoice, maps_folder
from waypost.maps import generate, movingai

GENERATED = """
[[maps]]
generate = ["caves", "rooms"]
size = [24, 20]
seed = 3
"""


@pytest.fixture
def folder(tmp_path):
    """A folder of benchmark maps: two in one set, with scenarios."""
    for name in ("a", "b"):
        path = tmp_path / "maps" / "set" / f"{name}.map"
        path.parent.mkdir(parents=True, exist_ok=True)
        grid = wp.grid_from_text("....#.\n....#.\n......")
        movingai.write_map(path, grid)
        problems = [wp.Problem(grid.cell((x, 0)), grid.cell((5, 0))) for x in range(4)]
        stand = wp.Problem(problems[0].start, problems[0].start)
        movingai.write_scenarios(f"{path}.scen", grid, [stand, *problems], path.name)
    return tmp_path / "maps"


def suite_of(tmp_path, maps, problems="random = 6"):
    return read(tmp_path, TINY.replace(GENERATED, f"\n[[maps]]\n{maps}\n").replace("random = 6\nseed = 2", problems))


def test_generated_and_bundled_maps(tmp_path):
    suite = read(
        tmp_path, TINY.replace("seed = 3", "seed = [3, 4]\nwalls = 0.4").replace('"caves", "rooms"', '"caves"')
    )
    first, second = suite.find_maps(None)
    assert first.name == "caves(24x20, seed=3, walls=0.4)"
    assert (second.load("both-open", "sqrt2").is_open == generate.caves(24, 20, 4, walls=0.4)).all()
    assert [source.name for source in suite_of(tmp_path, 'bundled = "*"').find_maps(None)] == wp.bundled_maps()
    assert len(suite_of(tmp_path, 'generate = "*"\nsize = [24, 20]').find_maps(None)) == len(generate.GENERATORS)


def test_map_files_by_pattern(tmp_path, folder, monkeypatch):
    suite = suite_of(tmp_path, 'files = ["set/b.map", "set/*.map"]')
    assert [source.name for source in suite.find_maps(folder)] == ["set/b.map", "set/a.map"]
    for pattern in ("set", "set/", "s*", "**/*.map"):
        suite = suite_of(tmp_path, f'files = "{pattern}"')
        assert [source.name for source in suite.find_maps(folder)] == ["set/a.map", "set/b.map"], pattern
    here = suite_of(tmp_path, 'files = "."')
    assert [source.name for source in here.find_maps(folder / "set")] == ["a.map", "b.map"]
    monkeypatch.setenv("WAYPOST_MAPS", str(folder))
    assert maps_folder(None) == folder
    assert maps_folder(tmp_path) == tmp_path


def test_map_files_are_enlarged(tmp_path, folder):
    suite = suite_of(tmp_path, 'files = "set/a.map"\nscale = 3')
    (source,) = suite.find_maps(folder)
    assert source.name == "set/a.map x 3"
    small, large = (wp.load_map(source.path), source.load("one-open", "1.4"))
    assert (large.width, large.height, large.open_count) == (18, 9, 9 * small.open_count)
    assert (large.diagonals, large.costs_name) == ("one-open", "1.4")
    with pytest.raises(wp.WaypostError, match="scale must be a whole number from 1 to 1,000"):
        suite_of(tmp_path, 'files = "set/a.map"\nscale = 0')
    with pytest.raises(wp.WaypostError, match="is not a map file, so it has no scenario file"):
        ProblemChoice(3, from_scenarios=True).choose(source, large)


@pytest.mark.parametrize(
    ("maps", "complaint"),
    [
        ('files = "set/*.map"', "name it with --maps or WAYPOST_MAPS"),
        ('files = "/set/*.map"', "named by their place below the folder of maps, not by '/set/*.map'"),
        ('files = "../*.map"', "not by '../*.map'"),
        ("bundled = []", "maps 1: bundled must be a text or a list of texts, not []"),
        ("files = []", "maps 1: files must be a text or a list of texts, not []"),
        ('bundled = "cave"', "there is no bundled map called 'cave'; there are caves, "),
        ('generate = "cave"\nsize = [24, 20]', "no kind of map called 'cave'"),
        ('generate = "caves"\nsize = [24, 20]\nwals = 1', "no parameter called 'wals'"),
    ],
)
def test_maps_that_are_not_there(tmp_path, monkeypatch, maps, complaint):
    monkeypatch.delenv("WAYPOST_MAPS", raising=False)
    with pytest.raises(wp.WaypostError) as refusal:
        [source.load("both-open", "sqrt2") for source in suite_of(tmp_path, maps).find_maps(None)]
    assert complaint in str(refusal.value)


def test_folders_without_maps(tmp_path, folder):
    suite = suite_of(tmp_path, 'files = "set/*.png"')
    with pytest.raises(wp.WaypostError, match=r"has no 'set/\*\.png'"):
        suite.find_maps(folder)
    with pytest.raises(wp.WaypostError, match=r"has no '\./\*\.map'"):
        suite_of(tmp_path, 'files = "."').find_maps(folder)
    with pytest.raises(wp.WaypostError, match=r"'\*\*set/\*\.map' is no pattern of files: "):
        suite_of(tmp_path, 'files = "**set/*.map"').find_maps(folder)
    with pytest.raises(wp.WaypostError, match="there is no folder of maps at"):
        suite.find_maps(Path("no/such/place"))


def test_scenarios_keep_their_numbers(folder):
    choice = ProblemChoice(2, from_scenarios=True)
    source = MapSource("set/a.map", str(folder / "set" / "a.map"))
    chosen = choice.choose(source, source.load("both-open", "sqrt2"))
    assert chosen.rows[:, 0].tolist() == [2, 4], "evenly spread over lines 1 to 4, of which line 0 goes nowhere"
    assert (chosen.rows[:, 3] > 0).all()
    with pytest.raises(wp.WaypostError, match="is not a map file, so it has no scenario file"):
        choice.choose(MapSource("caves", "caves"), wp.load_map("caves"))


def test_scenario_suites(tmp_path, folder):
    text = TINY.replace(GENERATED, '\n[[maps]]\nfiles = "set/*.map"\n').replace("random = 6\nseed = 2", "scenarios = 3")
    outcome = run(tmp_path, text, maps=folder)
    assert outcome.complete
    assert {(row["map"], row["scenarios"]) for row in rows(tmp_path)} == {
        ("set/a.map", "a.map.scen"),
        ("set/b.map", "b.map.scen"),
    }
    scenarios = folder / "set" / "a.map.scen"
    scenarios.write_text(scenarios.read_text().replace("\t3\t0\t5\t0\t", "\t2\t2\t5\t0\t"))
    assert run(tmp_path, text, maps=folder).fresh == 6, "another scenario file makes other problems"


def test_random_problems_keep_to_the_range():
    grid = wp.load_map("rooms")
    chosen = ProblemChoice(20, seed=5, length=(30, 40)).choose(MapSource("rooms", "rooms"), grid)
    lengths = chosen.rows[:, 3] / grid.costs.straight
    assert len(chosen) == 20
    assert ((lengths >= 30) & (lengths <= 40)).all()
