"""Input made to do harm, by the thousand: `python -m tests.hostile` (docs: CONTRIBUTING.md)."""
