"""The command line. Commands import what they need when they run, so that --help answers at once."""

from waypost.cli import (  # noqa: F401 - importing them adds their commands to the app
    bench,
    build,
    convert,
    demo,
    edit,
    generate,
    listing,
    look,
    paper,
    plan,
    prepare,
    swarm,
    train,
    tune,
)
from waypost.cli.app import main

__all__ = ["main"]
