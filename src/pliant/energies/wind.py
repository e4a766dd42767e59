"""Wind on a surface: a load on the body at rest, and a resistance to its motion."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from typing import Any

import numpy as np
import scipy.sparse as sp

from pliant.backend import Recent, device_of, to_host
from pliant.mesh import MeshChange

from .loaded_surface import LoadedSurface
from .loads import NodalLoad, no_load
from .point_drag import PointDrag
from .wind_kernels import wind_kernels


class WindLoad:
    """The wind on facets. Each point of a facet has a share of its area.

        f = rho/2 A (C |u_n| u_n n + C_t |u_t| u_t),   u = wind - v,  u_n = n . u,  u_t = u - u_n n

    n: the normal at the start of a step; rho [kg/m^3]; drag C and friction C_t [-]. The load is f at
    v = 0; what the velocity changes of it is `resistance`, or in an implicit step the energy
    `dissipation`. facets: as of `Pressure`; velocity(x, time): the wind at places [m/s], (n, d), or,
    if it is `uniform`, one vector that depends on time only; one_sided: only wind against the normal
    counts, as for the surfaces of solids.
    """

    def __init__(
        self,
        facets: Sequence[np.ndarray],
        velocity: Any,
        *,
        uniform: bool,
        density: float,
        drag: float,
        friction: float,
        one_sided: bool,
        thickness: float = 1.0,
    ):
        self._facets, self._velocity, self._thickness = facets, velocity, thickness
        self._half = (0.5 * density * drag, 0.5 * density * friction)
        #: Whether a device can compute it: a function of places is the user's Python.
        self.resident = uniform
        self.one_sided = one_sided
        self.points = np.concatenate([f.ravel() for f in facets])  # one per point of a facet
        self._recent = Recent()  # at the body and at its rest shape
        self._drags: dict[str, PointDrag] = {}
        self._surfaces: dict[str, LoadedSurface] = {}

    def value_at(self, x: np.ndarray, time: float) -> np.ndarray:
        """The velocity of the air [m/s], one for all or one per place."""
        return np.asarray(self._velocity(x, time))

    def patterns(self, x: np.ndarray) -> list[np.ndarray]:
        """None: what it is a sum of changes with the velocity of the body."""
        return []

    def after(self, change: MeshChange, old: np.ndarray, new: np.ndarray) -> WindLoad | NodalLoad:
        """The same wind on the pieces of its facets."""
        found = copy(self)
        found._facets = [change.facets(f) for f in self._facets]
        if not any(map(len, found._facets)):
            return no_load(change.mesh)
        found.points = np.concatenate([f.ravel() for f in found._facets])
        found._recent, found._drags, found._surfaces = Recent(), {}, {}
        return found

    def wind(self, x: Any, time: float) -> Any:
        """The velocity of the air at x [m/s], (n, d)."""
        return self._surface(x).spread(self.value_at(x, time), x)

    def forces(self, x: Any, time: float) -> Any:
        """The forces on a body without velocity [N], (n, d)."""
        u = self.value_at(x, time)
        found = self._recent.find(x, u)
        if found is None:
            found = self._oriented(x).blow(self.wind(x, time), self.one_sided)
            self._recent.keep(found, x, u)
        return found

    def resistance(self, x: np.ndarray, v: np.ndarray, time: float) -> np.ndarray:
        """The change of `forces` that is due to velocities v [N], (n, d)."""
        surface, wind = self._oriented(x), self.wind(x, time)
        out: np.ndarray = surface.blow(wind - v, self.one_sided)
        out -= surface.blow(wind, self.one_sided)
        return out

    def slope(self, x: np.ndarray, v: np.ndarray, time: float) -> np.ndarray:
        """-d resistance/dv [N s/m], a block per point, (n, d, d)."""
        surface = self._oriented(x)
        n, c = surface.normals.numpy(), surface.law.numpy()
        u = (self.wind(x, time) - v)[self.points]
        un = np.einsum("ti,ti->t", n, u)
        ut = u - un[:, None] * n
        if self.one_sided:
            un = np.minimum(un, 0.0)
        along = np.sqrt(np.einsum("ti,ti->t", ut, ut))
        nn = n[:, :, None] * n[:, None, :]
        blocks = (2.0 * c[:, 0] * np.abs(un))[:, None, None] * nn
        tt = ut[:, :, None] * ut[:, None, :] / np.maximum(along, 1e-300)[:, None, None]
        blocks += c[:, 1, None, None] * (along[:, None, None] * (np.eye(u.shape[1]) - nn) + tt)
        terms = len(self.points)
        # A product with zeros and ones takes an eighth of the time of np.add.at.
        sums = sp.csc_matrix((np.ones(terms), self.points, np.arange(terms + 1)), (len(x), terms))
        out: np.ndarray = sums @ blocks.reshape(terms, -1)
        return out.reshape(len(x), *blocks.shape[1:])

    def dissipation(
        self, x: Any, before: Any, span: float, time: float, *, device: Any
    ) -> PointDrag:
        """The resistance as an energy of positions y, where velocities are (y - before)/span."""
        key = str(device)
        if key not in self._drags:
            self._drags[key] = PointDrag(
                to_host(x), self.points, wind_kernels, one_sided=self.one_sided, device=device
            )
        surface = self._oriented(x)
        self._drags[key].aim(surface.normals, surface.law, self.wind(x, time), before, span)
        return self._drags[key]

    def _oriented(self, x: Any) -> LoadedSurface:
        """The surface with its normals at x, on the device of x."""
        surface = self._surface(x)
        surface.orient(x, self._half)
        return surface

    def _surface(self, x: Any) -> LoadedSurface:
        """The surface on the device of x."""
        key = str(device_of(x))
        if key not in self._surfaces:
            self._surfaces[key] = LoadedSurface(self._facets, x, thickness=self._thickness)
        return self._surfaces[key]
