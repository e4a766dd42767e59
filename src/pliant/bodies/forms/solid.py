"""A deformable solid that keeps its metric."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

import numpy as np

from pliant.control import Damping
from pliant.declared import Quantity, accept
from pliant.elements import ELEMENTS, lumped_mass
from pliant.energies import JetEnergy
from pliant.errors import shown
from pliant.forms import SolidMetric, SurfaceMetric
from pliant.mesh import Mesh

from ..deformable import Deformable
from .cells import cell_terms
from .weights import of_metric, weight, weights

CELLS_BY_DIM = {2: {"tri3", "quad4"}, 3: {"tet4", "hex8"}}


class FormSolid(Deformable):
    """A solid that keeps its first fundamental form, and with it all lengths and angles.

        W = 1/2 integral sum_ij metric_ij E_ij^2 dV,   E = (G - G0) / 2,   G_ij = x,i . x,j

    The directions are those of the axes at rest, so G0 is the identity and E Green's strain.
    metric [Pa]: a number for all components; a symmetric matrix (3, 3) of one for each; or, with
    the effect of each on all others, (6, 6) for (E11, E22, E33, 2 E23, 2 E13, 2 E12). density
    [kg/m^3]. The cells are tet or hex in space. In the plane they are tri or quad, 1 m thick and in
    plane strain; metric is then (2, 2), or (3, 3) for (E11, E22, 2 E12).

        solid = pl.FormSolid(pl.meshes.box((4, 1, 1), (8, 2, 2), kind="hex"), metric=1e5, density=1e3)

    Source: [terzopoulos1987], whose weights are an eighth of these. One number is
    pl.StVenantKirchhoff(young=metric, poisson=0), and like it gives way when pressed to less than
    0.6 of its length. Use `pl.Body` for measured matter; this is for stiffness by component.
    """

    word, cells = "form", frozenset({"tri3", "quad4", "tet4", "hex8"})

    def __init__(
        self,
        mesh: Mesh,
        *,
        metric: Annotated[Any, weight("stiffness of its lengths", "Pa")],
        density: Annotated[float, Quantity("mass over volume", "kg/m^3", above=0.0, example=1.0)],
        damping: Damping | None = None,
        name: str = "solid",
    ):
        self._require_mesh(mesh)
        if not set(mesh.cells) <= CELLS_BY_DIM[mesh.dim]:
            raise ValueError(
                f"FormSolid: got {mesh!r}; expected tet or hex cells in 3D, tri or quad in 2D, as in "
                "pl.meshes.box((4, 1, 1), (8, 2, 2)). pl.FormSurface takes sheets, pl.FormCurve lines"
            )
        self._D = weights(metric, mesh.dim, "FormSolid: metric", "Pa")
        if not self._D.any():
            raise ValueError(f"FormSolid: got metric={shown(metric)}; expected more than 0 [Pa]")
        (density,) = accept(self, density=density)
        masses = np.zeros(len(mesh))
        for kind, cells in mesh.cells.items():
            masses += lumped_mass(mesh.points, cells, ELEMENTS[kind], density=density)
        super().__init__(mesh, masses, damping=damping, name=name)

    def energies(self, *, device: str) -> Sequence[JetEnergy]:
        """One for each kind of cell."""
        form = SolidMetric if self.dim == 3 else SurfaceMetric
        found = []
        for kind in self.mesh.cells:
            terms = cell_terms(self.mesh, kind)
            stiffness = terms.sizes[:, None, None] * of_metric(self._D)
            found.append(terms.energy(form, self.mesh.points, stiffness, device=device))
        return found

    def facts(self) -> dict[str, Any]:
        """What it is made of."""
        return {"metric": self._D.tolist(), "mass": float(self._masses.sum())}
