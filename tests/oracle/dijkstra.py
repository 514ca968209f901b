"""Published as `waypost.testing.oracle.dijkstra`: the contract tests of planners of other packages need it, too."""

from waypost.testing.oracle.dijkstra import *  # noqa: F403
