"""Wind on a surface: a load on the still body, and a resistance to its motion."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import scipy.sparse as sp

from pliant.elements import facet_element
from pliant.energies.loads import facet_normals
from pliant.energies.point_drag import PointDrag
from pliant.energies.wind_kernels import wind_kernels


class WindLoad:
    """The wind on facets, each point of them for its share of the area.

        f = rho/2 A (C |u_n| u_n n + C_t |u_t| u_t),   u = wind - v,  u_n = n . u,  u_t = u - u_n n

    n: the normal at the start of a step; rho [kg/m^3]; drag C and friction C_t [-]. The load is f at
    v = 0; what the velocity changes of it is `resistance`, or in an implicit step the energy
    `dissipation`. facets: as of `Pressure`; velocity(x, time): the wind at places [m/s], (n, d);
    one_sided: only wind against the normal counts, as for the surfaces of solids.
    """

    def __init__(
        self,
        facets: Sequence[np.ndarray],
        velocity: Any,
        *,
        density: float,
        drag: float,
        friction: float,
        one_sided: bool,
        thickness: float = 1.0,
    ):
        self._facets, self._velocity, self._thickness = facets, velocity, thickness
        self._half = 0.5 * density * np.array([drag, friction])
        self.one_sided = one_sided
        self.points = np.concatenate([f.ravel() for f in facets])  # one per point of a facet
        self._drags: dict[str, PointDrag] = {}
        self._at: tuple[np.ndarray, tuple[np.ndarray, np.ndarray]] | None = None

    def terms(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Unit normals (t, d), and rho C A/2 across and along them (t, 2) [kg/m]."""
        # A step asks twice where it begins: for the load, and for the resistance.
        if self._at is None or not np.array_equal(self._at[0], x):
            self._at = (x.copy(), self._terms(x))
        return self._at[1]

    def _terms(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        normals, areas = [], []
        for facets in self._facets:
            n = facet_normals(x, facets, self._thickness)
            area = _lengths(n)
            normals.append(
                np.repeat(n / np.maximum(area, 1e-300)[:, None], facets.shape[1], axis=0)
            )
            areas.append((area[:, None] * _shares(x.shape[1], facets.shape[1])).ravel())
        return np.concatenate(normals), np.concatenate(areas)[:, None] * self._half

    def wind(self, x: np.ndarray, time: float) -> np.ndarray:
        """The velocity of the air at x [m/s], (n, d)."""
        return np.broadcast_to(self._velocity(x, time), x.shape)

    def forces(self, x: np.ndarray, time: float) -> np.ndarray:
        """On a body that stands still [N], (n, d)."""
        return self._push(x, self.wind(x, time))

    def resistance(self, x: np.ndarray, v: np.ndarray, time: float) -> np.ndarray:
        """What velocities v change of `forces` [N], (n, d)."""
        wind = self.wind(x, time)
        out: np.ndarray = self._push(x, wind - v) - self._push(x, wind)
        return out

    def slope(self, x: np.ndarray, v: np.ndarray, time: float) -> np.ndarray:
        """-d resistance/dv [N s/m], a block per point, (n, d, d)."""
        n, c, u, un, ut = self._felt(x, self.wind(x, time) - v)
        along = _lengths(ut)
        nn = n[:, :, None] * n[:, None, :]
        blocks = (2.0 * c[:, 0] * np.abs(un))[:, None, None] * nn
        tt = ut[:, :, None] * ut[:, None, :] / np.maximum(along, 1e-300)[:, None, None]
        blocks += c[:, 1, None, None] * (along[:, None, None] * (np.eye(u.shape[1]) - nn) + tt)
        return self._sum(blocks, len(x))

    def dissipation(
        self, x: np.ndarray, before: np.ndarray, span: float, time: float, *, device: Any
    ) -> PointDrag:
        """The resistance as an energy of positions y, where velocities are (y - before)/span."""
        key = str(device)
        if key not in self._drags:
            self._drags[key] = PointDrag(
                x, self.points, wind_kernels, one_sided=self.one_sided, device=device
            )
        self._drags[key].aim(*self.terms(x), self.wind(x, time), before, span)
        return self._drags[key]

    def _felt(self, x: np.ndarray, u: np.ndarray) -> tuple[np.ndarray, ...]:
        """Normals, coefficients, and the wind felt by each term: whole, across, along."""
        n, c = self.terms(x)
        u = u[self.points]
        un = np.einsum("ti,ti->t", n, u)
        ut = u - un[:, None] * n
        return n, c, u, np.minimum(un, 0.0) if self.one_sided else un, ut

    def _push(self, x: np.ndarray, u: np.ndarray) -> np.ndarray:
        n, c, _, un, ut = self._felt(x, u)
        push = (c[:, 0] * np.abs(un) * un)[:, None] * n
        push += (c[:, 1] * _lengths(ut))[:, None] * ut
        return self._sum(push, len(x))

    def _sum(self, values: np.ndarray, count: int) -> np.ndarray:
        terms = len(self.points)
        # A product with zeros and ones takes an eighth of the time of np.add.at.
        sums = sp.csc_matrix((np.ones(terms), self.points, np.arange(terms + 1)), (count, terms))
        out: np.ndarray = (sums @ values.reshape(terms, -1)).reshape(count, *values.shape[1:])
        return out


def _lengths(vectors: np.ndarray) -> np.ndarray:
    """Of each row; np.linalg.norm takes three times as long."""
    out: np.ndarray = np.sqrt(np.einsum("ti,ti->t", vectors, vectors))
    return out


def _shares(dim: int, nodes: int) -> np.ndarray:
    """The share of a facet's area that each of its points has, all above zero.

    For quadratic facets in proportion to the integrals of N^2, as their masses are: those of N are
    negative at corners, where air would then push the body on.
    """
    element = facet_element(dim, nodes)
    N, weights = element.shape(element.mass_rule.points), element.mass_rule.weights
    share = weights @ (N if element.degree == 1 else N**2)
    out: np.ndarray = share / share.sum()
    return out
