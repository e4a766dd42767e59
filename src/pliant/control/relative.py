"""Relative damping: the direct limit of iterated spring damping."""

from __future__ import annotations

from functools import partial
from numbers import Integral
from typing import Annotated, Any, Literal

import numpy as np

from pliant.declared import Described, Flag, InPython, Quantity, accept
from pliant.errors import shown
from pliant.given import floats
from pliant.problem import Points, Trial, VelocityFilter, Vibration

from .clusters import Clusters, members
from .distances import nearest, neighbours
from .torque import by_programme, onto_directions, onto_distances, rotation

TORQUES = ("rotation", "distances", "directions", "programme", None)
Kind = Literal["whole", "cells"] | Annotated[int, Quantity(at_least=1, whole=True)]
Torque = Literal["rotation", "distances", "directions", "programme", "left"]
Share = Annotated[
    float,
    Quantity(
        "the share that a step removes, 0 to 1",
        "-",
        at_least=0.0,
        at_most=1.0,
        says="a share from 0 to 1",
        why="above 1 relative velocities would be turned round",
        example=0.2,
    ),
]
Clustering = Annotated[
    Any,
    Described(
        '"whole", "cells", a number of clusters, or a list of these in turn',
        kind=Kind | list[Kind],
    ),
]
Torques = Annotated[
    Any,
    Described(
        'how spin is kept; "left" leaves the torque in', none="left", kind=Torque | list[Torque]
    ),
]


