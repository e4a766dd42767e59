"""No function is longer than a page on a screen."""

import ast
from pathlib import Path

import pytest

import pliant

SOURCE = Path(pliant.__file__).parent
#: Lines of a function, from its def to its end, docstring included.
MOST = 60
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
#: Functions that are still longer, each with its reason.
ALLOWED: dict[str, str] = {}


def inner(node):
    """The functions and classes directly inside a node."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (*FUNCTIONS, ast.ClassDef)):
            yield child
        else:
            yield from inner(child)


def lines(node, *, decorated):
    """The number of lines of a definition."""
    first = min([node.lineno, *(d.lineno for d in node.decorator_list if decorated)])
    return node.end_lineno - first + 1


def own_lines(function):
    """Its lines without those of functions inside it: a maker of kernels is not its kernels."""
    return lines(function, decorated=False) - sum(
        lines(node, decorated=True) for node in inner(function)
    )


def too_long(text):
    """The names and own lines of functions of a source that are too long."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, FUNCTIONS) and own_lines(node) > MOST:
            yield node.name, own_lines(node)


def test_functions_are_short():
    found = {
        f"{path.relative_to(SOURCE).as_posix()}: {name}": count
        for path in sorted(SOURCE.rglob("*.py"))
        for name, count in too_long(path.read_text(encoding="utf-8"))
    }
    longer = {name: count for name, count in found.items() if name not in ALLOWED}
    assert not longer, f"cut these into functions of at most {MOST} lines: {longer}"
    assert set(ALLOWED) <= set(found), f"take {set(ALLOWED) - set(found)} out of ALLOWED"


@pytest.mark.parametrize("count, named", [(MOST - 1, []), (MOST, [("long", MOST + 1)])])
def test_long_functions_are_found(count, named):
    assert list(too_long("def long():\n" + count * "    pass\n")) == named


def test_functions_inside_others_count_by_themselves():
    kernel = "    @wp.kernel\n    def kernel():\n" + 40 * "        pass\n"
    assert list(too_long("def make():\n" + 20 * "    pass\n" + kernel)) == []
    kernel = "    @wp.kernel\n    def kernel():\n" + MOST * "        pass\n"
    assert list(too_long("def make():\n    pass\n" + kernel)) == [("kernel", MOST + 1)]
