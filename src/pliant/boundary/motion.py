"""How obstacles move: rigid motions over time, and meshes whose points have paths of their own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
from scipy.spatial.transform import Rotation, Slerp

from pliant.declared import Declared
from pliant.errors import shown, usable
from pliant.given import asked, floats, interpolated, over_time, rotation

#: How far a matrix may be from a rotation.
RIGID = 1e-6
EXPECTED = (
    "offsets [m] as a function of time or as (times, offsets), matrices in their place, or "
    "pl.Keyframes(times, offsets=..., turns=...)"
)


class RigidMotion(NamedTuple):
    """A rigid motion x -> turn x + shift; turn (d, d), shift (d,) [m]."""

    turn: np.ndarray
    shift: np.ndarray

    def of(self, x: np.ndarray) -> np.ndarray:
        """Points (n, d), moved."""
        return np.asarray(x @ self.turn.T + self.shift)


@dataclass(frozen=True, repr=False)
class Keyframes(Declared):
    """Offsets and turns of an obstacle at a few moments; held before the first and after the last.

        door = pl.Keyframes([0, 2], turns=[(0, 0, 0), (0, 90, 0)], about=(1, 0, 0), ease="smooth")
        scene.add(pl.MeshObstacle(surface, path=door))

    times [s], increasing. offsets [m], one for each: how far it is from where it was made. turns
    [degrees], one for each: about x, then y, then z; one number in 2D. about [m]: what it turns about;
    its middle if left out. ease: "linear", or "smooth", which starts and stops softly at every key.
    """

    times: Any
    offsets: Any = None
    turns: Any = None
    about: Any = None
    ease: Literal["linear", "smooth"] = "linear"

    def __post_init__(self) -> None:
        if self.offsets is None and self.turns is None:
            raise ValueError("Keyframes: got neither offsets nor turns; expected one of them")
        if self.ease not in ("linear", "smooth"):
            raise ValueError(f'Keyframes: got ease={shown(self.ease)}; expected "linear", "smooth"')
        times = _numbers("times", self.times)
        if times.ndim != 1 or not len(times) or not (np.diff(times) > 0.0).all():
            raise ValueError(
                f"Keyframes: got times={shown(self.times)}; expected seconds, increasing"
            )
        for name in ("offsets", "turns"):
            if getattr(self, name) is not None:
                keys = _numbers(name, getattr(self, name))
                keys = keys[:, None] if keys.ndim == 1 else keys
                if keys.ndim != 2 or len(keys) != len(times):
                    raise ValueError(
                        f"Keyframes: got {name} of shape {keys.shape}; expected one for each of "
                        f"{len(times)} times"
                    )
                object.__setattr__(self, name, keys)
        object.__setattr__(self, "times", times)
        if self.about is not None:
            object.__setattr__(self, "about", _numbers("about", self.about))

    def __repr__(self) -> str:
        return f"<Keyframes of {len(self.times)} times, {self.times[0]:g} to {self.times[-1]:g} s>"

    def require(self, dim: int) -> None:
        """Refuse keys of another dimension."""
        about = dim if self.about is None else len(np.atleast_1d(self.about))
        offsets = dim if self.offsets is None else self.offsets.shape[1]
        turns = 3 if dim == 3 else 1
        found = turns if self.turns is None else self.turns.shape[1]
        if (about, offsets, found) != (dim, dim, turns):
            raise ValueError(
                f"Keyframes: got offsets of {offsets} numbers, turns of {found} and about of {about}; "
                f"expected {dim}, {turns} and {dim}: the obstacle is in {dim}D"
            )

    def pose(self, time: float, middle: np.ndarray) -> RigidMotion:
        """The motion at a time [s] of what has this middle (d,) [m]."""
        dim, smooth = len(middle), self.ease == "smooth"
        about, turn = middle if self.about is None else self.about, np.eye(dim)
        shift = np.zeros(dim)
        if self.offsets is not None:
            shift = interpolated(self.times, self.offsets, time, smooth=smooth)
        if self.turns is not None:
            turn = rotation(tuple(interpolated(self.times, self.turns, time, smooth=smooth)), dim)
        return RigidMotion(turn, shift + about - turn @ about)


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


def _numbers(name: str, given: Any) -> np.ndarray:
    try:
        found: np.ndarray = floats(given)
    except ValueError:
        found = np.full(1, np.nan)
    if not usable(found):
        raise ValueError(f"Keyframes: got {name}={shown(given)}; expected finite numbers")
    return found
