"""First and second derivatives of a surface of triangles, as sums over the points around each."""

from __future__ import annotations

import numpy as np

from .patches import ShellEdges
from .slopes import Slopes


def shell_jets(
    x: np.ndarray, triangles: np.ndarray, edges: ShellEdges, held: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Stencils (t, k) and operators (t, 5, k) of x,1 x,2 x,11 x,22 x,12 of each triangle.

        x,i = the slope of the flat triangle,    x,ij = 1/A sum_edges l (x,i nu_j + x,j nu_i)/2

    in metres of a frame in its plane at rest; nu is the normal of an edge there, and x,i on an edge
    is the difference of its ends along it and the slope of the points around across it. Both
    triangles of an edge use the same slope, so forces of a constant moment cancel inside, and
    quadratic shapes have their exact x,ij: what converges on any mesh. Short stencils are filled up
    with the triangle's first corner and operators of zero.
    """
    flat, frame, doubled = _laid_flat(x[triangles])
    length = np.linalg.norm(flat, axis=2)
    nu = _outward(flat) / length[..., None]

    slopes = Slopes.of(x, triangles, edges, held)
    in_space = np.einsum("tlc,tcd->tld", nu, frame)
    sign = np.sign(np.einsum("tld,tld->tl", in_space, slopes.across[edges.of]))
    share = 2.0 / doubled[:, None] * length  # l / A
    along = _pairs(nu, flat / length[..., None]) * (share / length)[..., None]
    across = _pairs(nu, nu) * (share * sign)[..., None]

    k = slopes.points.shape[1]
    points = np.concatenate(
        [triangles, triangles[:, [1, 2, 0]], triangles[:, [2, 0, 1]]]
        + [slopes.points[edges.of[:, edge]] for edge in range(3)],
        axis=1,
    )
    operators = np.zeros((len(triangles), 5, 9 + 3 * k))
    operators[:, :2, :3] = flat_slopes(x, triangles)
    operators[:, 2:, 3:6] = -along.swapaxes(1, 2)
    operators[:, 2:, 6:9] = along.swapaxes(1, 2)
    for edge in range(3):
        weights = slopes.weights[edges.of[:, edge]]
        operators[:, 2:, 9 + edge * k : 9 + (edge + 1) * k] = (
            across[:, edge, :, None] * weights[:, None]
        )
    return _gathered(points, operators)


def flat_slopes(x: np.ndarray, triangles: np.ndarray) -> np.ndarray:
    """Operators (t, 2, 3) of x,1 x,2 of flat triangles, on their corners, in their own frames."""
    flat, _, doubled = _laid_flat(x[triangles])
    return np.asarray(-_outward(flat).swapaxes(1, 2) / doubled[:, None, None])


def _laid_flat(corners: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Edges opposite the corners in a frame in the plane (t, 3, 2), the frame (t, 2, 3), 2 A (t,)."""
    first = corners[:, 1] - corners[:, 0]
    normal = np.cross(first, corners[:, 2] - corners[:, 0])
    doubled = np.linalg.norm(normal, axis=1)
    e1 = first / np.linalg.norm(first, axis=1, keepdims=True)
    frame = np.stack([e1, np.cross(normal / doubled[:, None], e1)], axis=1)
    edges = corners[:, [2, 0, 1]] - corners[:, [1, 2, 0]]
    return np.einsum("tld,tcd->tlc", edges, frame), frame, doubled


def _outward(flat: np.ndarray) -> np.ndarray:
    """Edges turned outward by a quarter, as long as they are."""
    return np.stack([flat[..., 1], -flat[..., 0]], axis=-1)


def _pairs(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The components 11, 22, 12 of (a b^T + b a^T)/2 in the plane."""
    both = (a[..., 0] * b[..., 1] + a[..., 1] * b[..., 0]) / 2
    return np.stack([a[..., 0] * b[..., 0], a[..., 1] * b[..., 1], both], axis=-1)


def _gathered(points: np.ndarray, operators: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Each point of a stencil once, with all its operators."""
    terms, vectors, _ = operators.shape
    used = operators.any(axis=1)
    rows = np.repeat(np.arange(terms), points.shape[1])[used.ravel()]
    key, place = np.unique(np.stack([rows, points[used]], axis=1), axis=0, return_inverse=True)
    start = np.searchsorted(key[:, 0], np.arange(terms + 1))
    column = np.arange(len(key)) - start[key[:, 0]]
    stencils = np.repeat(points[:, :1], int(np.diff(start).max()), axis=1)
    stencils[key[:, 0], column] = key[:, 1]
    out = np.zeros((terms, stencils.shape[1], vectors))
    np.add.at(out, (rows, column[place.ravel()]), operators.swapaxes(1, 2)[used])
    return stencils, np.ascontiguousarray(out.swapaxes(1, 2))
