"""Published as `waypost.testing.oracle.flood`: the contract tests of planners of other packages need it, too."""

from waypost.testing.oracle.flood import *  # noqa: F403
