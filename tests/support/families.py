"""Which tests concern a family of planners: `pytest --family regions`."""

import importlib
from pathlib import Path

import waypost

FAMILIES = Path(waypost.__file__).parent / "planners"


def all_families():
    """The folders of `waypost.planners`."""
    return sorted(path.parent.name for path in FAMILIES.glob("*/__init__.py"))


def planners_of(family):
    """Its planners; those of the families that use it, where it is shared and has none of its own."""
    if (FAMILIES / family / "entries.py").exists():
        return {entry.name for entry in importlib.import_module(f"waypost.planners.{family}.entries").ENTRIES}
    users = {path.relative_to(FAMILIES).parts[0] for path in FAMILIES.rglob("*.py") if _uses(path, family)}
    return set().union(*(planners_of(user) for user in users - {family}))


def concerns(item, family, planners):
    """Whether a test lies in a family's folder, or is given one of these planners."""
    given = item.callspec.params.values() if hasattr(item, "callspec") else ()
    return f"tests/planners/{family}/" in item.path.as_posix() or any(_planner_in(each) in planners for each in given)


def _uses(path, family):
    return f"waypost.planners.{family}." in path.read_text()


def _planner_in(given):
    """The planner that a test is given by its name, as a twin, or as what is checked of it."""
    if hasattr(given, "planner"):
        return given.planner
    return given.subject.name if hasattr(given, "subject") else given if isinstance(given, str) else None
