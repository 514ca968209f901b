"""Files that a map file names: only those inside its own folder, so that a map cannot reach for others."""

import os

from waypost.errors import MapError, shown

__all__ = ["file_inside"]


def file_inside(
    name: object, beside: str | os.PathLike[str], what: str, map_file: str | os.PathLike[str] | None = None
) -> str:
    """The path of a file that the file `beside` names, refused if it leads out of the folder of the map.

    The map is `beside` itself, or `map_file` if a file that the map names goes on to name another.
    """
    if not isinstance(name, str) or not name.strip() or not name.isprintable():
        raise MapError(f"{beside}: the {what} must be the name of a file, not {shown(name)}")
    # A backslash or a drive is a way out on another system, so that a map is refused everywhere or nowhere.
    if os.path.isabs(name) or "\\" in name or name[1:2] == ":":
        raise MapError(f"{beside}: the {what} must be named relative to this file, not as {shown(name)}")
    folder = os.path.realpath(os.path.dirname(os.fspath(map_file or beside)))
    # Links are followed, so that a link that leads out is seen as what it is.
    path = os.path.realpath(os.path.join(os.path.dirname(os.fspath(beside)), name))
    if os.path.commonpath([folder, path]) != folder:
        raise MapError(f"{beside}: the {what} {shown(name)} is outside the folder of the map, so it is not read")
    if not os.path.isfile(path):
        raise MapError(f"{beside} names the {what} {shown(name)}, but there is no such file beside it")
    return path
