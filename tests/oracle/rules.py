"""Published as `waypost.testing.oracle.rules`: the contract tests of planners of other packages need it, too."""

from waypost.testing.oracle.rules import *  # noqa: F403
