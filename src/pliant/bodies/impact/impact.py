"""A body of IMPACT's two-node rods."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, Any

import numpy as np

from pliant.contact import RodCollisions
from pliant.control import Damping
from pliant.declared import Quantity, accept, accept_each
from pliant.energies import Energy, SpringEnergy
from pliant.errors import shown
from pliant.given import floats, over_time, select
from pliant.mesh import Mesh
from pliant.problem import History
from pliant.step import Turning

from ..deformable import Deformable
from ..matter import Density, Young
from .rods import accept_rods, lumped_inertia, may_collide, stiffnesses


def _size(about: str, unit: str, example: float) -> Quantity:
    return Quantity(about, unit, above=0.0, per="element", example=example)


class ImpactRods(Deformable):
    """Round elastic rods that carry axial stress, collide, and have nodes that turn.

        strain = (l - l_0)/l_0,   stress = young strain,   force = stress area   along the rod

    mesh: lines in 2D or 3D, one element per line, as many separate rods as wanted: rods collide with
    others of the same body. young [Pa], density [kg/m^3], and radius [m] or area [m^2], one for all
    or one per element. Half of the mass, and half of the inertia diag(M R^2/2, M L^2/12, M L^2/12),
    of each element go to either node. Sound travels at sqrt(young/density).

        x = np.stack([np.linspace(0, 1, 51), np.zeros(51)], axis=1)
        pairs = np.stack([np.arange(50), np.arange(1, 51)], axis=1)
        rod = pl.ImpactRods(pl.Mesh(x, {"line": pairs}), young=2e11, density=7800.0, radius=0.01)
        take = pl.Scene(rod).run(seconds=1e-3, dt=1e-6, stepper=pl.Impact())

    Collisions: elements are capsules; where two are nearer than their radii they push each other
    with k times the overlap, k = collision times the harmonic mean of their young area / l, as if half
    an element of each lay between them; collision=0 lets them pass. Elements of one rod that are
    at rest within twice the distance of touching do not. Energy and momentum are kept; there is no
    friction.

    Rods here do not bend or twist, as in the source: a straight one is a chain of hinges. Nodes turn
    by `twist` and their own spin alone, and with `pl.Impact` alone. Every other stepper and damping
    acts on places as for `pl.Springs`. Not for thin rods that bend.

    Source: [deformablesurvey] "IMPACT: An FEM Implementation". What it prints and what is meant: l_0
    is the length at rest, not in the last step; the change of length is that of the distance of the
    nodes, with its sign, not the difference of how far each went, without; the force is along the rod,
    not along x; inertia is turned from the element's axes to common ones before it is added; the star
    in w * (I w) is a cross product; orientations are turned, not added to; collisions are left open.
    """

    word, cells = "impact_rods", frozenset({"line2"})
    sections = (("radius",), ("area",))

    def __init__(
        self,
        mesh: Mesh,
        *,
        young: Young,
        density: Density,
        radius: Annotated[Any, _size("of the round section", "m", 0.01)] = None,
        area: Annotated[Any, _size("of the section; instead of radius", "m^2", 1e-4)] = None,
        collision: Annotated[
            float,
            Quantity(
                "stiffness of hits over that of an element; 0 lets rods pass",
                "-",
                at_least=0.0,
                says="0 or more, times the stiffness of an element",
            ),
        ] = 1.0,
        damping: Damping | None = None,
        name: str = "rods",
    ):
        self._require_mesh(mesh)
        self._rods = accept_rods(mesh)
        self._young, self._density, self._collision = accept(
            self, young=young, density=density, collision=collision
        )
        self._radius = self._radii(radius, area)
        ends = mesh.points[self._rods]
        self._lengths = np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1)
        weights = self._density * np.pi * self._radius**2 * self._lengths
        masses = np.bincount(self._rods.ravel(), np.repeat(0.5 * weights, 2), len(mesh))
        self._inertia = lumped_inertia(mesh.points, self._rods, weights, self._radius)
        self._collides = self._collision > 0.0 and may_collide(mesh, self._rods, self._radius)
        self._torques: list[tuple[np.ndarray, Any]] = []
        super().__init__(mesh, masses, damping=damping, name=name)

    @property
    def rods(self) -> np.ndarray:
        """The two nodes of each element, (elements, 2)."""
        return np.array(self._rods)

    @property
    def sound(self) -> float:
        """Speed of axial waves, sqrt(young/density) [m/s]."""
        return float(np.sqrt(self._young / self._density))

    @property
    def components(self) -> np.ndarray:
        """Rods that may collide are one part: what they do to each other is not rigid motion."""
        return np.zeros(len(self), dtype=int) if self._collides else self.mesh.components

    @property
    def inertia(self) -> np.ndarray:
        """Tensors of inertia of the nodes at rest [kg m^2], (n, 3, 3)."""
        return np.array(self._inertia)

    @property
    def orientation(self) -> np.ndarray:
        """How far nodes are turned from their rest, as matrices (n, 3, 3)."""
        return self._turning.orientation

    @property
    def angular_velocity(self) -> np.ndarray:
        """Angular velocities of the nodes [rad/s], (n, 3), in 2D too. Set one vector or one per node."""
        return self._turning.velocity

    @angular_velocity.setter
    def angular_velocity(self, value: Any) -> None:
        shape = (len(self), 3)
        w = over_time(value, shape, what="angular_velocity")(0.0)
        turning = self._turning.spun(np.array(np.broadcast_to(w, shape)))
        self._state = replace(self._state, history=turning)

    @property
    def spin(self) -> np.ndarray:
        """Angular momentum of each node about itself, in space [kg m^2/s], (n, 3)."""
        return np.array(self._turning.momentum)

    def twist(self, torque: Any, *, on: Any) -> None:
        """Turn nodes (mask or indices) with a torque in space [N m], (3,) or (k, 3).

        Constant, a function of time, or (times, values).
        """
        nodes = select(on, len(self), "twist(on=...)")
        self._torques.append((nodes, over_time(torque, (len(nodes), 3), what="twist")))

    def untwist(self) -> None:
        """Take all torques away."""
        self._torques.clear()

    def stresses(self, positions: Any = None) -> np.ndarray:
        """Axial stress of each element [Pa], (..., elements), positive in tension.

        positions: (..., n, d) [m], such as those of a take; by default those of the body now.
        """
        x = self.positions if positions is None else floats(positions)
        if x.shape[-2:] != self.mesh.points.shape:
            raise ValueError(
                f"stresses: got shape {x.shape}; expected (..., {len(self)}, {self.dim}), e.g. "
                "take.positions"
            )
        lengths = np.linalg.norm(x[..., self._rods[:, 1], :] - x[..., self._rods[:, 0], :], axis=-1)
        return np.asarray(self._young * (lengths - self._lengths) / self._lengths)

    @property
    def touches_itself(self) -> bool:
        """Its own energies see to that."""
        return False

    @property
    def contact_radius(self) -> float:
        """That of the thickest element [m]."""
        return float(self._radius.max())

    def _radii(self, radius: Any, area: Any) -> np.ndarray:
        """The radius of each element [m], from either of the two."""
        if (radius is None) == (area is None):
            raise ValueError(
                f"ImpactRods: got radius={shown(radius)} and area={shown(area)}; expected one of "
                "them, radius= [m] or area= [m^2]"
            )
        if area is None:
            return np.asarray(accept_each(self, len(self._rods), radius=radius)[0])
        return np.sqrt(accept_each(self, len(self._rods), area=area)[0] / np.pi)

    def _begin_history(self, before: History | None) -> Turning:
        """Nodes at rest and not turned."""
        return Turning.at_rest(self._inertia, self._torque)

    def energies(self, *, device: str) -> Sequence[Energy]:
        """Stretching, and collisions."""
        k = stiffnesses(self._young, self._radius, self._lengths)
        points = self.mesh.points
        stretch = SpringEnergy(points, self._rods, stiffness=k, rest=self._lengths, device=device)
        if not self._collides:
            return [stretch]
        parts = self.mesh.components[self._rods[:, 0]]
        hits = RodCollisions(
            points, self._rods, self._radius, self._collision * k, parts, device=device
        )
        return [stretch, hits]

    def facts(self) -> dict[str, Any]:
        """What it is made of."""
        return {
            "young": self._young,
            "density": self._density,
            "radius": [float(self._radius.min()), float(self._radius.max())],
            "collision": self._collision,
        }

    @property
    def _turning(self) -> Turning:
        turning = self._state.history
        assert isinstance(turning, Turning)  # `reset` sees to it
        return turning

    def _torque(self, time: float) -> np.ndarray:
        total = np.zeros((len(self), 3))
        for nodes, torque in self._torques:
            total[nodes] += torque(time)
        return total
