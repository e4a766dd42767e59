"""A solid body: a mesh of cells filled with a material."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Annotated, Any, ClassVar

import numpy as np
import warp as wp

from pliant.compliance import Compliance
from pliant.control import Damping
from pliant.declared import Quantity, accept
from pliant.elements import by_name, lumped_mass
from pliant.energies import BarEnergy, Energy, PlasticSolid, SolidEnergy, SolidFlow
from pliant.errors import shown
from pliant.materials import Material, Plastic, StableNeoHookean, Tear
from pliant.mesh import Mesh, MeshChange, single_kind
from pliant.problem import Flow

from ..condensing import condensed
from ..matter import TearBy
from ..tearable import Tearable
from ..tearing import CellsApart
from .inverse_statics import InverseStatics

Density = Annotated[float, Quantity("of a solid", "kg/m^3", above=0.0)]
Thickness = Annotated[float, Quantity("of 2D solids", "m", above=0.0)]


class Body(Tearable):
    """A solid body: matter that fills the cells of a mesh.

        W(x) = integral of psi(F) dV,     F = dx/dX,  X at rest,  x = sum_a N_a(X) x_a

    psi: the energy density of the material, N_a: the shape functions of the cells; masses are lumped.
    mesh: its rest shape [m], of triangles or quads in 2D (plane strain), tetrahedra or hexahedra in 3D;
    or of lines in either, which are bars with a `section` [m^2], pulled along themselves and free to
    contract across (a truss: joints turn freely).
    material: one of `pl.Linear`, `pl.StVenantKirchhoff`, `pl.Corotated`, `pl.NeoHookean`,
    `pl.StableNeoHookean`, `pl.Hencky` and `pl.FibreReinforced`, or `pl.Plastic` around one of these.
    density [kg/m^3], thickness [m] of 2D bodies.
    `damping` may be set at any time; None means backward Euler's own.

        mesh = pl.meshes.box((4, 1, 1), (8, 2, 2))
        body = pl.Body(mesh, pl.StableNeoHookean(young=5e6, poisson=0.4), density=1000.0)
        body.fix(mesh.points[:, 0] < 1e-9)

    Not for thin things, which bend too little unless cells are quadratic or many: `pl.Shell`, `pl.Rod`.
    Source: [sifakis2012].
    """

    word = "material"
    can_flow: ClassVar[bool] = True
    """Whether it can be of `pl.Plastic`."""

    def __init__(
        self,
        mesh: Mesh,
        material: Material | Plastic,
        *,
        density: Density = 1000.0,
        thickness: Thickness = 1.0,
        section: Annotated[
            float | None, Quantity("of lines, which are bars", "m^2", above=0.0, example=1e-4)
        ] = None,
        tear: TearBy = None,
        damping: Damping | None = None,
        name: str = "body",
    ):
        self._require_mesh(mesh)
        who = type(self).__name__
        self._density: float
        self._thickness: float
        self._density, self._thickness = accept(self, density=density, thickness=thickness)
        bars = mesh.cell_dim == 1
        if thickness != 1.0 and (mesh.dim == 3 or bars):
            raise ValueError(
                f"{who}: got thickness={shown(thickness)}; expected it for 2D bodies only"
            )
        if (section is not None) != bars:
            raise ValueError(
                f"{who}: got {mesh!r} with section={shown(section)}; expected a section [m^2] for "
                "lines, which are bars, and for nothing else. Lines that resist bending are pl.Rod"
            )
        if mesh.cell_dim != mesh.dim and not bars:
            raise ValueError(
                f"{who}: got {mesh!r}; expected cells that fill it: triangles or quads in 2D, "
                "tetrahedra or hexahedra in 3D. Sheets in 3D are pl.Shell or pl.Cloth"
            )
        self._section: float | None
        (self._section,) = accept(self, section=section)
        self._material = self._accepted(material, bars)
        super().__init__(mesh, self._masses_on(mesh), damping=damping, name=name)
        self._accept_tear(tear)

    def __repr__(self) -> str:
        what = f"{len(self)} points, {self.material!r}, {self.damping!r}"
        return f"<{type(self).__name__} {self.name!r}: {what}>"

    @classmethod
    def from_cache(
        cls,
        path: Any,
        *,
        frame: float,
        material: Material | None = None,
        density: float = 1000.0,
        mesh: Mesh | None = None,
        fps: float | None = None,
        prim: str | None = None,
        rest: float | None = None,
        name: str = "body",
    ) -> Body:
        """A solid where a cached mesh is in a frame, as fast as it moves there: to settle from here.

        path: a USD, .pc2 or .mdd file (`pl.Cache`). The closed surface of its frame `rest`, by default
        the first, is the rest shape. It is filled with tetrahedra, and worn; or mesh has its points.
        material: a soft one by default; with `pl.Settle` it decides the way, not the time.

            body = pl.Body.from_cache("shot.usd", frame=40)
            body.damping = pl.Settle(rest_in=1.0)
        """
        from pliant.io import Cache
        from pliant.mesh import generators

        cache = Cache.read(path, fps=fps, prim=prim)
        cache.number(frame)  # before a mesh is made
        if material is None:
            material = StableNeoHookean(young=1e5, poisson=0.4)
        if mesh is None:
            faces = cache.faces(rest)
            body = cls(generators.tetrahedralise(faces), material, density=density, name=name)
            body.wear(faces)
        else:
            body = cls(mesh, material, density=density, name=name)
        cache.start(body, frame=frame)
        return body

    @property
    def _cells(self) -> dict[str, np.ndarray]:
        """The cells that are filled."""
        mesh = self._mesh
        return {k: c for k, c in mesh.cells.items() if by_name(k).dim == mesh.cell_dim}

    def _masses_on(self, mesh: Mesh) -> np.ndarray:
        """The lumped masses of a mesh of its matter [kg]."""
        across = self._thickness if self._section is None else self._section
        masses = np.zeros(len(mesh))
        for kind, cells in mesh.cells.items():
            if by_name(kind).dim == mesh.cell_dim:
                masses += lumped_mass(
                    mesh.points, cells, by_name(kind), density=self._density, thickness=across
                )
        return masses

    @property
    def material(self) -> Material | Plastic:
        """What it is made of. May be set; positions, motion, pins and loads stay."""
        return self._material

    @material.setter
    def material(self, value: Material | Plastic) -> None:
        self._material, self._system = self._accepted(value, self._section is not None), None
        self._changed()

    @property
    def density(self) -> float:
        """[kg/m^3]. Fixed; single masses can be set with `masses`."""
        return float(self._density)

    @property
    def thickness(self) -> float:
        """[m], of 2D bodies. Fixed."""
        return float(self._thickness)

    @property
    def section(self) -> float | None:
        """[m^2], of bars. Fixed."""
        section: float | None = self._section
        return section

    @property
    def contact_radius(self) -> float:
        """That of round bars [m]."""
        return 0.0 if self._section is None else math.sqrt(self._section / math.pi)

    @property
    def contact_young(self) -> float | None:
        """The stiffness of bars over their length [Pa]."""
        if self._section is None:
            return None
        ends = self.mesh.points[self._cells["line2"]]
        length = float(np.median(np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1)))
        return float(np.mean(self.material.young)) * min(1.0, self._section / length**2)

    def energies(self, *, device: str) -> Sequence[Energy]:
        """One energy for each kind of cell."""
        if self._section is not None:
            assert isinstance(self._material, Material)  # `_accepted` sees to it
            cells = self._cells["line2"]
            bars = BarEnergy(
                self.mesh.points, cells, self._material, section=self._section, device=device
            )
            return [bars]
        found = [
            self._solid(self.mesh.points, cells, kind, device)
            for kind, cells in self._cells.items()
        ]
        return [*found, *self._cohesion(device)]

    def _solid(self, points: np.ndarray, cells: np.ndarray, kind: str, device: str) -> Energy:
        """The energy of some cells."""
        plastic = isinstance(self._material, Plastic)
        make: Callable[..., Energy] = PlasticSolid if plastic else SolidEnergy
        how = {"thickness": self.thickness, "device": device, "dtype": wp.float64}
        return make(points, cells, kind, self._material, **how)

    def _cells_apart(self, tear: Tear) -> CellsApart:
        """Its cells, each by itself."""
        if tear.thickness is not None:
            raise ValueError(
                f"Body: got {tear!r}; expected no thickness in it: that of a 2D body is its own"
            )
        kind = single_kind(self.mesh)
        rest = self.mesh.points[self._cells[kind]]
        numbers = np.arange(rest.shape[0] * rest.shape[1]).reshape(rest.shape[:2])
        energy = self._solid(rest.reshape(-1, self.dim), numbers, kind, "cpu")
        across = self.thickness if self.dim == 2 else 1.0
        return CellsApart([energy], rest, across * self.mesh.measures[kind], across)

    @property
    def flowing_terms(self) -> int:
        """The number of cells, if they flow."""
        flows = isinstance(self._material, Plastic)
        return sum(len(cells) for cells in self._cells.values()) if flows else 0

    def compliance(self, gravity: Any = None) -> Compliance:
        """K^-1 on its surface, about its rest shape under gravity [m/s^2] and loads."""
        return condensed(self, gravity)

    def bear(self, pose: np.ndarray, load: np.ndarray) -> None:
        """Take the mesh with which it bears a load [N], (n, d), in a pose [m]; for `rest_at`."""
        if self._section is not None:
            super().bear(pose, load)
            return
        if type(self).energies is not Body.energies:
            raise ValueError(
                f"{self.name}: rest_at: got {type(self).__name__}; expected pl.Body, without examples"
            )
        system = self.system()
        system.locks(pose, load)
        system.require_upright(pose)
        found = InverseStatics(
            pose, self._cells, self._cells_of_own, free=~self.pinned, parts=system.parts
        ).solve(load)
        self._skin = self.skin.over(found, self.mesh.points) if self._wears else None
        self._mesh = self.mesh.with_parts(found, self.mesh.cells, self.mesh.groups)
        self._system = None
        system = self.system()
        system.require_stable(pose, locked=system.locks(pose, load))

    def _cells_of_own(self, kind: str, corners: np.ndarray) -> SolidEnergy:
        """The energy of cells that share no points, with these corners at rest (t k, d) [m]."""
        material = self._material
        assert isinstance(material, Material)  # `rest_at` refuses what flows
        numbers = np.arange(len(corners)).reshape(-1, by_name(kind).n_nodes)
        return SolidEnergy(corners, numbers, kind, material, thickness=self.thickness, device="cpu")

    def _accepted(self, material: Any, bars: bool) -> Material | Plastic:
        """The material, if such a body can be made of it."""
        who = type(self).__name__
        if not isinstance(material, (Material, Plastic)):
            raise TypeError(
                f"{who}: got material of type {type(material).__name__}; expected a material such as "
                "pl.StableNeoHookean(young=1e6, poisson=0.4)"
            )
        if isinstance(material, Plastic) and (bars or not self.can_flow):
            what = "bars" if bars else f"pl.{who}"
            raise ValueError(
                f"{who}: got {material!r}; expected an elastic material for {what}, such as "
                f"{material.material!r}. Wire that stays bent is pl.Rod(..., yield_strain=0.01)"
            )
        return material

    def _mesh_masses(self) -> np.ndarray:
        return self._masses_on(self.mesh)

    def _take_mesh(self, change: MeshChange) -> None:
        self._material = self._material.of_pieces(change.cells)

    def _cut_flow(self, flow: Flow, before: Mesh, change: MeshChange) -> Flow:
        (own,), (kind,) = flow.each, before.cells
        assert isinstance(own, SolidFlow)  # `PlasticSolid` sees to it
        share = change.mesh.measures[kind] / before.measures[kind][change.cells]
        return replace(flow, each=(own.of_pieces(change.cells, share),))

    def _joined_flow(self, flows: Sequence[Flow], cells: Sequence[np.ndarray]) -> Flow:
        own = []
        for flow in flows:
            (solid,) = flow.each
            assert isinstance(solid, SolidFlow)  # `PlasticSolid` sees to it
            own.append(solid)
        return Flow((SolidFlow.joined(own, cells),), max(flow.count for flow in flows))

    def facts(self) -> dict[str, Any]:
        """What it is made of."""
        across = (
            {"thickness": self.thickness} if self.section is None else {"section": self.section}
        )
        return {"material": repr(self.material), "density": self.density} | across
