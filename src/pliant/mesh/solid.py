"""Generators of solid meshes."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

import numpy as np

from . import sizes
from .arrays import Floats, Indices
from .elevation import about_axis, linear_shape, of_kind
from .measures import measure
from .mesh import Mesh
from .planar import disk_arrays
from .topology import row_labels

# Corner paths from (0,0,0) to (1,1,1), one step along each axis: the six Kuhn tetrahedra of a cube.
# Shape (6 tets, 4 corners, 3).
KUHN = np.array(
    [
        [[int(axis in path[:step]) for axis in range(3)] for step in range(4)]
        for path in permutations(range(3))
    ]
)
TETRAHEDRA = ("tet", "tet10", "tet4")
SOLID_KINDS = ("tet", "hex", "tet10", "hex20", "tet4", "hex8")
HEX_CORNERS = np.array([(x, y, z) for z in (0, 1) for x, y in ((0, 0), (1, 0), (1, 1), (0, 1))])


def box(
    size: Sequence[float] = (1.0, 1.0, 1.0),
    cells: Sequence[int] = (4, 4, 4),
    *,
    kind: str = "tet",
    origin: Sequence[float] = (0.0, 0.0, 0.0),
) -> Mesh:
    """Box of `size` [m] from its lowest corner at `origin`, x running fastest.

    `kind="tet"` cuts each cell into six Kuhn tetrahedra, reflected from one cell to the next, so
    that the mesh is its own mirror image along every axis with an even number of cells; "hex" leaves
    it whole. "tet10" and "hex20" are the same cells with quadratic shape functions.
    """
    call = "pl.meshes.box(size=(4, 1, 1), cells=(16, 4, 4))"
    w, h, d = sizes.several(call, "size", size, 3)
    lengths = sizes.lengths(call, width=w, height=h, depth=d)
    nx, ny, nz = sizes.several(call, "cells", cells, 3)
    nx, ny, nz = sizes.counts(call, nx=nx, ny=ny, nz=nz)
    sizes.choice(call, kind, SOLID_KINDS)
    start = sizes.place(call, origin, 3)
    parts = 1 if linear_shape(kind) == "hex" else len(KUHN)
    sizes.require_room(call, kind, parts * nx * ny * nz)
    stride = np.array([1, nx + 1, (nx + 1) * (ny + 1)])
    points = np.array(start) + _lattice(nx + 1, ny + 1, nz + 1) * (
        np.array(lengths) / np.array([nx, ny, nz])
    )
    cell = _lattice(nx, ny, nz)
    if linear_shape(kind) == "hex":
        return of_kind(Mesh(points, {"hex8": (cell[:, None] + HEX_CORNERS) @ stride}), kind)
    odd = _lattice(2, 2, 2)  # which of a cell's three numbers are odd; x running fastest
    reflected = (KUHN + odd[:, None, None]) % 2 @ stride  # (8, 6, 4)
    tets = reflected[cell % 2 @ np.array([1, 2, 4])] + (cell @ stride)[:, None, None]
    return of_kind(Mesh(points, {"tet4": _upright(points, tets)}), kind)


def cylinder(
    radius: float = 1.0, height: float = 2.0, cells: Sequence[int] = (4, 8), *, kind: str = "tet"
) -> Mesh:
    """Cylinder along z from 0 to `height` [m], `cells` = (rings, layers): a disk drawn upward.

    Each prism becomes three tetrahedra whose diagonals leave the lower-numbered column, from below
    and from above by turns, so neighbours agree and even layers make a mirror image. `kind="tet10"`
    makes them quadratic, with edges that follow the wall.
    """
    call = "pl.meshes.cylinder(radius=1.0, height=2.0, cells=(4, 8))"
    radius, height = sizes.lengths(call, radius=radius, height=height)
    rings, layers = sizes.several(call, "cells", cells, 2)
    rings, layers = sizes.counts(call, rings=rings, layers=layers)
    sizes.choice(call, kind, TETRAHEDRA)
    sizes.require_room(call, kind, 3 * 6 * rings**2 * layers)
    flat, triangles = disk_arrays(radius, rings)
    n = len(flat)
    z = np.repeat(height * np.arange(layers + 1) / layers, n)
    points = np.column_stack([np.tile(flat, (layers + 1, 1)), z])
    a, b, c = np.sort(triangles, axis=1).T
    tets = []
    for layer in range(layers):
        low, high = (layer * n, (layer + 1) * n) if layer % 2 == 0 else ((layer + 1) * n, layer * n)
        tets.append(np.stack([a + low, b + low, c + low, c + high], axis=1))
        tets.append(np.stack([a + low, b + low, b + high, c + high], axis=1))
        tets.append(np.stack([a + low, a + high, b + high, c + high], axis=1))
    mesh = Mesh(points, {"tet4": _upright(points, np.concatenate(tets))})
    return of_kind(mesh, kind, middles=about_axis(2))


def sphere(radius: float = 1.0, cells: int = 6, *, kind: str = "tet") -> Mesh:
    """Ball of `radius` [m] about the origin with `cells` layers from centre to surface.

    An icosahedron of 20 tetrahedra about the centre, each cut into cells^3, its layers rounded to
    spheres. Not a mapped cube: that flattens the tetrahedra along the cube's edges. `kind="tet10"`
    makes them quadratic, with edges along the spheres.
    """
    call = "pl.meshes.sphere(radius=1.0, cells=6)"
    (radius,) = sizes.lengths(call, radius=radius)
    (n,) = sizes.counts(call, cells=cells)
    sizes.choice(call, kind, TETRAHEDRA)
    sizes.require_room(call, kind, 20 * n**3)
    vertices, faces = icosahedron()
    # The simplex n >= x >= y >= z >= 0 is a union of Kuhn tetrahedra of the integer grid.
    steps = _lattice(n, n, n)[:, None, None] + KUHN
    x, y, z = np.moveaxis(steps, -1, 0)
    steps = steps[((x <= n) & (x >= y) & (y >= z)).all(axis=2)]  # (n^3, 4, 3)
    weights = steps - np.concatenate([steps[..., 1:], np.zeros_like(steps[..., :1])], axis=-1)
    # A corner of a small tetrahedron is known by its whole-number weights on the 12 vertices, the
    # rest being the centre's; equal weights are one point, whichever face they come from.
    rows = np.zeros((len(faces), *weights.shape[:2], 12), dtype=np.int64)
    for face, row in zip(faces, rows, strict=True):
        row[..., face] = weights
    labels = row_labels(rows.reshape(-1, 12))
    w = rows.reshape(-1, 12)[np.unique(labels, return_index=True)[1]]
    layer = w.sum(axis=1, keepdims=True)
    # sin spaces points evenly along great circles; plain weights would crowd them at the vertices.
    between = np.arccos(vertices[faces[0, 0]] @ vertices[faces[0, 1]])
    direction = np.sin(between * w / np.maximum(layer, 1)) @ vertices
    length = np.linalg.norm(direction, axis=1, keepdims=True)
    points = radius * layer / n * direction / np.where(layer > 0, length, 1.0)
    mesh = Mesh(points, {"tet4": _upright(points, labels.reshape(-1, 4))})
    return of_kind(mesh, kind, middles=about_axis(3))


def icosahedron() -> tuple[Floats, Indices]:
    """The 12 vertices of a regular icosahedron on the unit sphere, and its 20 faces."""
    golden = (1 + np.sqrt(5)) / 2
    base = np.array([(0, s, t * golden) for s in (1, -1) for t in (1, -1)])
    vertices = np.concatenate([np.roll(base, k, axis=1) for k in range(3)])
    apart = np.linalg.norm(vertices[:, None] - vertices, axis=2)
    near = (apart > 1) & (apart < 2.5)  # edges have length 2, the next distance is 2 golden
    i, j, k = np.nonzero(near[:, :, None] & near[:, None, :] & near[None, :, :])
    faces = np.stack([i, j, k], axis=1)[(i < j) & (j < k)]
    return vertices / np.linalg.norm(vertices[0]), faces


def _lattice(nx: int, ny: int, nz: int) -> Indices:
    """Whole-number triples, x running fastest, (nx ny nz, 3)."""
    z, y, x = np.meshgrid(np.arange(nz), np.arange(ny), np.arange(nx), indexing="ij")
    return np.stack([x.ravel(), y.ravel(), z.ravel()], axis=1)


def _upright(points: Floats, tets: Indices) -> Indices:
    """Order the corners of tetrahedra so that every volume is positive."""
    tets = tets.reshape(-1, 4).copy()
    turned = measure(points, "tet4", tets) < 0
    tets[turned] = tets[turned][:, [0, 2, 1, 3]]
    return tets
