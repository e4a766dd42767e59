"""The surface of a body of boundary elements, checked."""

from __future__ import annotations

from typing import Any

import numpy as np

from pliant.mesh import Mesh, MeshError, Surface

from ..closed_surface import require_closed, surface_of

Array = np.ndarray


def closed_triangles(who: str, given: Any) -> Mesh:
    """A closed surface of triangles in space, outward: as given, or the boundary of a solid mesh."""
    surface = surface_of(who, given)
    _require_sound(who, surface)
    return Mesh(surface.points, {"tri3": surface.corners[surface.triangles]})


def _require_sound(who: str, surface: Surface) -> None:
    report = surface.report()
    used = np.unique(surface.corners)
    if report.duplicates or len(used) < len(surface.points):
        raise MeshError(
            f"{who}: points of the surface are unused, or at the place of another; expected each place "
            f"once, as in pl.{who}(surface.welded(), ...)"
        )
    require_closed(who, surface)
    if not (report.manifold and report.oriented):
        raise MeshError(
            f"{who}: got a surface with {report.branching_edges} edges of more than two faces and "
            f"{report.flipped_edges} whose faces disagree on which side is out; expected a surface that "
            "bounds a solid. pl.Mesh(..., repair=True) turns faces"
        )
    if report.volume <= 0.0:
        raise MeshError(
            f"{who}: the faces of the surface point inward, its volume is {report.volume:.3g} m^3; "
            "expected them outward: turn the corners of each face round"
        )
    if report.shells > 1:
        _require_cavities(who, surface)


def _require_cavities(who: str, surface: Surface) -> None:
    """Refuse several bodies at once. Cavities are shells that point inward."""
    mesh = Mesh(surface.points, {"tri3": surface.corners[surface.triangles]})
    a, b, c = np.moveaxis(mesh.points[mesh.cells["tri3"]], 1, 0)
    shells = mesh.components[mesh.cells["tri3"][:, 0]]
    volumes = np.bincount(shells, np.einsum("ti,ti->t", a, np.cross(b, c)))
    if (volumes > 0.0).sum() > 1:
        raise MeshError(
            f"{who}: the surface bounds {(volumes > 0.0).sum()} bodies that do not touch; expected one, "
            "with cavities or without: make a body of each"
        )
