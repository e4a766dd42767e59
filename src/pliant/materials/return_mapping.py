# mypy: ignore-errors
# Bodies of Warp functions are Warp's language, which mypy reads as Python.
"""Where plastic flow ends: the minimum of the incremental energy in principal stretches."""

from collections.abc import Callable
from functools import cache
from typing import Any

import warp as wp

from .base import Material


@cache
def returned(material: type[Material], dtype: Any) -> Callable:
    """Return the Warp function that lets trial stretches s flow until stress and yield agree.

        w(s) = min_y psi(diag(s_i exp(-p_i))) + sigma g + hardening g^2/2,   p = Q y,  g = |p| sqrt(2/3)

    The columns of Q (3 x 2) are orthonormal and without trace, so that flow keeps volume; g is the
    equivalent plastic strain of this step, no more than `left`. At the minimum the deviator of the
    Kirchhoff stress t_i = dpsi/d ln s_i is parallel to p, and its von Mises norm is sigma + hardening g.

    (s, lam, mu, sigma, hardening, left) -> the elastic stretches, g, t, and the second derivatives M of
    w with respect to e = ln s:

        M = K - K Q C Q^T K,   K = dt_i/de_j at fixed flow,   C = (Q^T K Q + D'')^-1

    Newton's method from the radial return, two or three steps; none for `Hencky`, for which that is
    exact. Source: [ortiz1999]. Units: sigma, hardening, t, M [Pa].
    """
    vec2, mat2 = wp.types.vector(2, dtype), wp.types.matrix((2, 2), dtype)
    vec3, mat3 = wp.types.vector(3, dtype), wp.types.matrix((3, 3), dtype)
    at = material.principal(dtype)
    root = wp.constant(dtype((2.0 / 3.0) ** 0.5))
    # A last step of this share of the flow leaves an error of about its square.
    close = wp.constant(dtype(1e-7 if dtype is wp.float64 else 1e-4))
    longest = wp.constant(dtype(0.5))  # a logarithmic strain

    @wp.func(module="unique")
    def plane(a: vec3):  # Q^T a
        return vec2(
            (a[0] - a[1]) * dtype(0.7071067811865476),
            (a[0] + a[1] - dtype(2.0) * a[2]) * dtype(0.4082482904638631),
        )

    @wp.func(module="unique")
    def space(y: vec2):  # Q y
        a, b = y[0] * dtype(0.7071067811865476), y[1] * dtype(0.4082482904638631)
        return vec3(a + b, b - a, dtype(-2.0) * b)

    @wp.func(module="unique")
    def shrunk(s: vec3, y: vec2):
        p = space(y)
        return vec3(s[0] * wp.exp(-p[0]), s[1] * wp.exp(-p[1]), s[2] * wp.exp(-p[2]))

    @wp.func(module="unique")
    def planar(K: mat3):  # Q^T K Q
        q = wp.transpose(
            wp.matrix_from_cols(
                space(vec2(dtype(1.0), dtype(0.0))), space(vec2(dtype(0.0), dtype(1.0)))
            )
        )
        r = K @ wp.transpose(q)
        B = mat2()
        for i in range(2):
            for j in range(2):
                for k in range(3):
                    B[i, j] += q[i, k] * r[k, j]
        return B

    @wp.func(module="unique")
    def begin(s: vec3, lam: dtype, mu: dtype, sigma: dtype, hardening: dtype):
        # The radial return, or all of the deviator where the stress is far from linear.
        t, _K = at(s, lam, mu)
        q = plane(t)
        d = plane(vec3(wp.log(s[0]), wp.log(s[1]), wp.log(s[2])))
        over = wp.length(q) / root - sigma
        g = over / (dtype(3.0) * mu + hardening)
        y = (g / (root * wp.length(q))) * q
        if wp.length(y) > dtype(0.9) * wp.length(d):
            two_mu = dtype(2.0) * mu
            g = (two_mu * wp.length(d) / root - sigma) / (dtype(3.0) * mu + hardening)
            y = wp.max(g / (root * wp.length(d)), dtype(0.5)) * d
        return y

    @wp.func(module="unique")
    def resisting(y: vec2, sigma: dtype, hardening: dtype):
        # D' and D'' of the work that flow takes, D = sigma g + hardening g^2/2.
        size = wp.length(y)
        n = y / size
        force = root * (sigma + hardening * root * size)
        along, across = root * root * hardening, force / size
        D = wp.outer((along - across) * n, n)
        D[0, 0] += across
        D[1, 1] += across
        return force * n, D

    @wp.func(module="unique")
    def on_circle(s: vec3, y: vec2, lam: dtype, mu: dtype, radius: dtype):
        # The least energy on the circle |y| = radius: all that is left to flow has flowed.
        z = (radius / wp.length(y)) * y
        C = mat2()
        count = wp.int32(0)
        turn = dtype(1.0)
        while count < 30 and wp.abs(turn) > close:
            t, K = at(shrunk(s, z), lam, mu)
            q, across = plane(t), vec2(-z[1], z[0]) / radius
            pull = wp.dot(z, q) / (radius * radius)
            firm = wp.max(wp.dot(across, planar(K) @ across) + pull, dtype(1e-3) * mu)
            turn = wp.min(wp.max(wp.dot(across, q) / (radius * firm), dtype(-0.5)), dtype(0.5))
            C = wp.outer(across / firm, across)
            z = wp.cos(turn) * z + wp.sin(turn) * radius * across
            count += 1
        return z, C

    @wp.func(module="unique")
    def mapping(s: vec3, lam: dtype, mu: dtype, sigma: dtype, hardening: dtype, left: dtype):
        y = begin(s, lam, mu, sigma, hardening)
        before, step, C, t, K = y, vec2(), mat2(), vec3(), mat3()
        count, last, going = wp.int32(0), dtype(wp.inf), wp.bool(True)
        while count < 40 and going:
            now, slopes = at(shrunk(s, y), lam, mu)
            t, K = now, slopes
            force, D = resisting(y, sigma, hardening)
            r = force - plane(t)
            B = planar(K) + D
            # Crushed beyond its own stability: then as if it were Hencky's.
            if wp.determinant(B) <= dtype(0.0) or wp.trace(B) <= dtype(0.0):
                B = dtype(2.0) * mu * wp.identity(n=2, dtype=dtype) + D
            C = wp.inverse(B)
            if wp.length(r) > last and count < 30:
                y = dtype(0.5) * (y + before)
            else:
                before, last = y, wp.length(r)
                step = C @ r
                step = step * wp.min(dtype(1.0), longest / wp.length(step))
                if wp.dot(y, y - step) < dtype(0.1) * wp.dot(y, y):  # not past the kink at zero
                    y = dtype(0.1) * y
                else:
                    y = y - step
                    going = wp.length(step) > close * wp.length(y)
            count += 1
        ends = root * wp.length(y) > left
        if ends:
            y, C = on_circle(s, y, lam, mu, left / root)
        elastic = shrunk(s, y)
        if ends or going:
            now, slopes = at(elastic, lam, mu)
            t, K = now, slopes
        else:
            t = t + K @ space(step)  # the last step was small
        KQ = wp.matrix_from_rows(plane(K[0]), plane(K[1]), plane(K[2]))
        M = K - KQ @ C @ wp.transpose(KQ)
        return elastic, root * wp.length(y), t, M

    return mapping
