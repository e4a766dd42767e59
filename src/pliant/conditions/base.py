"""The Condition base class: a number that is zero where a few points are as they should be."""

from collections.abc import Callable
from typing import Any, ClassVar, NamedTuple

import numpy as np
import warp as wp


class ConditionFunctions(NamedTuple):
    """The Warp functions of one condition for one dimension and precision.

    Each takes the edges E from the first point of a stencil to the others, a matrix
    (points - 1, dim) [m], and the parameters p, a vector. value(E, p) is C; gradient(E, p) is dC/dE,
    shaped as E [1/m]; hessian(E, p) is d2C/dE2 [1/m^2], with row and column a * dim + i for entry ai.
    Edges, because no condition asks where in space it is: the first point gets minus the sum.
    definite(c, E, p), where there is one, is a positive semi-definite stand-in for c d2C/dE2 that
    equals it wherever dC/dE dC/dE^T + c d2C/dE2 is semi-definite.
    """

    value: Callable[..., Any]
    gradient: Callable[..., Any]
    hessian: Callable[..., Any]
    definite: Callable[..., Any] | None = None


class Condition:
    """A dimensionless condition C(x) of a few points, which is to be zero.

        energy  k/2 C^2,    force  -k C dC/dx

    Source: [baraff1998] section 4.1. Subclasses say how many points and parameters a stencil
    has and in which dimensions it makes sense, and supply `functions` and `rest`.
    """

    points: ClassVar[int]
    """Points of a stencil."""
    parameters: ClassVar[int]
    """Numbers that say which shape is the wanted one."""
    dims: ClassVar[tuple[int, ...]] = (2, 3)
    """Dimensions of the space."""
    gauss_newton: ClassVar[bool] = False
    """True when its Hessian is so rarely definite that projecting it is not worth the time."""
    straight: ClassVar[bool] = False
    """True when its own force, on points of any masses, does not turn its gradient."""

    @classmethod
    def functions(cls, dim: int, dtype: Any) -> ConditionFunctions:
        """Return the Warp functions (value, gradient, hessian) for a dimension and a Warp float."""
        raise NotImplementedError(f"{cls.__name__} must define functions(dim, dtype)")

    @classmethod
    def rest(cls, x: np.ndarray) -> np.ndarray:
        """The parameters (s, parameters) for which shapes x (s, points, dim) [m] have C = 0."""
        raise NotImplementedError(f"{cls.__name__} must define rest(x)")


def edge_types(points: int, dim: int, parameters: int, dtype: Any) -> tuple[Any, Any, Any]:
    """The Warp types of edges, of their second derivatives and of parameters."""
    m = (points - 1) * dim
    return (
        wp.types.matrix(shape=(points - 1, dim), dtype=dtype),
        wp.types.matrix(shape=(m, m), dtype=dtype),
        wp.types.vector(length=parameters, dtype=dtype),
    )
