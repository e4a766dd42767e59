"""How obstacles move: rigid motions over time, and meshes whose points have paths of their own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation, Slerp

from pliant.errors import shown
from pliant.given import asked, floats, interpolated, over_time

from .keyframes import Keyframes, RigidMotion

#: How far a matrix may be from a rotation.
RIGID = 1e-6
EXPECTED = (
    "offsets [m] as a function of time or as (times, offsets), matrices in their place, or "
    "pl.Keyframes(times, offsets=..., turns=...)"
)


@dataclass(frozen=True, eq=False)
class ObstacleMotion:
    """The path of one obstacle: `pose` of a time if it stays rigid, else `points` (n, d) of a time."""

    pose: Callable[[float], RigidMotion] | None = None
    points: Callable[[float], np.ndarray] | None = None

    def of(self, x: np.ndarray, time: float) -> np.ndarray:
        """Where its points x (n, d) are at a time [s]."""
        if self.points is not None:
            return np.asarray(self.points(time))
        assert self.pose is not None
        return self.pose(time).of(x)


def motion_of(path: Any, points: np.ndarray, *, who: str, deforms: bool) -> ObstacleMotion | None:
    """The motion that a user describes for an obstacle of these points (n, d) [m].

    deforms: whether points may have paths of their own.
    """
    dim, what = points.shape[1], f"{who}: path"
    if path is None:
        return None
    if isinstance(path, Keyframes):
        path.require(dim)
        middle = 0.5 * (points.min(axis=0) + points.max(axis=0))
        return ObstacleMotion(pose=lambda time: path.pose(time, middle))
    keyed = isinstance(path, tuple) and len(path) == 2
    if not (callable(path) or keyed):
        raise ValueError(f"{what}: got {shown(path)}; expected {EXPECTED}")
    refusal = f"{what}: got {shown(path)}; expected a function of the time in seconds"
    try:
        shape = np.shape(floats(asked(path, 0.0, refusal=refusal) if callable(path) else path[1]))
    except ValueError:
        shape = ()
    shape = shape[1:] if keyed else shape
    if shape == (dim,):
        shift = over_time(path, (dim,), what=what)
        return ObstacleMotion(pose=lambda time: RigidMotion(np.eye(dim), np.asarray(shift(time))))
    if shape == (dim + 1, dim + 1):
        return ObstacleMotion(
            pose=_keyed_matrices(path, dim, what) if keyed else _matrices(path, dim, what)
        )
    if deforms and shape == points.shape:
        return ObstacleMotion(points=over_time(path, points.shape, what=what))
    also = f", or {points.shape} for positions of its points" if deforms else ""
    raise ValueError(
        f"{what}: got values of shape {shape}; expected ({dim},) for offsets [m], "
        f"{(dim + 1, dim + 1)} for matrices{also}"
    )


def _matrices(path: Any, dim: int, what: str) -> Callable[[float], RigidMotion]:
    matrix = over_time(path, (dim + 1, dim + 1), what=what)
    return lambda time: _rigid(matrix(time), dim, f"{what} at t = {time:g} s")


def _keyed_matrices(path: Any, dim: int, what: str) -> Callable[[float], RigidMotion]:
    """Matrices at some times: shifts go straight, and turns go the shortest way."""
    over_time(path, (dim + 1, dim + 1), what=what)  # refuses keys that do not fit
    times = floats(path[0])
    keys = [_rigid(m, dim, f"{what}, key {i}") for i, m in enumerate(floats(path[1]))]
    shifts = np.array([pose.shift for pose in keys])
    if len(times) == 1:
        return lambda time: keys[0]
    turns = np.tile(np.eye(3), (len(keys), 1, 1))
    turns[:, :dim, :dim] = [pose.turn for pose in keys]
    slerp = Slerp(times, Rotation.from_matrix(turns))

    def at(time: float) -> RigidMotion:
        turn = slerp(np.clip(time, times[0], times[-1])).as_matrix()[:dim, :dim]
        return RigidMotion(turn, interpolated(times, shifts, time))

    return at


def _rigid(matrix: np.ndarray, dim: int, what: str) -> RigidMotion:
    """The pose of a matrix that moves columns (x, 1)."""
    turn, shift = matrix[:dim, :dim], matrix[:dim, dim]
    last = np.eye(dim + 1)[dim]
    apart = np.abs(turn @ turn.T - np.eye(dim)).max() > RIGID or np.linalg.det(turn) < 0.0
    if apart or np.abs(matrix[dim] - last).max() > RIGID:
        raise ValueError(
            f"{what}: got {shown(matrix.tolist())}, which is no rigid motion; expected [[R, offset], "
            f"[0, 1]] with a rotation R, and positions of points for what deforms"
        )
    return RigidMotion(np.array(turn), np.array(shift))
