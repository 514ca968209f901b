"""The command line's frame: the app, what its commands share, and how errors end."""

import sys
import warnings
from pathlib import Path
from typing import Annotated, Any, cast

import typer

from waypost.cli.completion import complete_costs, complete_diagonals, complete_map, complete_planner
from waypost.errors import WaypostError

app = typer.Typer(
    name="waypost",
    help="Real-time pathfinding on large grid maps.",
    rich_markup_mode=None,  # plain help: half the time to show it
    pretty_exceptions_enable=False,
)

MapArgument = Annotated[
    str,
    typer.Argument(
        metavar="MAP",
        help="A map file (.map .png .pgm .yaml .tmx .json .npy), or the name of a bundled map.",
        autocompletion=complete_map,
    ),
]
PlannerOption = Annotated[
    str | None,
    typer.Option(
        "--planner",
        "-P",
        help="Planner by its catalog name, see waypost list; dba, or as --index says.",
        autocompletion=complete_planner,
    ),
]
IndexOption = Annotated[
    Path | None, typer.Option("--index", metavar="FILE", help="The planner's index, made by waypost build.")
]
ParamOption = Annotated[
    list[str] | None, typer.Option("--param", "-p", metavar="NAME=VALUE", help="Parameter of the planner; repeatable.")
]
DiagonalsOption = Annotated[
    str,
    typer.Option(
        help="When a diagonal move is legal: both-open, one-open, always or never.", autocompletion=complete_diagonals
    ),
]
CostsOption = Annotated[str, typer.Option(help="Cost of a diagonal move: sqrt2 or 1.4.", autocompletion=complete_costs)]
MetresOption = Annotated[
    bool, typer.Option("--metres", help="Places X,Y are in metres, as a ROS map counts them, and not in cells.")
]
SizeOption = Annotated[
    int | None, typer.Option("--size", min=1, help="For a unit of so many cells in width and height.")
]
SeedOption = Annotated[int, typer.Option(min=0, help="Seed of the random problems.")]

# What typer raises for arguments it cannot take; it exports only this subclass of it.
_UsageError = cast("type[Exception]", typer.BadParameter.__base__)


def main() -> None:
    """Run the command line: one line for a warning, and one and exit 2 for anything that is refused."""
    try:
        with warnings.catch_warnings():
            warnings.showwarning = _show_warning
            sys.exit(app(sys.argv[1:] or ["--help"], prog_name="waypost", standalone_mode=False))
    except WaypostError as error:
        _fail(str(error), 2)
    except _UsageError as error:
        command = [word for word in sys.argv[1:2] if not word.startswith("-")]
        _fail(f"{error.format_message()} ({' '.join(['waypost', *command])} --help shows how)", 2)  # type: ignore[attr-defined]
    except (KeyboardInterrupt, typer.Abort):
        _fail("interrupted", 130)
    except BrokenPipeError:  # the reader of our output has gone, e.g. `waypost list | head -1`
        sys.stderr.close()
        sys.exit(1)
    except OSError as error:
        _fail(error.strerror or str(error), 2)


def _show_warning(message: Warning | str, *_: Any, **__: Any) -> None:
    print(f"waypost: {message}", file=sys.stderr)


def _fail(message: str, status: int) -> None:
    print(f"waypost: {message}", file=sys.stderr)
    sys.exit(status)


@app.callback(invoke_without_command=True)
def _options(
    version: Annotated[bool, typer.Option("--version", help="Show the version and stop.", is_eager=True)] = False,
) -> None:
    if version:
        from waypost import __version__

        print(f"waypost {__version__}")
        raise typer.Exit
