"""The Form base class: measures of a few derivative vectors."""

from collections.abc import Callable
from typing import Any, ClassVar, NamedTuple

import warp as wp


class Functions(NamedTuple):
    """The Warp functions of one form for one dimension and precision.

    Each takes the jet D, a matrix (vectors, dim) whose row a is the derivative vector d_a.
    measure(D) is s, a vector (measures). jacobian(D) is ds/dd, a matrix (measures, vectors * dim).
    curvature(D, w) is sum_m w_m d2s_m/dd2, a symmetric matrix (vectors * dim, vectors * dim). Entry
    i of vector a has column a * dim + i.
    """

    measure: Callable[..., Any]
    jacobian: Callable[..., Any]
    curvature: Callable[..., Any]


class Form:
    """Measures s(d) of a small neighbourhood, which do not change when it is turned.

        energy  1/2 (s - s_0)^T C (s - s_0),    d_a = sum_i L_ai x_i

    The vectors d_a are derivatives of a curve, a surface or a solid, such as x,1 and x,11. Subclasses
    say how many vectors they take, how many measures they make of them and in which dimensions that
    makes sense, and supply `functions`. Where a measure is not defined (the normal of a surface
    without area) it and its derivatives are finite, best zero.
    """

    vectors: ClassVar[int]
    """Derivative vectors that are measured."""
    measures: ClassVar[int]
    """Numbers that are made of them."""
    dims: ClassVar[tuple[int, ...]] = (3,)
    """Dimensions of the space."""
    turns: ClassVar[bool] = False
    """Whether the measures turn with the body: then they are to be measured from zero."""

    @classmethod
    def functions(cls, dim: int, dtype: Any) -> Functions:
        """Return the Warp functions (measure, jacobian, curvature) for a dimension and Warp float."""
        raise NotImplementedError(f"{cls.__name__} must define functions(dim, dtype)")


def jet_types(vectors: int, measures: int, dim: int, dtype: Any) -> tuple[Any, Any, Any, Any]:
    """The Warp types of jets, of measures, and of their first and second derivatives."""
    n = vectors * dim
    return (
        wp.types.matrix(shape=(vectors, dim), dtype=dtype),
        wp.types.vector(length=measures, dtype=dtype),
        wp.types.matrix(shape=(measures, n), dtype=dtype),
        wp.types.matrix(shape=(n, n), dtype=dtype),
    )
