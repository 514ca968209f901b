import re
import tomllib

import pytest

import waypost as wp
from tests.support.suites import TINY, read, rows, run
from waypost.bench import suite as suites
from waypost.bench.changing import is_about_changes, read_changing_suite
from waypost.bench.suite import read_suite, read_title, shipped_suites
from waypost.catalog import CATALOG
from waypost.runs.metrics import METRICS


def test_lists_are_expanded_to_products(tmp_path, monkeypatch):
    entry = CATALOG["wastar"]
    both = {**entry.params, "other": entry.params["gamma"]}
    monkeypatch.setitem(suites.catalog.CATALOG, "wastar", type(entry)(**{**vars(entry), "params": both}))
    text = TINY.replace('planner = ["astar", "wastar"]', "")
    suite = read(tmp_path, text + '[[planner]]\nname = "wastar"\ngamma = [0.2, 0.4]\nother = [0.1, 0.3]\n')
    assert [setting.label for setting in suite.settings] == [
        "wastar(gamma=0.2, other=0.1)",
        "wastar(gamma=0.2, other=0.3)",
        "wastar(gamma=0.4, other=0.1)",
        "wastar(gamma=0.4, other=0.3)",
    ]


def test_defaults(tmp_path):
    suite = read(tmp_path, TINY, "mine")
    assert suite.name == "mine"
    assert [setting.label for setting in suite.settings] == ["astar", "wastar"]
    assert suite.settings[1].params == (("gamma", 0.5),)
    assert suite.limits.moves == 1_000_000
    assert (suite.diagonals, suite.costs, suite.each_move) == ("both-open", "sqrt2", True)
    assert all(name in METRICS for pair in (*suite.plots, *suite.fronts) for name in pair)


def test_every_planner_by_a_star_and_no_setting_twice(tmp_path):
    text = TINY.replace('["astar", "wastar"]', '["*", "astar", "*"]')
    assert [setting.planner for setting in read(tmp_path, text).settings] == list(CATALOG)


