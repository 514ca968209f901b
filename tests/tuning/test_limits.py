"""What a user asks of a planner."""

import math

import pytest

import waypost as wp
from waypost.errors import ParameterError
from waypost.tuning.limits import in_words


@pytest.mark.parametrize(
    ("given", "field", "wanted"),
    [
        ({"memory": "200KB"}, "bytes", 200 * 1024),
        ({"memory": "1.5 mb"}, "bytes", 1.5 * 1024**2),
        ({"memory": 4096}, "bytes", 4096),
        ({"suboptimality": "1%"}, "percent", 1),
        ({"suboptimality": ".5"}, "percent", 0.5),
        ({"build": "10s"}, "build_seconds", 10),
        ({"build": "250ms"}, "build_seconds", 0.25),
        ({"build": "2min"}, "build_seconds", 120),
        ({"response_us": 50}, "response_us", 50),
        ({}, "bytes", math.inf),
    ],
)
def test_quantities(given, field, wanted):
    assert getattr(wp.Limits(**given).bounds, field) == wanted


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        ({"memory": "200 apples"}, "memory must be a number of at least 0, such as 200KB, not '200 apples'"),
        ({"memory": -1}, "memory must be"),
        ({"memory": math.nan}, "memory must be"),
        ({"memory": True}, "memory must be"),
        ({"memory": "1e3"}, "memory must be"),
        ({"build": "10%"}, "build must be"),
        ({"suboptimality": math.inf}, "suboptimality must be"),
        ({"response_us": []}, "response_us must be"),
        ({"agents": 0}, "agents must be a whole number of at least 1"),
        ({"edits": "perhaps"}, "edits"),
        ({"objective": "speed"}, "the objective is one of suboptimality, time, memory, not 'speed'"),
    ],
)
def test_nonsense_is_refused_in_one_sentence(given, complaint):
    with pytest.raises(ParameterError, match=complaint) as refused:
        wp.Limits(**given)
    assert "\n" not in str(refused.value)


def test_what_is_left_free():
    assert wp.Limits().bounds.objective == "suboptimality"
    assert wp.Limits(suboptimality="1%").bounds.objective == "time"
    assert wp.Limits(suboptimality="1%", objective="memory").bounds.objective == "memory"
    assert wp.Limits(memory="1KB", agents=3).given == {"memory": "1KB", "agents": 3}


def test_figures_in_words():
    assert [in_words("memory", value) for value in (12, 2048, 3.5 * 1024**2)] == ["12B", "2KB", "3.5MB"]
    assert in_words("suboptimality", 1.234) == "1.23%"
    assert in_words("response_work", 12_345) == "12,345"
