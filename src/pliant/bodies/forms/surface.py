"""A deformable surface."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

import numpy as np

from pliant.control import Damping
from pliant.declared import Quantity, accept
from pliant.energies import JetEnergy
from pliant.errors import shown
from pliant.forms import SurfaceForms, SurfaceMetric
from pliant.mesh import Mesh

from ..deformable import Deformable
from .cells import cell_terms
from .neighbours import PointTerms, point_terms
from .weights import of_curvature, of_metric, weight, weights


class FormSurface(Deformable):
    """A sheet or shell that keeps its two fundamental forms: its lengths, and how it is bent.

        W = 1/2 integral sum_ij metric_ij E_ij^2 + curvature_ij (B - B0)_ij^2  dA,
        E = (G - G0) / 2,    G_ij = x,i . x,j,    B_ij = n . x,ij,    n the unit normal

    Directions: the x axis laid on the surface at rest (the y axis where it faces x), and across.
    metric [N/m] and curvature [N m]: a number for all components; a symmetric matrix (2, 2) of one
    for each; or, with the effect of each on all others, (3, 3) for (11, 22, 2*12). density [kg/m^2].
    A sheet of thickness h and of young, with poisson = 0, has metric = young h and
    curvature = young h^3 / 12. Rolled to a cylinder it costs curvature alone.

        sheet = pl.meshes.rectangle((1, 1), (20, 20), kind="quad")
        mesh = pl.Mesh(np.insert(sheet.points, 1, 0.0, axis=1), sheet.cells)   # in the plane y = 0
        sheet = pl.FormSurface(mesh, metric=2000.0, curvature=1e-3, density=0.2)

    Source: [terzopoulos1987], whose weights are an eighth of metric and half of curvature. G is
    measured in the cells; B at the points inside, from those around them, and along the rim from
    the nearest of them. Two neighbouring rows fixed clamp it half-way between them. Square
    grids are best: a clamped plate of 16 x 16 quads sinks right to 0.7 %, of triangles to 4 %.
    Uneven meshes are only made fit for sheets that are flat at rest; shells of them bend too easily,
    by a fifth or so. Not for sheets a few cells wide: they have shapes that no point inside sees as
    bent.
    """

    word, cells = "form", frozenset({"tri3", "quad4"})

    def __init__(
        self,
        mesh: Mesh,
        *,
        metric: Annotated[Any, weight("stiffness of its lengths", "N/m")],
        curvature: Annotated[Any, weight("stiffness of its bend", "N m")] = 0.0,
        density: Annotated[float, Quantity("mass over area", "kg/m^2", above=0.0, example=1.0)],
        damping: Damping | None = None,
        name: str = "surface",
    ):
        self._require_mesh(mesh)
        self._require_sheet(mesh)
        self._metric = weights(metric, 2, "FormSurface: metric", "N/m")
        self._curvature = weights(curvature, 2, "FormSurface: curvature", "N m")
        if not self._metric.any():
            raise ValueError(f"FormSurface: got metric={shown(metric)}; expected more than 0 [N/m]")
        (density,) = accept(self, density=density)
        self._bends = point_terms(mesh, "FormSurface") if self._curvature.any() else None
        masses = np.zeros(len(mesh))
        for kind, cells in mesh.cells.items():
            share = density * mesh.measures[kind] / cells.shape[1]
            np.add.at(masses, np.asarray(cells), share[:, None])
        super().__init__(mesh, masses, damping=damping, name=name)

    def energies(self, *, device: str) -> Sequence[JetEnergy]:
        """The first form in every kind of cell, and the second."""
        X, found = self.mesh.points, []
        for kind in self.mesh.cells:
            cells = cell_terms(self.mesh, kind)
            C = cells.sizes[:, None, None] * of_metric(self._metric)
            found.append(cells.energy(SurfaceMetric, X, C, device=device))
        if self._bends is not None:
            bends = self._bends
            C = np.zeros((len(bends.sizes), 6, 6))  # the first form is the cells' affair
            C[:, 3:, 3:] = _rigidity(bends, self._curvature)
            found.append(
                JetEnergy(
                    SurfaceForms,
                    X,
                    bends.stencils,
                    operators=bends.operators,
                    stiffness=C,
                    device=device,
                )
            )
        return found

    def facts(self) -> dict[str, Any]:
        """What it is made of."""
        return {
            "metric": self._metric.tolist(),
            "curvature": self._curvature.tolist(),
            "mass": float(self._masses.sum()),
        }


def _rigidity(bends: PointTerms, D: np.ndarray) -> np.ndarray:
    """The stiffness of B - B0 of every term, with that of the rim near it, (terms, 3, 3).

    No moment bends a rim across, so it counts by its curvature b = q . (B_11, B_22, 2 B_12) along
    itself alone: 1/2 b^2 / (q D^-1 q).
    """
    C = bends.sizes[:, None, None] * D
    t1, t2 = bends.rim_along.T
    q = np.stack([t1 * t1, t2 * t2, t1 * t2], axis=1)
    soft = np.linalg.inv(D + 1e-12 * np.trace(D) * np.eye(3))
    stiffness = bends.rim_sizes / np.einsum("ri,ij,rj->r", q, soft, q)
    np.add.at(C, bends.rim, stiffness[:, None, None] * q[:, :, None] * q[:, None, :])
    return of_curvature(C)
