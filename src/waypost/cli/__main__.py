"""`python -m waypost.cli` is `waypost`."""

from waypost.cli import main

main()
