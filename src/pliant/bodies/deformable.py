"""What can be deformed: a mesh whose points have masses, pins, loads, and a damping."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from pliant.backend import computing, one_thread
from pliant.compliance import Compliance
from pliant.control import Damping
from pliant.energies import NaturalShape
from pliant.errors import Advice
from pliant.given import gravity_of
from pliant.mesh import Mesh, MeshChange, Skin, Surface, dress
from pliant.problem import Rest, State

from .natural_shape import bear
from .prepared_body import PreparedBody
from .rest_at import rest_at


class Deformable(PreparedBody):
    """What all bodies of a scene have in common, whatever they are made of.

    mesh: the rest shape [m]; masses of its points [kg]. `damping` may be set at any time; None means
    backward Euler's own. `thickness` [m] turns 2D tractions and pressures into forces.
    """

    def __init__(self, mesh: Mesh, masses: np.ndarray, *, damping: Damping | None, name: str):
        super().__init__(mesh, masses, name=name)
        self._skin: Skin | None = None
        self._wears = False
        self._damp(damping)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name!r}: {len(self)} points, {self.damping!r}>"

    def __getstate__(self) -> dict[str, Any]:
        """What a copy in another process needs: all but what was prepared, and clocks begin anew."""
        own = self._state
        kept = State(np.array(own.x), np.array(own.v), history=own.history)
        return self.__dict__ | {"_system": None, "_state": kept}

    @property
    def skin(self) -> Skin:
        """What is drawn and exported: the boundary of the mesh, or what `wear` put on it."""
        if self._skin is None:
            self._skin = Skin.bare(self.mesh)
        return self._skin

    def wear(self, surface: Surface | Skin | None) -> None:
        """Show a finer surface, which the cells carry along; None takes it off.

        The surface lies over the rest shape of the mesh [m], as in
        body.wear(pl.Surface.read("body.obj")). It is drawn and exported; the motion is the mesh's.
        """
        self._skin = None if surface is None else dress(self.mesh, surface)
        self._wears = surface is not None

    def cut(self, by: Any, *, at: float | None = None) -> None:
        """Cut it along a surface; for bodies that can be cut."""
        raise ValueError(
            Advice(
                f"{self.name}: cut: got {type(self).__name__}; expected a body that can be cut: pl.Body "
                "of triangles or tetrahedra, pl.Cloth, pl.Shell, pl.Rod or pl.Springs",
                ". Of pl.Modal and pl.Subspace cut the body that they are made of",
                ": material, cloth, shell or rod",
            )
        )

    @property
    def mesh_changes(self) -> tuple[tuple[float, MeshChange], ...]:
        """What was made of its mesh so far: times of the scene [s], and changes."""
        return ()

    @property
    def parts(self) -> Sequence[Deformable]:
        """What a scene moves: the parts that it was cut into, each a body by itself; or itself."""
        return (self,)

    @property
    def whole(self) -> Deformable:
        """What it was cut from; itself if it is no part of another body."""
        return self

    def points_of_parts(self) -> list[np.ndarray]:
        """The points of each of its parts, by their numbers."""
        return [np.arange(len(self))]

    def brought_together(self, states: Sequence[State]) -> list[tuple[Any, str, Any]]:
        """What is to be set of it when its parts have come to some states."""
        return []

    def take_up_changes(
        self,
        changes: Sequence[tuple[float, MeshChange]],
        time: float,
        masses: np.ndarray | None = None,
    ) -> None:
        """Go on with a mesh that was changed until a time [s], as by cuts; masses: of then [kg]."""
        if changes:
            raise ValueError(f"{self.name}: {type(self).__name__} cannot be cut")

    @computing
    def anneal(self) -> None:
        """Make the present shape the rest shape: without stress, and without plastic strain.

        For bodies that flow, such as those of `pl.Plastic`. `reset` goes back to the shape of the mesh.
        """
        system = self.system() if self.prepared is None else self.prepared
        if not self.flowing_terms:
            raise ValueError(
                f"{self.name}: anneal is for bodies that flow, e.g. material=pl.Plastic(pl.Hencky("
                "young=1e6, poisson=0.4), yield_stress=2e4); of others make a new body of "
                "pl.Mesh(body.positions, body.mesh.cells)"
            )
        history = system.history_at(self._state.history, self._state.x, anneals=True)
        self._state = replace(self._state, history=history)
        self._changed()

    @property
    def plastic(self) -> np.ndarray:
        """The equivalent plastic strain of each cell, (cells,); none for bodies that do not flow."""
        flow = None if self._state.history is None else self._state.history.flow
        if flow is None:
            return np.zeros(self.flowing_terms)
        return np.concatenate([own.plastic for own in flow.each])

    @property
    def flowing_terms(self) -> int:
        """The number of cells, or other terms, that can flow."""
        return 0

    @property
    def tears(self) -> bool:
        """Whether it was given a `pl.Tear`."""
        return False

    def flow_to_yield(self) -> None:
        """Let what was placed beyond yield flow, where it is."""
        if self.prepared is not None and self.flowing_terms:
            history = self.prepared.history_at(self._state.history, self._state.x)
            self._state = replace(self._state, history=history)

    def take_up_flow(self, arrays: Sequence[Mapping[str, np.ndarray]]) -> None:
        """Go on with what has flowed in each energy, where the prepared form depends on it."""

    def rest_at(self, pose: Any = None, *, gravity: Any = None) -> None:
        """Hang as drawn: find the rest shape with which the body rests in a pose [m], (n, d).

        pose: by default where the body is. gravity [m/s^2], shape (d,): zero by default. Pins, masses
        and the loads of time 0 count as they are now, so hold and push the body first. It is placed in
        the pose, without velocity, and `reset` goes back there. Of solids the mesh becomes that shape;
        in cloth, shells, rods and springs, natural lengths, angles and curvatures change, as little as
        is needed. Refused where nothing can bear the loads, and where the body would buckle.

            rope.fix([0, -1])
            rope.rest_at(drawn, gravity=(0, -9.81, 0))
        """
        rest_at(self, pose, gravity)

    def bear(self, pose: np.ndarray, load: np.ndarray) -> None:
        """Change the rest shape to bear a load [N], (n, d), in a pose [m]; for `rest_at`."""
        system = self.system()
        every = system.assembly.energies
        if not all(isinstance(e, NaturalShape) for e in every) or self.in_modes or self.static:
            raise ValueError(
                f"{self.name}: rest_at: got {type(self).__name__}; expected a solid, cloth, a shell, a "
                "rod or springs, e.g. pl.Body, before they are reduced or touch themselves"
            )
        bear(system, pose, load)
        self._natural = tuple(e.natural for e in every if isinstance(e, NaturalShape))

    def rest_shape(self, gravity: Any = None) -> np.ndarray:
        """The shape that a damping would aim for from where the body is now [m], (n, d)."""
        g = gravity_of(gravity, self.dim)
        x = self.pin_positions(0.0)
        with one_thread():
            return Rest.find(self.system(), x, lambda y: self.loads_at(y, 0.0, g)).x

    def compliance(self, gravity: Any = None) -> Compliance:
        """How its surface answers to forces about its rest shape; `pl.Probe` touches it by this."""
        raise ValueError(
            f"{self.name}: got {type(self).__name__}; expected a body that can be probed: pl.Body of "
            "solid cells in 3D, pl.Modal or pl.Subspace of one, pl.BoundaryElements, pl.LongElements"
        )

    def kept(self) -> list[tuple[Any, str, Any]]:
        """References to all that steps replace, cuts among it, to be set again if one fails."""
        return [(self, name, value) for name, value in vars(self).items() if name != "_changes"]

    @abstractmethod
    def facts(self) -> dict[str, Any]:
        """What it is made of, in words and numbers, for takes."""
