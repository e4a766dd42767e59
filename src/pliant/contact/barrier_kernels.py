# mypy: ignore-errors
# Bodies of Warp functions are Warp's language, which mypy reads as Python.
"""The kernels of the barrier between surfaces."""

from functools import cache
from types import SimpleNamespace
from typing import Any

import warp as wp

from pliant.energies import TERM_OPTIONS

from .barrier_curvature import barrier_curvature
from .barrier_functions import barrier_functions, mollifier
from .closest import closest

#: Blocks above the diagonal of a pair of four points.
ABOVE = 6


@cache
def barrier_kernels(dim: int) -> Any:
    """Return kernels of value, gradient and force, and of blocks on and above the diagonal.

        B = k m b((d - thickness)/reach),      k = kappa reach A [J]

    Points from `count` on are given, not unknown: nothing is added for them.
    """
    real, of, b, edges = wp.float64, closest(dim), barrier_functions(), mollifier(dim)
    vec, four, Pairs, look = of.vec, of.four, of.Pairs, of.look
    mat = wp.types.matrix(shape=(dim, dim), dtype=real)
    zero, one, two = (wp.constant(real(v)) for v in (0.0, 1.0, 2.0))
    mollify, tilt, curvature = edges.mollify, edges.gradient, barrier_curvature(dim)
    pair_block = curvature.block

    @wp.kernel(module="unique", module_options=TERM_OPTIONS)
    def barrier_value(x: wp.array(dtype=vec), pairs: Pairs, energies: wp.array(dtype=real)):
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
    def barrier_gradient(x: wp.array(dtype=vec), pairs: Pairs, count: int, g: wp.array(dtype=vec)):
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

    @wp.kernel(module="unique", module_options=TERM_OPTIONS)
    def barrier_diagonal(
        x: wp.array(dtype=vec),
        pairs: Pairs,
        count: int,
        project: int,
        slots: wp.array3d(dtype=wp.int32),
        blocks: wp.array(dtype=mat),
    ):
        i = wp.tid()
        near, s, law = look(x, pairs, i), pairs.stencils[i], pairs.laws[i]
        y = (near.d - law[0]) / law[1]
        if y > zero and y < one:
            h = curvature.of(x, pairs.kinds[i], s, law, near, y, project)
            for a in range(4):
                if s[a] >= 0 and s[a] < count:
                    slot = slots[s[a], 0, 0]
                    if slot >= 0:
                        wp.atomic_add(blocks, slot, pair_block(h, a, a))

    @wp.kernel(module="unique", module_options=TERM_OPTIONS)
    def barrier_above(
        x: wp.array(dtype=vec),
        pairs: Pairs,
        count: int,
        project: int,
        rows: wp.array(dtype=wp.int32),
        columns: wp.array(dtype=wp.int32),
        above: wp.array(dtype=mat),
    ):
        i = wp.tid()
        near, s, law = look(x, pairs, i), pairs.stencils[i], pairs.laws[i]
        y, at = (near.d - law[0]) / law[1], ABOVE * i
        touches = y > zero and y < one
        h = curvature.Curvature()
        if touches:
            h = curvature.of(x, pairs.kinds[i], s, law, near, y, project)
        for a in range(4):
            for c in range(a + 1, 4):
                rows[at] = 0
                columns[at] = 0
                above[at] = mat()
                if touches and wp.min(s[a], s[c]) >= 0 and wp.max(s[a], s[c]) < count:
                    rows[at] = s[a]
                    columns[at] = s[c]
                    above[at] = pair_block(h, a, c)
                at += 1

    @wp.kernel(module="unique", module_options=TERM_OPTIONS)
    def barrier_force(
        x: wp.array(dtype=vec),
        pairs: Pairs,
        forces: wp.array(dtype=real),
        weights: wp.array(dtype=four),
        normals: wp.array(dtype=vec),
        distances: wp.array(dtype=real),
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

    return SimpleNamespace(
        value=barrier_value,
        gradient=barrier_gradient,
        diagonal=barrier_diagonal,
        above=barrier_above,
        force=barrier_force,
    )
