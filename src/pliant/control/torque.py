"""Taking the torque out of damping forces, cluster by cluster.

Each function takes forces that sum to zero in every cluster and gives forces whose sum and torque are
zero in every cluster. All arrays are over the members of the clusters, (k, d).
"""

from __future__ import annotations

import numpy as np

from .clusters import Clusters


def onto_distances(
    clusters: Clusters, x: np.ndarray, f: np.ndarray, pairs: np.ndarray
) -> np.ndarray:
    """Forces along the distances between members; pairs (e, 2) of members of one cluster each.

    f_e = e e^T (f_i - f_j) for each pair, added up, and scaled by c = min(1, min |f_i|/|fbar_i|) in
    each cluster, so that none has grown. Source: [schmedding2009] 3.3.1; its (10) is printed upside
    down.
    """
    i, j = pairs.T
    along = x[i] - x[j]
    along /= np.maximum(np.linalg.norm(along, axis=1, keepdims=True), 1e-300)
    pull = np.einsum("ed,ed->e", f[i] - f[j], along)[:, None] * along
    bar = np.zeros_like(f)
    np.add.at(bar, i, pull)
    np.add.at(bar, j, -pull)
    before, after = np.linalg.norm(f, axis=1), np.linalg.norm(bar, axis=1)
    ratio = np.divide(before, after, out=np.full(len(f), np.inf), where=after > 0.0)
    c = np.minimum(1.0, np.minimum.reduceat(ratio, clusters.starts))
    out: np.ndarray = clusters.spread(c)[:, None] * bar
    return out


def onto_directions(
    clusters: Clusters, x: np.ndarray, f: np.ndarray, weights: np.ndarray
) -> np.ndarray:
    """Forces along the directions to one point of each cluster.

    The point is the mean of the members by `weights` (k,), which sum to one in each cluster; what the
    projected forces sum to is taken away again in these shares, which has no torque.
    Source: [schmedding2009] 3.3.2.
    """
    w = weights[:, None]
    r = x - clusters.spread(clusters.total(w * x))
    r -= clusters.spread(clusters.total(w * r))  # what rounding has left far from the origin
    square = np.einsum("kd,kd->k", r, r)
    share = np.divide(
        np.einsum("kd,kd->k", f, r), square, out=np.zeros_like(square), where=square > 0.0
    )
    bar = share[:, None] * r
    out: np.ndarray = bar - w * clusters.spread(clusters.total(bar))
    return out


def by_programme(clusters: Clusters, x: np.ndarray, f: np.ndarray) -> np.ndarray:
    """The least correction in the sum of absolute values, by a linear programme for each cluster.

    Source: [schmedding2009] (14). Torques only hang on a few members far out, which take the whole
    correction.
    """
    out: np.ndarray = f.copy()
    ends = np.r_[clusters.starts[1:], len(f)]
    for a, b in zip(clusters.starts, ends, strict=True):
        out[a:b] += _least_correction(x[a:b], f[a:b])
    return out


def _least_correction(x: np.ndarray, f: np.ndarray) -> np.ndarray:
    from scipy.optimize import linprog

    k, d = x.shape
    scale = np.abs(f).max()
    if scale == 0.0:
        return np.zeros_like(f)
    r = x - x.mean(axis=0)
    if not r.any():  # all in one place: no torque
        return np.zeros_like(f)
    r = r / np.abs(r).max()
    torques = turning(r).reshape(-1, k * d)
    sums = np.tile(np.eye(d), (1, k))
    rows = np.vstack([sums, torques])
    wanted = np.concatenate([np.zeros(d), -torques @ f.ravel() / scale])
    found = linprog(np.ones(2 * k * d), A_eq=np.hstack([rows, -rows]), b_eq=wanted, method="highs")
    if found.x is None:
        raise ValueError(f"RelativeDamping: the linear programme failed: {found.message}")
    correction = scale * (found.x[: k * d] - found.x[k * d :]).reshape(k, d)
    # HiGHS keeps its equations to 1e-7; the rest is taken out by the least squares nearest to them.
    miss = rows @ (f + correction).ravel()
    out: np.ndarray = correction - (np.linalg.pinv(rows) @ miss).reshape(k, d)
    return out


def turning(r: np.ndarray) -> np.ndarray:
    """The rows that give the torque of forces at r (k, d): (1 or 3, k, d)."""
    if r.shape[1] == 2:
        return np.stack([-r[:, 1], r[:, 0]], axis=1)[None]
    return np.stack([np.cross(r, axis) for axis in -np.eye(3)])


def rotation(clusters: Clusters, x: np.ndarray, v: np.ndarray) -> np.ndarray:
    """The rotation omega x r of each cluster that has the angular momentum of v, (k, d).

    v: relative to the centre of mass of the cluster [m/s].
    """
    r = x - clusters.mean(x)
    r -= clusters.mean(r)  # what rounding has left far from the origin would be a net force
    m = clusters.masses
    axes = turning(r)  # row a: what turning about axis a does to each member
    spin = clusters.total(np.einsum("k,akd,kd->ka", m, axes, v))
    inertia = clusters.total(np.einsum("k,akd,bkd->kab", m, axes, axes))
    # A straight cluster has no inertia about its line, and no angular momentum about it either.
    omega = np.einsum("cab,cb->ca", np.linalg.pinv(inertia, rcond=1e-10, hermitian=True), spin)
    out: np.ndarray = np.einsum("ka,akd->kd", clusters.spread(omega), axes)
    return out
