"""Generators of plane meshes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pliant.errors import Advice

from . import sizes
from .arrays import Floats, Indices
from .elevation import about_axis, linear_shape, of_kind
from .mesh import Mesh

TRIANGLES = ("tri", "tri6", "tri3")
PLANE_KINDS = ("tri", "quad", "tri6", "quad9", "tri3", "quad4")


def rectangle(
    size: Sequence[float] = (1.0, 1.0),
    cells: Sequence[int] = (8, 8),
    *,
    kind: str = "tri",
    origin: Sequence[float] = (0.0, 0.0),
) -> Mesh:
    """Rectangle of `size` [m] from its lower left corner at `origin`, x running fastest.

    `kind="tri"` cuts each cell by a diagonal of alternating direction, so that the mesh is its own
    mirror image along every axis with an even number of cells; `kind="quad"` leaves it whole.
    "tri6" and "quad9" are the same cells with quadratic shape functions.
    """
    call = "pl.meshes.rectangle(size=(4, 1), cells=(16, 4))"
    width, height = sizes.several(call, "size", size, 2)
    width, height = sizes.lengths(call, width=width, height=height)
    nx, ny = sizes.several(call, "cells", cells, 2)
    nx, ny = sizes.counts(call, nx=nx, ny=ny)
    sizes.choice(call, kind, PLANE_KINDS)
    x0, y0 = sizes.place(call, origin, 2)
    parts = 1 if linear_shape(kind) == "quad" else 2
    sizes.require_room(call, kind, parts * nx * ny)
    y, x = np.meshgrid(
        y0 + np.linspace(0, height, ny + 1), x0 + np.linspace(0, width, nx + 1), indexing="ij"
    )
    points = np.stack([x.ravel(), y.ravel()], axis=1)
    j, i = (a.ravel() for a in np.meshgrid(np.arange(ny), np.arange(nx), indexing="ij"))
    a = j * (nx + 1) + i
    b, c, d = a + 1, a + nx + 2, a + nx + 1
    if linear_shape(kind) == "quad":
        return of_kind(Mesh(points, {"quad4": np.stack([a, b, c, d], axis=1)}), kind)
    rising = ((i + j) % 2 == 0)[:, None, None]
    along = np.stack([a, b, c, a, c, d], axis=1).reshape(-1, 2, 3)
    across = np.stack([a, b, d, b, c, d], axis=1).reshape(-1, 2, 3)
    return of_kind(Mesh(points, {"tri3": np.where(rising, along, across).reshape(-1, 3)}), kind)


def trapezoid(bottom: int = 4, rows: int = 2, edge: float = 1.0, *, kind: str = "tri") -> Mesh:
    """Rows of equilateral triangles of side `edge` [m], each row one edge shorter than the last.

    Points are numbered row by row from the lower left one at the origin. The default, rows of
    5 + 4 + 3 points and 12 triangles, is Example 1. `rows=bottom` is a triangle. `kind="tri6"`
    makes the triangles quadratic.
    Source: [young2007] section 4.1.2.
    """
    call = "pl.meshes.trapezoid(bottom=4, rows=2, edge=1.0)"
    bottom, rows = sizes.counts(call, bottom=bottom, rows=rows)
    (edge,) = sizes.lengths(call, edge=edge)
    sizes.choice(call, kind, TRIANGLES)
    if rows > bottom:
        raise ValueError(f"rows is {rows} on a bottom of {bottom} edges; expected rows <= bottom")
    sizes.require_room(call, kind, rows * bottom)
    points, triangles, start = [], [], 0
    for row in range(rows + 1):
        count = bottom + 1 - row
        x = edge * (np.arange(count) + row / 2)
        points.append(np.stack([x, np.full(count, edge * row * np.sqrt(3) / 2)], axis=1))
        if row < rows:
            a = start + np.arange(count - 1)
            above = a + count
            triangles.append(np.stack([a, a + 1, above], axis=1))
            triangles.append(np.stack([a + 1, above + 1, above], axis=1)[:-1])
        start += count
    return of_kind(Mesh(np.concatenate(points), {"tri3": np.concatenate(triangles)}), kind)


def annulus(
    inner: float = 5.0, outer: float = 8.0, cells: Sequence[int] = (69, 3), *, kind: str = "tri"
) -> Mesh:
    """Ring between two radii [m] about the origin, `cells` = (around, across), rows staggered.

    Each ring of points is turned half a step against the last, so the triangles are isosceles;
    they are equilateral where 2 pi r / around = 1.155 (outer - inner) / across. The default is the
    414 triangles of Example 2, with edges of mean 0.86 m (0.46 to 1.06). `kind="tri6"` makes them
    quadratic, with edges along the circles.
    Source: [young2007] section 4.1.2.
    """
    call = "pl.meshes.annulus(inner=5, outer=8, cells=(69, 3))"
    inner, outer = sizes.lengths(call, inner=inner, outer=outer)
    around, across = sizes.several(call, "cells", cells, 2)
    around, across = sizes.counts(call, around=around, across=across)
    sizes.choice(call, kind, TRIANGLES)
    sizes.require_room(call, kind, 2 * around * across)
    if inner >= outer:
        raise ValueError(
            Advice(f"inner is {inner} and outer {outer}; expected inner < outer", f", as in {call}")
        )
    if around < 3:
        raise ValueError(Advice(f"around is {around}; expected at least 3", f", as in {call}"))
    if outer * np.cos(np.pi / around) <= outer - (outer - inner) / across:
        need = int(np.ceil(np.pi / np.arccos(1 - (1 - inner / outer) / across))) + 1
        raise ValueError(
            Advice(
                f"around is {around}: the outermost edges would cut the ring below them; expected "
                "more around or fewer across, as in ",
                f"cells=({need}, {across})",
                f"cells = [{need}, {across}]",
            )
        )
    ring, step = np.divmod(np.arange(around * (across + 1)), around)
    angle = 2 * np.pi * (step + (ring % 2) / 2) / around
    radius = inner + (outer - inner) * ring / across
    points = np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1)

    row, step = np.divmod(np.arange(around * across), around)
    here, there = row * around, (row + 1) * around
    after = (step + 1) % around
    # Seen from an even ring the next one lies half a step ahead, seen from an odd one behind.
    even = row % 2 == 0
    tip_in = here + np.where(even, after, step)  # the inner point that faces an outer edge
    tip_out = there + np.where(even, step, after)  # the outer point that faces an inner edge
    outward = np.stack([tip_in, there + step, there + after], axis=1)
    inward = np.stack([here + step, tip_out, here + after], axis=1)
    mesh = Mesh(points, {"tri3": np.concatenate([outward, inward])})
    return of_kind(mesh, kind, middles=about_axis(2))


def disk_arrays(radius: float, rings: int) -> tuple[Floats, Indices]:
    """Points and triangles of a disk: a centre and rings of 6, 12, 18, ... evenly spaced points."""
    points, triangles = [np.zeros((1, 2))], []
    for k in range(1, rings + 1):
        angle = 2 * np.pi * np.arange(6 * k) / (6 * k)
        points.append(radius * k / rings * np.stack([np.cos(angle), np.sin(angle)], axis=1))
        inside, outside = 1 + 3 * (k - 1) * (k - 2), 1 + 3 * k * (k - 1)
        sector, j = (a.ravel() for a in np.meshgrid(np.arange(6), np.arange(k), indexing="ij"))
        # Ring k - 1 has one point less per sector; the centre is a ring of one point.
        size = max(6 * (k - 1), 1)
        a, b = (((k - 1) * sector + j + s) % size + (inside if k > 1 else 0) for s in (0, 1))
        c, d = ((k * sector + j + s) % (6 * k) + outside for s in (0, 1))
        triangles.append(np.stack([a, c, d], axis=1))
        triangles.append(np.stack([a, d, b], axis=1)[j < k - 1])
    return np.concatenate(points), np.concatenate(triangles)


def disk(radius: float = 1.0, rings: int = 8, *, kind: str = "tri") -> Mesh:
    """Disk of `radius` [m] about the origin: 6 rings^2 triangles, quality above 0.86.

    `kind="tri6"` makes them quadratic, with edges along the circles.
    """
    call = "pl.meshes.disk(radius=1.0, rings=8)"
    (radius,) = sizes.lengths(call, radius=radius)
    (rings,) = sizes.counts(call, rings=rings)
    sizes.choice(call, kind, TRIANGLES)
    sizes.require_room(call, kind, 6 * rings**2)
    points, triangles = disk_arrays(radius, rings)
    return of_kind(Mesh(points, {"tri3": triangles}), kind, middles=about_axis(2))
