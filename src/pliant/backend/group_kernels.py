# mypy: ignore-errors
# Bodies of Warp functions are Warp's language, which mypy reads as Python.
"""The kernels of rigid motion: sums over groups of points, and moves of the points."""

from functools import cache
from typing import Any

import warp as wp

from .array_types import Doubles, Ints
from .reductions import OPTIONS, adder, kernels_named

#: Sums of one group: of m x, m v and f; then, about its centre, of m r, m r r^T (upper half) and
#: r x (m v + dt f).
SUMS = 21
#: What is known of a carry: centre, centre_new, rotation by rows, spin.
CARRY = 18


@cache
def group_kernels(dim: int, cuda: bool) -> Any:
    """Return the kernels, as attributes. Those of sums are launched over `members`."""
    vec = wp.types.vector(dim, wp.float64)
    sums_of, carry_size = wp.constant(SUMS), wp.constant(CARRY)
    zero = wp.constant(wp.float64(0.0))
    add = adder(cuda)
    Vecs, Vecs2 = wp.array(dtype=vec), wp.array2d(dtype=vec)

    @wp.func(module="unique")
    def up(a: vec):
        out = wp.vec3d()
        for k in range(dim):
            out[k] = a[k]
        return out

    @wp.func(module="unique")
    def down(a: wp.vec3d):
        out = vec()
        for k in range(dim):
            out[k] = a[k]
        return out

    @wp.func(module="unique")
    def at(table: Doubles, k: int):
        return wp.vec3d(table[k], table[k + 1], table[k + 2])

    @wp.func(module="unique")
    def centre(pivots: Doubles, part: int, total: wp.vec3d):
        # pivots: the mass of a part that moves freely, or 0 and the point about which it turns
        if pivots[4 * part] > zero:
            return total / pivots[4 * part]
        return at(pivots, 4 * part + 1)

    @wp.kernel(module="unique", module_options=OPTIONS)
    def totals(
        members: Ints, owners: Ints, masses: Doubles, x: Vecs, v: Vecs, load: Vecs, sums: Doubles
    ):
        t = wp.tid()
        i = members[t]
        slot = sums_of * owners[t]
        a, b, c = wp.vec3d(), wp.vec3d(), wp.vec3d()
        if i >= 0:
            a = masses[i] * up(x[i])
            b = masses[i] * up(v[i])
            c = up(load[i])
        for k in range(3):
            add(sums, slot + k, a[k])
            add(sums, slot + 3 + k, b[k])
            add(sums, slot + 6 + k, c[k])

    @wp.kernel(module="unique", module_options=OPTIONS)
    def arms(
        members: Ints,
        owners: Ints,
        pivots: Doubles,
        masses: Doubles,
        x: Vecs,
        v: Vecs,
        load: Vecs,
        dt: wp.float64,
        sums: Doubles,
    ):
        t = wp.tid()
        i = members[t]
        slot = sums_of * owners[t]
        r, first, turning = wp.vec3d(), wp.vec3d(), wp.vec3d()
        if i >= 0:
            r = up(x[i]) - centre(pivots, owners[t], at(sums, slot))
            first = masses[i] * r
            turning = wp.cross(r, masses[i] * up(v[i]) + dt * up(load[i]))
        for k in range(3):
            add(sums, slot + 9 + k, first[k])
            add(sums, slot + 12 + k, first[0] * r[k])
            add(sums, slot + 18 + k, turning[k])
        add(sums, slot + 15, first[1] * r[1])
        add(sums, slot + 16, first[1] * r[2])
        add(sums, slot + 17, first[2] * r[2])

    @wp.kernel(module="unique", module_options=OPTIONS)
    def covariance(
        members: Ints,
        owners: Ints,
        pivots: Doubles,
        others: Doubles,
        masses: Doubles,
        x: Vecs,
        shape: Vecs,
        sums: Doubles,
    ):
        # of m b a^T after `totals` with the shape as v: b from x, a from the shape
        t = wp.tid()
        i = members[t]
        slot = sums_of * owners[t]
        a, b = wp.vec3d(), wp.vec3d()
        if i >= 0:
            b = masses[i] * (up(x[i]) - centre(pivots, owners[t], at(sums, slot)))
            a = up(shape[i]) - centre(others, owners[t], at(sums, slot + 3))
        for k in range(3):
            add(sums, slot + 9 + k, b[0] * a[k])
            add(sums, slot + 12 + k, b[1] * a[k])
            add(sums, slot + 15 + k, b[2] * a[k])

    @wp.func(module="unique")
    def rotation(table: Doubles, k: int):
        return wp.matrix_from_rows(at(table, k), at(table, k + 3), at(table, k + 6))

    @wp.kernel(module="unique", module_options=OPTIONS)
    def place(group_of: Ints, mobile: Ints, carries: Doubles, x: Vecs, pins: Vecs, out: Vecs):
        # centre_new + rotation (x - centre); pins from their own array, points of no group stay
        i = wp.tid()
        k = carry_size * group_of[i]
        y = x[i]
        if mobile[i] == 0:
            y = pins[i]
        elif k >= 0:
            r = up(x[i]) - at(carries, k)
            y = down(at(carries, k + 3) + rotation(carries, k + 6) @ r)
        out[i] = y

    @wp.kernel(module="unique", module_options=OPTIONS)
    def turn(group_of: Ints, mobile: Ints, carries: Doubles, v: Vecs, out: Vecs):
        i = wp.tid()
        k = carry_size * group_of[i]
        y = v[i]
        if mobile[i] == 0:
            y = vec()
        elif k >= 0:
            y = down(rotation(carries, k + 6) @ up(v[i]))
        out[i] = y

    @wp.kernel(module="unique", module_options=OPTIONS)
    def spin(group_of: Ints, masses: Doubles, carries: Doubles, shape: Vecs, out: Vecs):
        # - m omega x (omega x r)
        i = wp.tid()
        k = carry_size * group_of[i]
        y = vec()
        if k >= 0:
            omega = at(carries, k + 15)
            r = up(shape[i]) - at(carries, k + 3)
            y = down(-masses[i] * wp.cross(omega, wp.cross(omega, r)))
        out[i] = y

    @wp.kernel(module="unique", module_options=OPTIONS)
    def motions(
        group_of: Ints,
        mobile: Ints,
        masses: Doubles,
        columns: Doubles,
        x: Vecs,
        basis: Vecs2,
        weighted: Vecs2,
    ):
        # t + w x r on the points of one part; columns: part, centre, t, w
        k, i = wp.tid()
        q = vec()
        if mobile[i] == 1 and wp.float64(group_of[i]) == columns[10 * k]:
            r = up(x[i]) - at(columns, 10 * k + 1)
            q = down(at(columns, 10 * k + 4) + wp.cross(at(columns, 10 * k + 7), r))
        basis[k, i] = q
        weighted[k, i] = masses[i] * q

    return kernels_named(totals, arms, covariance, place, turn, spin, motions)
