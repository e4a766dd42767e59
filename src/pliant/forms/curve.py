# mypy: ignore-errors
# Bodies of Warp functions are Warp's language, which mypy reads as Python.
"""The curvature of a curve with its direction: smooth where the curve is straight."""

from functools import cache
from typing import Any

import warp as wp

from pliant.conditions import cross_matrix

from .base import Form, FormFunctions, jet_types


class PlaneCurvature(Form):
    """Curvature of a plane curve, positive to the left:  k = (x' x x'') / |x'|^3  [1/m].

    Vectors: x', x''. The same whatever the curve's parameter. Source: [terzopoulos1987].
    """

    vectors, measures, dims = 2, 1, (2,)

    @classmethod
    @cache
    def functions(cls, dim: int, dtype: Any) -> FormFunctions:
        """Return (measure, jacobian, curvature)."""
        mat = wp.types.matrix(shape=(2, 2), dtype=dtype)

        @wp.func(module="unique")
        def product(D: wp.types.matrix(shape=(2, 2), dtype=dtype), c: int):
            return D[0, 0] * D[1, 1] - D[0, 1] * D[1, 0]

        @wp.func(module="unique")
        def block(D: wp.types.matrix(shape=(2, 2), dtype=dtype), c: int):
            # d2q / dx' dx''
            return mat(dtype(0.0), dtype(1.0), dtype(-1.0), dtype(0.0))

        return _over_cube(cls, dim, dtype, product, block)


class Binormal(Form):
    """Curvature of a curve in space, along its binormal:  k b = (x' x x'') / |x'|^3  [1/m].

    Vectors: x', x''. Its length does not change when the curve is turned, its direction turns along:
    for curves that are straight at rest, with equal stiffness in all directions.
    """

    vectors, measures, dims, turns = 2, 3, (3,), True

    @classmethod
    @cache
    def functions(cls, dim: int, dtype: Any) -> FormFunctions:
        """Return (measure, jacobian, curvature)."""
        cross = cross_matrix(dtype)
        vec = wp.types.vector(length=3, dtype=dtype)

        @wp.func(module="unique")
        def product(D: wp.types.matrix(shape=(2, 3), dtype=dtype), c: int):
            return wp.cross(D[0], D[1])[c]

        @wp.func(module="unique")
        def block(D: wp.types.matrix(shape=(2, 3), dtype=dtype), c: int):
            axis = vec()
            axis[c] = dtype(1.0)
            return -cross(axis)  # e . (x' x x'') = x' . (x'' x e)

        return _over_cube(cls, dim, dtype, product, block)


def _over_cube(form: type[Form], dim: int, dtype: Any, product: Any, block: Any) -> FormFunctions:
    """The functions of q / |x'|^3, where each q is bilinear in x' and x'' with the matrix `block`."""
    jet, numbers, slopes, square = jet_types(2, form.measures, dim, dtype)
    vec = wp.types.vector(length=dim, dtype=dtype)
    count = wp.constant(form.measures)
    zero = wp.constant(dtype(0.0))

    @wp.func(module="unique")
    def measure(D: jet):
        s = numbers()
        a = wp.dot(D[0], D[0])
        if a > zero:
            for c in range(count):
                s[c] = product(D, c) / (a * wp.sqrt(a))
        return s

    @wp.func(module="unique")
    def jacobian(D: jet):
        J = slopes()
        a = wp.dot(D[0], D[0])
        if a > zero:
            g = dtype(1.0) / (a * wp.sqrt(a))
            for c in range(count):
                B, q = block(D, c), product(D, c)
                first = g * (B @ D[1]) - dtype(3.0) * q * g / a * D[0]
                second = g * (wp.transpose(B) @ D[0])
                for i in range(dim):
                    J[c, i] = first[i]
                    J[c, dim + i] = second[i]
        return J

    @wp.func(module="unique")
    def curvature(D: jet, w: numbers):
        K = square()
        a = wp.dot(D[0], D[0])
        if a > zero:
            g = dtype(1.0) / (a * wp.sqrt(a))
            slope = -dtype(3.0) * g / a * D[0]  # dg/dx'
            q, ahead, back = dtype(0.0), vec(), vec()
            for c in range(count):
                B = block(D, c)
                q += w[c] * product(D, c)
                ahead += w[c] * (B @ D[1])
                back += w[c] * (wp.transpose(B) @ D[0])
                for i in range(dim):
                    for j in range(dim):
                        K[i, dim + j] += w[c] * g * B[i, j]
            for i in range(dim):
                K[i, i] -= dtype(3.0) * g / a * q
                for j in range(dim):
                    bent = dtype(15.0) * g / (a * a) * D[0, i] * D[0, j]
                    K[i, j] += q * bent + ahead[i] * slope[j] + slope[i] * ahead[j]
                    K[i, dim + j] += slope[i] * back[j]
            for i in range(dim):
                for j in range(dim):
                    K[dim + j, i] = K[i, dim + j]
        return K

    return FormFunctions(measure, jacobian, curvature)
