"""A solid that is known by its surface."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

import numpy as np

from pliant.backend import check_device
from pliant.compliance import Compliance, DenseCompliance
from pliant.control import Damping
from pliant.declared import InPython, Quantity, accept
from pliant.energies import Energy, Load
from pliant.errors import Advice, described, prefixed, usable, warn_user
from pliant.given import floats_or_nan, gravity_of, select
from pliant.mesh import Mesh, Surface
from pliant.problem import System
from pliant.reduced import ReducedShape, SurfaceSystem
from pliant.resources import in_bytes, require_memory

from ..condensing import rest_for_touch
from ..deformable import Deformable
from ..matter import Density, Poisson, Young
from ..no_wind import refuse_wind
from .answer import SurfaceAnswer
from .checks import closed_triangles
from .elements import SurfaceElements
from .statics import SurfaceStatics

Array = np.ndarray

#: Surfaces of more points are told of. So many full matrices are there at a time.
MANY, FULL = 5000, 3


class BoundaryElements(Deformable):
    """A solid in small deformation, of which only the surface is divided into elements.

        c u + int P u dA = int U p dA      on the surface,     H u = G p

    U, P: displacement and traction of Kelvin's solution for a point force in infinite matter of young
    [Pa] and poisson [-]. Each point of the surface knows its displacement u, if it is held, or its
    traction p, else. Inside there are no points and no cells. Weight is borne by a particular solution.

    surface: closed, of flat triangles that point outward: a `pl.Surface`, or the boundary of a
    `pl.Mesh`. order=1: fields are linear on triangles, with a node at each point; 0: constant, with a
    node in the middle of each triangle, and errors that fall with the size of triangles instead of its
    square. A triangle is held if `fix` has all its points. device: where the equations are set up.

        stone = pl.BoundaryElements(mesh, young=1e6, poisson=0.3)
        stone.fix(stone.mesh.points[:, 0] < 1e-9)
        answer = stone.solve(pressure=1e3)              # statics: displacements and tractions
        stone.damping = pl.Settle(rest_in=0.5)          # in a scene

    `pl.Probe(stone, radius=...)` presses it, with forces back in microseconds. The model is static:
    `pl.Settle` gives it time, exactly at any dt, and without damping it is at rest in every frame.

    Not for large deformation, nor for more than some 2000 points: its matrices are full. Not for matter
    that hardly changes its volume (poisson over 0.49), and not for contact, ties, obstacles and wind,
    which are refused. Source: [james1999], [deformablesurvey] (ArtDefo), [brebbia1984].
    """

    word, in_space, of_faces, own_mesh = "boundary_elements", True, True, True
    cells = frozenset({"tri3", "quad4", "tet4", "hex8"})
    in_modes, static = True, True

    def __init__(
        self,
        surface: Surface | Mesh,
        *,
        young: Young,
        poisson: Poisson = 0.3,
        density: Density = 1000.0,
        order: Annotated[
            int,
            Quantity(
                "of fields on triangles: constant or linear",
                "-",
                at_least=0,
                at_most=1,
                whole=True,
                example=0,
            ),
        ] = 1,
        device: Annotated[str, InPython("a run has its own")] = "cpu",
        damping: Damping | None = None,
        name: str = "boundary_elements",
    ):
        who = type(self).__name__
        young, poisson, density, order = accept(
            self, young=young, poisson=poisson, density=density, order=order
        )
        check_device(device)
        mesh = closed_triangles(who, surface)
        self._young, self._poisson, self._density = young, poisson, density
        self._device = device
        self._elements = SurfaceElements(mesh.points, np.asarray(mesh.cells["tri3"]), int(order))
        self._statics: tuple[bytes, SurfaceStatics] | None = None
        linear = SurfaceElements(mesh.points, self._elements.triangles, 1)
        everywhere = np.ones(len(self._elements.triangles), dtype=bool)
        areas = linear.node_areas(everywhere)
        volume = float(np.einsum("ti,ti,t->", linear.centres, linear.normals, linear.areas)) / 3.0
        masses = density * volume * areas / areas.sum()
        super().__init__(mesh, masses, damping=damping, name=name)

    def __repr__(self) -> str:
        what = f"{len(self._elements.triangles)} triangles, young={self._young:g}"
        return f"<{type(self).__name__} {self.name!r}: {what}, {self.damping!r}>"

    @property
    def young(self) -> float:
        """Young's modulus [Pa]. Fixed."""
        return float(self._young)

    @property
    def poisson(self) -> float:
        """Poisson's ratio [-]. Fixed."""
        return float(self._poisson)

    @property
    def density(self) -> float:
        """[kg/m^3]. Fixed."""
        return float(self._density)

    @property
    def order(self) -> int:
        """Of fields on triangles: 0 constant, 1 linear. Fixed."""
        return self._elements.order

    @property
    def contact_young(self) -> float:
        """[Pa]."""
        return self.young

    @property
    def components(self) -> Array:
        """All -1: it does not move rigidly."""
        return np.full(len(self), -1)

    @property
    def coordinates(self) -> Array:
        """q at present [m sqrt(kg)]: as many as its free points have displacements."""
        self.system()
        shape = self._state.x
        assert isinstance(shape, ReducedShape)
        return np.array(shape.q)

    def fix(self, where: Any) -> None:
        """Hold triangles, all of whose points are in a mask or indices; other points stay free."""
        chosen = np.zeros(len(self), dtype=bool)
        chosen[select(where, len(self), "fix")] = True
        chosen |= self.pinned
        whole = chosen[self._elements.triangles].all(axis=1)
        if not whole.any():
            raise ValueError(
                f"{self.name}: fix: no triangle has all its points in the selection; expected at least "
                "one, as of a side of the surface"
            )
        held = np.zeros(len(self), dtype=bool)
        held[self._elements.triangles[whole]] = True
        super().fix(held & ~self.pinned if (held & ~self.pinned).any() else held)

    def solve(
        self,
        *,
        displacements: Any = None,
        tractions: Any = None,
        pressure: Any = None,
        gravity: Any = None,
    ) -> SurfaceAnswer:
        """The shape at rest under what is given, and the tractions on what is held.

        displacements [m]: of the points that are held, one vector or one for each point of the surface;
        zero by default. tractions [Pa]: one vector, or one for each triangle, (t, 3); pressure [Pa],
        inward: a number, or one for each triangle. On triangles that are held both are ignored. gravity
        [m/s^2]. Loads of `push` do not act. If nothing is held the forces must balance; displacements
        then have no mean rigid motion.
        """
        elements = self._elements
        t = len(elements.triangles)
        u = _given("displacements", displacements, (len(self), 3))
        p = _given("tractions", tractions, (t, 3))
        p = p - _given("pressure", pressure, (t,))[:, None] * elements.normals
        weight = self._density * gravity_of(gravity, 3)
        statics = self.statics()
        if not statics.held.any():
            self._require_balance(p, weight)
        nodes = u if elements.order else u[elements.triangles].mean(axis=1)
        moved, p = statics.answer(np.where(statics.known[:, None], nodes, 0.0), p, weight)
        shape = np.where(self.pinned[:, None], u, elements.shown @ moved)
        return SurfaceAnswer(shape, p, p * elements.areas[:, None])

    def compliance(self, gravity: Any = None, *, symmetric: bool = True) -> Compliance:
        """How its nodes answer to forces, about its rest shape under gravity [m/s^2] and loads.

        The symmetric part, so that no closed path of a hand gains work; or as collocation gives it.
        """
        statics = self._held_statics()
        elements = self._elements
        matrix = statics.symmetric if symmetric else statics.compliance
        x = rest_for_touch(self, gravity)
        if x is not self.mesh.points:
            turn = self._prepared().shape_at(x).frame.rotation
            matrix = np.einsum("ac,icjd,bd->iajb", turn, matrix, turn, optimize=True)
        surface = Surface.of(x, elements.triangles)
        there = SurfaceElements(x, elements.triangles, elements.order)
        weights = None if elements.order else self._free_shown()
        return DenseCompliance(
            there.nodes, there.node_normals(), statics.known, surface, matrix, weights
        )

    def statics(self) -> SurfaceStatics:
        """Its equations with the pins it has; made once and kept while these stay."""
        pinned = self.pinned
        held = pinned[self._elements.triangles].all(axis=1)
        stray = pinned.copy()
        stray[self._elements.triangles[held]] = False
        if stray.any():
            raise ValueError(
                f"{self.name}: point {np.flatnonzero(stray)[0]} is held or driven, but no triangle "
                "around it is; expected pins on all points of some triangles, as body.fix(...) holds"
            )
        key = held.tobytes()
        if self._statics is None or self._statics[0] != key:
            self._require_room()
            matter = {"young": self._young, "poisson": self._poisson}
            made = SurfaceStatics(self._elements, held, **matter, device=self._device)
            self._statics = (key, made)
        return self._statics[1]

    def _require_room(self) -> None:
        """Refuse matrices that do not fit, and tell of those that take minutes."""
        n = len(self.mesh.points)
        size = FULL * 8.0 * (3.0 * n) ** 2
        coarser = "a coarser surface, such as the boundary of a coarse solid mesh"
        require_memory(f"{self.name}: the full matrices of a surface of {n} points", size, coarser)
        if n > MANY:
            warn_user(
                f"{self.name}: the full matrices of a surface of {n} points take {in_bytes(size)} and "
                f"minutes to factor; expected at most {MANY}, as of {coarser}"
            )

    def energies(self, *, device: str) -> Sequence[Energy]:
        """None of points: its energy is that of its surface."""
        return []

    def facts(self) -> dict[str, Any]:
        """What it is made of."""
        matter = {"young": self._young, "poisson": self._poisson, "density": self._density}
        return matter | {"order": self.order}

    def loads_at(self, x: Array, time: float, gravity: Array) -> Array:
        """All forces [N] on its points, (n, 3); its weight as forces that deform it in the same way."""
        system = self._prepared()
        turn = system.shape_at(x).frame.rotation
        f: Array = self.constant_load(time, 0.0 * gravity)
        f = f + system.weight(turn.T @ gravity) @ turn.T
        for force in self.following_loads(x, time):
            f = f + force
        return f

    def _free_shown(self) -> Array:
        """Points from nodes, where points that are held stay."""
        weights: Array = self._elements.shown.toarray()
        weights[self.pinned] = 0.0
        return weights

    def _held_statics(self) -> SurfaceStatics:
        if not self.pinned.any():
            raise ValueError(
                Advice(
                    f"{self.name}: nothing holds it, and it is a static model; expected pins: ",
                    "body.fix(surface.points[:, 2] < 1e-9)",
                    'fix = "z < 0.01"',
                )
            )
        return self.statics()

    def _require_balance(self, p: Array, weight: Array) -> None:
        """Refuse loads that would push a body away that nothing holds."""
        elements = self._elements
        forces = p * elements.areas[:, None]
        size = float(np.abs(forces).sum())
        arms = elements.centres - elements.centres.mean(axis=0)
        turn = np.cross(arms, forces).sum(axis=0)
        reach = float(np.linalg.norm(arms, axis=1).max())
        push = float(np.linalg.norm(forces.sum(axis=0)))
        left = max(push, float(np.linalg.norm(turn)) / reach)
        if weight.any() or left > 1e-6 * size:
            raise ValueError(
                f"{self.name}: the loads do not balance, and nothing holds it; expected pins, as "
                "body.fix(surface.points[:, 2] < 1e-9), or tractions whose forces and torques are zero"
            )

    def _prepared(self) -> SurfaceSystem:
        system = self.system()
        assert isinstance(system, SurfaceSystem)
        return system

    def _load_of(self, given: dict[str, Any], on: Any) -> Load:
        load, instead = super()._load_of(given, on), "force=, traction= or pressure="
        return refuse_wind(
            self.name, load, self.mesh.points, instead=f"{instead} on boundary elements"
        )

    def _made_system(self, energies: Sequence[Energy], **given: Any) -> System:
        statics = self._held_statics()
        W = self._free_shown()[~self.pinned]
        C = statics.symmetric
        if not self.order:
            C = np.einsum("an,nibj,cb->aicj", W, C, W, optimize=True)
        else:
            C = C[~self.pinned][:, :, ~self.pinned]
        none = np.zeros_like(self._elements.nodes)
        faces = np.zeros_like(self._elements.centres)
        falls = (statics.answer(none, faces, self._density * axis)[0] for axis in np.eye(3))
        weighed = np.stack(
            [np.where(self.pinned[:, None], 0.0, self._elements.shown @ u) for u in falls]
        )
        return SurfaceSystem(compliance=C, weighed=weighed, **given)

    def _met_system(self, system: System) -> None:
        assert isinstance(system, SurfaceSystem)
        try:
            self._state = system.taken_up(self._state)
        except ValueError as error:
            raise ValueError(prefixed(f"{self.name}: ", error)) from None


def _given(what: str, value: Any, shape: tuple[int, ...]) -> Array:
    """Numbers of a field on the surface; none means zero."""
    if value is None:
        return np.zeros(shape)
    found = floats_or_nan(value)
    one = shape[1:]
    if found.shape not in (shape, one) or not usable(found):
        raise ValueError(
            f"solve: got {what}={described(value)}; expected finite numbers of shape {one} or {shape}"
        )
    return np.array(np.broadcast_to(found, shape))
