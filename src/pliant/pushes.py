"""What the arguments of `Body.push` mean."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pliant.elements import by_name, nodal_volumes
from pliant.energies.loads import Load, NodalLoad, Pressure, nodal_areas
from pliant.mesh import Mesh
from pliant.paths import over_time
from pliant.selection import select


def make_load(mesh: Mesh, thickness: float, given: Mapping[str, Any], on: Any) -> Load:
    """The load that exactly one of force, traction, pressure and volume describes."""
    chosen = {k: v for k, v in given.items() if v is not None}
    if len(chosen) != 1:
        raise ValueError(
            f"push: got {sorted(chosen) or 'nothing'}; expected exactly one of force=, traction=, "
            "pressure=, volume="
        )
    ((what, value),) = chosen.items()
    if what == "pressure":
        return Pressure(_facets(mesh, what, on), over_time(value, (), what=what), thickness)
    if what == "force":
        weights = np.zeros(len(mesh))
        weights[select(on, len(mesh), "push(on=...)")] = 1.0
    elif what == "traction":
        weights = nodal_areas(mesh.points, _facets(mesh, what, on), thickness)
    else:
        if on is not None:
            raise ValueError("push(volume=..., on=...): a volume force acts on the whole body")
        weights = _volumes(mesh, thickness)
    return NodalLoad(weights, over_time(value, (mesh.dim,), what=what))


def _volumes(mesh: Mesh, thickness: float) -> np.ndarray:
    """The volume around each point [m^3]."""
    out = np.zeros(len(mesh))
    for kind, cells in mesh.cells.items():
        if by_name(kind).dim == mesh.dim:
            out += nodal_volumes(mesh.points, cells, by_name(kind), thickness=thickness)
    return out


def _facets(mesh: Mesh, what: str, on: Any) -> list[np.ndarray]:
    """The boundary facets, of each kind, whose points are all in `on`."""
    chosen = np.full(len(mesh), on is None)
    if on is not None:
        chosen[select(on, len(mesh), "push(on=...)")] = True
    facets = [f[chosen[f].all(axis=1)] for f in mesh.boundary.values()]
    facets = [f for f in facets if len(f)]
    if not facets:
        raise ValueError(
            f"push({what}=..., on=...): no boundary facet has all its points in `on`; expected "
            "points of the surface, e.g. on=mesh.points[:, 1] > 0.999"
        )
    return facets
