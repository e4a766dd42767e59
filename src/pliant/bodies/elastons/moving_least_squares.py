"""Generalised moving least squares: a smooth map through nodes that know place and gradient."""

from __future__ import annotations

import numpy as np
from scipy.spatial import cKDTree

from pliant.forms import PAIRS

#: Weight of a gradient beside that of a place, over the size of the neighbourhood.
GRADIENT = 0.5
#: A fit worse conditioned than this hears the held nodes that it could do without.
DEAF = 1e4
#: How near the map comes to its nodes: 0 would be through them.
BLUNT = 0.06
#: Places at a time: a neighbourhood takes some 100 kB.
NODES_AT_ONCE = 500

Array = np.ndarray


def neighbourhoods(at: Array, nodes: Array, radii: Array) -> tuple[Array, Array]:
    """The nodes whose support, a ball of radius radii (n,) [m], holds each place of at (e, 3) [m].

    Returns indices (e, k) and a mask of the same shape: short rows repeat an index, which is not
    theirs. A place that no support holds has none at all.
    """
    tree, reach = cKDTree(nodes), radii.max()
    found = []
    for place, near in zip(at, tree.query_ball_point(at, reach), strict=True):
        some = np.sort(np.asarray(near, dtype=int))
        found.append(some[np.linalg.norm(nodes[some] - place, axis=1) < 0.999999 * radii[some]])
    counts = np.array([len(some) for some in found])
    mine = np.arange(counts.max(initial=1)) < counts[:, None]
    indices = np.repeat(np.array([s[0] if len(s) else 0 for s in found])[:, None], mine.shape[1], 1)
    indices[mine] = np.concatenate(found)
    return indices, mine


