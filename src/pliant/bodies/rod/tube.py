"""What a rod looks like: the prism of its points, and a tube around it."""

from __future__ import annotations

import numpy as np

from pliant.mesh import Mesh, Skin, Surface

from .nodes import RodNodes
from .strands import Strand


def prism(nodes: RodNodes, elements: np.ndarray) -> Mesh:
    """The mesh of a rod: the points of the nodes, and the sides of the prism between nodes."""
    joints = nodes.of[nodes.counts == 4][:, [0, 1, -1]]
    triangles = np.concatenate([sides_of(elements), joints])
    if len(joints):  # whose points may lie in the line of a branch
        x = nodes.points[triangles]
        u, v = x[:, 1] - x[:, 0], x[:, 2] - x[:, 0]
        area, size = np.linalg.norm(np.cross(u, v), axis=1), (u**2 + v**2).sum(axis=1)
        triangles = triangles[area > 1e-9 * size]
    return Mesh(nodes.points, {"tri": triangles})


def sides_of(elements: np.ndarray) -> np.ndarray:
    """The triangles of the prism between nodes of three points, six for each element, (6 e, 3)."""
    a, b = 3 * elements[:, :1] + np.arange(3), 3 * elements[:, 1:] + np.arange(3)
    next_a, next_b = np.roll(a, -1, axis=1), np.roll(b, -1, axis=1)
    sides = [np.stack(t, axis=-1) for t in ((a, next_a, next_b), (a, next_b, b))]
    return np.concatenate(sides, axis=1).reshape(-1, 3)


def tube(nodes: RodNodes, strands: list[Strand], rim: np.ndarray) -> Skin:
    """The surface of the rod, carried along by the points of its nodes; rim: (k, 2) along d_2, d_3."""
    k, count = len(rim), 0
    here = np.arange(k)
    faces: list[np.ndarray] = []
    points, weights = [], []
    for (walk, closed), directors in zip(strands, nodes.directors, strict=True):
        points.append(np.repeat(nodes.of[walk], k, axis=0))
        weights.append((nodes.centre + rim @ directors).reshape(len(walk) * k, -1))
        a = k * (count + np.arange(len(walk)))[:, None] + here  # rings of points
        b = np.roll(a, -1, axis=0)
        count += len(walk)
        if not closed:
            faces += [a[0, ::-1], a[-1]]
            a, b = a[:-1], b[:-1]
        sides = np.stack([a, np.roll(a, -1, axis=1), np.roll(b, -1, axis=1), b], axis=-1)
        faces += list(sides.reshape(-1, 4))
    places, shares = np.concatenate(points), np.concatenate(weights)
    surface = Surface.of(np.einsum("pi,pid->pd", shares, nodes.points[places]), faces)
    return Skin(surface, places, shares)
