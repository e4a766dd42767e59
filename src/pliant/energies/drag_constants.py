# mypy: ignore-errors
# Annotations of a Warp struct are values, which mypy reads as types.
"""What the laws of `PointDrag` know of a step."""

from functools import cache
from typing import Any

import warp as wp


@cache
def drag_constants(dim: int, dtype: Any) -> Any:
    """Return the Warp struct of unit normals and two numbers of each term, of wind [m/s] and positions
    before [m] of each point, of the time h [s], and whether sides of a surface are told apart.
    """
    vec = wp.types.vector(length=dim, dtype=dtype)

    @wp.struct
    class Drag:
        normals: wp.array(dtype=vec)
        law: wp.array(dtype=wp.types.vector(length=2, dtype=dtype))
        wind: wp.array(dtype=vec)
        before: wp.array(dtype=vec)
        span: dtype
        one_sided: int

    return Drag
