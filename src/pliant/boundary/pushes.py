"""What pushes a body: the loads on it, and what the arguments of `push` mean."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from pliant.elements import by_name, nodal_volumes
from pliant.energies import Load, NodalLoad, Pressure, TractionLoad, VolumeLoad, WindLoad
from pliant.given import dimensions, over_time, select
from pliant.mesh import Mesh, MeshChange

from .wind import Wind


class BodyLoads:
    """The loads on one body. The sum of those that depend on time only is kept."""

    def __init__(self) -> None:
        self._last: tuple[np.ndarray, bytes, np.ndarray] | None = None
        self._act([], [])

    def _act(self, loads: list[Load], given: list[Load]) -> None:
        """Let these act, and no others; given: those that `push` returned for them."""
        self._all, self._given = loads, given
        self._dead = [load for load in loads if isinstance(load, NodalLoad)]
        self._following = [load for load in loads if not isinstance(load, NodalLoad)]
        #: Those that answer to the velocity of the body.
        self.resisting = [load for load in loads if isinstance(load, WindLoad)]

    def add(self, load: Load) -> None:
        """Let a load act."""
        self._act([*self._all, load], [*self._given, load])

    def remove(self, load: Load | None) -> None:
        """Take a load away, or all of them."""
        if load is not None and not any(k is load for k in self._given):
            raise ValueError(
                "unpush: this load does not act on the body; expected what push returned"
            )
        pairs = zip(self._all, self._given, strict=True)
        kept = [] if load is None else [(k, own) for k, own in pairs if own is not load]
        self._act([k for k, _ in kept], [own for _, own in kept])

    def after(self, change: MeshChange, old: np.ndarray, new: np.ndarray) -> BodyLoads:
        """The same loads on a mesh that was cut; old, new: the masses of points before and after."""
        found = BodyLoads()
        found._act([load.after(change, old, new) for load in self._all], list(self._given))
        return found

    @property
    def every(self) -> tuple[Load, ...]:
        """All of them."""
        return tuple(self._all)

    def forget(self) -> None:
        """Forget the kept sum, after something has changed: the next one is a new array."""
        self._last = None

    @property
    def all_constant(self) -> bool:
        """Whether they depend on time only, not on where the body is."""
        return not self._following

    @property
    def resident(self) -> bool:
        """Whether a device can compute those that follow the body."""
        return all(load.resident for load in self._following)

    def at(self, x: np.ndarray, time: float, masses: np.ndarray, gravity: np.ndarray) -> np.ndarray:
        """Their sum with the weight [N], shape (n, d)."""
        f: np.ndarray = self.constant(x, time, masses, gravity).copy()
        for force in self.following(x, time):
            f += force
        return f

    def following(self, x: Any, time: float) -> list[Any]:
        """The forces [N] of each load that depends on positions, as arrays that live where x does."""
        return [load.forces(x, time) for load in self._following]

    def values(self, points: np.ndarray, time: float) -> list[Any]:
        """What time can change of each load, on a body of such points."""
        return [load.value_at(points, time) for load in self._all]

    def constant(
        self, points: np.ndarray, time: float, masses: np.ndarray, gravity: np.ndarray
    ) -> np.ndarray:
        """The weight and the loads that depend on time only [N], (n, d).

        Returns the array of the last call if the entries are the same.
        """
        pull = gravity.tobytes()
        if self._last is not None and not self._dead:
            weighed, pulled, load = self._last
            if weighed is masses and pulled == pull:
                return load
        load = masses[:, None] * gravity
        for each in self._dead:
            load = load + each.forces(points, time)
        if self._last is not None and np.array_equal(load, self._last[2]):
            load = self._last[2]
        self._last = (masses, pull, load)
        return load


def make_load(mesh: Mesh, thickness: float, given: Mapping[str, Any], on: Any) -> Load:
    """The load that exactly one of force, traction, pressure, volume and wind describes."""
    chosen = {k: v for k, v in given.items() if v is not None}
    if len(chosen) != 1:
        raise ValueError(
            f"push: got {sorted(chosen) or 'nothing'}; expected exactly one of force=, traction=, "
            "pressure=, volume=, wind="
        )
    ((what, value),) = chosen.items()
    if what == "pressure":
        return Pressure(_facets(mesh, what, on), over_time(value, (), what=what), thickness)
    if what == "wind":
        wind = value if isinstance(value, Wind) else Wind(value)
        return WindLoad(
            _facets(mesh, what, on),
            wind.over(mesh.points),
            uniform=wind.uniform,
            density=wind.density,
            drag=wind.drag,
            friction=wind.friction,
            one_sided=mesh.cell_dim == mesh.dim,
            thickness=thickness,
        )
    if what == "force":
        weights, pushed = np.zeros(len(mesh)), select(on, len(mesh), "push(on=...)")
        weights[pushed] = 1.0
        if dimensions(value(0.0) if callable(value) else value) == 2:
            return NodalLoad(weights, _one_for_each(value, pushed, mesh))
    elif what == "traction":
        facets = _facets(mesh, what, on)
        return TractionLoad.on(
            mesh.points, facets, over_time(value, (mesh.dim,), what=what), thickness
        )
    else:
        if on is not None:
            raise ValueError("push(volume=..., on=...): a volume force acts on the whole body")
        return VolumeLoad(_volumes(mesh, thickness), over_time(value, (mesh.dim,), what=what))
    return NodalLoad(weights, over_time(value, (mesh.dim,), what=what))


def _one_for_each(value: Any, pushed: np.ndarray, mesh: Mesh) -> Callable[[float], np.ndarray]:
    """Forces on points of their own [N], as a function of time for all points, (n, d)."""
    own = over_time(value, (len(pushed), mesh.dim), what="force")

    def every(time: float) -> np.ndarray:
        forces = np.zeros((len(mesh), mesh.dim))
        forces[pushed] = own(time)
        return forces

    return every


def _volumes(mesh: Mesh, thickness: float) -> np.ndarray:
    """The volume around each point [m^3]."""
    if mesh.cell_dim < mesh.dim:
        raise ValueError(
            f"push(volume=...): got a mesh of {sorted(mesh.cells)} in {mesh.dim}D, which fills no "
            "volume; expected push(force=..., on=...), or gravity in the scene"
        )
    out = np.zeros(len(mesh))
    for kind, cells in mesh.cells.items():
        if by_name(kind).dim == mesh.dim:
            out += nodal_volumes(mesh.points, cells, by_name(kind), thickness=thickness)
    return out


def _facets(mesh: Mesh, what: str, on: Any) -> list[np.ndarray]:
    """The boundary facets, of each kind, whose points are all in `on`; of sheets their cells."""
    if mesh.cell_dim < mesh.dim - 1:
        raise ValueError(
            f"push({what}=...): got a mesh of {sorted(mesh.cells)}, which has no surface; expected "
            "triangles or solid cells, or push(force=..., on=...)"
        )
    surface = mesh.boundary
    if mesh.cell_dim < mesh.dim:
        surface = {k: c for k, c in mesh.cells.items() if by_name(k).dim == mesh.cell_dim}
    chosen = np.full(len(mesh), on is None)
    if on is not None:
        chosen[select(on, len(mesh), "push(on=...)")] = True
    facets = [f[chosen[f].all(axis=1)] for f in surface.values()]
    facets = [f for f in facets if len(f)]
    if not facets:
        raise ValueError(
            f"push({what}=..., on=...): no boundary facet has all its points in `on`; expected "
            "points of the surface, e.g. on=mesh.points[:, 1] > 0.999"
        )
    return facets
