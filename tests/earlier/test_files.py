"""Index files and folders of results that an earlier commit wrote: they load, or are refused in one sentence."""

import shutil
from pathlib import Path

import pytest

import waypost as wp
from waypost.errors import IndexFileError
from waypost.maps.scale import crop

EARLIER = Path(__file__).parent / "c80ecaa"
REFUSED = {
    "dlrta": "dlrta has no parameter called 'progress'; its parameters: level, by_progress, last_exit, "
    "straight_first, depth, deepest",
    "knn-2009": "is an index of 'knn-2009', revision 2, and this Waypost has revision 3; build the index again",
}
"""What is said of those that were refused on purpose since then."""


@pytest.mark.parametrize("file", sorted(EARLIER.glob("indexes/*.waypost")), ids=lambda file: file.stem)
def test_index_files_load_or_are_refused_in_one_sentence(file):
    grid = crop(wp.load_map("rooms"), 0, 0, 30, 20)
    if file.stem in REFUSED:
        with pytest.raises(IndexFileError) as refusal:
            wp.load(file, grid)
        assert "\n" not in str(refusal.value)
        assert str(refusal.value).startswith(str(file))
        assert REFUSED[file.stem] in str(refusal.value)
        return
    planner = wp.load(file, grid)
    assert planner.path((1, 1), (28, 18))[-1].tolist() == [28, 18]
    assert planner.entry.name == file.stem


def test_what_took_how_long_is_still_known():
    assert wp.load(EARLIER / "indexes" / "dba.waypost", crop(wp.load_map("rooms"), 0, 0, 30, 20)).facts["threads"] == 1


def test_results_are_run_again_and_can_be_compared(waypost, tmp_path):
    shutil.copytree(EARLIER / "results", tmp_path / "now")
    status, out, err = waypost("bench", EARLIER / "suite.toml", "--no-plots", "--out", tmp_path / "now")
    assert status == 0
    assert "12 of 12 episodes were run now" in out
    assert "of an earlier Waypost, with no digest to tell damage by: problems are chosen again" in err
    status, out, _ = waypost("bench", "--compare", EARLIER / "results", tmp_path / "now")
    assert status == 0
    assert f"{EARLIER / 'results'}: 12 of 12 episodes are in both" in out
    suboptimality = [line.split("│")[3] for line in out.splitlines() if line.startswith("│")]
    assert len(suboptimality) == 2
    assert not any("→" in cell for cell in suboptimality), "walks are as long as they were"
