import numpy as np
import pytest

from tests.bench.test_summary import summary_of
from waypost.bench.pareto import direction, front, left_out, non_dominated


@pytest.mark.parametrize("counts", [2, 3])
def test_a_front_is_what_nobody_beats(counts):
    random = np.random.default_rng(counts)
    for _ in range(100):
        points = random.integers(0, 6, (random.integers(1, 15), counts)).tolist()
        better = random.choice(["lower", "higher"], counts).tolist()

        def beats(a, b, better=better):
            gains = [(y - x) if way == "lower" else (x - y) for x, y, way in zip(a, b, better, strict=True)]
            return min(gains) >= 0 and max(gains) > 0

        expected = [i for i, point in enumerate(points) if not any(beats(other, point) for other in points)]
        assert non_dominated(points, better) == expected


def test_unknown_coordinates_are_on_no_front():
    assert non_dominated([(1, float("nan")), (2, 2), (3, 1)], ("lower", "lower")) == [1, 2]
    assert non_dominated([], ("lower", "lower")) == []


def test_settings_on_a_front():
    quick = summary_of("quick", suboptimality_percent=9, move_us_mean=1)
    exact = summary_of("exact", suboptimality_percent=0, move_us_mean=7)
    slow = summary_of("slow", suboptimality_percent=0, move_us_mean=8)
    lost = summary_of("lost", suboptimality_percent=0, move_us_mean=0, arrived=0)
    barred = summary_of("barred", suboptimality_percent=0, move_us_mean=0, disqualified=True)
    chosen = front([slow, exact, lost, quick, barred], ("suboptimality_percent", "move_us_mean"))
    assert [summary.label for summary in chosen] == ["exact", "quick"]
    small = summary_of("small", suboptimality_percent=9, move_us_mean=9, online_kb=-1)
    assert len(front([exact, quick, small], ("suboptimality_percent", "move_us_mean", "online_kb"))) == 3


@pytest.mark.parametrize("work", ["work_per_move_mean", "expansions_per_move_max", "expansions"])
def test_work_is_compared_among_real_time_planners_only(work):
    jps = summary_of("jps", real_time=False)
    lrta = summary_of("lrta", suboptimality_percent=9, **{work: 7})
    assert front([jps, lrta], ("suboptimality_percent", work)) == [lrta]
    assert front([jps, lrta], ("suboptimality_percent", "move_us_mean")) == [jps]
    assert "jps" in left_out([jps, lrta], ("suboptimality_percent", work))
    assert not left_out([jps, lrta], ("suboptimality_percent", "move_us_mean"))
    assert not left_out([lrta], ("suboptimality_percent", work))


def test_directions_in_words():
    assert direction("move_us_mean", "suboptimality_percent") == "↙ down and left is better"
