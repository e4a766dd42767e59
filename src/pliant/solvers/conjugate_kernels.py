# mypy: ignore-errors
# Bodies of Warp functions are Warp's language, which mypy reads as Python.
"""The kernels of preconditioned conjugate gradients, with every scalar on the device."""

from functools import cache
from typing import Any

import warp as wp

from pliant.backend import Doubles, Ints, adder, topper

from .inner import row_product
from .rows import Storage, named

# Where `state`, float64, holds the scalars.
RZ, RZ_OLD, CURVATURE, RR, TARGET, ITERATIONS, LIMIT, STATUS = (wp.constant(i) for i in range(8))
LARGEST = 8  # entry of the answer, in its own view of `state`
STATES = 9
# What STATUS says.
RUNNING, CONVERGED, INDEFINITE, UNUSABLE, EXHAUSTED = (wp.constant(float(i)) for i in range(5))


@cache
def conjugate_kernels(storage: Storage) -> Any:
    """Return the kernels of one iteration, as attributes.

    Launches are rounded up to whole blocks, so each kernel tests that its point exists.
    """
    module = storage.module("conjugate")
    vec, mat, dtype = storage.vec, storage.mat, storage.dtype
    double = wp.types.vector(storage.dim, wp.float64)
    zero = wp.constant(wp.float64(0.0))
    row, add, top = row_product(storage), adder(storage.tiled, module), topper(storage.tiled)
    Vecs, Mats, Reals, Finals = (wp.array(dtype=t) for t in (vec, mat, dtype, double))
    Vecs2, Values = wp.array2d(dtype=vec), wp.array(dtype=storage.values)
    Vecs = wp.array(dtype=vec)

    @wp.kernel(module=module)
    def components(basis: Vecs2, v: Vecs, found: Doubles):
        # found_k += basis_k . v
        k, i = wp.tid()
        part = zero
        if i < v.shape[0]:
            part = wp.dot(double(basis[k, i]), double(v[i]))
        add(found, k, part)

    @wp.kernel(module=module)
    def start(
        r: Vecs,
        weighted: Vecs2,
        found: Doubles,
        inverse: Mats,
        factors: Reals,
        x: Finals,
        p: Vecs,
        z: Vecs,
        state: Doubles,
    ):
        # r <- P^T r,   x = p = 0,   and the first step of the preconditioner
        i = wp.tid()
        part = zero
        if i < r.shape[0]:
            ri = r[i]
            for k in range(weighted.shape[0]):
                ri -= dtype(found[k]) * weighted[k, i]
            r[i] = ri
            x[i] = double()
            p[i] = vec()
            z[i] = factors[0] * (inverse[i] @ ri)
            part = wp.dot(double(ri), double(ri))
        add(state, RR, part)

    @wp.kernel(module=module)
    def open_loop(rtol: wp.float64, limit: wp.float64, state: Doubles, going: Ints):
        state[TARGET] = rtol * rtol * state[RR]
        state[RZ] = zero
        state[RZ_OLD] = zero
        state[CURVATURE] = zero
        state[ITERATIONS] = zero
        state[LIMIT] = limit
        state[STATUS] = wp.float64(RUNNING)
        going[0] = 1
        if not (state[RR] > zero):
            state[STATUS] = wp.float64(CONVERGED)
            if state[RR] != zero:  # not a number
                state[STATUS] = wp.float64(UNUSABLE)
            going[0] = 0
        state[RR] = zero

    @wp.kernel(module=module)
    def correlate(r: Vecs, z: Vecs, state: Doubles):
        # r . z
        i = wp.tid()
        part = zero
        if i < r.shape[0]:
            part = wp.dot(double(r[i]), double(z[i]))
        add(state, RZ, part)

    @wp.kernel(module=module)
    def turn(z: Vecs, basis: Vecs2, found: Doubles, state: Doubles, p: Vecs):
        # p <- P z + (r . z / its last value) p
        i = wp.tid()
        if i < z.shape[0]:
            zi = z[i]
            for k in range(basis.shape[0]):
                zi -= dtype(found[k]) * basis[k, i]
            if state[RZ_OLD] > zero:
                zi += dtype(state[RZ] / state[RZ_OLD]) * p[i]
            p[i] = zi

    @wp.kernel(module=module)
    def multiply(
        first: Ints,
        last: Ints,
        columns: Ints,
        values: Values,
        ground: Mats,
        p: Vecs,
        Ap: Vecs,
        state: Doubles,
    ):
        # A p, and the curvature p . A p
        i = wp.tid()
        part = zero
        if i < p.shape[0]:
            image = row(first, last, columns, values, ground, p, i)
            Ap[i] = image
            part = wp.dot(double(p[i]), double(image))
        add(state, CURVATURE, part)

    @wp.kernel(module=module)
    def multiply_pairs(
        count: Ints,
        rows: Ints,
        columns: Ints,
        blocks: wp.array(dtype=mat),
        p: Vecs,
        Ap: Vecs,
        state: Doubles,
    ):
        # What pairs of points add to A p and to p . A p; each block stands for its transpose, too
        k = wp.tid()
        part = zero
        if k < count[0]:
            i, j = rows[k], columns[k]
            if i != j:  # all blocks that are not used are at one point: there threads would queue
                image = blocks[k] @ p[j]
                wp.atomic_add(Ap, i, image)
                wp.atomic_add(Ap, j, wp.transpose(blocks[k]) @ p[i])
                part = wp.float64(2.0) * wp.dot(double(p[i]), double(image))
        add(state, CURVATURE, part)

    @wp.kernel(module=module)
    def advance(
        p: Vecs,
        Ap: Vecs,
        weighted: Vecs2,
        found: Doubles,
        inverse: Mats,
        factors: Reals,
        x: Finals,
        r: Vecs,
        z: Vecs,
        state: Doubles,
    ):
        # x += a p,   r -= a P^T A p,   a = r . z / p . A p,   z the preconditioner's first step
        i = wp.tid()
        part = zero
        if i < r.shape[0]:
            ri = r[i]
            if state[RZ] > zero and state[CURVATURE] > zero:
                length = state[RZ] / state[CURVATURE]
                a = dtype(length)
                image = Ap[i]
                for k in range(weighted.shape[0]):
                    image -= dtype(found[k]) * weighted[k, i]
                x[i] = x[i] + length * double(p[i])
                ri -= a * image
                r[i] = ri
                z[i] = factors[0] * (inverse[i] @ ri)
            part = wp.dot(double(ri), double(ri))
        add(state, RR, part)

    @wp.kernel(module=module)
    def judge(state: Doubles, going: Ints, found: Doubles):
        # whether to go on; and the sums begin anew
        status = wp.float64(RUNNING)
        if not (state[RZ] > zero):
            status = wp.float64(UNUSABLE)
        elif not (state[CURVATURE] > zero):
            status = wp.float64(INDEFINITE)
        else:
            state[ITERATIONS] = state[ITERATIONS] + wp.float64(1.0)
            if state[RR] <= state[TARGET]:
                status = wp.float64(CONVERGED)
            elif state[ITERATIONS] >= state[LIMIT]:
                status = wp.float64(EXHAUSTED)
        state[STATUS] = status
        if status != wp.float64(RUNNING):
            going[0] = 0
        state[RZ_OLD] = state[RZ]
        state[RZ] = zero
        state[CURVATURE] = zero
        if going[0] != 0:
            state[RR] = zero
        for k in range(found.shape[0]):
            found[k] = zero

    @wp.kernel(module=module)
    def measure(x: Finals, largest: Doubles):
        i = wp.tid()
        most = zero
        if i < x.shape[0]:
            most = wp.max(wp.abs(x[i]))
        top(largest, i, most)

    kernels = (
        components,
        start,
        open_loop,
        correlate,
        turn,
        multiply,
        multiply_pairs,
        advance,
        judge,
        measure,
    )
    return named(*kernels)
