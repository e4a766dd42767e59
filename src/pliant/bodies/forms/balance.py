"""Second derivatives that a constant moment does no work on."""

from __future__ import annotations

import numpy as np

from ..least_change import least_change

#: A surface is flat where tangents of neighbours differ by less than this. On a curved one no moment
#: is constant, and to balance what should not be in balance spoils its curvature at rest.
FLAT_PATCH = 1e-6


def balanced(
    points: np.ndarray,
    uv: np.ndarray,
    stencils: np.ndarray,
    operators: np.ndarray,
    sizes: np.ndarray,
    free: np.ndarray,
) -> np.ndarray:
    """The operators (terms, 5, k), the last three changed as little as makes them balance.

        sum_t size_t L_ti = 0   for every point i that is free, as integral phi,11 dA = 0

    Where it does not hold, as on uneven meshes, a sheet wrinkles under a constant moment, and bends
    too easily at any fineness. Each term goes on to know all quadratics exactly. points (n, 3) [m]; uv:
    where those of each term are in its tangents (terms, k, 2); free: mask of points (n,).
    """
    used = np.ones(stencils.shape, dtype=bool)
    used[:, 1:] = stencils[:, 1:] != stencils[:, :1]  # the rest is padding
    second = np.where(used, operators[:, 2:].transpose(1, 0, 2), 0.0)  # (3, terms, k)
    size = sizes / sizes.mean()
    left = np.zeros((len(free), 3))
    np.subtract.at(left, stencils, (size[:, None] * second).transpose(1, 2, 0))
    left[~free] = 0.0
    if np.abs(left).max() <= 1e-9 * np.abs(second).max():
        return operators
    u, v = np.moveaxis(uv / np.sqrt((uv**2).sum(axis=2).max(axis=1))[:, None, None], 2, 0)
    quadratics = np.stack([np.ones_like(u), u, v, u * u, v * v, u * v], axis=2)
    columns, weights, _ = np.linalg.svd(quadratics * used[..., None], full_matrices=False)
    known = columns * (weights > 1e-9 * weights[:, :1])[:, None]  # a rim has few points for them
    change = least_change(
        np.where(used & free[stencils], stencils, -1),
        size,
        left[:, None],
        own=used[..., None, None].astype(float),
        known=known[:, :, None],
        positions=points,
    )
    out: np.ndarray = operators.copy()
    out[:, 2:] += change[:, :, 0].transpose(0, 2, 1)
    return out


def flat(axes: np.ndarray, stencils: np.ndarray, points: int) -> np.ndarray:
    """Mask of points all of whose terms lie as the one at the point does, (points,)."""
    frame = np.full((points, 3, 2), np.nan)
    frame[stencils[:, 0]] = axes
    turned = np.swapaxes(axes, 1, 2)[:, None] @ frame[stencils] - np.eye(2)
    most = np.zeros(points)
    np.maximum.at(most, stencils, np.nan_to_num(np.abs(turned).max(axis=(2, 3)), nan=np.inf))
    return most < FLAT_PATCH
