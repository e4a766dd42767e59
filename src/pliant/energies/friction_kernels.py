# mypy: ignore-errors
# Bodies of Warp functions are Warp's language, which mypy reads as Python.
"""The kernels of friction; arguments as those of the wind's, of which two are not used."""

from functools import cache
from types import SimpleNamespace
from typing import Any

import warp as wp

from pliant.energies.solid_kernels import OPTIONS


@cache
def friction_kernels(dim: int, dtype: Any) -> Any:
    """Return value, gradient and Hessian kernels, as attributes.

    c: the strength mu N [N] and the speed [m/s] below which friction is like honey, of each term.
    """
    vec = wp.types.vector(length=dim, dtype=dtype)
    mat = wp.types.matrix(shape=(dim, dim), dtype=dtype)
    pair = wp.types.vector(length=2, dtype=dtype)
    zero = wp.constant(dtype(0.0))

    @wp.func(module="unique")
    def sliding(x: vec, before: vec, n: vec, span: dtype):
        u = (x - before) / span
        return u - wp.dot(n, u) * n

    @wp.kernel(module="unique", module_options=OPTIONS)
    def friction_value(
        order: wp.array(dtype=wp.int32),
        x: wp.array(dtype=vec),
        points: wp.array2d(dtype=wp.int32),
        normals: wp.array(dtype=vec),
        c: wp.array(dtype=pair),
        wind: wp.array(dtype=vec),
        before: wp.array(dtype=vec),
        span: dtype,
        one_sided: int,
        energies: wp.array(dtype=wp.float64),
    ):
        t = order[wp.tid()]
        p = points[t, 0]
        u = sliding(x[p], before[p], normals[t], span)
        speed = wp.sqrt(wp.dot(u, u) + c[t][1] * c[t][1])
        energies[t] = wp.float64(span * c[t][0] * (speed - c[t][1]))

    @wp.kernel(module="unique", module_options=OPTIONS)
    def friction_gradient(
        order: wp.array(dtype=wp.int32),
        x: wp.array(dtype=vec),
        points: wp.array2d(dtype=wp.int32),
        normals: wp.array(dtype=vec),
        c: wp.array(dtype=pair),
        wind: wp.array(dtype=vec),
        before: wp.array(dtype=vec),
        span: dtype,
        one_sided: int,
        g: wp.array(dtype=vec),
    ):
        t = order[wp.tid()]
        p = points[t, 0]
        if c[t][0] > zero:
            u = sliding(x[p], before[p], normals[t], span)
            wp.atomic_add(g, p, c[t][0] / wp.sqrt(wp.dot(u, u) + c[t][1] * c[t][1]) * u)

    @wp.kernel(module="unique", module_options=OPTIONS)
    def friction_hessian(
        order: wp.array(dtype=wp.int32),
        x: wp.array(dtype=vec),
        points: wp.array2d(dtype=wp.int32),
        normals: wp.array(dtype=vec),
        c: wp.array(dtype=pair),
        wind: wp.array(dtype=vec),
        before: wp.array(dtype=vec),
        span: dtype,
        one_sided: int,
        slots: wp.array3d(dtype=wp.int32),
        blocks: wp.array(dtype=mat),
    ):
        t = order[wp.tid()]
        at = slots[t, 0, 0]
        if at >= 0 and c[t][0] > zero:
            p = points[t, 0]
            n = normals[t]
            u = sliding(x[p], before[p], n, span)
            speed = wp.sqrt(wp.dot(u, u) + c[t][1] * c[t][1])
            H = wp.identity(n=dim, dtype=dtype) - wp.outer(n, n) - wp.outer(u, u) / (speed * speed)
            wp.atomic_add(blocks, at, c[t][0] / (speed * span) * H)

    return SimpleNamespace(
        value=friction_value, gradient=friction_gradient, hessian=friction_hessian
    )
