# mypy: ignore-errors
# Bodies of Warp functions are Warp's language, which mypy reads as Python.
"""A derivative itself, for smoothness."""

from functools import cache
from typing import Any

import warp as wp

from .base import Form, FormFunctions, jet_types


class PlaneDerivative(Form):
    """A derivative of a plane curve itself,  s = d,  so that the energy is |d|^2 times a weight.

    Vectors: one, such as x' or x''. It turns with the curve: measure it from zero, with equal
    stiffness in both directions, and the energy does not. Source: [kass1988].
    """

    vectors, measures, dims, turns = 1, 2, (2,), True

    @classmethod
    @cache
    def functions(cls, dim: int, dtype: Any) -> FormFunctions:
        """Return (measure, jacobian, curvature)."""
        jet, numbers, slopes, square = jet_types(1, 2, 2, dtype)

        @wp.func(module="unique")
        def measure(D: jet):
            return numbers(D[0, 0], D[0, 1])

        @wp.func(module="unique")
        def jacobian(D: jet):
            J = slopes()
            J[0, 0] = dtype(1.0)
            J[1, 1] = dtype(1.0)
            return J

        @wp.func(module="unique")
        def curvature(D: jet, w: numbers):
            return square()

        return FormFunctions(measure, jacobian, curvature)
