"""What a rod looks like: the prism of its points, and a tube around it."""

from __future__ import annotations

import numpy as np

from pliant.bodies.rod_section import Section
from pliant.mesh import Mesh, Surface
from pliant.mesh.skin import Skin


def prism(x: np.ndarray, directors: np.ndarray, section: Section, elements: np.ndarray) -> Mesh:
    """The mesh of a rod: three points per node, and the sides of the prism between nodes."""
    points = x[:, None] + np.einsum("ic,ncd->nid", section.corners, directors)
    a, b = 3 * elements[:, :1] + np.arange(3), 3 * elements[:, 1:] + np.arange(3)
    next_a, next_b = np.roll(a, -1, axis=1), np.roll(b, -1, axis=1)
    sides = [np.stack(t, axis=-1) for t in ((a, next_a, next_b), (a, next_b, b))]
    triangles = np.concatenate(sides, axis=1).reshape(-1, 3)
    return Mesh(points.reshape(-1, 3), {"tri": triangles})


def tube(x: np.ndarray, section: Section, strands: list[tuple[np.ndarray, bool]]) -> Skin:
    """The surface of the rod, carried along by the three points of each node."""
    rim = section.outline
    k, count = len(rim), len(x) // 3
    weights = np.tile(section.shares(rim), (count, 1))
    nodes = np.repeat(3 * np.arange(count)[:, None] + np.arange(3), k, axis=0)
    faces: list[np.ndarray] = []
    here = np.arange(k)
    for walk, closed in strands:
        a = k * walk[:, None] + here  # rings of points
        b = np.roll(a, -1, axis=0)
        if not closed:
            faces += [a[0, ::-1], a[-1]]
            a, b = a[:-1], b[:-1]
        sides = np.stack([a, np.roll(a, -1, axis=1), np.roll(b, -1, axis=1), b], axis=-1)
        faces += list(sides.reshape(-1, 4))
    surface = Surface.of(np.einsum("pi,pid->pd", weights, x[nodes]), faces)
    return Skin(surface, nodes, weights)
