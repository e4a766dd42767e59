"""A deformable curve."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

import numpy as np

from pliant.control import Damping
from pliant.declared import Quantity, accept, accept_each
from pliant.energies import JetEnergy
from pliant.forms import Binormal, Curvature, CurveMetric, PlaneCurvature, Torsion
from pliant.mesh import Mesh

from ..deformable import Deformable
from .cells import CellTerms, cell_terms
from .chains import bends, turns

#: A curve whose bend over one cell is less than this angle [rad] is straight.
STRAIGHT = 1e-6


def _weight(about: str, example: float | None = None) -> Quantity:
    return Quantity(about, "N m^2", at_least=0.0, per="point", example=example)


class FormCurve(Deformable):
    """A curve of lines that keeps its length, its curvature and its torsion.

        W = 1/2 integral  metric e^2 + curvature (k - k0)^2 + torsion (t - t0)^2  da,
        e = (x' . x' - x0' . x0') / 2

    k and t: curvature and torsion, a: length along the curve at rest, ends open or joined. Moved
    rigidly it costs nothing, and rolled out it costs curvature alone. metric [N], curvature and
    torsion [N m^2]: one for all or one per point. density [kg/m]. A rod of young and section A with
    second moment I has metric = young A and curvature = young I. In the plane k has a sign, and
    there is no torsion.

        points = np.stack([np.linspace(0, 1, 21), np.zeros(21)], axis=1)
        mesh = pl.Mesh(points, {"line": np.stack([np.arange(20), np.arange(1, 21)], axis=1)})
        wire = pl.FormCurve(mesh, metric=1000.0, curvature=0.1, density=0.02)

    Source: [terzopoulos1987], whose weights are an eighth of metric and a half of the others. Two
    neighbouring points fixed clamp it half-way between them. In space a curve that is bent at rest
    may turn the plane of its bend freely unless torsion holds it, and pulled straight it has no such
    plane: its forces jump there. Not for twisted rods, which are `pl.Rod`: a curve does not know how
    it lies about itself, and `torsion` is of its path.
    """

    word, cells = "form", frozenset({"line2"})

    def __init__(
        self,
        mesh: Mesh,
        *,
        metric: Annotated[
            Any,
            Quantity("stiffness of its lengths", "N", above=0.0, per="point", example=1000.0),
        ],
        curvature: Annotated[Any, _weight("stiffness of its bend", 1000.0)] = 0.0,
        torsion: Annotated[Any, _weight("stiffness of the torsion of a curve in space")] = 0.0,
        density: Annotated[float, Quantity("mass over length", "kg/m", above=0.0, example=1.0)],
        damping: Damping | None = None,
        name: str = "curve",
    ):
        self._require_mesh(mesh)
        if set(mesh.cells) != {"line2"}:
            raise ValueError(
                f'FormCurve: got {mesh!r}; expected lines, as in pl.Mesh(points, {{"line": pairs}})'
            )
        given = {"metric": metric, "curvature": curvature, "torsion": torsion}
        self._weights = dict(zip(given, accept_each(self, len(mesh), **given), strict=True))
        (density,) = accept(self, density=density)
        self._cells = cell_terms(mesh, "line2")
        self._bends = bends(mesh) if self._weights["curvature"].any() else None
        self._turns = turns(mesh) if self._weights["torsion"].any() else None
        masses = np.zeros(len(mesh))
        np.add.at(masses, self._cells.stencils, density * self._cells.sizes[:, None] / 2.0)
        super().__init__(mesh, masses, damping=damping, name=name)

    def energies(self, *, device: str) -> Sequence[JetEnergy]:
        """The energies of length, of curvature and of torsion."""
        X, cells, w = self.mesh.points, self._cells, self._weights
        stiffness = w["metric"][cells.stencils].mean(axis=1) / 4.0 * cells.sizes
        found = [cells.energy(CurveMetric, X, stiffness, device=device)]
        if self._bends is not None:
            found += self._bending(self._bends, device)
        if self._turns is not None:
            t = self._turns
            stiffness = w["torsion"][t.stencils[:, 1:3]].mean(axis=1) * t.sizes
            found.append(t.energy(Torsion, X, stiffness, device=device))
        return found

    def facts(self) -> dict[str, Any]:
        """What it is made of."""
        found = {what: [float(w.min()), float(w.max())] for what, w in self._weights.items()}
        return found | {"mass": float(self._masses.sum())}

    def _bending(self, b: CellTerms, device: str) -> list[JetEnergy]:
        """Curvature, which where the curve is straight at rest may go in any direction."""
        X = self.mesh.points
        stiffness = self._weights["curvature"][b.stencils[:, 1]] * b.sizes
        if self.dim == 2:
            return [b.energy(PlaneCurvature, X, stiffness, device=device)]
        d = np.einsum("tai,tid->tad", b.operators, X[b.stencils])
        straight = np.linalg.norm(np.cross(d[:, 0], d[:, 1]), axis=1) * b.sizes < STRAIGHT
        found = []
        for form, which in ((Binormal, straight), (Curvature, ~straight)):
            if which.any():
                energy = JetEnergy(
                    form,
                    X,
                    b.stencils[which],
                    operators=b.operators[which],
                    stiffness=stiffness[which, None, None] * np.eye(form.measures),
                    rest=np.zeros(3) if form is Binormal else None,
                    device=device,
                )
                found.append(energy)
        return found
