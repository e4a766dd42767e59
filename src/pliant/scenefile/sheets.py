"""Sheets in space: plane meshes lifted there, and surface files whose faces are the cells."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import numpy as np

from pliant.mesh import KINDS, Mesh, Skin, Surface

Plane = Literal["xy", "xz", "yz"]


def lifted(mesh: Mesh, plane: Plane) -> Mesh:
    """A plane mesh in space: its two axes are those named; normals point along the third."""
    if mesh.dim != 2:
        kinds = ", ".join(mesh.cells)
        raise ValueError(f"got plane = {plane!r} for {kinds} in 3D; expected it of 2D shapes only")
    left_out = {"yz": 0, "xz": 1, "xy": 2}[plane]
    cells = dict(mesh.cells)
    if plane == "xz":  # x and z turn the other way round about y
        cells = {kind: nodes[:, list(KINDS[kind].mirror)] for kind, nodes in cells.items()}
    return Mesh(np.insert(mesh.points, left_out, 0.0, axis=1), cells, groups=mesh.groups)


def as_sheet(surface: Surface) -> tuple[Mesh, Skin]:
    """The faces of a surface as triangles, points at one place made one; and the surface on them."""
    points, number, groups = surface.places()
    cells = number[surface.corners[surface.triangles]]
    mesh = Mesh(points, {"tri3": cells}, groups={k: g for k, g in groups.items() if len(g)})
    for lost in np.flatnonzero(number < 0):  # what no face has, and nothing draws
        number[lost] = np.linalg.norm(points - surface.points[lost], axis=1).argmin()
    shown = replace(surface, normals=None)  # one point alone tells no rotation
    return mesh, Skin(shown, number[:, None], np.ones((len(number), 1)))
