"""Energies of few cells as energies of coordinates: reduced coordinates are points like others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from pliant.control import solid_strain
from pliant.elements import Element
from pliant.energies import Assembly, SolidEnergy, Strained
from pliant.materials import Material

Array = np.ndarray
#: Coordinates stand in rows of so many, as those of points do.
WIDTH = 3


class ProjectedPoints:
    """Points that follow coordinates, x = X + U q; q stands in rows of three.

    points [m], (n, d); columns (n d, r), r being a multiple of three.
    """

    def __init__(self, points: Array, columns: Array):
        self.points, self.columns = points, np.ascontiguousarray(columns)
        rows = columns.shape[1] // WIDTH
        self.stencils = np.arange(rows, dtype=np.int32)[None]

    def at(self, q: Any) -> Array:
        """The points [m], (n, d), of an array of vectors."""
        u = self.columns @ q.numpy().ravel()
        return np.asarray(self.points + u.reshape(self.points.shape))

    def add_gradient(self, g: Array, to: Any) -> None:
        """Add U^T g to an array of vectors of the host."""
        view = to.numpy()
        view += (self.columns.T @ g.ravel()).reshape(view.shape)

    def add_hessian(self, matrix: Any, blocks: Any, slots: Any) -> None:
        """Add U^T H U to blocks."""
        rows = self.stencils.shape[1]
        H = self.columns.T @ (matrix @ self.columns)
        each = H.reshape(rows, WIDTH, rows, WIDTH).transpose(0, 2, 1, 3)
        places = slots.numpy()[0]
        there = places >= 0
        blocks.numpy()[places[there]] += each[there]


class _Projected:
    """An energy of some cells as a function of coordinates."""

    def __init__(self, energy: Any, points: ProjectedPoints):
        self._on = points
        n, d = points.points.shape
        self._assembly = Assembly(n, d, [energy])
        self.stencils = points.stencils

    def value(self, x: Any) -> float:
        """The energy [J]."""
        return self._assembly.value(self._on.at(x))

    def add_gradient(self, x: Any, g: Any) -> None:
        """Add U^T dW/dx to g."""
        self._on.add_gradient(self._assembly.gradient(self._on.at(x)), g)

    def add_hessian(self, x: Any, blocks: Any, slots: Any, project: bool) -> None:
        """Add U^T d2W/dx2 U to blocks."""
        found = self._assembly.blocks(self._on.at(x), project=project)
        self._on.add_hessian(self._assembly.pattern.matrix(found), blocks, slots)


class ProjectedEnergy(_Projected, Strained):
    """The energy of a solid's cells as a function of coordinates. Satisfies `Energy`."""

    def __init__(self, solid: SolidEnergy, points: ProjectedPoints):
        super().__init__(solid, points)
        self._solid, self.limits_steps = solid, solid.limits_steps

    def step_limit(self, x: Any, dx: Any) -> float:
        """As far as no cell is crushed, where that is fatal."""
        y = self._on.at(x)
        dy = (self._on.columns @ dx.numpy().ravel()).reshape(y.shape)
        return self._assembly.step_limit(y, dy)

    def strain_inertia(self) -> ProjectedStrain:
        """Hooke's energy of the same cells about strains that move."""
        return ProjectedStrain(self._solid, self._on)


class ProjectedStrain(_Projected):
    """The inertia of `Settle` in the strain of few cells, as a function of coordinates."""

    limits_steps = False

    def __init__(self, solid: SolidEnergy, points: ProjectedPoints):
        self._strain = solid_strain(solid)
        super().__init__(self._strain, points)

    def strains(self, x: Any) -> Any:
        """The strain of every quadrature point."""
        return self._strain.strains(self._assembly.array(self._on.at(x)))

    def aim(self, target: Any) -> None:
        """Set the strains that it is about."""
        self._strain.aim(target)

    def weigh(self, factor: Any) -> None:
        """Multiply the moduli by a factor."""
        self._strain.weigh(factor)

    def step_limit(self, x: Any, dx: Any) -> float:
        """Any step will do."""
        return float("inf")


@dataclass(frozen=True, eq=False)
class WeighedCells:
    """Some cells of a solid, weighed so that they stand for all, of which an energy of coordinates is.

    points [m], (n, d), that they have, and columns, (n d, r), by which these follow coordinates. It can
    be pickled, and the energy cannot.
    """

    points: Array
    columns: Array
    cells: Array
    factors: Array
    element: Element
    material: Material
    thickness: float

    def assembly(self) -> Assembly:
        """The energy of coordinates, in rows of three."""
        on = ProjectedPoints(self.points, self.columns)
        solid = SolidEnergy(
            self.points,
            self.cells,
            self.element,
            self.material,
            thickness=self.thickness,
            factors=self.factors,
        )
        return Assembly(self.columns.shape[1] // WIDTH, WIDTH, [ProjectedEnergy(solid, on)])