class RelativeDamping(VelocityFilter):
    """Takes a share gamma of all motion relative to the centre of mass, in every step.

        f_i = -gamma m_i/dt (v_i' - v_cm'),    then the torque of these forces is taken out

    gamma from 0 to 1: the share that one step removes, so what it does in a second depends on dt;
    gamma = 1 leaves rigid motion only and the body no longer deforms. Needs no connectivity. Its
    forces keep angular momentum to rounding; what the implicit step itself loses of it stays lost,
    and is more for a body that is held tense.
    clusters: "whole" (each connected part), "cells", a number (k-means), or index arrays; in
    clusters that overlap a point has m_i/N_i in each. torque: "rotation" leaves each cluster its
    rotation and never overshoots (ours); "distances", "directions" (to `about`: a point's number or
    weights of all points; the centre of mass by default) and "programme" (linear, the least sum
    of absolute corrections; slow) are those of the paper; None leaves the torque in: stable at any
    step, but spin is lost. For several passes give tuples, as the paper does:

        pl.RelativeDamping(0.5, clusters=("whole", "cells"), torque=("distances", "directions"))

    limited: scale the forces of a cluster down to where its kinetic energy is least. The paper does
    not: over random points of very unequal masses (gamma = 1) its forces along distances then raised
    the kinetic energy in 23 of 3000 cases, by up to 1.3 %, those along directions in none, and those
    of the programme, which knows nothing of masses, in 250 of 300, by up to 177 times (with equal
    masses in 2 of 300, by up to 16 %).
    Source: [schmedding2009] (7) and 3.3 to 3.4; its (8) lacks the m_i/dt of (7).
    """

    def __init__(
        self,
        gamma: Share = 0.1,
        *,
        clusters: Clustering = "whole",
        torque: Torques = "rotation",
        about: Annotated[Any, InPython("a point of the mesh, or a weight of each")] = None,
        limited: Annotated[
            bool, Flag("whether forces are scaled down to where the kinetic energy is least")
        ] = True,
    ):
        self.gamma, self.limited = accept(self, gamma=gamma, limited=limited)
        self.about = about
        if about is not None:
            self._check_about(about)
        kinds = clusters if isinstance(clusters, tuple) and clusters else (clusters,)
        ways = torque if isinstance(torque, tuple) else (torque,) * len(kinds)
        if len(ways) != len(kinds):
            raise ValueError(
                f"RelativeDamping: got {len(kinds)} clusters and {len(ways)} torques; expected as many"
            )
        for kind in kinds:
            named = isinstance(kind, str) and kind not in ("whole", "cells")
            counted = isinstance(kind, bool) or (
                isinstance(kind, Integral) and not 1 <= int(kind) <= 10**9
            )
            if named or counted or not (isinstance(kind, str | Integral) or np.iterable(kind)):
                raise ValueError(
                    f'RelativeDamping: got clusters={shown(kind)}; expected "whole", "cells", a number '
                    "of clusters, or a list of index arrays"
                )
        for way in ways:
            if not (way is None or isinstance(way, str)) or way not in TORQUES:
                raise ValueError(
                    f"RelativeDamping: got torque={shown(way)}; expected one of {TORQUES}"
                )
        self.clusters, self.torque = clusters, torque
        self._passes = list(zip(kinds, ways, strict=True))

    @staticmethod
    def _check_about(about: Any) -> None:
        try:
            given = floats(about)
        except ValueError:
            given = np.full(1, np.nan)  # refused below
        if given.ndim > 1 or not np.isfinite(given).all():
            raise ValueError(
                f"RelativeDamping: got about={shown(about)}; expected the number of a point, or a "
                "weight for each"
            )

    @classmethod
    def trials(cls) -> list[Trial]:
        """By what it takes from the slowest mode in a step; as it is, and as in the paper."""

        def make(body: Any, mode: Vibration, **settings: Any) -> RelativeDamping:
            forces = cls(1.0, **settings).forces(mode.points(body), mode.shape, mode.dt)
            taken = -mode.dt * float((mode.shape * forces).sum())
            wanted = 1.0 - np.exp(-2.0 * mode.viscous * mode.dt)
            return cls(float(min(1.0, wanted / max(taken, 1e-12))), **settings)

        paper: dict[str, Any] = {
            "clusters": ("whole", "cells"), "torque": ("distances", "directions"), "limited": False
        }  # fmt: skip
        return [
            Trial(
                "RelativeDamping",
                make,
                "the share that takes 1 - exp(-2 sigma dt) of the mode in a step; 1 if all is too "
                "little",
            ),
            Trial(
                "RelativeDamping, global and local",
                partial(make, **paper),
                "the same in the paper's combination",
            ),
        ]

    def forces(self, points: Points, v: np.ndarray, dt: float) -> np.ndarray:
        """Of one pass after the other, each on the velocities that the last has left."""
        total = np.zeros_like(v)
        for number, (kind, way) in enumerate(self._passes):
            clusters, pairs = self._clusters(points, number, kind, way)
            if not len(clusters.points):  # every point is a part by itself
                continue
            left = v + dt * total / points.masses[:, None]
            f = self._pass(points, clusters, pairs, way, left, dt)
            total += clusters.gathered(f, len(points))
        return total

    def _clusters(
        self, points: Points, number: int, kind: Any, way: str | None
    ) -> tuple[Clusters, np.ndarray | None]:
        """The clusters of a pass, and the pairs of members in them that are neighbours."""

        def make() -> tuple[Clusters, np.ndarray | None]:
            clusters, found = Clusters.of(members(kind, points), points.masses), None
            if way == "distances" and points.pairs is not None:
                found = neighbours(points.pairs, clusters, len(points))
            return clusters, found

        # The damping itself is the key, not its id, which another may get.
        out: tuple[Clusters, np.ndarray | None] = points.once((self, number), make)
        return out

    def _pass(
        self,
        points: Points,
        clusters: Clusters,
        pairs: np.ndarray | None,
        way: str | None,
        v: np.ndarray,
        dt: float,
    ) -> np.ndarray:
        x, u, m = points.x[clusters.points], v[clusters.points], clusters.masses[:, None]
        relative = u - clusters.mean(u)
        if way == "rotation":
            relative = relative - rotation(clusters, x, relative)
        f: np.ndarray = -self.gamma * m / dt * relative
        if way == "distances":
            found = nearest(points, clusters) if pairs is None else pairs
            f = onto_distances(clusters, x, f, found)
        elif way == "directions":
            f = onto_directions(clusters, x, f, self._weights(points, clusters))
        elif way == "programme":
            f = by_programme(clusters, x, f)
        if self.limited and way in TORQUES[1:4]:
            f = clusters.spread(_least_energy(clusters, relative, f, dt))[:, None] * f
        return f

    def _weights(self, points: Points, clusters: Clusters) -> np.ndarray:
        """What each member counts in the point that forces are directed to."""
        weights = clusters.masses
        if self.about is not None:
            given = np.asarray(self.about)
            if given.ndim == 0:
                given = np.arange(len(points)) == given
            if given.shape != (len(points),):
                raise ValueError(
                    f"RelativeDamping: got about of shape {given.shape}; expected the number of a "
                    f"point, or {len(points)} weights"
                )
            weights = given.astype(float)[clusters.points]
        sums = clusters.total(weights)
        if not (np.abs(sums) > 1e-12 * np.abs(weights).max()).all():
            raise ValueError(
                f"RelativeDamping: about={self.about!r} has no weight in a cluster; expected a "
                'point of every cluster: clusters="whole", or about=None'
            )
        out: np.ndarray = weights / clusters.spread(sums)
        return out


def _least_energy(clusters: Clusters, v: np.ndarray, f: np.ndarray, dt: float) -> np.ndarray:
    """The share of the forces, 0 to 1, after which the kinetic energy of a cluster is least."""
    power = -clusters.total(np.einsum("kd,kd->k", f, v))
    cost = dt * clusters.total(np.einsum("kd,kd->k", f, f) / clusters.masses)
    best = np.divide(power, cost, out=np.ones_like(power), where=cost > 0.0)
    out: np.ndarray = np.clip(best, 0.0, 1.0)
    return out
