"""Makes sums over elastons what integrals are: constant stress is held by the boundary alone."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_matrix, diags
from scipy.sparse.linalg import LinearOperator, lsmr

from pliant.bodies.elaston_pieces import Pieces
from pliant.bodies.moving_least_squares import polynomials
from pliant.errors import SolverError

#: What gradients at the corners of a facet with so many add to its integral: with it the rule holds
#: for polynomials of the second degree, as the trapezoid's with end corrections does.
CORRECTION = {1: 0.0, 2: 1 / 6, 3: 1 / 8, 4: 1 / 12}
#: Steps of least squares; hundreds are usual.
STEPS = 5000
#: The facets of a hexahedron, seen from outside counter-clockwise.
HEX = ((0, 3, 2, 1), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7))


def balanced(
    first: np.ndarray,
    near: tuple[np.ndarray, np.ndarray],
    axes: np.ndarray,
    pieces: Pieces,
    points: np.ndarray,
    cells: np.ndarray,
    *,
    held: np.ndarray,
    heard: np.ndarray,
) -> np.ndarray:
    """First derivatives (e, sampled, k, 4) that obey Gauss's theorem, from those of the map.

        sum_e V_e grad N(X_e) = integral of N n over the boundary,   for the N of every node

    Else a body under constant stress would push its own inside about. The change is the least one
    that leaves polynomials of the second degree exact, listens to the gradients that were heard
    (e, k), and asks nothing of nodes that are held (n,). Source: [chen2013], where test functions
    alone are changed, which an energy does not allow.
    """
    indices, mine = near
    (e, k), t, n = indices.shape, pieces.sampled, len(points)
    # Gradients count as places do at this distance.
    unit = 2.0 * float(np.linalg.norm(pieces.centre - points[pieces.node], axis=1).mean())
    used = np.repeat(mine[..., None], 4, axis=2)
    used[..., 1 : 1 + t] &= heard[..., None]
    used = used.reshape(e, 1, 4 * k)
    y = np.einsum("eij,ekj->eki", axes, points[indices] - pieces.centre[:, None]) / unit
    known = polynomials(y, t).reshape(e, 4 * k, -1) * used.transpose(0, 2, 1)
    known = np.linalg.qr(known)[0]
    dofs = (4 * indices[:, :, None] + np.arange(4)).ravel()
    gather = csr_matrix((np.ones(len(dofs)), dofs, np.arange(len(dofs) + 1)), (len(dofs), 4 * n))
    gather = gather @ diags(np.repeat(~held, 4).astype(float))
    scatter = gather.T.tocsr()
    along, weight = axes[:, :t], np.sqrt(pieces.size)[:, None, None]

    def free(d: np.ndarray) -> np.ndarray:
        """What polynomials do not see of d (e, t, 4k), which has gradients along the axes."""
        d = d.reshape(e, t, -1) * used
        return d - (d @ known) @ known.transpose(0, 2, 1)

    def turned(d: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """d (e, t, 4k) with gradients times rows (e, 3, 3): into space, or back."""
        d = d.reshape(e, t * k, 4).copy()
        d[..., 1:] = d[..., 1:] @ rows
        return d.reshape(e, t, 4 * k)

    def total(d: np.ndarray) -> np.ndarray:
        """The sum over elastons of weight d along the axes, (4 n, 3), for d in space."""
        return scatter @ ((weight * d).transpose(0, 2, 1) @ along).reshape(-1, 3)

    def back(m: np.ndarray) -> np.ndarray:
        each = (gather @ m.reshape(4 * n, 3)).reshape(e, -1, 3)
        return free(turned(weight * (along @ each.transpose(0, 2, 1)), axes.transpose(0, 2, 1)))

    scale = np.array([1.0, unit, unit, unit])
    wanted = (boundary(points, cells, t).reshape(n, 4, 3) / scale[:, None]) * ~held[:, None, None]
    now = total(weight * (first / scale).reshape(e, t, -1))
    rule = LinearOperator(
        (12 * n, e * t * 4 * k),
        matvec=lambda d: total(turned(free(d), axes)).ravel(),
        rmatvec=lambda m: back(m).ravel(),
        dtype=float,
    )
    change, why, steps, *_ = lsmr(
        rule, wanted.ravel() - now.ravel(), atol=1e-11, btol=1e-11, conlim=1e10, maxiter=STEPS
    )
    if why == 7:
        raise SolverError(
            f"Elastons: sums over {e} elastons did not become integrals in {steps} steps; expected a "
            "mesh of better cells, or a wider support"
        )
    return first + (turned(free(change), axes) / weight).reshape(first.shape) * scale


def boundary(points: np.ndarray, cells: np.ndarray, sampled: int) -> np.ndarray:
    """Integral of N n over the boundary of each cell, summed, for what nodes have: (4 n, 3).

    What cells share cancels. Of curves and surfaces n lies along them.
    """
    out = np.zeros((len(points), 4, 3))
    X = points[cells]
    for facet, area in _facets(X, sampled):
        corners = X[:, facet]
        inward = CORRECTION[len(facet)] * (corners.mean(axis=1, keepdims=True) - corners)
        for a, corner in enumerate(facet):
            np.add.at(out[:, 0], cells[:, corner], area / len(facet))
            np.add.at(out[:, 1:], cells[:, corner], inward[:, a, :, None] * area[:, None])
    return out.reshape(-1, 3)


def _facets(X: np.ndarray, sampled: int) -> list[tuple[list[int], np.ndarray]]:
    """Corners of each facet, and its outward normal times its area (c, 3)."""
    corners = X.shape[1]
    if sampled == 3 and corners == 8:
        return [
            (list(f), 0.5 * np.cross(X[:, f[2]] - X[:, f[0]], X[:, f[3]] - X[:, f[1]])) for f in HEX
        ]
    if sampled == 2 and corners == 4:
        across = np.cross(X[:, 2] - X[:, 0], X[:, 3] - X[:, 1])
        across /= np.linalg.norm(across, axis=1, keepdims=True)
        sides = [[a, (a + 1) % 4] for a in range(4)]
        return [(s, np.cross(X[:, s[1]] - X[:, s[0]], across)) for s in sides]
    edges = X[:, 1:] - X[:, :1]
    gram = edges @ edges.transpose(0, 2, 1)
    whole = np.sqrt(np.linalg.det(gram))[:, None] / np.prod(np.arange(1, sampled + 1))
    slopes = np.linalg.solve(gram, edges)
    slopes = np.concatenate([-slopes.sum(axis=1, keepdims=True), slopes], axis=1)
    return [
        ([b for b in range(corners) if b != a], -sampled * whole * slopes[:, a])
        for a in range(corners)
    ]
