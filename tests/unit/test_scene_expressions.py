"""The little language of selections and displacements."""

import numpy as np
import pytest

from pliant.scenefile.expressions import Expression

RNG = np.random.default_rng(0)
X, Y, Z = RNG.uniform(-2, 2, (3, 200))
VALUES = {"x": X, "y": Y, "z": Z, "xmin": X.min(), "xmax": X.max()}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x < 0.01", X < 0.01),
        ("0 < x <= 1 < y + 2", (X > 0) & (X <= 1) & (Y + 2 > 1)),
        ("(x-1)**2 + y**2 < 0.25 and z > 0", ((X - 1) ** 2 + Y**2 < 0.25) & (Z > 0)),
        ("x > 1 or y > 1 and z > 1", (X > 1) | ((Y > 1) & (Z > 1))),
        ("not x > 1", ~(X > 1)),
        ("x > xmax - 0.5", X.max() - 0.5 < X),
        ("abs(x) == max(x, -x)", np.ones(200, bool)),
        ("min(x, y, z) > -1", np.minimum(np.minimum(X, Y), Z) > -1),
        ("x != x", np.zeros(200, bool)),
        ("sqrt(-1) > 0", False),  # not a number, and no point is selected by it
        ("1/0 > 0", True),
    ],
)
def test_conditions(text, expected):
    expression = Expression(text)
    assert expression.is_condition
    assert np.array_equal(np.broadcast_to(expression(VALUES), 200), np.broadcast_to(expected, 200))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("0.05*x**2", 0.05 * X**2),
        ("-x + +y - 2e-3", -X + Y - 2e-3),
        ("sin(pi*x)*cos(y)/exp(z) % 2", np.sin(np.pi * X) * np.cos(Y) / np.exp(Z) % 2),
        ("9**9**9**9", np.inf),  # floats: no number grows without bound
        (" 3 ", 3.0),
    ],
)
def test_numbers(text, expected):
    expression = Expression(text)
    assert not expression.is_condition
    assert np.allclose(expression(VALUES), expected, rtol=1e-14)


@pytest.mark.parametrize(
    "text",
    [
        "__import__('os').system('true')",
        "x.__class__",
        "open('file')",
        "eval('1')",
        "x[0] < 1",
        "[c for c in x]",
        "lambda: x",
        "x if y else z",
        "(x := 1)",
        "f'{x}'",
        "'text'",
        "True",
        "None",
        "1j",
        "max(*x)",
        "max(x, key=y)",
        "print(x)",
        "sin(x, y)",
        "max(x)",
        "x in y",
        "x is y",
        "x // 2",
        "x @ y",
        "",
        "x <",
        "(" * 300,
        "x+" * 400 + "x",
        "x < 1 < (y < 2)",
        "(x < 1) + 1",
        "x and y > 1",
        "not x",
        "-(x > 1)",
        "a < 1",
    ],
)
def test_everything_else_is_refused_in_one_line(text):
    with pytest.raises(ValueError) as error:
        Expression(text)
    assert "expected" in str(error.value) or "did you mean" in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("x^2 < 1", '"**" for powers'),
        ("x < 1 & y < 1", '"and", "or", "not"'),
        ("x < 1 && y < 1", '"and" and "or"'),
        ("x = 1", '"=="'),
        ("xmim < 1", "did you mean 'xmin'?"),
        ("sqr(x) < 1", "expected one of sqrt"),
        ("x", None),
    ],
)
def test_usual_slips_get_their_fix(text, hint):
    if hint is None:
        assert Expression(text).used == {"x"}
        return
    with pytest.raises(ValueError) as error:
        Expression(text)
    assert hint in str(error.value)
