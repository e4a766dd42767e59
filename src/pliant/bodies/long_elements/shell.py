"""The surface that long elements fill, checked."""

from __future__ import annotations

from typing import Any

import numpy as np

from pliant.mesh import KINDS, Mesh, MeshError, Surface


def closed_surface(who: str, given: Any) -> Surface:
    """The closed surface that is meant: one that is given, or the boundary of a mesh in space."""
    if isinstance(given, Mesh):
        given = _of_mesh(who, given)
    if not isinstance(given, Surface):
        raise TypeError(
            f"{who}: got surface of type {type(given).__name__}; expected a closed surface, as of "
            'pl.Surface.read("duck.obj"), or a pl.Mesh of triangles or solid cells in space'
        )
    report = given.welded().report()
    if not report.closed:
        raise MeshError(
            f"{who}: the surface is not closed: {report.openings}; expected one that water stays in. "
            "surface.report() lists the holes, and surface.welded() joins points at one place"
        )
    return given


def _of_mesh(who: str, mesh: Mesh) -> Surface:
    if mesh.dim != 3 or mesh.cell_dim < 2:
        raise MeshError(f"{who}: got {mesh!r}; expected triangles, quads or solid cells in space")
    cells = mesh.boundary if mesh.cell_dim == 3 else mesh.cells
    faces = [
        nodes[:, : KINDS[kind].corners] for kind, nodes in cells.items() if KINDS[kind].dim == 2
    ]
    sizes = np.concatenate([np.full(len(f), f.shape[1]) for f in faces])
    return Surface(mesh.points, sizes, np.concatenate([f.ravel() for f in faces])).welded()
