"""Faults that a program can plant in Python source: another comparison, operator or constant, one more or one less."""

import ast
import tokenize
from collections.abc import Iterator
from io import StringIO
from typing import NamedTuple

__all__ = ["Fault", "faults_in", "planted"]

_OTHERS = {
    "<": ("<=", ">"), "<=": ("<", ">="), ">": (">=", "<"), ">=": (">", "<="), "==": ("!=",), "!=": ("==",),
    "+": ("-",), "-": ("+",), "*": ("+",), "//": ("*",), "%": ("+",), "&": ("|",), "|": ("&",), "^": ("|",),
    "<<": (">>",), ">>": ("<<",), "+=": ("-=",), "-=": ("+=",), "|=": ("&=",), "&=": ("|=",),
    "and": ("or",), "or": ("and",), "min": ("max",), "max": ("min",), "True": ("False",), "False": ("True",),
}  # fmt: skip


class Fault(NamedTuple):
    """One word of a source that is replaced by another."""

    line: int
    column: int
    old: str
    new: str


def faults_in(source: str) -> list[Fault]:
    """Every fault that can be planted in the bodies of functions, without decorators, docstrings and type hints."""
    lines = _lines_of_bodies(ast.parse(source))
    hints = _places_of_hints(ast.parse(source))
    found = []
    for token in tokenize.generate_tokens(StringIO(source).readline):
        line, column = token.start
        if line in lines and not any(begin <= (line, column) < end for begin, end in hints):
            found += [Fault(line, column, token.string, new) for new in _instead_of(token)]
    return found


def planted(source: str, fault: Fault) -> str:
    """The source with a fault."""
    lines = source.splitlines(keepends=True)
    line = lines[fault.line - 1]
    end = fault.column + len(fault.old)
    lines[fault.line - 1] = line[: fault.column] + fault.new + line[end:]
    return "".join(lines)


def _instead_of(token: tokenize.TokenInfo) -> tuple[str, ...]:
    if token.type == tokenize.NUMBER and token.string.isdecimal():
        return str(int(token.string) + 1), *([str(int(token.string) - 1)] if int(token.string) else [])
    return _OTHERS.get(token.string, ()) if token.type in {tokenize.OP, tokenize.NAME} else ()


def _lines_of_bodies(tree: ast.Module) -> set[int]:
    lines: set[int] = set()
    for function in _functions(tree):
        for statement in function.body:
            if not (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)):
                lines |= set(range(statement.lineno, (statement.end_lineno or statement.lineno) + 1))
    return lines


def _functions(tree: ast.Module) -> Iterator[ast.FunctionDef]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))


def _places_of_hints(tree: ast.Module) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """Where hints, refusals, decorators and unpacked arguments stand: `*` and `|` are no operators there."""
    nodes: list[ast.AST] = []
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.Lambda)):
            arguments = node.args
            nodes += [arg for arg in (*arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg) if arg]
        if isinstance(node, ast.FunctionDef):
            nodes += [*node.decorator_list, *([node.returns] if node.returns else [])]
        elif isinstance(node, ast.AnnAssign):
            nodes.append(node.annotation)
        elif isinstance(node, (ast.Raise, ast.Starred)):
            nodes.append(node)
    return [((node.lineno, node.col_offset), (node.end_lineno, node.end_col_offset)) for node in nodes]  # type: ignore[attr-defined]
