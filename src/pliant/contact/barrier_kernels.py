# mypy: ignore-errors
# Bodies of Warp functions are Warp's language, which mypy reads as Python.
"""The kernels of the barrier between surfaces."""

from functools import cache
from types import SimpleNamespace
from typing import Any

import warp as wp

from pliant.backend import Doubles, kernel_types
from pliant.energies import TERM_OPTIONS

from .barrier_curvature import barrier_curvature
from .barrier_functions import barrier_functions, mollifier
from .block_kernels import block_kernels
from .closest import closest


@cache
def barrier_kernels(dim: int) -> Any:
    """Return kernels of value, gradient and force, and of blocks on and above the diagonal.

        B = k m b((d - thickness)/reach),      k = kappa reach A [J]

    Points from `count` on are given, not unknown: nothing is added for them.
    """
    real, of, b, edges = wp.float64, kernel_types(dim), barrier_functions(), mollifier(dim)
    Pairs, look = closest(dim).Pairs, closest(dim).look
    zero, one, two = (wp.constant(real(v)) for v in (0.0, 1.0, 2.0))
    mollify, tilt, curvature = edges.mollify, edges.gradient, barrier_curvature(dim)
    Curvature = curvature.Curvature

    @wp.kernel(module="unique", module_options=TERM_OPTIONS)
    def barrier_value(x: of.Vecs, pairs: Pairs, energies: Doubles):
        i = wp.tid()
        law, energy = pairs.laws[i], zero
        y = (look(x, pairs, i).d - law[0]) / law[1]
        if y <= zero:
            energy = real(wp.inf)
        elif y < one:
            z = mollify(x, pairs.kinds[i], pairs.stencils[i], law[3])
            energy = law[2] * z * (two - z) * b.value(y)
        energies[i] = energy

    @wp.kernel(module="unique", module_options=TERM_OPTIONS)
    def barrier_gradient(x: of.Vecs, pairs: Pairs, count: int, g: of.Vecs):
        i = wp.tid()
        law, near, s = pairs.laws[i], look(x, pairs, i), pairs.stencils[i]
        y = (near.d - law[0]) / law[1]
        if y > zero and y < one:
            z = mollify(x, pairs.kinds[i], s, law[3])
            f = law[2] * z * (two - z) * b.slope(y) / law[1] * near.n
            for a in range(4):
                if s[a] >= 0 and s[a] < count:
                    wp.atomic_add(g, s[a], near.w[a] * f)
            if z < one:
                push = law[2] * b.value(y) * two * (one - z) / law[3]
                for a in range(4):
                    if s[a] < count:
                        wp.atomic_add(g, s[a], push * tilt(x, s, a))

    @wp.func(module="unique")
    def stiffness(x: of.Vecs, pairs: Pairs, i: int, project: int):
        near, s, law = look(x, pairs, i), pairs.stencils[i], pairs.laws[i]
        y = (near.d - law[0]) / law[1]
        h = Curvature()
        if y > zero and y < one:
            h = curvature.of(x, pairs.kinds[i], s, law, near, y, project)
        return h

    @wp.kernel(module="unique", module_options=TERM_OPTIONS)
    def barrier_force(
        x: of.Vecs,
        pairs: Pairs,
        forces: Doubles,
        weights: wp.array(dtype=wp.vec4d),
        normals: of.Vecs,
        distances: Doubles,
    ):
        i = wp.tid()
        near, law = look(x, pairs, i), pairs.laws[i]
        y = (near.d - law[0]) / law[1]
        forces[i] = zero
        if y > zero and y < one:
            z = mollify(x, pairs.kinds[i], pairs.stencils[i], law[3])
            forces[i] = -law[2] * z * (two - z) * b.slope(y) / law[1]
        weights[i] = near.w
        normals[i] = near.n
        distances[i] = near.d

    diagonal, above = block_kernels(dim, Pairs, stiffness, curvature.block)
    return SimpleNamespace(
        value=barrier_value,
        gradient=barrier_gradient,
        diagonal=diagonal,
        above=above,
        force=barrier_force,
    )
