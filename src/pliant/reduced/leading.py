"""Pins that are driven carry a reduced body as one rigid motion."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from pliant.backend import cross_matrix
from pliant.problem import Loads

from .basis import Basis
from .frame import BodyFrame
from .lifting import driven_by, of_pins

Array = np.ndarray


def led(
    basis: Basis, pinned: Array, frame: BodyFrame, loads: Loads, dt: float
) -> tuple[BodyFrame, Array]:
    """The frame at the end of a step of dt [s], with its velocity over the step; driven coordinates."""
    d = basis.points.shape[1]
    x = basis.points.copy()
    x[pinned] = frame.centre[:d] + basis.arms[pinned][:, :d] @ frame.rotation[:d, :d].T
    there = loads.body.pin_positions(loads.time, x)
    new = of_pins(basis, pinned, there)
    d_new = driven_by(basis, new, there) if basis.driven else np.zeros(0)
    turn = new.rotation @ frame.rotation.T
    velocity, turning = (new.centre - frame.centre) / dt, _rotation_vector(turn) / dt
    return replace(new, velocity=velocity, turning=turning), d_new


def inertial_load(basis: Basis, before: BodyFrame, after: BodyFrame, dt: float) -> Array:
    """The load of a step on each coordinate [N/sqrt(kg)] that comes of an accelerated frame, (r,).

        -sum of m U . (a + alpha x r + omega x (omega x r))

    Its impulse is what the velocity of the frame changes by, from the last step to this one.
    """
    turn = after.rotation
    push = turn.T @ (after.velocity - before.velocity) / dt
    alpha = turn.T @ (after.turning - before.turning) / dt
    omega = turn.T @ (0.5 * (after.turning + before.turning))
    spread = cross_matrix(alpha) + cross_matrix(omega) @ cross_matrix(omega)
    along = basis.first @ push + np.einsum("kij,ij->k", basis.mixed, spread)
    return np.asarray(-along)


def _rotation_vector(turn: Array) -> Array:
    """The axis of a rotation times its angle, which is less than pi, (3,)."""
    axis = 0.5 * np.array(
        [turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]]
    )
    sine = float(np.linalg.norm(axis))
    angle = float(np.arctan2(sine, 0.5 * (np.trace(turn) - 1.0)))
    return axis * (angle / sine) if sine > 1e-12 else axis
