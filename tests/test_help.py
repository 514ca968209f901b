"""What `help()` shows: signatures without noise, and examples that are true."""

import doctest
import inspect
import pydoc

import pytest

import waypost as wp

NOISE = ("numpy._", "Union[", "Literal[", "NestedSequence", "collections.abc.Sequence[int]", "*<class")
PUBLIC = [name for name in wp.__all__ if callable(getattr(wp, name))]


@pytest.mark.parametrize("name", PUBLIC)
def test_signatures_can_be_read(name):
    shown = pydoc.plain(pydoc.render_doc(getattr(wp, name)))
    assert not [word for word in NOISE if word in shown], shown


def test_the_help_of_build_shows_examples_that_are_true():
    examples = doctest.DocTestFinder(recurse=False).find(wp.build, "build", globs={})
    assert sum(len(each.examples) for each in examples) >= 4
    failed, _ = doctest.DocTestRunner().run(examples[0])
    assert not failed
    assert str(inspect.signature(wp.build)).startswith("(name: AnyPlanner, grid: ")
