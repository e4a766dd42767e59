"""What can be deformed: a mesh whose points have masses, pins, loads, and a damping."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from pliant.backend import check_device, computing, one_thread, parallel
from pliant.boundary import BodyLoads, Obstacle, Pins, Touches, make_load
from pliant.compliance import Compliance
from pliant.contact import ContactBody, PairSource
from pliant.control import Damping, Undamped
from pliant.energies import Energy, Load, Resisting
from pliant.errors import LARGEST, SMALLEST, Advice, OldName, is_finite, shown
from pliant.given import gravity_of, is_due, one_each, steady
from pliant.mesh import Mesh, MeshChange, Skin, Surface, dress
from pliant.problem import History, Rest, State, System

from .body_kind import BodyKind


class Deformable(BodyKind, ABC):
    """What all bodies of a scene have in common, whatever they are made of.

    mesh: the rest shape [m]; masses of its points [kg]. `damping` may be set at any time; None means
    backward Euler's own. `thickness` [m] turns 2D tractions and pressures into forces.
    """

    def __init__(self, mesh: Mesh, masses: np.ndarray, *, damping: Damping | None, name: str):
        if not isinstance(name, str):
            raise TypeError(f"{type(self).__name__}: got name={shown(name)}; expected text")
        _check_masses(type(self).__name__, masses)
        self._mesh, self._masses, self.name = mesh, masses, name
        self._pins, self._loads, self._touches = Pins(len(mesh), mesh.dim), BodyLoads(), Touches()
        self._state = self._at_rest(None)
        self._changes = 0
        self._system: tuple[Any, System] | None = None
        self._skin: Skin | None = None
        self._wears = False
        self._damped_since: float | None = None
        self.damping = damping
        self._damped_later: tuple[tuple[float, Damping | None], ...] = ()

    def __len__(self) -> int:
        return len(self.mesh)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name!r}: {len(self)} points, {self.damping!r}>"

    def __getstate__(self) -> dict[str, Any]:
        """What a copy in another process needs: all but what was prepared, and clocks begin anew."""
        own = self._state
        kept = State(np.array(own.x), np.array(own.v), history=own.history)
        return self.__dict__ | {"_system": None, "_state": kept}

    @property
    def mesh(self) -> Mesh:
        """Its rest shape. Only cuts change it: make another body for another mesh."""
        return self._mesh

    @property
    def mesh_changes(self) -> tuple[tuple[float, MeshChange], ...]:
        """What was made of its mesh so far: times of the scene [s], and changes."""
        return ()

    def cut(self, by: Any, /, *, at: float | None = None) -> None:
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

    @property
    def components(self) -> np.ndarray:
        """Label of the connected part each point is in, (n,); all -1 if energies hold it in place."""
        return self.mesh.components

    @property
    def thickness(self) -> float:
        """[m], of 2D bodies."""
        return 1.0

    @property
    def contact_radius(self) -> float:
        """Half the thickness [m] that contact leaves around its points, edges and triangles."""
        return 0.0

    @property
    def touches_itself(self) -> bool:
        """Whether it touches itself by default: not if its own energies see to that."""
        return not self._touches.inner

    @property
    def contact_surface(self) -> ContactBody:
        """What of it touches other bodies."""
        return ContactBody.of(self.mesh, radius=self.contact_radius)

    @property
    def contact_young(self) -> float | None:
        """Young's modulus where it is touched [Pa]; None: that of its cells, or its mean stiffness."""
        return None

    @property
    def dim(self) -> int:
        """2 or 3."""
        return self.mesh.dim

    @property
    def positions(self) -> np.ndarray:
        """Where the points are [m], shape (n, d); set it with `place`."""
        return np.array(self._state.x)

    @property
    def velocity(self) -> np.ndarray:
        """Velocities [m/s], shape (n, d). Set with one vector or one per point."""
        return np.array(self._state.v)

    @velocity.setter
    def velocity(self, value: Any) -> None:
        if callable(value):
            raise ValueError("velocity: got a function; expected numbers: it is that of the start")
        v = steady(value, self._state.x.shape, what="velocity")
        self._state = replace(self._state, v=v)
        self.restart_clock()

    @property
    def masses(self) -> np.ndarray:
        """One lumped mass per point [kg], shape (n,); may be set."""
        return np.array(self._masses)

    @masses.setter
    def masses(self, value: Any) -> None:
        m = steady(value, (len(self),), what="masses")
        if (m <= 0.0).any():
            bad = np.flatnonzero(m <= 0.0)
            raise ValueError(f"masses: got {m[bad[0]]} at point {bad[0]}; expected masses > 0 [kg]")
        _check_masses("masses", m)
        self._masses = m
        self.meet(self.obstacles)  # which push and rub by mass

    @property
    def damping(self) -> Damping:
        """How the body loses its motion."""
        return self._damping

    @damping.setter
    def damping(self, value: Damping | None) -> None:
        if value is not None and not isinstance(value, Damping):
            raise TypeError(
                f"damping: got {type(value).__name__}; expected e.g. pl.Settle(rest_in=1.0) or None"
            )
        self._damping, self._damped_since = value or Undamped(), None
        self.restart_clock()

    @property
    def keyed_dampings(self) -> Sequence[tuple[Damping, float | None]]:
        """The damping that it has, and those of its keys to come, each with the time of its key [s]."""
        later = [(damping or Undamped(), at) for at, damping in self._damped_later]
        return (self.damping, self._damped_since), *later

    def change_damping(self, damping: Damping | None, *, at: float) -> None:
        """Take another damping at a time of the scene [s]: a key of a wish.

        The clock starts anew with the first step from then on, and the body goes on as fast as it was;
        only bounces=None, which is motion without inertia, drops the velocity of deformation.

            body.damping = pl.Settle(rest_in=3.0, bounces=2)
            body.change_damping(pl.Settle(rest_in=0.5, bounces=0), at=1.0)
        """
        if not is_finite(at):
            raise ValueError(
                f"change_damping: got at={shown(at)}; expected a time of the scene [s]"
            )
        if damping is not None and not isinstance(damping, Damping):
            raise TypeError(
                f"change_damping: got {type(damping).__name__}; expected e.g. pl.Settle(rest_in=1.0) "
                "or None"
            )
        later = (*self._damped_later, (float(at), damping))
        self._damped_later = tuple(sorted(later, key=lambda key: key[0]))

    def drop_keys(self) -> Sequence[tuple[float, Damping | None]]:
        """Forget the dampings that `change_damping` has planned; returns them with their times [s]."""
        keys, self._damped_later = self._damped_later, ()
        return keys

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

    @property
    def pinned(self) -> np.ndarray:
        """Mask of the points that are fixed or driven, shape (n,)."""
        return self._pins.mask

    @property
    def pins(self) -> Pins:
        """A copy of which points are held or driven, and where to."""
        return self._pins.copy()

    def fix(self, where: Any) -> None:
        """Hold points (mask or indices) where they are; driven ones stop."""
        self._pins.fix(where)
        self._changed()

    def release(self, where: Any = None) -> None:
        """Let fixed and driven points go; all of them by default."""
        self._pins.release(where)
        self._changed()

    def move(self, where: Any, path: Any) -> None:
        """Drive points (mask or indices) along a path.

        path: a function of time [s] that returns their positions [m], shape (k, d), or
        (times, positions) with positions of shape (frames, k, d).
        """
        self._pins.move(where, path)
        self._changed()

    def place(self, positions: Any) -> None:
        """Set the start shape [m], shape (n, d); velocities are kept, fixed points move along."""
        x = one_each(positions, self._state.x.shape, what="place")
        self._state = replace(self._state, x=x, bristles=None)
        self.restart_clock()

    def push(
        self,
        *,
        force: Any = None,
        traction: Any = None,
        pressure: Any = None,
        volume: Any = None,
        wind: Any = None,
        on: Any = None,
    ) -> Load:
        """Push the body; returns a load that `unpush` takes away again.

        Give one of: `force` [N] on each of the points `on`, one for all or one for each; `traction`
        [Pa], a vector of fixed direction on the boundary facets whose points are all in `on` (all facets
        by default); `pressure` [Pa] on the same, inward and always normal; `volume` [N/m^3] on the whole
        volume; `wind` [m/s] on the facets, or a `pl.Wind` with its density and coefficients. The facets
        of a sheet are its cells, and pressure acts against the side that normals point to. Rods have no
        facets, and elastons take forces only. Each is constant, a function of time, or (times, values).
        """
        given = {"force": force, "traction": traction, "pressure": pressure, "volume": volume}
        load = self._load_of(given | {"wind": wind}, on)
        self._loads.add(load)
        self._changed()
        return load

    @property
    def obstacles(self) -> tuple[Obstacle, ...]:
        """Those that push its points; none if contact sees to the obstacles of its scene."""
        return self._touches.obstacles

    def meet(self, obstacles: Sequence[Obstacle]) -> None:
        """Let obstacles push its points, and no others, where a run has no contact."""
        self._touches.meet(obstacles)
        self._changed()

    def unpush(self, load: Load | None = None) -> None:
        """Take a load away, or all of them."""
        self._loads.remove(load)
        self._changed()

    def touch(self, contact: PairSource) -> None:
        """Let separate parts of the body push each other, e.g. by `contact.PenaltyContact`."""
        self._touches.add(contact, self.mesh)
        self._system = None
        self._changed()

    def reset(self) -> None:
        """Go back to the rest shape of the mesh, at rest; what has flowed is forgotten."""
        self._state = self._at_rest(self._state.history)

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

    def flow_to_yield(self) -> None:
        """Let what was placed beyond yield flow, where it is."""
        if self.prepared is not None and self.flowing_terms:
            history = self.prepared.history_at(self._state.history, self._state.x)
            self._state = replace(self._state, history=history)

    def take_up_changes(
        self,
        changes: Sequence[tuple[float, MeshChange]],
        time: float,
        masses: np.ndarray | None = None,
    ) -> None:
        """Go on with a mesh that was changed until a time [s], as by cuts; masses: of then [kg]."""
        if changes:
            raise ValueError(f"{self.name}: {type(self).__name__} cannot be cut")

    def take_up(self, state: State) -> None:
        """Go on from a state that it was in before."""
        self._state = state

    def meet_stepper(self, stepper: type) -> None:
        """Another stepper will move it: what one remembers means nothing to another."""
        known = self._state.stepper is not None
        self._state = replace(self._state.restarted() if known else self._state, stepper=stepper)

    def forget_bristles(self) -> None:
        """Contacts are numbered anew: friction begins with straight bristles."""
        if self._state.bristles is not None:
            self._state = replace(self._state, bristles=None)

    def restart_clock(self) -> None:
        """Something has changed: rest is promised from now on."""
        self._state = self._state.restarted()
        self._changes += 1

    @property
    def changes(self) -> int:
        """How often something was changed from outside: each time the clock started anew."""
        return self._changes

    @computing
    def system(self, *, device: str = "cpu") -> System:
        """The body prepared for stepping; made once and kept while pins, masses and matter stay."""
        check_device(device)
        if parallel(device) and self.in_modes:
            said = f"{self.name}: got device={shown(device)}; pl.{type(self).__name__} moves on the host"
            raise ValueError(Advice(f"{said}: expected ", 'device="cpu"', 'device = "cpu"'))
        pinned = self.pinned
        swing = self.damping.swing
        key = (device, pinned.tobytes(), self._masses.tobytes(), self.obstacles, swing)
        key += self._prepared_of()
        if self._system is None or self._system[0] != key:
            if pinned.all():
                raise ValueError(
                    f"{self.name}: all points are fixed; release some with body.release"
                )
            pushed = self._touches.energies(self.mesh, self._masses, device=device)
            system = self._made_system(
                [*self.energies(device=device), *pushed],
                masses=self._masses,
                pinned=pinned,
                components=self.components,
                x=self.mesh.points,
                cells=list(self.mesh.cells.values()),
                swing=swing,
                device=device,
            )
            self._system = (key, system)
        if self._system[1].rank:
            self._touches.check(self.name, self.damping)
        self._met_system(self._system[1])
        self._system[1].take_history(self._state.history)
        return self._system[1]

    def pin_positions(self, time: float, x: np.ndarray | None = None) -> np.ndarray:
        """Where pins are at a time; other points as in x [m], (n, d), or as they are now."""
        return self._pins.placed(self._state.x if x is None else x, time)

    def loads_at(self, x: np.ndarray, time: float, gravity: np.ndarray) -> np.ndarray:
        """All forces [N] on the body at x that do not depend on velocities, (n, d)."""
        return self._loads.at(x, time, self._masses, gravity)

    @property
    def resisting(self) -> Sequence[Resisting]:
        """Forces that depend on its velocity: of air."""
        return self._loads.resisting

    @property
    def loads(self) -> tuple[Load, ...]:
        """What pushes it: all that `push` returned and `unpush` did not take away."""
        return self._loads.every

    @property
    def loads_constant(self) -> bool:
        """Whether its loads depend on time only, not on where it is."""
        return self._loads.all_constant

    @property
    def pins_fixed(self) -> bool:
        """Whether no point of it is driven."""
        return self._pins.fixed

    @property
    def loads_resident(self) -> bool:
        """Whether a device can compute the loads on it that follow its surface or its velocity."""
        return self._loads.resident and all(r.resident for r in self.resisting)

    def constant_load(self, time: float, gravity: np.ndarray) -> np.ndarray:
        """The forces [N] that depend on time only, (n, d); the same array while they do not change."""
        return self._loads.constant(self.mesh.points, time, self._masses, gravity)

    def following_loads(self, x: Any, time: float) -> Sequence[Any]:
        """The forces [N] that depend on positions, on the body at x. Arrays live where x does."""
        return self._loads.following(x, time)

    def load_values(self, time: float) -> Sequence[Any]:
        """What time can change of its loads: a force, a pressure or a wind each."""
        return self._loads.values(self.mesh.points, time)

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

    @property
    def state(self) -> State:
        """The moving state, for steppers."""
        return self._state

    @property
    def prepared(self) -> System | None:
        """The last result of `system`; None if matter has changed since."""
        return None if self._system is None else self._system[1]

    def kept(self) -> list[tuple[Any, str, Any]]:
        """References to all that steps replace, cuts among it, to be set again if one fails."""
        return [(self, name, value) for name, value in vars(self).items() if name != "_changes"]

    def to_host(self, system: System) -> None:
        """Bring its arrays back from a device."""
        self._state = self._state.to_host(system)

    def prepare(self, time: float) -> Any:
        """Set matter that changes with time to its value at a time [s]. Most bodies return None."""
        if self.prepared is not None:
            self.prepared.take_history(self._state.history)
        return None

    @property
    def time_dependent(self) -> bool:
        """Whether `prepare` changes its energies."""
        return False

    timed = OldName("body", "time_dependent")
    dead = OldName("body", "loads_constant")
    still = OldName("body", "pins_fixed")

    def apply_events(self, time: float) -> None:
        """Make the changes that wait for a time [s]; `system` may be another one then."""
        due = [key for key in self._damped_later if is_due(key[0], time)]
        if due:
            self._damped_later = self._damped_later[len(due) :]
            self.damping = due[-1][1]
            self._damped_since = due[-1][0]

    def take_up_events(self, time: float) -> None:
        """Make the changes that waited until a time [s], in a run that is taken up there."""
        self.apply_events(time)

    def take_up_flow(self, arrays: Sequence[Mapping[str, np.ndarray]]) -> None:
        """Go on with what has flowed in each energy, where the prepared form depends on it."""

    @abstractmethod
    def energies(self, *, device: str) -> Sequence[Energy]:
        """What it is made of, as energies of its points' positions."""

    @abstractmethod
    def facts(self) -> dict[str, Any]:
        """What it is made of, in words and numbers, for takes."""

    def _prepared_of(self) -> tuple[Any, ...]:
        """What else the prepared form depends on."""
        return ()

    def _met_system(self, system: System) -> None:
        """Called with the prepared form before each use, for bodies whose state depends on it."""

    def _made_system(self, energies: Sequence[Energy], **given: Any) -> System:
        """The prepared form of energies."""
        return System(energies, **given)

    def _load_of(self, given: dict[str, Any], on: Any) -> Load:
        """The load that `push` was asked for: one of `given` is not None."""
        return make_load(self.mesh, self.thickness, given, on)

    def _at_rest(self, before: History | None) -> State:
        x = self.mesh.points.copy()
        return State(x, np.zeros_like(x), history=self._begin_history(before))

    def _begin_history(self, before: History | None) -> History | None:
        """The history that `reset` begins with; before: the one that it had."""
        return None

    def _changed(self) -> None:
        self.restart_clock()
        self._loads.forget()


def _check_masses(who: str, masses: np.ndarray) -> None:
    bad = np.flatnonzero(~((masses >= SMALLEST) & (masses <= LARGEST)))
    if len(bad):
        raise ValueError(
            f"{who}: the mass of point {bad[0]} is {masses[bad[0]]:g} kg; expected {SMALLEST:g} to "
            f"{LARGEST:g} kg: change the density, or the size of the mesh"
        )
