"""`push = [{ wind = [5, 0, 0] }]`: moving air, constant, over time, or by expressions."""

from __future__ import annotations

from typing import Any

import numpy as np

from .expressions import COORDINATES, Expression
from .fields import PerAxis
from .push_values import Over

NAMES = (*COORDINATES, "t")
EXPRESSIONS = PerAxis(
    NAMES,
    like='["5 + sin(3*t)", "0", "sin(7*x - 20*t)"]',
    says="2 or 3 expressions of x, y, z, t [m/s]",
    parts="numbers or expressions of x, y, z, t [m/s]",
    what="a velocity [m/s]",
)


class Air(Over):
    """The annotation of a wind: as a load over time, or an expression of x, y, z, t per axis."""

    def __init__(self) -> None:
        super().__init__("m/s", vector=True)

    def check(self, given: Any) -> Any:
        """Numbers as tuples, expressions as they are."""
        listed = isinstance(given, (list, tuple))
        if not listed or not any(isinstance(part, str) for part in given):
            return super().check(given)
        return EXPRESSIONS.check(given)

    def __get_pydantic_json_schema__(self, schema: Any, handler: Any) -> dict[str, Any]:
        numbers = super().__get_pydantic_json_schema__(schema, handler)["anyOf"]
        return {"anyOf": [*numbers, EXPRESSIONS.__get_pydantic_json_schema__(schema, handler)]}


def is_expression(wind: Any) -> bool:
    """Whether a wind is given by expressions."""
    return wind is not None and any(isinstance(part, str) for part in wind)


def blowing(wind: tuple[Any, ...], dim: int) -> Any:
    """The function of places (n, d) [m] and time [s] that expressions describe [m/s]."""
    parts = wind[:2] if dim == 2 and wind[2:] in ((0,), ("0",)) else wind
    if len(parts) != dim:
        raise ValueError(f"got {len(parts)} components; the body is {dim}D")
    laws = [Expression(p, NAMES) if isinstance(p, str) else p for p in parts]
    strange = {n for law in laws if isinstance(law, Expression) for n in law.used} - {
        *COORDINATES[:dim], "t", "pi"
    }  # fmt: skip
    if strange:
        raise ValueError(f"got {min(strange)!r}; the body is 2D: expected x, y and t")

    def at(x: np.ndarray, t: float) -> np.ndarray:
        values = dict(zip(COORDINATES, x.T, strict=False)) | {"t": t}
        rows = [law(values) if isinstance(law, Expression) else law for law in laws]
        return np.stack([np.broadcast_to(row, len(x)) for row in rows], axis=1)

    return at
