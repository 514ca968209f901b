"""`python -m waypost` is `waypost`."""

from waypost.cli import main

main()
