"""A pose that moves: it leads pins, throws what is let go, and pulls at what is free."""

from __future__ import annotations

import logging
import math
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from pliant.bodies import Deformable
from pliant.control import Settle
from pliant.errors import SolverError, is_finite, shown
from pliant.given import floats_or_nan, interpolated

from .skeleton import Array

log = logging.getLogger("pliant")
#: Points that move by less than this share of the size from one pose to the next stand still.
STILL = 1e-6
#: The share of a bounce, or of the time to rest, over which a sudden change of speed pulls.
OVER = 1.0 / 8.0


@dataclass(frozen=True, eq=False)
class PoseMotion:
    """Where the points of a body are in an animation: `poses` (k, n, d) [m] at `times` (k,) [s].

    Time 0 is the release. Poses before it tell the velocity with which the body is let go; poses after
    it lead its pins, and pull at what is free.

        motion = pl.shape.PoseMotion(times, poses)
        motion.begin(body)                     # in the pose of time 0, as fast as it was
        motion.drive(body, ears)               # pins that go on with the animation
        body.damping = pl.Settle(rest_in=0.5, bounces=2)
        motion.pull(body)                      # flesh lags behind where its bones speed up

    Under `pl.Settle` the clock starts when the poses stand still.
    """

    times: Array
    poses: Array

    def __post_init__(self) -> None:
        times, poses = floats_or_nan(self.times), floats_or_nan(self.poses)
        grows = times.ndim == 1 and len(times) > 0 and bool((np.diff(times) > 0.0).all())
        if not (grows and np.isfinite(times).all() and times[0] <= 0.0 <= times[-1]):
            raise ValueError(
                f"PoseMotion: got times {shown(self.times)}; expected seconds that grow, from 0 or "
                "before it to 0 or after it"
            )
        if poses.ndim != 3 or len(poses) != len(times) or not np.isfinite(poses).all():
            raise ValueError(
                f"PoseMotion: got poses of shape {poses.shape}; expected finite numbers, "
                f"({len(times)}, points, axes), one pose for each time"
            )
        object.__setattr__(self, "times", times)
        object.__setattr__(self, "poses", _stilled(poses))

    def moves(self, on: Any = slice(None)) -> bool:
        """Whether some points (mask or indices) are anywhere else after time 0."""
        poses = self.poses[self.times >= 0.0][:, on]
        return bool((poses != self.at(0.0)[on]).any())

    def at(self, time: float) -> Array:
        """Where all points are at a time [s], (n, d)."""
        return interpolated(self.times, self.poses, time)

    @property
    def velocity(self) -> Array:
        """The velocity of the pose before the release [m/s], (n, d): 0 without poses before it."""
        before = np.flatnonzero(self.times < 0.0)[-2:]
        now = self.at(0.0)
        if not len(before):
            return np.zeros_like(now)
        t, x = self.times[before], self.poses[before]
        last = (now - x[-1]) / -t[-1]
        if len(before) == 1:
            return np.asarray(last)
        # The slope at 0 of the parabola through the three.
        bend = (last - (x[-1] - x[0]) / (t[-1] - t[0])) / -t[0]
        return np.asarray(last - bend * t[-1])

    def begin(self, body: Deformable, *, drift: bool = True) -> None:
        """Place a body in the pose of time 0, as fast as the pose was.

        drift: whether it keeps the momentum and the spin of the pose. False: it is let go in its place,
        and only its deformation follows through.
        """
        self._require(body, "begin")
        body.place(self.at(0.0))
        v = self.velocity
        body.velocity = v if drift else v - _rigid(body.positions, v, body.masses)

    def drive(self, body: Deformable, on: Any) -> None:
        """Lead points (mask or indices) as the poses go, and hold those whose pose stands still."""
        self._require(body, "drive")
        points = np.arange(len(body))[on]
        goes = (self.poses[self.times >= 0.0] != self.at(0.0)).any(axis=(0, 2))[points]
        if not goes.all():
            body.fix(points[~goes])
        if goes.any():
            led = points[goes]
            body.move(led, partial(interpolated, self.times, self.poses[:, led]))

    def pull(self, body: Deformable, share: float = 1.0, *, gravity: Any = None) -> None:
        """Push a body under `pl.Settle` by what the poses accelerate: -share m (w_0/w)^2 a.

        The law of `pl.Settle` carries a body along with its pins, whatever their acceleration a. This
        load makes it lag as a body does that swings as often as was asked, with the frequency
        w = 2 pi max(bounces, 1)/rest_in in place of its own, w_0 of the lowest mode at rest. So steel
        lags as far as jelly. a is the mean of the last eighth of a bounce, or of `rest_in` without
        bounces, so that a sudden stop pulls no harder than can be followed; that long after the poses
        stand still the load is 0, and the clock starts. gravity [m/s^2]: of the scene. Other
        dampings leave the inertia of pins as it is: their bodies are not pushed, nor are free ones.
        """
        self._require(body, "pull")
        if not (is_finite(share) and share >= 0.0):
            raise ValueError(f"PoseMotion.pull: got share={shown(share)}; expected 0 or more")
        wish = body.damping
        if not (isinstance(wish, Settle) and share and body.pinned.any()):
            return
        swing = np.asarray(wish.rest_in) / max(wish.bounces or 1, 1)  # [s]
        # Without bounces=... the law has no inertia, and drops the velocity of the release.
        thrown = wish.bounces is not None and bool(self.velocity.any())
        times, accelerations = self._accelerations(OVER * float(swing.max()), thrown=thrown)
        if not accelerations.any():
            return
        asked = 2.0 * np.pi / swing
        heavier = _stiffness(body, gravity) / asked**2 * body.masses
        forces = -share * np.asarray(heavier)[:, None] * accelerations
        body.push(force=partial(interpolated, times, forces), on=np.arange(len(body)))

    def _accelerations(self, over: float, *, thrown: bool) -> tuple[Array, Array]:
        """Times from 0 on [s], and the mean accelerations of the poses over `over` [s] before them.

        thrown: the body is let go as fast as the pose was, so a jump of its speed at time 0 has acted.
        """
        each = float(np.diff(self.times).min()) if len(self.times) > 1 else over
        last = self.times[-1] + over
        times = np.linspace(0.0, last, math.ceil(last / each - 1e-9) + 2)
        first = self._speed(min(each, self.times[-1]), each) if thrown else self.velocity
        found = np.zeros((len(times), *self.poses.shape[1:]))
        for k, t in enumerate(times[:-1]):
            before, now = (first if h < 0.5 * each else self._speed(h, each) for h in (t - over, t))
            found[k] = (now - before) / over
        return times, found

    def _speed(self, time: float, each: float) -> Array:
        """The velocity of the poses over the sample before a time [m/s]."""
        return np.asarray((self.at(time) - self.at(time - each)) / each)

    def _require(self, body: Any, what: str) -> None:
        if not isinstance(body, Deformable):
            raise TypeError(f"PoseMotion.{what}: got {shown(body)}; expected a body")
        if self.poses.shape[1:] != body.positions.shape:
            raise ValueError(
                f"PoseMotion.{what}: its poses have the shape {self.poses.shape[1:]}; expected "
                f"{body.positions.shape}, as {body.name} has"
            )


