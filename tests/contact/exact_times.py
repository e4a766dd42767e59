"""Exact times of impact of pairs whose points go along straight lines: roots of polynomials."""

from __future__ import annotations

import numpy as np

from pliant.contact.closest import EDGE_EDGE, POINT_TRIANGLE
from tests.contact.sums import pairs_of


def cross(a, b):
    return np.stack(
        [
            a[:, (k + 1) % 3] * b[:, (k + 2) % 3] - a[:, (k + 2) % 3] * b[:, (k + 1) % 3]
            for k in range(3)
        ],
        axis=1,
    )


def coplanar(kind, x):
    """Six times the volume of the four points of each pair; in the plane twice the area of three."""
    a, b, c = (x[:, k] - x[:, 0] for k in (1, 2, 2 if x.shape[2] == 2 else 3))
    if x.shape[2] == 2:
        return a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]
    return np.einsum("ij,ij->i", a, cross(b, c))


def times_of(kind, x, dx, *, width=1e-7):
    """The first time in [0, 1] at which each pair (m, k, d) touches; inf if it does not.

    Pairs touch where their points lie in one plane (on one line) and the distance is zero, which a root
    that is inexact leaves at less than `width`.
    """
    degree = x.shape[2]
    at = np.linspace(0.0, 1.0, degree + 1)
    values = np.stack([coplanar(kind, x + t * dx) for t in at], axis=1)
    p = values @ np.linalg.inv(np.vander(at)).T  # highest power first
    out = np.full(len(x), np.inf)
    for t in roots(p).T:
        real = (np.abs(t.imag) < 1e-7) & (t.real >= 0.0) & (t.real <= 1.0)
        t = np.where(real, t.real, 0.0)
        points, pairs = pairs_of(kind, x + t[:, None, None] * dx)
        touches = real & (pairs.touch(points).distances < width)
        out = np.where(touches, np.minimum(out, t), out)
    return out


def roots(p):
    """The roots of each polynomial (m, k), highest power first; where that vanishes, a far one."""
    k = p.shape[1] - 1
    scale = np.abs(p).max(axis=1)
    lead = np.where(np.abs(p[:, 0]) < 1e-14 * scale, 1e-14 * scale + 1e-300, p[:, 0])
    companion = np.zeros((len(p), k, k))
    companion[:, 0] = -p[:, 1:] / lead[:, None]
    for i in range(1, k):
        companion[:, i, i - 1] = 1.0
    return np.linalg.eigvals(companion) + 0j


def random_pairs(kind, dim, count, seed, *, speed=1.0):
    """Pairs of points at random, and ways that lead many of them into each other."""
    rng = np.random.default_rng(seed)
    k = 4 if kind in (POINT_TRIANGLE, EDGE_EDGE) else 3
    x = rng.uniform(-1, 1, (count, k, dim))
    dx = speed * rng.uniform(-1, 1, x.shape)
    first = 2 if kind == EDGE_EDGE else 1
    # Half of them aim at each other: the first side goes past the middle of the second.
    aim = x[:, first:].mean(axis=1) - x[:, :first].mean(axis=1)
    dx[::2, :first] += 2.0 * aim[::2, None]
    return x, dx
