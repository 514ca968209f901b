"""The contract that every planner keeps, as tests for those of other packages (docs/add-a-planner.md).

`check_planner("mine")` runs all of it. In pytest, `test_contract = contract_tests("mine")` makes a test of each check.
"""

from waypost.testing.contract import Check, check_planner, checks_of, contract_tests

__all__ = ["Check", "check_planner", "checks_of", "contract_tests"]
