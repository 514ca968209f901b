"""Both planners keep the contract of Waypost's own."""

from waypost.testing import contract_tests

test_contract = contract_tests("bfs", "beacons")
