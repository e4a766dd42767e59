# mypy: ignore-errors
# Bodies of Warp functions are Warp's language, which mypy reads as Python.
"""The kernels of an objective, and of motions that are kept out of it."""

from functools import cache
from typing import Any

import warp as wp

from .array_types import Doubles, Ints
from .reductions import OPTIONS, adder, kernels_named


@cache
def objective_kernels(dim: int, cuda: bool) -> Any:
    """Return the kernels, as attributes. Sums are launched over whole blocks."""
    vec, mat = wp.types.vector(dim, wp.float64), wp.types.matrix((dim, dim), wp.float64)
    zero, half = wp.constant(wp.float64(0.0)), wp.constant(wp.float64(0.5))
    add = adder(cuda)
    Vecs, Vecs2 = wp.array(dtype=vec), wp.array2d(dtype=vec)

    @wp.kernel(module="unique", module_options=OPTIONS)
    def close(
        weight: wp.float64,
        masses: Doubles,
        mobile: Ints,
        x: Vecs,
        anchor: Vecs,
        load: Vecs,
        g: Vecs,
    ):
        # g + weight m (x - anchor) - load, zero at pins
        i = wp.tid()
        force = vec()
        if mobile[i] == 1:
            force = g[i] + (weight * masses[i]) * (x[i] - anchor[i]) - load[i]
        g[i] = force

    @wp.kernel(module="unique", module_options=OPTIONS)
    def inertia(
        weight: wp.float64, masses: Doubles, x: Vecs, anchor: Vecs, load: Vecs, total: Doubles
    ):
        # weight/2 m |x - anchor|^2 - load . (x - anchor)
        i = wp.tid()
        part = zero
        if i < x.shape[0]:
            u = x[i] - anchor[i]
            part = half * weight * masses[i] * wp.dot(u, u) - wp.dot(load[i], u)
        add(total, 0, part)

    @wp.kernel(module="unique", module_options=OPTIONS)
    def multiply(
        starts: Ints,
        columns: Ints,
        blocks: wp.array(dtype=mat),
        weight: wp.float64,
        x: Vecs,
        anchor: Vecs,
        out: Vecs,
    ):
        # out += weight K (x - anchor)
        i = wp.tid()
        total = vec()
        for e in range(starts[i], starts[i + 1]):
            j = columns[e]
            total += blocks[e] @ (x[j] - anchor[j])
        out[i] = out[i] + weight * total

    @wp.kernel(module="unique", module_options=OPTIONS)
    def components(basis: Vecs2, a: Vecs, found: Doubles):
        # found_k += basis_k . a
        k, i = wp.tid()
        part = zero
        if i < a.shape[0]:
            part = wp.dot(basis[k, i], a[i])
        add(found, k, part)

    @wp.kernel(module="unique", module_options=OPTIONS)
    def remove(mobile: Ints, found: Doubles, basis: Vecs2, a: Vecs):
        # a - found_k basis_k, zero at pins, where all basis_k are
        i = wp.tid()
        y = vec()
        if mobile[i] == 1:
            y = a[i]
            for k in range(basis.shape[0]):
                y -= found[k] * basis[k, i]
        a[i] = y

    return kernels_named(close, inertia, multiply, components, remove)
