"""A body that keeps its lengths, areas and volumes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

import numpy as np

from pliant.conditions import Area, Condition, Distance, Volume
from pliant.control import Damping
from pliant.declared import Quantity, accept_each
from pliant.energies import ConditionEnergy
from pliant.errors import Advice, shown
from pliant.mesh import Mesh

from ..deformable import Deformable
from ..matter import Mass


def _stiffness(element: str, example: float | None = None) -> Quantity:
    about = f"stiffness of every {element}"
    return Quantity(about, "J", at_least=0.0, per=element, example=example)


class ConstraintBody(Deformable):
    """A body of triangles or tetrahedra that keeps its edge lengths, surface area and volume.

        W = sum kD/2 (l/l0 - 1)^2 + sum kA/2 (A/A0 - 1)^2 + sum kV/2 (V/V0 - 1)^2

    distance (kD, every edge), area (kA, every triangle of the surface) and volume (kV, every
    tetrahedron): stiffnesses [J], one for all or one per edge, triangle or tetrahedron, in the order
    of `edges`, `triangles` and `tetrahedra`; 0 leaves a potential out. mass [kg]: of each point, or
    one per point. Source: [teschner2004]. High volume and low distance make a water balloon, all of
    a size make rubber:

        balloon = pl.ConstraintBody(pl.meshes.sphere(), distance=0.2, volume=50.0, mass=0.01)

    Not for measured matter: what a stiffness does depends on the mesh. (Only volumes have a modulus:
    volume=K * mesh.measures["tet4"] has the bulk modulus K [Pa] on any mesh.) Use `pl.Body` there.
    A volume over some 30 distances locks: there are more tetrahedra than ways to move.
    """

    word, cells = "preserving", frozenset({"line2", "tri3", "tet4"})
    of_conditions = True

    def __init__(
        self,
        mesh: Mesh,
        *,
        distance: Annotated[Any, _stiffness("edge", example=1.0)] = 0.0,
        area: Annotated[Any, _stiffness("triangle of the surface")] = 0.0,
        volume: Annotated[Any, _stiffness("tetrahedron")] = 0.0,
        mass: Mass = 1.0,
        damping: Damping | None = None,
        name: str = "preserving",
    ):
        self._require_mesh(mesh)
        others = set(mesh.cells) - {"line2", "tri3", "tet4"}
        if others:
            raise ValueError(
                f"ConstraintBody: got cells {', '.join(sorted(others))}; expected tri and tet, as in "
                'pl.meshes.box(kind="tet")'
            )
        self.edges = mesh.edges
        self.triangles = _cells(mesh.boundary if mesh.cell_dim == 3 else mesh.cells, "tri3", 3)
        self.tetrahedra = _cells(mesh.cells, "tet4", 4)
        given = {
            "distance": (Distance, self.edges, distance),
            "area": (Area, self.triangles, area),
            "volume": (Volume, self.tetrahedra, volume),
        }
        self._terms: dict[str, tuple[type[Condition], np.ndarray, np.ndarray]] = {}
        for what, (condition, stencils, value) in given.items():
            (k,) = accept_each(self, len(stencils), **{what: value})
            if not len(stencils) and np.any(value):
                need = {"area": "triangles", "volume": "tetrahedra"}.get(what, "edges")
                raise ValueError(
                    f"ConstraintBody: got {what}={shown(value)} for {mesh!r}, which has no {need}; "
                    f"expected {what}=0 there"
                )
            if k.any():
                self._terms[what] = (condition, stencils, k)
        self._check(mesh)
        (masses,) = accept_each(self, len(mesh), mass=mass)
        super().__init__(mesh, masses, damping=damping, name=name)

    def volume(self) -> float:
        """The volume it fills now [m^3]; in the plane the area [m^2]."""
        if self.mesh.cell_dim == 3:
            return float(Volume.rest(self.positions[self.tetrahedra]).sum())
        return float(Area.rest(self.positions[self.triangles]).sum())

    def energies(self, *, device: str) -> Sequence[ConditionEnergy]:
        """The potentials that are not left out."""
        return [
            ConditionEnergy(condition, self.mesh.points, stencils, stiffness=k, device=device)
            for condition, stencils, k in self._terms.values()
        ]

    def facts(self) -> dict[str, Any]:
        """What it is made of."""
        return {
            what: {"terms": len(k), "stiffness": [float(k.min()), float(k.max())]}
            for what, (_, _, k) in self._terms.items()
        }

    def _check(self, mesh: Mesh) -> None:
        if not self._terms:
            raise ValueError(
                Advice(
                    "ConstraintBody: got distance, area and volume all 0; expected a stiffness [J], as "
                    "in ",
                    "pl.ConstraintBody(mesh, distance=1.0, volume=10.0)",
                    "preserving = { distance = 1.0, volume = 10.0 }",
                )
            )
        held = np.zeros(len(mesh), dtype=bool)
        for what, (condition, stencils, k) in self._terms.items():
            _refuse_flat(condition, mesh, stencils, what)
            held[stencils[k > 0.0]] = True
        if not held.all():
            loose = np.flatnonzero(~held)
            raise ValueError(
                Advice(
                    f"ConstraintBody: nothing holds points {loose[:10].tolist()} ({len(loose)} in all); "
                    "give them a distance, as in ",
                    "pl.ConstraintBody(mesh, distance=1.0, ...)",
                    "preserving = { distance = 1.0, ... }",
                )
            )


def _cells(cells: Any, kind: str, corners: int) -> np.ndarray:
    return np.asarray(cells.get(kind, np.empty((0, corners), dtype=np.int64)))


def _refuse_flat(condition: type[Condition], mesh: Mesh, stencils: np.ndarray, what: str) -> None:
    size = condition.rest(mesh.points[stencils])[:, 0]
    flat = np.flatnonzero(~(size > 0.0))
    if len(flat):
        raise ValueError(
            Advice(
                f"ConstraintBody: {what} {flat[0]}, of points {stencils[flat[0]].tolist()}, is "
                f"{size[flat[0]]:g} at rest; expected more than 0",
                ", as pl.Mesh(points, cells, repair=True) makes it",
            )
        )
