"""Conditions and numbers written as text: `x < 0.01`, `0.05*x**2`.

A few nodes of Python's grammar are walked here; nothing is ever handed to `eval`.
"""

from __future__ import annotations

import ast
import difflib
import operator
from collections.abc import Callable, Mapping
from functools import reduce
from typing import Any

import numpy as np

from pliant.errors import is_finite

LONGEST_EXPRESSION = 400  # characters; what nests deeper than this was not typed by a person
COORDINATES = ("x", "y", "z")
#: The sides of the box around the mesh, so that a selection need not know the size of a file.
BOUNDS = tuple(f"{c}{end}" for c in COORDINATES for end in ("min", "max"))
CONSTANTS = {"pi": np.pi}
#: function and how many arguments it takes (None: two or more)
FUNCTIONS: dict[str, tuple[Callable[..., Any], int | None]] = {
    "sqrt": (np.sqrt, 1),
    "sin": (np.sin, 1),
    "cos": (np.cos, 1),
    "tan": (np.tan, 1),
    "exp": (np.exp, 1),
    "abs": (np.abs, 1),
    "min": (lambda *a: reduce(np.minimum, a), None),
    "max": (lambda *a: reduce(np.maximum, a), None),
}
ARITHMETIC: dict[type, Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: np.divide,
    ast.Pow: np.power,
    ast.Mod: np.mod,
}
COMPARISONS: dict[type, Callable[[Any, Any], Any]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}
Values = Mapping[str, Any]


class Expression:
    """A condition or a number over points, checked when it is made.

    names: which variables may occur; `used` are those that do. `is_condition` says which of the two
    kinds it is. Call it with a value or an array per name.
    """

    def __init__(self, text: str, names: tuple[str, ...] = COORDINATES + BOUNDS):
        self.text, self._names = text, names
        self.used: set[str] = set()
        tree = _parse(text)
        self.is_condition = self._check(tree)
        self._tree = tree

    def __call__(self, values: Values) -> Any:
        """Its value; what is not a number (1/0, sqrt(-1)) comes out as nan or inf."""
        with np.errstate(all="ignore"):
            return _value(self._tree, values)

    def _check(self, node: ast.expr) -> bool:
        """Refuse what is not allowed; return whether the node is a condition."""
        if isinstance(node, ast.Constant) and is_finite(node.value):
            if isinstance(node.value, bool):
                raise ValueError(f'got "{_cut(self.text)}" with {_named(node)}')
            return False
        if isinstance(node, ast.Name):
            return self._check_name(node.id)
        if isinstance(node, ast.BoolOp):
            return all([self._need(v, condition=True) for v in node.values])
        if isinstance(node, ast.UnaryOp):
            if isinstance(node.op, ast.Not):
                return self._need(node.operand, condition=True)
            if isinstance(node.op, (ast.USub, ast.UAdd)):
                return not self._need(node.operand, condition=False)
        if isinstance(node, ast.BinOp) and type(node.op) in ARITHMETIC:
            return not all([self._need(v, condition=False) for v in (node.left, node.right)])
        if isinstance(node, ast.Compare) and all(type(op) in COMPARISONS for op in node.ops):
            return all([self._need(v, condition=False) for v in (node.left, *node.comparators)])
        if isinstance(node, ast.Call):
            return self._check_call(node)
        raise ValueError(f'got "{_cut(self.text)}" with {_named(node)}')

    def _need(self, node: ast.expr, *, condition: bool) -> bool:
        if self._check(node) != condition:
            part = _cut(ast.unparse(node))
            wanted = f'a condition such as "{part} > 0"' if condition else "a number"
            raise ValueError(f'got "{part}" in "{_cut(self.text)}"; expected {wanted} there')
        return True

    def _check_name(self, name: str) -> bool:
        if name in CONSTANTS:
            return False
        if name not in self._names:
            known = [*self._names, *CONSTANTS]
            near = difflib.get_close_matches(name, known, 1, cutoff=0.5)
            hint = f"did you mean {near[0]!r}?" if near else f"expected {', '.join(known)}"
            raise ValueError(f'got {name!r} in "{_cut(self.text)}"; {hint}')
        self.used.add(name)
        return False

    def _check_call(self, node: ast.Call) -> bool:
        name = node.func.id if isinstance(node.func, ast.Name) else ast.unparse(node.func)
        if name not in FUNCTIONS or node.keywords:
            raise ValueError(
                f'got {name}(...) in "{_cut(self.text)}"; expected one of {", ".join(FUNCTIONS)}'
            )
        count = FUNCTIONS[name][1]
        if len(node.args) != (count or max(2, len(node.args))):
            raise ValueError(
                f'got {name} with {len(node.args)} arguments in "{_cut(self.text)}"; expected '
                f"{count or 'two or more'}"
            )
        return not all([self._need(a, condition=False) for a in node.args])


def _cut(text: str) -> str:
    """The text, or its beginning: an error has one line."""
    text = "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)
    return text if len(text) <= 80 else f"{text[:76]} ..."


def _parse(text: str) -> ast.expr:
    if len(text) > LONGEST_EXPRESSION:
        raise ValueError(
            f"got {len(text)} characters; expected an expression of at most {LONGEST_EXPRESSION}"
        )
    try:
        return ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise ValueError(f'got "{_cut(text)}"; {_advice(text)}') from None


def _advice(text: str) -> str:
    if "&&" in text or "||" in text:
        return 'expected "and" and "or" between conditions'
    if "=" in text and not any(op in text for op in ("<=", ">=", "==", "!=")):
        return 'expected "==" to compare'
    return 'expected an expression such as "x < 0.01" or "x > 1 and y < 0.5"'


def _named(node: ast.expr) -> str:
    """The mistake in a node of an expression, with the fix of a common one."""
    op = getattr(node, "op", None)
    if isinstance(op, ast.BitXor):
        return '"^"; expected "**" for powers'
    if isinstance(op, (ast.BitAnd, ast.BitOr, ast.Invert)):
        return '"&", "|" or "~"; expected "and", "or", "not"'
    part = _cut(ast.unparse(node))
    return f'"{part}"; expected numbers, x y z, + - * / **, comparisons, and or not'


def _value(node: ast.expr, values: Values) -> Any:
    if isinstance(node, ast.Constant):
        return np.float64(node.value)  # type: ignore[arg-type]  # a Python integer could grow without bound
    if isinstance(node, ast.Name):
        return CONSTANTS[node.id] if node.id in CONSTANTS else values[node.id]
    if isinstance(node, ast.UnaryOp):
        inner = _value(node.operand, values)
        if isinstance(node.op, ast.Not):
            return np.logical_not(inner)
        return -inner if isinstance(node.op, ast.USub) else inner
    if isinstance(node, ast.BinOp):
        return ARITHMETIC[type(node.op)](_value(node.left, values), _value(node.right, values))
    if isinstance(node, ast.BoolOp):
        join = np.logical_and if isinstance(node.op, ast.And) else np.logical_or
        return reduce(join, [_value(v, values) for v in node.values])
    if isinstance(node, ast.Compare):
        sides = [_value(v, values) for v in (node.left, *node.comparators)]
        pairs = zip(node.ops, sides[:-1], sides[1:], strict=True)
        return reduce(np.logical_and, [COMPARISONS[type(op)](a, b) for op, a, b in pairs])
    assert isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    return FUNCTIONS[node.func.id][0](*[_value(a, values) for a in node.args])
