"""Nodes that turn: orientation, angular momentum, and Euler's equations."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from pliant.problem import History


@dataclass(frozen=True)
class Turning(History):
    """How the nodes of a body are turned, how fast they turn, and what turns them.

        I dw/dt = torque - w x (I w)       in the frame of the node,     dL/dt = torque   in space

    frames: unit quaternions (n, 4) that turn principal axes into space; moments: principal moments
    of inertia [kg m^2], (n, 3); momentum: angular momentum L in space [kg m^2/s], (n, 3); torque:
    [N m] as a function of time, (n, 3), in space. `axes`: the frames at rest.
    """

    axes: np.ndarray
    moments: np.ndarray
    frames: np.ndarray
    momentum: np.ndarray
    torque: Callable[[float], np.ndarray]

    @classmethod
    def at_rest(cls, inertia: np.ndarray, torque: Callable[[float], np.ndarray]) -> Turning:
        """Nodes of given tensors of inertia [kg m^2], (n, 3, 3), not turned and not turning."""
        moments, axes = np.linalg.eigh(inertia)
        axes[:, :, 0] *= np.sign(np.linalg.det(axes))[:, None]
        q = quaternions(axes)
        return cls(q, moments, q, np.zeros_like(moments), torque)

    @property
    def orientation(self) -> np.ndarray:
        """How far each node is turned from its rest, as matrices (n, 3, 3)."""
        out: np.ndarray = matrices(self.frames) @ np.swapaxes(matrices(self.axes), 1, 2)
        return out

    @property
    def velocity(self) -> np.ndarray:
        """Angular velocity in space [rad/s], (n, 3)."""
        to_space = matrices(self.frames)
        own = np.einsum("nji,nj->ni", to_space, self.momentum) / self.moments
        out: np.ndarray = np.einsum("nij,nj->ni", to_space, own)
        return out

    @property
    def energy(self) -> np.ndarray:
        """Kinetic energy of turning [J], (n,)."""
        out: np.ndarray = 0.5 * np.einsum("ni,ni->n", self.velocity, self.momentum)
        return out

    def spun(self, velocity: np.ndarray) -> Turning:
        """The same with an angular velocity in space [rad/s], (n, 3)."""
        to_space = matrices(self.frames)
        own = np.einsum("nji,nj->ni", to_space, velocity) * self.moments
        return replace(self, momentum=np.einsum("nij,nj->ni", to_space, own))

    def stepped(self, time: float, dt: float, free: np.ndarray) -> Turning:
        """After a step from a time [s]; nodes that are not `free` keep as they are.

            L <- L + dt torque,     then turns about the principal axes 1 2 3 2 1, by
            dt/2 w1, dt/2 w2, dt w3, dt/2 w2, dt/2 w1,   w_i = L_i/I_i in the frame as it then is

        Each turn is the exact motion of a part of the energy, so L is kept to the last digit and the
        energy stays within O(dt^2) of itself for ever. Adding dt dw/dt to w, as the source has it,
        feeds energy in at every step. Source: [dullweber1997].
        """
        momentum = self.momentum + np.where(free[:, None], dt * self.torque(time), 0.0)
        if not momentum.any():
            return self
        q = self.frames
        own = np.einsum("nji,nj->ni", matrices(q), momentum)
        for axis, share in ((0, 0.5), (1, 0.5), (2, 1.0), (1, 0.5), (0, 0.5)):
            angle = np.where(free, share * dt * own[:, axis] / self.moments[:, axis], 0.0)
            turn = np.zeros_like(q)
            turn[:, 0], turn[:, 1 + axis] = np.cos(0.5 * angle), np.sin(0.5 * angle)
            q = product(q, turn)
            b, c = (axis + 1) % 3, (axis + 2) % 3
            cos, sin = np.cos(angle), np.sin(angle)
            own[:, b], own[:, c] = (
                cos * own[:, b] + sin * own[:, c],
                cos * own[:, c] - sin * own[:, b],
            )
        q = q / np.linalg.norm(q, axis=1, keepdims=True)
        return replace(self, frames=q, momentum=momentum)


def product(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Products of quaternions (n, 4), scalar first: b is turned first."""
    s, u, t, v = a[:, :1], a[:, 1:], b[:, :1], b[:, 1:]
    scalar = s * t - np.einsum("ni,ni->n", u, v)[:, None]
    return np.concatenate([scalar, s * v + t * u + np.cross(u, v)], axis=1)


def matrices(q: np.ndarray) -> np.ndarray:
    """Rotation matrices (n, 3, 3) of unit quaternions (n, 4), scalar first."""
    w, x, y, z = q.T
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.moveaxis(np.array(rows), 2, 0)


def quaternions(R: np.ndarray) -> np.ndarray:
    """Unit quaternions (n, 4), scalar first, of rotation matrices (n, 3, 3)."""
    from scipy.spatial.transform import Rotation

    return np.roll(Rotation.from_matrix(R).as_quat(), 1, axis=1)
