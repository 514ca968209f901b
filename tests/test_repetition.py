"""No ten lines of code stand in two places, whatever the names in them; imports, tables and signatures aside."""

import ast
import io
import keyword
import tokenize
from collections import defaultdict
from pathlib import Path

PACKAGE = Path(__file__).parents[1] / "src" / "waypost"
MOST_LINES = 9
LEFT = {
    ("kernels/best_first.py: advance", "kernels/jump.py: advance"): "a list of what their controls hold, no logic",
    ("kernels/cost_field.py: fill", "planners/trees/kernels/grow.py: _grow_one"): "shared, 7 to 15 % slower",
}
"""Pairs of functions that are left, with the reason."""
ALIKE = {tokenize.NUMBER: "0", tokenize.STRING: "''"}
SILENT = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}


def shapes(text):
    """What each line of code looks like once names, strings and numbers are made equal, by its number."""
    lines = defaultdict(list)
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in SILENT:
            is_name = token.type == tokenize.NAME and not keyword.iskeyword(token.string)
            lines[token.start[0]].append("name" if is_name else ALIKE.get(token.type, token.string))
    return {number: " ".join(words) for number, words in lines.items()}


def bodies(path):
    """The name of each function and method, and the shapes of the lines of its body, without its docstring."""
    text = path.read_text()
    lines, where = shapes(text), path.relative_to(PACKAGE).as_posix()
    for holder in ast.walk(ast.parse(text)):
        for node in holder.body if isinstance(holder, ast.Module | ast.ClassDef) else ():
            if isinstance(node, ast.FunctionDef):
                body = node.body[1:] if ast.get_docstring(node) else node.body
                numbers = range(body[0].lineno, node.end_lineno + 1) if body else ()
                name = f"{holder.name}.{node.name}" if isinstance(holder, ast.ClassDef) else node.name
                yield f"{where}: {name}", [lines[n] for n in numbers if n in lines]


def repeated(functions):
    """Pairs of functions with too many lines in common, one after the other."""
    places, length = defaultdict(list), MOST_LINES + 1
    for name, lines in functions:
        for first in range(len(lines) - MOST_LINES):
            places["\n".join(lines[first : first + length])].append(name)
    return {(one, other) for names in places.values() for one in names for other in names if one < other}


def test_names_make_no_difference():
    one, other = "def f(a):\n    b = a.c(1)\n    return b\n", "def g(x):\n    # so\n    y = x.z(2)\n    return y\n"
    assert list(shapes(one).values()) == list(shapes(other).values())


def test_no_ten_lines_are_written_twice():
    found = repeated(function for path in sorted(PACKAGE.rglob("*.py")) for function in bodies(path))
    assert not found - set(LEFT), "write it once, or name the pair with the reason"
