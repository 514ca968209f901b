"""Faults that a program plants."""

from itertools import islice

from tools import mutants
from tools.mutation import Fault, faults_in, planted

SOURCE = '''
@decorated(least=1)
def longer(first: int | None, *others: int, most: int = 3) -> int:
    """One line, 2 words - or more."""
    if len(first) < most and others:
        return first + 1
    raise ValueError("at least " + 5)


LIMIT = 7
'''


def test_words_are_replaced_in_bodies_alone():
    assert [(fault.line, fault.old, fault.new) for fault in faults_in(SOURCE)] == [
        (5, "<", "<="), (5, "<", ">"), (5, "and", "or"), (6, "+", "-"), (6, "1", "2"), (6, "1", "0"),
    ]  # fmt: skip


def test_one_word_is_replaced():
    assert planted(SOURCE, Fault(6, 23, "1", "2")) == SOURCE.replace("first + 1", "first + 2")


def test_every_draw_of_every_family_parses():
    for number in range(len(mutants.families())):
        for family, path, fault in islice(mutants.draws(3, number), 5):
            assert path.is_relative_to(mutants.FAMILIES / family)
            compile(planted(path.read_text(), fault), path.name, "exec")


def test_draws_follow_the_seed():
    first, same, other = (list(islice(mutants.draws(seed, 2), 3)) for seed in (1, 1, 2))
    assert first == same != other


def test_what_is_listed_as_harmless_is_still_in_the_sources():
    for source, line, old, _ in mutants.harmless():
        words = [fault.old for fault in faults_in((mutants.FAMILIES / source).read_text())]
        assert line in map(str.strip, (mutants.FAMILIES / source).read_text().splitlines())
        assert old in words


def test_machine_code_is_that_of_families_that_have_a_shared_one_inside():
    assert set(mutants.users_of("walking")) >= {"regions", "records", "trees", "walking"}
    assert mutants.users_of("trees") == ["trees"]
