"""A thin shell: a surface with a thickness."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

import numpy as np

from pliant.control import Damping
from pliant.declared import accept
from pliant.energies import Energy, JetEnergy, nodal_areas
from pliant.forms import Form, SurfaceForms, SurfaceMetric
from pliant.given import select
from pliant.materials import Tear
from pliant.mesh import Mesh, MeshChange

from ..matter import Density, Poisson, TearBy, Young, length
from ..tearable import Tearable
from ..tearing import CellsApart
from ..thin import Thin
from .jets import flat_slopes, shell_jets
from .patches import ShellEdges


class Shell(Thin, Tearable):
    """A thin shell, or a plate: triangles in space that resist stretching and bending.

        W = h/2 int alpha : C : alpha  +  h^2/12 beta : C : beta  dA
        alpha_ij = (x,i . x,j - rest)/2,    beta_ij = n . x,ij - rest

    C: Hooke's law in plane stress of young [Pa] and poisson [-]; h: thickness [m]; density [kg/m^3].
    The mesh is the middle surface at rest, flat or curved. alpha and beta are the lecture's membrane
    and bending strain with inner products in place of their derivatives, so that rigid motion
    costs nothing [liulecture] (resultants), [koiter1966]. alpha is that of each flat triangle; x,ij
    comes from the slopes across its edges, Morley's element [morley1968] with each slope fitted to
    the points around: deflections converge with the square of the cells' size on any mesh.

        flat = pl.meshes.rectangle((1, 1), (16, 16))
        mesh = pl.Mesh(np.insert(flat.points, 2, 0.0, axis=1), flat.cells)
        plate = pl.Shell(mesh, young=70e9, poisson=0.3, thickness=0.01, density=2700.0)

    A held line of points is a hinge. A clamp is a row of triangles all of whose points are held, and
    sits where the row ends: plate.fix(plate.row(edge)). So give the mesh a row more than the free
    part has. A clamped plate of 16 cells a side bends 5 % too much, a hinged one 1 %. Curved shells
    need cells shorter than half of sqrt(radius thickness), the length over which a load spreads: then a
    cylinder under pressure is round to 4 %, and one that is pinched gives way 11 % too much. Bounces
    of `Settle` keep time for deflections of many thicknesses, under loads that bend it by up to a
    quarter of its length. A soft strip that falls until it hangs rests within 3 % after two bounces or
    more; with a single one it may rest late.

    Not for thick plates (over a tenth of their width: no shear across), for strains over some 10 %,
    nor for bends sharper than the cells; a strip of one cell across keeps flat across. Below a
    thousandth of the length, `scene.equilibrium` may need loads in steps, with `place` after each.
    """

    word, cells = "shell", frozenset({"tri3"})
    in_space = of_faces = True

    def __init__(
        self,
        mesh: Mesh,
        *,
        young: Young,
        poisson: Poisson = 0.3,
        density: Density = 1000.0,
        thickness: Annotated[float, length("")],
        tear: TearBy = None,
        damping: Damping | None = None,
        name: str = "shell",
    ):
        self._require_mesh(mesh)
        self._require_sheet(mesh)
        self._thickness: float
        young, density, poisson, self._thickness = accept(
            self, young=young, density=density, poisson=poisson, thickness=thickness
        )
        self._matter = {"young": young, "poisson": poisson}
        super().__init__(mesh, self._laid_on(mesh), density=density, damping=damping, name=name)
        self._accept_tear(tear)

    def _laid_on(self, mesh: Mesh) -> np.ndarray:
        """Take the triangles and edges of a mesh; returns the volumes around its points [m^3]."""
        self._triangles = np.asarray(mesh.cells["tri3"])
        self._edges = ShellEdges.between(mesh)
        return self._thickness * nodal_areas(mesh.points, [self._triangles])

    def _take_mesh(self, change: MeshChange) -> None:
        self._volumes = self._laid_on(change.mesh)

    @property
    def thickness(self) -> float:
        """[m]."""
        return float(self._thickness)

    @property
    def contact_radius(self) -> float:
        """Half its thickness [m]."""
        return 0.5 * self.thickness

    def row(self, where: Any) -> np.ndarray:
        """Points of an edge (mask or indices) and of the triangles along it: `fix` them for a clamp.

        The clamp is where these triangles end.
        """
        edge = np.zeros(len(self), dtype=bool)
        edge[select(where, len(self), "row")] = True
        return np.unique(self._triangles[edge[self._triangles].any(axis=1)])

    def energies(self, *, device: str) -> Sequence[Energy]:
        """Stretching and bending of all triangles."""
        # What is held is known here: a system is made anew when pins change.
        stencils, operators = shell_jets(
            self.mesh.points, self._triangles, self._edges, self.pinned
        )
        h, stress = self._thickness, self._plane_stress()
        areas = self.mesh.measures["tri3"][:, None, None]
        bending = np.zeros((6, 6))
        bending[3:, 3:] = h**3 / 12.0 * stress
        # Two energies, so that where bending is not convex a taut membrane still counts as taut.
        X, triangles = self.mesh.points, self._triangles
        membrane = self._membrane()
        terms: list[tuple[type[Form], Any, Any, Any]] = [
            (SurfaceMetric, triangles, flat_slopes(X, triangles), membrane),
            (SurfaceForms, stencils, operators, areas * bending),
        ]
        return [
            JetEnergy(form, X, s, operators=L, stiffness=C, device=device)
            for form, s, L, C in terms
        ] + [*self._cohesion(device)]

    def _plane_stress(self) -> np.ndarray:
        """Hooke's law of xx, yy and twice xy [Pa], (3, 3)."""
        nu = self._matter["poisson"]
        plane = np.array([[1.0, nu, 0.0], [nu, 1.0, 0.0], [0.0, 0.0, 2.0 * (1.0 - nu)]])
        return np.asarray(self._matter["young"] / (1.0 - nu**2) * plane)

    def _membrane(self) -> np.ndarray:
        """The stiffness of the metric of each triangle [J], (t, 3, 3)."""
        areas = self.mesh.measures["tri3"][:, None, None]
        # alpha is half of what x,i . x,j changes by
        return np.asarray(areas * self._thickness / 4.0 * self._plane_stress())

    def _cells_apart(self, tear: Tear) -> CellsApart:
        """Its cells, each by itself: what bends them does not tear them."""
        if tear.thickness is not None:
            raise ValueError(f"Shell: got {tear!r}; expected no thickness in it: it is the shell's")
        rest = self.mesh.points[self._triangles]
        X, numbers = rest.reshape(-1, 3), np.arange(rest.shape[0] * 3).reshape(-1, 3)
        energy = JetEnergy(
            SurfaceMetric,
            X,
            numbers,
            operators=flat_slopes(X, numbers),
            stiffness=self._membrane(),
        )
        h = self._thickness
        return CellsApart([energy], rest, h * self.mesh.measures["tri3"], h)

    def facts(self) -> dict[str, Any]:
        """What it is made of."""
        return self._matter | {
            "thickness": self._thickness,
            "density": self._density,
            "mass": float(self._masses.sum()),
        }
