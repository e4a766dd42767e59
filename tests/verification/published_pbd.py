"""Position-based dynamics of chains as its papers print it, in numpy; nothing of the library."""

from __future__ import annotations

import numpy as np


def visits(x, y, w, pairs, rests, order, sweeps, *, compliance=None, share=1.0):
    """Sweeps over distances |x_i - x_j| = L from the prediction y.

    compliance (already over dt^2): [macklin2016] (18), multipliers that begin at zero. None: plain PBD,
    which puts a share of every miss right.
    """
    x, lam = y.copy(), np.zeros(len(pairs))
    for _ in range(sweeps):
        for s in order:
            i, j = pairs[s]
            u = x[j] - x[i]
            n, miss = u / np.linalg.norm(u), np.linalg.norm(u) - rests[s]
            if compliance is None:
                change = -share * miss / (w[i] + w[j])
            else:
                change = -(miss + compliance[s] * lam[s]) / (w[i] + w[j] + compliance[s])
                lam[s] += change
            x[i] -= w[i] * change * n
            x[j] += w[j] * change * n
    return x


def run(x, pairs, rests, masses, fixed, order, *, gravity, dt, steps, sweeps, drag=0.0, **how):
    """A chain under gravity; its positions at the end. drag [1/s]: implicit, on the world."""
    x, v = x.copy(), np.zeros_like(x)
    w = 1.0 / masses
    w[fixed] = 0.0
    for _ in range(steps):
        y = x + dt * np.where(w[:, None] > 0.0, v + dt * np.asarray(gravity), 0.0)
        new = visits(x, y, w, pairs, rests, order, sweeps, **how)
        x, v = new, (new - x) / dt / (1.0 + drag * dt)
    return x