def jets(
    at: Array,
    axes: Array,
    sampled: int,
    nodes: Array,
    radii: Array,
    near: tuple[Array, Array],
    *,
    held: Array,
) -> tuple[Array, Array, Array]:
    """The map and its derivatives at some places (e, 3), as sums over the nodes around them.

        minimise over polynomials q:  sum_i w_i(X) [ |q(X_i) - x_i|^2 + r^2 |grad q(X_i) - F_i|^2 ]
        w_i = (1 - s)^4 / (s + b),   s = |X - X_i|^2 / R_i^2

    q has all products of coordinates along `axes` (e, 3, 3; rows) up to the second degree, but those
    of two directions across: the first `sampled` axes run along the nodes, the others across (two for a
    rod, one for a shell, none for a solid), where nodes tell the first degree only. The map is
    q_X(X); its derivatives along the nodes count those of the weights. near: from `neighbourhoods`.
    held (n,): nodes whose gradient along the nodes is not heard if there are enough others, because it
    was given, not found.
    Returns operators (e, 10, k, 4): x, then x,1 x,2 x,3 x,11 x,22 x,33 x,23 x,13 x,12 along the axes,
    of what each node has (its place, then its gradient along each coordinate of space); the condition
    number of each fit, (e,); and which gradients were heard, (e, k). Source: [martin2010] section 4.
    """
    parts = [
        _jets(at[c], axes[c], sampled, nodes, radii, (near[0][c], near[1][c]), held)
        for c in np.array_split(np.arange(len(at)), 1 + len(at) // NODES_AT_ONCE)
    ]
    operators, condition, heard = (np.concatenate(some) for some in zip(*parts, strict=True))
    return operators, condition, heard


def products(sampled: int) -> list[tuple[int, int]]:
    """The products of two coordinates that nodes can tell."""
    return [pair for pair in PAIRS if min(pair) < sampled]


def polynomials(y: Array, sampled: int) -> Array:
    """Values and gradients of all polynomials at places y (e, k, 3): (e, k, 4, polynomials)."""
    second = products(sampled)
    P = np.zeros((*y.shape[:2], 4, 4 + len(second)))
    P[..., 0, 0] = 1.0
    for i in range(3):
        P[..., 0, 1 + i] = y[..., i]
        P[..., 1 + i, 1 + i] = 1.0
    for b, (i, j) in enumerate(second, start=4):
        P[..., 0, b] = y[..., i] * y[..., j]
        P[..., 1 + i, b] += y[..., j]
        P[..., 1 + j, b] += y[..., i]
    return P


def _exact(sampled: int) -> Array:
    """Values and derivatives of all polynomials at zero, (10, polynomials)."""
    second = products(sampled)
    out = np.zeros((10, 4 + len(second)))
    out[:4, :4] = np.eye(4)
    for b, (i, j) in enumerate(second, start=4):
        out[4 + PAIRS.index((i, j)), b] = 2.0 if i == j else 1.0
    return out


def _jets(
    at: Array,
    axes: Array,
    sampled: int,
    nodes: Array,
    radii: Array,
    near: tuple[Array, Array],
    held: Array,
) -> tuple[Array, Array, Array]:
    indices, mine = near
    e, k = indices.shape
    R = radii[indices]
    size = np.where(mine, R, 0.0).max(axis=1)  # the unit of length, or fits of small things fail
    y = np.einsum("eij,ekj->eki", axes, nodes[indices] - at[:, None]) / size[:, None, None]
    plain, weights = polynomials(y, sampled), _weights(y, R / size[:, None], mine, sampled)
    heard = mine & ~held[indices]
    for _ in range(2):
        scaled = np.broadcast_to([1.0, GRADIENT, GRADIENT, GRADIENT], (e, k, 4)).copy()
        scaled[..., 1 : 1 + sampled] *= heard[..., None]
        data = (plain * scaled[..., None]).reshape(e, 4 * k, -1)
        inverse, condition = _inverse(_weighed(data, weights[()]) @ data)
        unheard = mine & ~heard & (condition > DEAF)[:, None]
        if not unheard.any():
            break
        heard |= unheard
    B = {d: _weighed(data, w) for d, w in weights.items()}
    A = {d: each @ data for d, each in B.items()}
    c: dict[tuple[int, ...], Array] = {(): inverse @ B[()]}  # of q, and derivatives as X moves
    for i in range(sampled):
        c[(i,)] = inverse @ (B[(i,)] - A[(i,)] @ c[()])
    for i, j in (d for d in weights if len(d) == 2):
        known = A[(i, j)] @ c[()] + A[(i,)] @ c[(j,)] + A[(j,)] @ c[(i,)]
        c[(i, j)] = inverse @ (B[(i, j)] - known)
    out = np.zeros((e, 10, 4 * k))
    out[:, 0] = c[()][:, 0]
    for i in range(3):
        out[:, 1 + i] = c[()][:, 1 + i] + (c[(i,)][:, 0] if i < sampled else 0.0)
    for b, (i, j) in enumerate(products(sampled), start=4):
        row = out[:, 4 + PAIRS.index((i, j))]
        row += c[()][:, b] * (2.0 if i == j else 1.0)
        row += sum(c[(p,)][:, 1 + q] for p, q in ((i, j), (j, i)) if p < sampled)
        if max(i, j) < sampled:
            row += c[(i, j)][:, 0]
    # Three inverses of A lose digits where a weight is small; polynomials must not feel it.
    known = data * np.repeat(mine, 4, axis=1)[..., None]
    square, _ = _inverse(known.transpose(0, 2, 1) @ known)
    out += (_exact(sampled) - out @ known) @ square @ known.transpose(0, 2, 1)
    operators = out.reshape(e, 10, k, 4) * (scaled * mine[..., None])[:, None]
    scale = size[:, None, None, None]
    operators[:, 1:4] /= scale
    operators[:, 4:] /= scale**2
    gradients = operators[..., 1:] * scale
    operators[..., 1:] = np.einsum("eakl,eli->eaki", gradients, axes)
    return operators, condition, heard


def _inverse(A: Array) -> tuple[Array, Array]:
    """The inverse of symmetric matrices, where they have one, and their condition numbers."""
    values, vectors = np.linalg.eigh(A)
    most = values[:, -1:]
    good = values > 1e-15 * most
    reciprocal = np.where(good, 1.0 / np.where(good, values, 1.0), 0.0)
    condition = most[:, 0] / np.maximum(values[:, 0], 1e-300)
    return (vectors * reciprocal[:, None]) @ vectors.transpose(0, 2, 1), condition


def _weighed(data: Array, weights: Array) -> Array:
    """Data (e, 4 k, polynomials) times the weights of the nodes (e, k), transposed."""
    out: Array = (data * np.repeat(weights, 4, axis=1)[..., None]).transpose(0, 2, 1)
    return out


def _weights(y: Array, R: Array, mine: Array, sampled: int) -> dict[tuple[int, ...], Array]:
    """Weights of the nodes (e, k), and their derivatives as X moves along the sampled axes."""
    s = np.einsum("eki,eki->ek", y, y) / R**2
    u = np.where(mine, np.clip(1.0 - s, 0.0, None), 0.0)
    v = 1.0 / (s + BLUNT)
    first = -4.0 * u**3 * v - u**4 * v**2  # in s
    second = 12.0 * u**2 * v + 8.0 * u**3 * v**2 + 2.0 * u**4 * v**3
    slope = -2.0 * y / R[..., None] ** 2
    out: dict[tuple[int, ...], Array] = {(): u**4 * v}
    for i in range(sampled):
        out[(i,)] = first * slope[..., i]
        for j in range(sampled):
            if PAIRS.count((i, j)):
                bend = 2.0 / R**2 if i == j else 0.0
                out[(i, j)] = second * slope[..., i] * slope[..., j] + first * bend
    return out
