"""A body of cloth."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, TypeAlias

import numpy as np

from pliant.conditions import Bend, Condition, Shear, Stretch, derivatives
from pliant.control import Damping
from pliant.declared import InPython, Numbers, Quantity, accept
from pliant.energies import NEVER, ConditionEnergy, Energy, PlasticConditions, TermFlow
from pliant.materials import Tear
from pliant.mesh import Mesh, MeshChange

from ..matter import TearBy, YieldStrain
from ..tearable import Tearable
from ..tearing import CellsApart, Tears
from .sheets import Hinges, areas, flat_coordinates, hinges, require_near

#: Stiffness of a plate whose strips have stiffness 1: 1/(1 - nu^2), nu = -1/3 being that of hinges.
STRIP = 9.0 / 8.0


#: A condition, the points of its terms, their stiffnesses [J] and parameters.
Term: TypeAlias = tuple[type[Condition], np.ndarray, np.ndarray, np.ndarray]

Threads = Annotated[
    float,
    Quantity("stiffness of its threads: young times thickness", "N/m", above=0.0, example=400.0),
]
Angles = Annotated[
    float, Quantity("stiffness of the angle between threads", "N/m", at_least=0.0, example=60.0)
]
Bending = Annotated[
    float,
    Quantity(
        "stiffness against bending: young times thickness^3 / 12", "N m", at_least=0.0, example=1e-4
    ),
]
MassPerArea = Annotated[
    float, Quantity("mass per area: silk 0.1, denim 0.4", "kg/m^2", above=0.0, example=0.25)
]
RestStretch = Annotated[
    tuple[float, float],
    Numbers(
        "how long it wants to be along its threads over the mesh",
        "-",
        each=Quantity(above=0.0),
        counts=(2,),
        like="[1, 1]",
    ),
]


class Cloth(Tearable):
    """A woven sheet of triangles in space, which stretches and shears little and bends easily.

        W = sum_t a [ k_s/2 (|w_u| - b_u)^2 + k_s/2 (|w_v| - b_v)^2 + k_r/2 (w_u . w_v)^2 ]
            + sum_e (9/8) k_b/2 (|e|^2 / (a_1 + a_2)) theta^2

    w(u, v): where the cloth is over its flat shape; a: area of a triangle in it. stretch k_s and shear
    k_r [N/m], bend k_b [N m], density [kg/m^2], rest_stretch (b_u, b_v) [-]. yield_strain: of threads,
    and at the surface of a bend, beyond which it stays stretched or creased (paper, foil). A plate of
    thickness h has k_s = young h and k_b = young h^3 / 12. uv: flat coordinates of the points (n, 2)
    [m], by default those in the plane of the mesh, u along x (along y for a sheet across x). One per
    point has no seams: not for tubes.

        sheet = pl.meshes.rectangle((1, 1), (20, 20))
        mesh = pl.Mesh(np.insert(sheet.points, 1, 0.0, axis=1), sheet.cells)   # in the plane y = 0
        cloth = pl.Cloth(mesh, stretch=2000.0, shear=500.0, bend=1e-5, density=0.2)

    Source: [baraff1998]. There the energy has a^2 instead of a, and theta^2 alone, so that stiffnesses
    hold for one mesh. Here stretch and shear hold for any mesh, and bend for a free strip of it: hinges
    of equilateral triangles are a plate of Poisson's ratio -1/3, whose strips bend as beams of k_b per
    width. On grids of squares cut by diagonals in turns strips have 0.90 (along the sides) to 1.13
    k_b, on cells of 2:1 0.7 to 1.3, with all diagonals one way 0.75 to 2.3; sheets that are forced to
    stay straight across the bend 9/8 to 1.7 times as much. For a bend that is the same on all
    meshes use `pl.Shell`. Held by one line cloth swings about it, and `pl.Settle` leaves that
    swing alone, as all rigid motion.
    Wind is `cloth.push(wind=...)`, fixed obstacles `scene.add(...)`; not for cloth that touches
    itself. A sheet that is flat and even to the last digit cannot tell which way to fold, and steps
    take long there: `place` it with 0.1 mm of noise.
    """

    word, cells = "cloth", frozenset({"tri3"})
    in_space = of_faces = of_conditions = True

    def __init__(
        self,
        mesh: Mesh,
        *,
        stretch: Threads,
        shear: Angles,
        bend: Bending,
        density: MassPerArea,
        rest_stretch: RestStretch = (1.0, 1.0),
        yield_strain: YieldStrain = None,
        uv: Annotated[
            Any, InPython("flat coordinates of the points; in files, of the mesh")
        ] = None,
        tear: TearBy = None,
        damping: Damping | None = None,
        name: str = "cloth",
    ):
        self._require_mesh(mesh)
        self._require_sheet(mesh)
        stretch, density = accept(self, stretch=stretch, density=density)
        shear, bend, b = accept(self, shear=shear, bend=bend, rest_stretch=rest_stretch)
        self._lay(mesh, flat_coordinates(mesh, uv))
        require_near(mesh.points[self._triangles], self._uv)
        self._yield_strain: float | None
        (self._yield_strain,) = accept(self, yield_strain=yield_strain)
        if tear is not None and yield_strain is not None:
            raise ValueError(
                f"Cloth: got tear={tear!r} and yield_strain={yield_strain!r}; expected one of them"
            )
        self._stiffness = {"stretch": stretch, "shear": shear, "bend": bend}
        self._b = b
        self._density = density
        super().__init__(mesh, self._masses_of(len(mesh)), damping=damping, name=name)
        self._accept_tear(tear)

    def _lay(self, mesh: Mesh, flat: np.ndarray) -> None:
        """Take the triangles and hinges of a mesh; flat: coordinates of its points, (n, 2) [m]."""
        self._flat, self._triangles = flat, np.asarray(mesh.cells["tri3"])
        self._uv = flat[self._triangles]
        self._areas = areas(self._uv)
        self._hinges, self._sides = hinges(mesh)

    def _masses_of(self, count: int) -> np.ndarray:
        masses = np.zeros(count)
        np.add.at(masses, self._triangles, self._density * self._areas[:, None] / 3.0)
        return masses

    def _mesh_masses(self) -> np.ndarray:
        return self._masses_of(len(self.mesh))

    def _take_mesh(self, change: MeshChange) -> None:
        self._lay(change.mesh, change.carried(self._flat))

    def _check_cut(self) -> None:
        super()._check_cut()
        self._refuse_flow(self._yield_strain)

    def stretches(self) -> np.ndarray:
        """Lengths along u and v now, over those without tension, (triangles, 2) [-]."""
        x = self.positions[self._triangles]
        w = np.einsum("tij,tjd->tid", derivatives(self._uv), x[:, 1:] - x[:, :1])
        return np.asarray(np.linalg.norm(w, axis=2) / self._b)

    def energies(self, *, device: str) -> Sequence[Energy]:
        """Stretch along u and v, shear and bend."""
        k = self._stiffness
        both = self._areas[self._sides[0]] + self._areas[self._sides[1]]
        terms: list[Term] = [
            *self._threads(),
            (
                Bend,
                self._hinges,
                STRIP * k["bend"] * self._hinge_lengths() ** 2 / both,
                np.zeros((len(both), 1)),
            ),
        ]
        found: list[Energy] = []
        for c, s, w, p in terms:
            given: dict[str, Any] = {"stiffness": w, "parameters": p, "device": device}
            if w.any() and self._yield_strain is None:
                found.append(ConditionEnergy(c, self.mesh.points, s, **given))
            elif w.any():
                unit = self._unit(c, len(s))
                limit = unit * self._yield_strain if c is not Shear else np.full(len(s), NEVER)
                given |= {"limit": limit, "unit": unit}
                found.append(PlasticConditions(c, self.mesh.points, s, **given))
        return [*found, *self._cohesion(device)]

    def _follow_tears(self, tears: Tears) -> None:
        self._hinged = Hinges(self.mesh, tears.faces.cells)

    def _lets_go(self, torn: np.ndarray) -> bool:
        """Drop the hinges on faces that have begun to tear; all others stay, where faces open too."""
        before = self._hinges
        self._hinges, self._sides = self._hinged.left(self.mesh, torn)
        return not np.array_equal(self._hinges, before)

    def _cells_apart(self, tear: Tear) -> CellsApart:
        """Its cells, each by itself."""
        h = tear.thickness
        if h is None:
            h = float(np.sqrt(12.0 * self._stiffness["bend"] / self._stiffness["stretch"]))
        if h == 0.0:
            raise ValueError(
                f"Cloth: got {tear!r} and bend=0; expected its thickness [m], as in "
                "pl.Tear(..., thickness=1e-3)"
            )
        X, count = self.mesh.points[self._triangles].reshape(-1, 3), len(self._triangles)
        numbers = np.arange(3 * count).reshape(count, 3)
        found = [
            ConditionEnergy(c, X, numbers, stiffness=w, parameters=p)
            for c, _, w, p in self._threads()
            if w.any()
        ]
        return CellsApart(found, self._uv, h * self._areas, h)

    def _threads(self) -> list[Term]:
        """What threads cost."""
        d, t, k = derivatives(self._uv), self._triangles, self._stiffness
        return [
            (Stretch, t, k["stretch"] * self._areas, _with(d[:, 0], self._b[0])),
            (Stretch, t, k["stretch"] * self._areas, _with(d[:, 1], self._b[1])),
            (Shear, t, k["shear"] * self._areas, d.reshape(-1, 4)),
        ]

    @property
    def flowing_terms(self) -> int:
        """The number of threads, angles and hinges, if it flows."""
        if self._yield_strain is None:
            return 0
        triangles = 2 + (self._stiffness["shear"] > 0.0)
        hinges = len(self._hinges) if self._stiffness["bend"] > 0.0 else 0
        return triangles * len(self._triangles) + hinges

    def creases(self) -> np.ndarray:
        """The angle at which each hinge wants to be after it has flowed [rad], (hinges,)."""
        flow = None if self._state.history is None else self._state.history.flow
        if flow is None or self._stiffness["bend"] == 0.0:
            return np.zeros(len(self._hinges))
        own = flow.each[-1]
        assert isinstance(own, TermFlow)  # `PlasticConditions` sees to it
        return np.asarray(own.offset.numpy())

    def _unit(self, condition: type[Condition], count: int) -> np.ndarray:
        """The value of a condition at a strain of one; of bending at the surface of the cloth.

        kappa = theta / l,   l = 2 (a_1 + a_2) / (3 |e|),   strain = kappa h/2,   h^2 = 12 k_b / k_s
        """
        if condition is not Bend:
            return np.ones(count)
        both = self._areas[self._sides[0]] + self._areas[self._sides[1]]
        thickness = np.sqrt(12.0 * self._stiffness["bend"] / self._stiffness["stretch"])
        return np.asarray(4.0 * both / (3.0 * self._hinge_lengths() * thickness))

    def facts(self) -> dict[str, Any]:
        """What it is made of."""
        flows = {} if self._yield_strain is None else {"yield_strain": self._yield_strain}
        return (
            self._stiffness
            | flows
            | {
                "rest_stretch": self._b.tolist(),
                "mass": float(self._masses.sum()),
            }
        )

    def _hinge_lengths(self) -> np.ndarray:
        """Lengths of shared edges in the flat shape [m]."""
        side = self._sides[0]
        ends = [np.argmax(self._triangles[side] == self._hinges[:, [i]], axis=1) for i in (0, 1)]
        return np.asarray(np.linalg.norm(self._uv[side, ends[1]] - self._uv[side, ends[0]], axis=1))


def _with(coefficients: np.ndarray, b: float) -> np.ndarray:
    return np.concatenate([coefficients, np.full((len(coefficients), 1), b)], axis=1)
