"""TOML as `waypost tune` writes it: tables of plain values, and arrays of such tables."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

__all__ = ["toml_text"]


def toml_text(values: Mapping[str, Any]) -> str:
    """A document of these values; tables come after all else."""
    return "\n".join(_lines(values, "")).strip() + "\n"


def _lines(values: Mapping[str, Any], prefix: str) -> Iterator[str]:
    tables = {key: value for key, value in values.items() if _is_table(value)}
    for key, value in values.items():
        if key not in tables:
            yield f"{_key(key)} = {_value(value)}"
    for key, value in tables.items():
        name = f"{prefix}{_key(key)}"
        for table in [value] if isinstance(value, Mapping) else value:
            yield ""
            yield f"[{name}]" if isinstance(value, Mapping) else f"[[{name}]]"
            yield from _lines(table, f"{name}.")


def _is_table(value: Any) -> bool:
    return isinstance(value, Mapping) or (isinstance(value, list) and bool(value) and isinstance(value[0], Mapping))


def _key(key: str) -> str:
    return key if key.replace("-", "").replace("_", "").isalnum() and key.isascii() else json.dumps(key)


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(_value, value))}]"
    if isinstance(value, float):
        return repr(value)
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f") if isinstance(value, str) else str(value)