@pytest.mark.parametrize("name", shipped_suites())
def test_shipped_suites(name):
    """They can be read, or say which planner this version does not have yet."""
    assert read_title(name)
    named = tomllib.loads((suites.SHIPPED / f"{name}.toml").read_text()).get("planner")
    wanted = [named] if isinstance(named, str) else [one if isinstance(one, str) else one["name"] for one in named]
    if is_about_changes(name):
        assert read_changing_suite(name).title == read_title(name)
    elif all(planner == "*" or planner in CATALOG for planner in wanted):
        assert read_suite(name).title == read_title(name)
    else:
        with pytest.raises(wp.WaypostError, match=rf"suite {name}, planner \d+: there is no planner called"):
            read_suite(name)


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("title", "titel", "suite broken: title is missing; give a text"),
        ('title = "Tiny"', 'title = "Tiny"\nlimit = 3', "there is no key 'limit' here; did you mean 'limits'?"),
        ('title = "Tiny"', 'title = "Tiny', "is not TOML"),
        ('title = "Tiny"', "title = 3", "title must be a text, not 3"),
        ('"wastar"]', '"wastr"]', "planner 2: there is no planner called 'wastr'; did you mean 'wastar'?"),
        ('planner = ["astar", "wastar"]', "", "there is nothing to run: [[planner]] is missing"),
        ('planner = ["astar", "wastar"]', "planner = [3]", "planner must be an array of tables: [[planner]]"),
        ("[[maps]]", "[[map]]", "there is no key 'map' here; did you mean 'maps'?"),
        ('generate = ["caves", "rooms"]', "", "name maps by one of bundled, generate and files"),
        ("size = [24, 20]", "", "maps 1: size is missing; give two whole numbers in brackets"),
        ("size = [24, 20]", "size = [24]", "size must be two whole numbers in brackets, not [24]"),
        ("size = [24, 20]", "size = [20.9, 20.2]", "size must be two whole numbers in brackets, not [20.9, 20.2]"),
        ("size = [24, 20]", "size = [4, 4]", "maps 1: a generated map is at least 8 x 8 cells, not 4 x 4"),
        ("size = [24, 20]", "size = [24, 20]\nwals = 1", "maps 1: caves has no parameter called 'wals'"),
        ('"caves", "rooms"', '"cave"', "suite broken, maps 1: there is no kind of map called 'cave'"),
        ('generate = ["caves", "rooms"]', "generate = []", "generate must be a text or a list of texts, not []"),
        ("seed = 3", "seed = []", "maps 1: seed must be a whole number or a list of them, not []"),
        ("seed = 3", "seed = -3", "seed must be a whole number or a list of them, not -3"),
        ("random = 6", "", "choose problems by one of random and scenarios"),
        ("random = 6", "random = 0", "random must be a whole number from 1 to 10,000,000, not 0"),
        ("random = 6", "random = true", "random must be a whole number from 1 to 10,000,000, not True"),
        ("random = 6", "random = 1000000000000", "from 1 to 10,000,000, not 1000000000000"),
        ("random = 6\nseed = 2", "scenarios = 10000001", "scenarios must be a whole number from 1 to 10,000,000"),
        ("seed = 2", "seed = 1" + "0" * 5000, "is not TOML"),
        ("random = 6", "random = 6\nlength = [9, 3]", "length must be a range [lowest, highest]"),
        ("random = 6", "scenarios = 6", "problems: there is no key 'seed' here"),
        ("[[maps]]", "[limits]\nmoves = 0\n[[maps]]", "limits: moves must be a whole number from 1 to 1,000,000,000"),
        ("[[maps]]", "[limits]\nmoves = 1000000001\n[[maps]]", "from 1 to 1,000,000,000, not 1000000001"),
        ("[[maps]]", "[limits]\nepisode_seconds = inf\n[[maps]]", "episode_seconds must be a number of at least 0"),
        ("[[maps]]", "rounds = 2\n[limits]\nepisode_seconds = 9\n[[maps]]", "rounds make the same moves again"),
        ("[[maps]]", "rounds = 0\n[[maps]]", "rounds must be"),
        (
            "[[maps]]",
            "[limits]\nsuite_seconds = 1" + "0" * 400 + "\n[[maps]]",
            "suite_seconds must be a number of at least 0",
        ),
        ("[[maps]]", "[limits]\nmovs = 1\n[[maps]]", "did you mean 'moves'?"),
        ("[[maps]]", '[[plot]]\nx = "moves"\ny = "speed"\n[[maps]]', "there is no metric called 'speed'"),
        ("[[maps]]", '[[plot]]\nx = "moves"\ny = "moves"\n[[maps]]', "name 2 different metrics"),
        ("[[maps]]", '[[front]]\nmetrics = "moves"\n[[maps]]', "front 1: name 2 or 3 different metrics"),
        ("planner =", 'timing = "steps"\nplanner =', "timing must be one of 'moves', 'walk', not 'steps'"),
        ("planner =", 'costs = "1.5"\nplanner =', "costs must be one of 'sqrt2', '1.4', not '1.5'"),
        ("planner =", 'baseline = "jps"\nplanner =', "baseline must be one of 'astar', 'wastar', not 'jps'"),
        (
            "[[maps]]",
            '[[published]]\nlabel = "A"\nsource = "B"\nbeside = "jps"\nfigures = {moves = 1}\n[[maps]]',
            "beside must be the label of a setting of this suite, not 'jps'",
        ),
        (
            "[[maps]]",
            '[[published]]\nlabel = "A"\nsource = "B"\nfigures = {moves = "many"}\n[[maps]]',
            "published 1: moves must be a number, not 'many'",
        ),
        (
            "[[maps]]",
            '[[published]]\nlabel = "A"\nsource = "B"\nfigures = {}\n[[maps]]',
            "published 1: figures are missing; name at least one metric and its value",
        ),
    ],
)
def test_refusals(tmp_path, old, new, complaint):
    assert old in TINY
    with pytest.raises(wp.WaypostError) as refusal:
        read(tmp_path, TINY.replace(old, new, 1), "broken")
    assert complaint in str(refusal.value)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize(
    ("planner", "complaint"),
    [
        ('name = "wastar"\ngamma = 7', "planner 1: gamma of wastar must be from 0.01 to 1, not 7"),
        ('name = "astar"\ndepth = 7', "planner 1: astar has no parameter called 'depth'"),
        ('name = "wastar"\ngamma = []', "planner 1: gamma lists no value"),
        ('name = "*"\ndepth = 7', "every planner (*) runs with its defaults"),
        (
            'name = "astar"\n[planner.index]\nsector = [8, 16]',
            "astar has no index, so it takes no index parameters (sector)",
        ),
        ('name = "wastar"\n' + "gamma = [" + "0.5, " * 10_001 + "]", "the lists make more than 10,000 settings"),
    ],
)
def test_refusals_of_parameters(tmp_path, planner, complaint):
    text = TINY.replace('planner = ["astar", "wastar"]', "") + f"\n[[planner]]\n{planner}\n"
    with pytest.raises(wp.WaypostError) as refusal:
        read(tmp_path, text)
    assert complaint in str(refusal.value)


def test_a_suite_that_is_not_there():
    with pytest.raises(wp.WaypostError, match="there is no suite called 'nonsense'; there are demo, "):
        read_suite("nonsense")
    with pytest.raises(wp.WaypostError, match=r"there is no suite at nonsense\.toml"):
        read_suite("nonsense.toml")


def in_small(name):
    """A shipped suite with few records, on a small map in place of its own."""
    text = (suites.SHIPPED / f"{name}.toml").read_text()
    text = re.sub(r"\[\[maps\]\].*?\n\[problems\].*?\n\n", "", text, count=1, flags=re.DOTALL)
    text = re.sub(r"records = .*\n", lambda found: found[0].replace("000", "").replace("_", ""), text)
    text = re.sub(r"records=(\d+)000", r"records=\1", text)
    return text + '\n[[maps]]\ngenerate = "rooms"\nsize = [24, 20]\n\n[problems]\nrandom = 3\n'


@pytest.mark.parametrize("name", ["paper-2009", "paper-2010", "knn-ablation"])
def test_suites_of_records_run_in_small(name, tmp_path):
    text = in_small(name)
    run(tmp_path, text)
    assert len(rows(tmp_path)) == 3 * len(read(tmp_path, text).settings)
    assert all(row["arrived"] for row in rows(tmp_path))
