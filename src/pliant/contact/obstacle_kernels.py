# mypy: ignore-errors
# Bodies of Warp functions are Warp's language, which mypy reads as Python.
"""The kernels of obstacles. `order` is the share of the points that a launch visits."""

from functools import cache
from types import SimpleNamespace
from typing import Any

import warp as wp

from pliant.energies.solid_kernels import OPTIONS


@cache
def obstacle_kernels(dim: int, dtype: Any) -> Any:
    """Return value, gradient and Hessian kernels, as attributes."""
    vec = wp.types.vector(length=dim, dtype=dtype)
    mat = wp.types.matrix(shape=(dim, dim), dtype=dtype)
    zero, half = wp.constant(dtype(0.0)), wp.constant(dtype(0.5))

    @wp.func(module="unique")
    def gap_of(x: vec, place: vec, normal: vec, radius: dtype, kind: int):
        gap = wp.dot(normal, x - place)
        if kind != 0:
            gap = dtype(kind) * (wp.length(x - place) - radius)
        return gap

    @wp.func(module="unique")
    def normal_of(x: vec, place: vec, normal: vec, kind: int):
        n = normal
        if kind != 0 and wp.length(x - place) > zero:  # from the very centre no way is out
            n = dtype(kind) / wp.length(x - place) * (x - place)
        return n

    @wp.kernel(module="unique", module_options=OPTIONS)
    def obstacle_value(
        order: wp.array(dtype=wp.int32),
        x: wp.array(dtype=vec),
        place: vec,
        normal: vec,
        radius: dtype,
        kind: int,
        k: dtype,
        energies: wp.array(dtype=wp.float64),
    ):
        i = order[wp.tid()]
        gap = wp.min(gap_of(x[i], place, normal, radius, kind), zero)
        energies[i] = wp.float64(half * k * gap * gap)

    @wp.kernel(module="unique", module_options=OPTIONS)
    def obstacle_gradient(
        order: wp.array(dtype=wp.int32),
        x: wp.array(dtype=vec),
        place: vec,
        normal: vec,
        radius: dtype,
        kind: int,
        k: dtype,
        g: wp.array(dtype=vec),
    ):
        i = order[wp.tid()]
        gap = gap_of(x[i], place, normal, radius, kind)
        if gap < zero:
            g[i] = g[i] + k * gap * normal_of(x[i], place, normal, kind)

    @wp.kernel(module="unique", module_options=OPTIONS)
    def obstacle_hessian(
        order: wp.array(dtype=wp.int32),
        x: wp.array(dtype=vec),
        place: vec,
        normal: vec,
        radius: dtype,
        kind: int,
        k: dtype,
        project: int,
        slots: wp.array3d(dtype=wp.int32),
        blocks: wp.array(dtype=mat),
    ):
        i = order[wp.tid()]
        gap = gap_of(x[i], place, normal, radius, kind)
        slot = slots[i, 0, 0]
        if gap < zero and slot >= 0:
            n = normal_of(x[i], place, normal, kind)
            nn = wp.outer(n, n)
            across = zero
            if kind != 0 and wp.length(x[i] - place) > zero:
                across = gap * dtype(kind) / wp.length(x[i] - place)
            if project == 1:
                across = wp.max(across, zero)
            B = k * (nn + across * (wp.identity(n=dim, dtype=dtype) - nn))
            blocks[slot] = blocks[slot] + B

    return SimpleNamespace(
        value=obstacle_value, gradient=obstacle_gradient, hessian=obstacle_hessian
    )
