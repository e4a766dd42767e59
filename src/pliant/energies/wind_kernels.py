# mypy: ignore-errors
# Bodies of Warp functions are Warp's language, which mypy reads as Python.
"""The kernels of the air's resistance. `order` is the share of the terms that a launch visits."""

from functools import cache
from types import SimpleNamespace
from typing import Any

import warp as wp

from pliant.energies.solid_kernels import OPTIONS


@cache
def wind_kernels(dim: int, dtype: Any) -> Any:
    """Return value, gradient and Hessian kernels, as attributes.

    A term is one point of one facet: its unit normal, c = rho C A/2 across and along it [kg/m], and
    whether only wind against the normal counts. u is the wind as the point feels it [m/s]. Of |u|^3/3
    what it is at u = wind, and its slope there, are taken off: the still body feels a load instead.
    """
    vec = wp.types.vector(length=dim, dtype=dtype)
    mat = wp.types.matrix(shape=(dim, dim), dtype=dtype)
    pair = wp.types.vector(length=2, dtype=dtype)
    zero, two, third = (wp.constant(dtype(v)) for v in (0.0, 2.0, 1.0 / 3.0))

    @wp.func(module="unique")
    def felt(un: dtype, one_sided: int):
        if one_sided == 1:
            un = wp.min(un, zero)
        return un

    @wp.kernel(module="unique", module_options=OPTIONS)
    def wind_value(
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
        n = normals[t]
        w = wind[p]
        u = w - (x[p] - before[p]) / span
        un, wn = wp.dot(n, u), wp.dot(n, w)
        a, b = u - un * n, w - wn * n
        la, lb = wp.length(a), wp.length(b)
        along = third * (la * la * la - lb * lb * lb) - lb * wp.dot(b, a - b)
        fu, fw = felt(un, one_sided), felt(wn, one_sided)
        across = third * (wp.abs(fu * fu * fu) - wp.abs(fw * fw * fw)) - wp.abs(fw) * fw * (un - wn)
        energies[t] = wp.float64(span * (c[t][0] * across + c[t][1] * along))

    @wp.kernel(module="unique", module_options=OPTIONS)
    def wind_gradient(
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
        n = normals[t]
        w = wind[p]
        u = w - (x[p] - before[p]) / span
        un, wn = wp.dot(n, u), wp.dot(n, w)
        a, b = u - un * n, w - wn * n
        fu, fw = felt(un, one_sided), felt(wn, one_sided)
        push = c[t][0] * (wp.abs(fu) * fu - wp.abs(fw) * fw) * n
        push += c[t][1] * (wp.length(a) * a - wp.length(b) * b)
        wp.atomic_sub(g, p, push)

    @wp.kernel(module="unique", module_options=OPTIONS)
    def wind_hessian(
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
        if at >= 0:
            p = points[t, 0]
            n = normals[t]
            u = wind[p] - (x[p] - before[p]) / span
            un = wp.dot(n, u)
            a = u - un * n
            length = wp.length(a)
            H = two * c[t][0] * wp.abs(felt(un, one_sided)) * wp.outer(n, n)
            if c[t][1] > zero and length > zero:
                across = wp.identity(n=dim, dtype=dtype) - wp.outer(n, n)
                H += c[t][1] * (length * across + wp.outer(a, a) / length)
            wp.atomic_add(blocks, at, H / span)

    return SimpleNamespace(value=wind_value, gradient=wind_gradient, hessian=wind_hessian)
