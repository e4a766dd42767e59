"""Surfaces to search pairs on, and all their pairs by brute force."""

from __future__ import annotations

import numpy as np

import pliant as pl
from pliant.contact.closest import EDGE_EDGE, POINT_EDGE, POINT_POINT, POINT_TRIANGLE
from pliant.contact.pairs import Pairs
from pliant.contact.surface import ContactBody, ContactSurface


def sheet(n=5, size=1.0, at=(0.0, 0.0, 0.0), **how):
    """A square sheet in space of n x n cells, two triangles each."""
    line = np.linspace(0.0, size, n + 1)
    x = np.array([(a, b, 0.0) for b in line for a in line]) + np.asarray(at)
    corner = np.arange((n + 1) * n).reshape(n, n + 1)[:, :-1].ravel()
    cells = [[corner, corner + 1, corner + n + 2], [corner, corner + n + 2, corner + n + 1]]
    triangles = np.concatenate([np.stack(c, axis=1) for c in cells])
    return ContactBody(x, triangles=triangles, **{"gap": 0.05, "young": 1e4, **how})


def rod(n=6, start=(0.0, 0.0, 0.0), end=(1.0, 0.0, 0.0), **how):
    """A straight rod of n elements."""
    x = np.linspace(start, end, n + 1)
    edges = np.stack([np.arange(n), np.arange(1, n + 1)], axis=1)
    return ContactBody(x, edges=edges, **{"gap": 0.05, "young": 1e4, "radius": 0.02, **how})


def solid(mesh, at=0.0, **how):
    mesh = pl.Mesh(mesh.points + np.asarray(at), mesh.cells)
    return ContactBody.of(mesh, **{"gap": 0.05, "young": 1e5, **how})


def crowd():
    """Two boxes, a sheet, a rod, a ball and a capsule that are given, and a floor, all close."""
    box = pl.meshes.box((0.5, 0.5, 0.5), (2, 2, 2))
    bodies = [
        solid(box),
        solid(box, at=(0.1, 0.2, 0.53)),
        sheet(4, 0.8, at=(-0.1, -0.1, 1.06)),
        rod(5, (-0.2, 0.3, 1.15), (0.9, 0.35, 1.12)),
        ContactBody(np.array([[0.7, 0.2, 0.2]]), loose=np.array([0]), radius=0.18, given=True),
        ContactBody(
            np.array([[-0.3, 0.1, 0.9], [-0.3, 0.7, 0.9]]),
            edges=np.array([[0, 1]]),
            radius=0.2,
            gap=0.05,
            given=True,
        ),
    ]
    floor = np.array([[0.0, 0.0, -0.03]]), np.array([[0.0, 0.0, 1.0]])
    return ContactSurface(bodies, planes=floor, ignore=[(0, 2)])


def flat_crowd():
    """Two rectangles, a rod, a loose point and a disk that is given in the plane, and a wall."""
    sheet = pl.meshes.rectangle((0.5, 0.5), (4, 4))
    bodies = [
        solid(sheet),
        solid(sheet, at=(0.1, 0.53)),
        rod(4, (0.05, 1.08), (0.6, 1.1)),
        ContactBody(np.array([[0.55, 0.2]]), loose=np.array([0]), gap=0.05, young=1e4),
        ContactBody(np.array([[0.75, 0.3]]), loose=np.array([0]), radius=0.18, given=True),
    ]
    wall = np.array([[-0.02, 0.0]]), np.array([[1.0, 0.0]])
    return ContactSurface(bodies, planes=wall)


def every_pair(surface):
    """Stencils and kinds of all pairs that may ever touch, those with planes left out."""
    s, body, found = surface, surface.body, []

    def among(first, second, kind, *, once):
        i, j = (
            v.ravel() for v in np.meshgrid(range(len(first)), range(len(second)), indexing="ij")
        )
        if once:
            i, j = i[i < j], j[i < j]
        a, b = first[i], second[j]
        apart = (a[:, :, None] != b[:, None, :]).all(axis=(1, 2))
        apart &= s.allowed[body[a[:, 0]], body[b[:, 0]]]
        stencils = np.full((int(apart.sum()), 4), -1)
        both = np.concatenate([a, b], axis=1)[apart]
        stencils[:, : both.shape[1]] = both
        found.append((stencils, np.full(len(stencils), kind)))

    points, loose = s.points[:, None], s.loose[:, None]
    if s.dim == 3:
        among(points, s.triangles, POINT_TRIANGLE, once=False)
        among(s.edges, s.edges, EDGE_EDGE, once=True)
    among(points, s.bare, POINT_EDGE, once=False)
    among(loose, loose, POINT_POINT, once=True)
    return tuple(np.concatenate(each) for each in zip(*found, strict=True))


def within(surface, x, spare=0.0):
    """The pairs, as a set, whose distance is below radii, gap and `spare`."""
    stencils, kinds = every_pair(surface)
    laws = np.tile([0.0, 1.0, 1.0, 0.0], (len(kinds), 1))
    d = Pairs.of(stencils, kinds, laws, dim=surface.dim).touch(x).distances
    split = np.where(kinds == EDGE_EDGE, 2, 1)
    ends = [stencils[:, 0], stencils[np.arange(len(split)), split]]
    reach = surface.radius[ends[0]] + surface.radius[ends[1]]
    reach = reach + np.minimum(surface.gap[ends[0]], surface.gap[ends[1]]) + spare
    return {
        (int(k), *sorted_stencil(k, s))
        for k, s in zip(kinds[d < reach], stencils[d < reach], strict=True)
    }


def sorted_stencil(kind, s):
    """A name of a pair that does not depend on the order of edges and corners."""
    s = [int(v) for v in s]
    if kind == EDGE_EDGE:
        return tuple(sorted([tuple(sorted(s[:2])), tuple(sorted(s[2:]))]))
    if kind == POINT_POINT:
        return tuple(sorted(s[:2]))
    return (s[0], *sorted(v for v in s[1:] if v >= 0))


def names(pairs):
    """The pairs of a list as a set, and how many there are."""
    stencils, kinds = pairs.stencils.numpy(), pairs.kinds.numpy()
    found = [(int(k), *sorted_stencil(k, s)) for k, s in zip(kinds, stencils, strict=True)]
    return set(found), len(found)
