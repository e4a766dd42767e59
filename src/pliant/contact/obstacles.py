"""Fixed obstacles that push points back: planes and spheres, by penalties."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import warp as wp

from pliant.compiling import compilation
from pliant.energies.protocol import Energy
from pliant.energies.shares import Shares, summed
from pliant.errors import is_finite
from pliant.mesh import Mesh
from pliant.runtime import start

from .obstacle_kernels import obstacle_kernels


class Contact(Protocol):
    """What a body can touch."""

    def energies(self, mesh: Mesh, *, device: Any = "cpu") -> Sequence[Energy]:
        """What pushes the points of a body of this mesh."""
        ...


@dataclass(frozen=True)
class PenaltyPlane:
    """A floor or a wall: points that sink into it by g are pushed back with k g.

        W = sum_i k/2 min(0, normal . (x_i - point))^2

    point [m] on it; normal, pointing to where bodies are; stiffness k [N/m] of each point. They sink
    by (weight of a point)/k at rest, and bounce without loss. The longest explicit step is
    2/sqrt(k/m + w^2), m the lightest point and w the fastest vibration. Frictionless.
    """

    point: Sequence[float]
    normal: Sequence[float]
    stiffness: float

    def __post_init__(self) -> None:
        _check_vectors(self, point=self.point, normal=self.normal)
        _check_positive(self, stiffness=(self.stiffness, "N/m"))
        if not np.linalg.norm(self.normal) > 0.0:
            raise ValueError(
                "PenaltyPlane: got the normal 0; expected a direction, e.g. normal=(0, 1, 0)"
            )

    def energies(self, mesh: Mesh, *, device: Any = "cpu") -> Sequence[Energy]:
        """One term for each point."""
        _check_dim(self, mesh, self.point)
        normal = np.asarray(self.normal, dtype=float)
        shape = (self.point, normal / np.linalg.norm(normal), 0.0, 0)
        return [ObstacleEnergy(mesh.points, shape, self.stiffness, device=device)]


@dataclass(frozen=True)
class PenaltySphere:
    """A ball that keeps points out, or a bowl that keeps them in.

        W = sum_i k/2 min(0, |x_i - centre| - radius)^2,     with the other sign for `inside`

    centre and radius [m]; stiffness k [N/m] of each point, as for `PenaltyPlane`.
    """

    centre: Sequence[float]
    radius: float
    stiffness: float
    inside: bool = False

    def __post_init__(self) -> None:
        _check_vectors(self, centre=self.centre)
        _check_positive(self, radius=(self.radius, "m"), stiffness=(self.stiffness, "N/m"))

    def energies(self, mesh: Mesh, *, device: Any = "cpu") -> Sequence[Energy]:
        """One term for each point."""
        _check_dim(self, mesh, self.centre)
        still = np.zeros(mesh.dim)
        shape = (self.centre, still, float(self.radius), -1 if self.inside else 1)
        return [ObstacleEnergy(mesh.points, shape, self.stiffness, device=device)]


class ObstacleEnergy:
    """The penalty of one obstacle; satisfies `Energy`, with one term per point.

    shape: (place, normal, radius, kind), kind 0 for a plane, 1 outside and -1 inside of a sphere.
    """

    def __init__(
        self,
        points: np.ndarray,
        shape: tuple[Any, Any, float, int],
        stiffness: float,
        *,
        device: Any = "cpu",
        dtype: Any = wp.float64,
    ):
        start()
        n, dim = points.shape
        self._stencils = np.arange(n, dtype=np.int32)[:, None]
        self._shares = Shares(points, self._stencils, device=device)
        self._run = obstacle_kernels(dim, dtype)
        vec: Any = wp.types.vector(length=dim, dtype=dtype)
        place, normal, radius, kind = shape
        self._k = float(stiffness)
        self._shape = (vec(*place), vec(*normal), dtype(radius), kind, dtype(stiffness))
        self._energies: Any = wp.zeros(n, dtype=wp.float64, device=device)
        compilation.expect()

    @property
    def stencils(self) -> np.ndarray:
        """Every point for itself: int32, shape (n, 1)."""
        return self._stencils

    def value(self, x: Any) -> float:
        """Return W(x) [J]."""
        self._shares.launch(self._run.value, x, *self._shape, self._energies)
        return summed(self._energies)

    def add_gradient(self, x: Any, g: Any) -> None:
        """Add dW/dx [N] to g."""
        self._shares.launch(self._run.gradient, x, *self._shape, g)

    def add_hessian(self, x: Any, blocks: Any, slots: Any, project: bool) -> None:
        """Add d2W/dx2 [N/m] to blocks; projected, without the curvature of what pushes outward."""
        self._shares.launch(self._run.hessian, x, *self._shape, int(project), slots, blocks)

    @property
    def limits_steps(self) -> bool:
        """No: any positions are admissible."""
        return False

    def step_limit(self, x: Any, dx: Any) -> float:
        """Return inf: any positions are admissible."""
        return float("inf")

    def begin_step(self, state: Any) -> None:
        """Do nothing: nothing is frozen."""

    def stiffest(self) -> np.ndarray:
        """Half of the stiffness that a point can feel [N/m], (n,): nothing moves on the other side."""
        return np.full(len(self._stencils), 0.5 * self._k)


def _check_positive(given: Any, **named: tuple[Any, str]) -> None:
    for name, (value, unit) in named.items():
        if not (is_finite(value) and value > 0.0):
            raise ValueError(
                f"{type(given).__name__}: got {name}={value!r}; expected more than 0 [{unit}]"
            )


def _check_vectors(given: Any, **named: Any) -> None:
    for name, value in named.items():
        try:
            v = np.asarray(value, dtype=float)
        except (TypeError, ValueError):
            v = np.array(np.nan)  # refused below
        if v.shape not in ((2,), (3,)) or not np.isfinite(v).all():
            raise ValueError(
                f"{type(given).__name__}: got {name}={value!r}; expected two or three numbers, as "
                f"many as the body has dimensions, e.g. {name}=(0, 1, 0)"
            )


def _check_dim(given: Any, mesh: Mesh, place: Any) -> None:
    if len(place) != mesh.dim:
        raise ValueError(
            f"{type(given).__name__}: got a place in {len(place)}D for a body in {mesh.dim}D; "
            f"expected {mesh.dim} numbers"
        )
