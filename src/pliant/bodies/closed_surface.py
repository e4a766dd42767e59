"""The closed surface that a body is made of, checked."""

from __future__ import annotations

from typing import Any

from pliant.mesh import Mesh, MeshError, Skin, Surface


def surface_of(who: str, given: Any) -> Surface:
    """The surface that is given, or the boundary of a mesh in space."""
    if isinstance(given, Mesh):
        if given.dim != 3 or given.cell_dim < 2:
            raise MeshError(
                f"{who}: got {given!r}; expected triangles, quads or solid cells in space"
            )
        given = Skin.bare(given).surface
    if not isinstance(given, Surface):
        raise TypeError(
            f"{who}: got surface of type {type(given).__name__}; expected a closed surface, as of "
            'pl.Surface.read("duck.obj"), or a pl.Mesh of triangles or solid cells in space'
        )
    return given


def require_closed(who: str, surface: Surface) -> None:
    """Refuse a surface that has holes."""
    report = surface.report()
    if not report.closed:
        raise MeshError(
            f"{who}: the surface is not closed: {report.openings}; expected one that water stays in. "
            "surface.report() lists the holes, and surface.welded() joins points at one place"
        )