def _stilled(poses: Array) -> Array:
    """Poses without what rounding makes of points that stand still."""
    out, least = poses.copy(), STILL * float(np.ptp(poses[0], axis=0).max())
    for k in range(1, len(out)):
        still = np.linalg.norm(out[k] - out[k - 1], axis=1) <= least
        out[k, still] = out[k - 1, still]
    return np.asarray(out)


def _stiffness(body: Deformable, gravity: Any) -> float:
    """The lowest eigenvalue at rest [1/s^2]."""
    try:
        return float(body.system().modes(body.rest_shape(gravity), 1)[0][0])
    except SolverError as error:
        log.warning(
            "%s: how stiff it is cannot be told, motion does not pull: %s", body.name, error
        )
        return 0.0


def _rigid(x: Array, v: Array, m: Array) -> Array:
    """The part of velocities that moves and turns the whole, by its momentum and spin."""
    dim = x.shape[1]
    arms, speeds = np.zeros((len(x), 3)), np.zeros((len(x), 3))
    arms[:, :dim] = x - m @ x / m.sum()
    mean = m @ v / m.sum()
    speeds[:, :dim] = v - mean
    spin: Array = m @ np.cross(arms, speeds)
    squares = np.einsum("n,ni,nj->ij", m, arms, arms)
    turn = np.linalg.pinv(np.trace(squares) * np.eye(3) - squares, rcond=1e-10) @ spin
    return np.asarray(mean + np.cross(turn, arms)[:, :dim])
