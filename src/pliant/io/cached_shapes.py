"""Shapes of bodies whose surface, or whose nodes, are somewhere."""

from __future__ import annotations

import numpy as np

from pliant.bodies import Deformable
from pliant.mesh import pose

Array = np.ndarray


def shaped(body: Deformable, x: Array) -> Array:
    """The positions of a body [m], (n, d), whose points, shown points or nodes are at x (m, 3)."""
    skin, dim = body.skin, body.dim
    if body.points_per_node == 1 and len(x) == len(body):
        return np.asarray(x[:, :dim])
    if body.points_per_node == 3 and len(x) == body.node_count == len(body) // 3:
        return _with_directors(body.mesh.points, x)
    if len(x) == len(skin.surface.points) and body.points_per_node == 1:
        if body.mesh.cell_dim == dim:
            return pose(body.mesh, skin.surface, x)
        if skin.nodes.shape[1] == 1 and len(np.unique(skin.nodes)) == len(body):
            out = np.empty((len(body), dim))
            out[skin.nodes[:, 0]] = x[:, :dim]
            return out
    raise ValueError(
        f"{body.name}: got {len(x)} points; expected as many as it has, {len(body)}, or as the surface "
        f"that it shows, {len(skin.surface.points)}, or as its nodes, {body.node_count}"
    )


def _with_directors(rest: Array, x: Array) -> Array:
    """Points of nodes of three at x (nodes, 3): those at rest, turned as the curve is."""
    triples = rest.reshape(-1, 3, 3)
    centre = triples.mean(axis=1)
    turn = _turns(np.gradient(centre, axis=0), np.gradient(x, axis=0))
    arms = np.einsum("nij,ncj->nci", turn, triples - centre[:, None])
    return np.asarray((x[:, None] + arms).reshape(-1, 3))


def _turns(a: Array, b: Array) -> Array:
    """The smallest rotations that turn the directions a (n, 3) into those of b, (n, 3, 3)."""
    a, b = (v / np.linalg.norm(v, axis=1, keepdims=True) for v in (a, b))
    axis, cosine = np.cross(a, b), np.einsum("ni,ni->n", a, b)
    cross = np.zeros((len(a), 3, 3))
    cross[:, [2, 0, 1], [1, 2, 0]], cross[:, [1, 2, 0], [2, 0, 1]] = axis, -axis
    share = 1.0 / np.maximum(1.0 + cosine, 1e-12)
    return np.asarray(np.eye(3) + cross + share[:, None, None] * (cross @ cross))
