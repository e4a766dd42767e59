"""What a run records."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pliant import measure

if TYPE_CHECKING:
    from pliant.body import Body

ENERGIES = np.dtype([(k, float) for k in ("kinetic", "elastic", "external", "total")])
SOLVER = np.dtype(
    [
        ("time", float),
        ("iterations", int),
        ("linear_iterations", int),
        ("residual", float),
        ("reason", "U32"),
    ]
)


@dataclass
class BodyTake:
    """The frames of one body.

    positions, velocities: (frames, n, d). energies: one record per frame with kinetic, elastic,
    external and total [J]. solver: one record per step with time, iterations, linear_iterations,
    residual [N] and reason. rest: the equilibrium that the damping aimed for, if it has one.
    """

    body: Body
    times: np.ndarray
    positions: np.ndarray
    velocities: np.ndarray
    energies: np.ndarray
    solver: np.ndarray
    rest: np.ndarray | None
    asked: dict[str, Any]

    def displacements(self, rest: np.ndarray | None = None) -> np.ndarray:
        """Frames relative to the rest shape, rigid motion removed, (frames, n, d)."""
        target = self.rest if rest is None else rest
        if target is None:
            raise ValueError(
                "this take has no rest shape; expected a run with pl.Settle, or the shape itself: "
                "take.distance(rest=scene.equilibrium().positions[0])"
            )
        align = self.body.system().align
        return np.stack([x - align(target, x) for x in self.positions])

    def distance(self, rest: np.ndarray | None = None) -> np.ndarray:
        """Root-mean-square (by mass) distance to rest of every frame [m], (frames,)."""
        m = self.body.masses
        u = self.displacements(rest)
        return np.sqrt(np.einsum("p,fpd,fpd->f", m, u, u) / m.sum())

    def rest_time(self, within: float | None = None, rest: np.ndarray | None = None) -> float:
        """When the distance to rest stayed below `within` of its start [s]; inf if it did not."""
        share = within if within is not None else self.asked.get("within", 0.01)
        return measure.rest_time(self.times - self.times[0], self.distance(rest), share)


class Take:
    """What a run recorded: `take.times`, and per body positions, energies and solver reports.

    With one body `take.positions` and the rest are that body's; with several use `take[body]`.
    """

    def __init__(self, takes: Sequence[BodyTake], *, dt: float):
        self._takes = {id(t.body): t for t in takes}
        self.times = takes[0].times
        self.dt = dt

    @property
    def bodies(self) -> list[Body]:
        """The bodies of the scene."""
        return [t.body for t in self._takes.values()]

    def __getitem__(self, body: Body) -> BodyTake:
        if id(body) not in self._takes:
            raise KeyError(f"{body!r} is not in this take; it has {self.bodies}")
        return self._takes[id(body)]

    def __len__(self) -> int:
        return len(self.times)

    def __repr__(self) -> str:
        return f"<Take: {len(self)} frames, {self.times[-1]:.3g} s, {len(self._takes)} bodies>"

    @property
    def positions(self) -> np.ndarray:
        """Positions [m], shape (frames, n, d)."""
        return self._only.positions

    @property
    def velocities(self) -> np.ndarray:
        """Velocities [m/s], shape (frames, n, d)."""
        return self._only.velocities

    @property
    def energies(self) -> np.ndarray:
        """Records of kinetic, elastic, external and total energy [J], one per frame."""
        return self._only.energies

    @property
    def solver(self) -> np.ndarray:
        """Records of what the solver did, one per step."""
        return self._only.solver

    @property
    def rest(self) -> np.ndarray | None:
        """The shape that the damping aimed for, if it has one, (n, d)."""
        return self._only.rest

    def distance(self, rest: np.ndarray | None = None) -> np.ndarray:
        """Root-mean-square distance to rest of every frame [m]."""
        return self._only.distance(rest)

    def rest_time(self, within: float | None = None, rest: np.ndarray | None = None) -> float:
        """When the body came to rest [s]."""
        return self._only.rest_time(within, rest)

    def save(self, path: str | Path) -> Path:
        """Write the take; the suffix chooses the format."""
        from pliant import io

        return io.save(self, Path(path))

    def show(self) -> None:
        """Open the take in the browser."""
        from pliant import io

        io.show(self)

    @property
    def _only(self) -> BodyTake:
        if len(self._takes) != 1:
            raise ValueError(f"this take has {len(self._takes)} bodies; use take[body].positions")
        return next(iter(self._takes.values()))
