"""How a free reduced body turns: angular momentum is kept, whatever its deformation does."""

from __future__ import annotations

import math

import numpy as np

from pliant.problem import rotation_matrix

from .basis import Basis
from .frame import BodyFrame

Array = np.ndarray
#: A body turns by at most so many radians in each of the parts that a step is integrated in.
PART = 0.02


def angular_velocity(basis: Basis, q: Array, p: Array, frame: BodyFrame) -> Array:
    """The angular velocity in the axes of the body [1/s], (3,), from its angular momentum.

        spin = R (J omega + sum of m U q x U p),     J: the inertia of the deformed shape

    The first moment of the columns is zero, so that this is all.
    """
    if not basis.free:
        return np.zeros(3)
    spin = frame.rotation.T @ frame.spin
    if q.any() and p.any():
        spin = spin - cross_sum(np.einsum("k,l,klij->ij", q, p, basis.products, optimize=True))
    if not spin.any():
        return np.zeros(3)
    return np.linalg.solve(inertia(basis, q), spin)


def inertia(basis: Basis, q: Array) -> Array:
    """The tensor of inertia of the deformed shape in its own axes [kg m^2], (3, 3)."""
    second = basis.second
    if q.any():
        first = np.tensordot(q, basis.mixed, axes=1)
        both = np.einsum("k,l,klij->ij", q, q, basis.products, optimize=True)
        second = second + first + first.T + both
    return np.asarray(np.trace(second) * np.eye(3) - second)


def centrifugal(basis: Basis, omega: Array) -> Array:
    """The load of spinning on each coordinate [N/sqrt(kg)], (r,): of the shape at rest."""
    trace = np.einsum("kii->k", basis.mixed)
    along = np.einsum("i,kij,j->k", omega, basis.mixed, omega)
    return np.asarray((omega @ omega) * trace - along)


def cross_sum(product: Array) -> Array:
    """Sum of a x b from the sum of a b^T, (3,)."""
    return np.array(
        [
            product[1, 2] - product[2, 1],
            product[2, 0] - product[0, 2],
            product[0, 1] - product[1, 0],
        ]
    )


def moved(
    basis: Basis,
    frame: BodyFrame,
    begin: tuple[Array, Array],
    end: tuple[Array, Array],
    push: tuple[Array, Array],
    *,
    drag: float,
    dt: float,
) -> BodyFrame:
    """The frame of a free body after dt [s], in which q and p go from `begin` to `end`.

    push: the force [N], (3,), and the torque about the centre [N m], (3,), which stay during the step.
    drag [1/s]: by which momentum decays. The path of the centre is exact; rotation is integrated by the
    midpoint rule in parts that turn little.
    """
    force, torque = push
    gone, covered = math.exp(-drag * dt), -math.expm1(-drag * dt) / drag if drag else dt
    left = (dt - covered) / drag if drag else 0.5 * dt**2
    centre = frame.centre + (frame.momentum * covered + force * left) / basis.mass
    momentum = gone * frame.momentum + covered * force
    spin, rotation = frame.spin, frame.rotation
    if spin.any() or torque.any():
        rotation = _turned(basis, frame, begin, end, torque, drag=drag, dt=dt)
        spin = gone * spin + covered * torque
    return BodyFrame(centre, rotation, momentum, spin)


def _turned(
    basis: Basis,
    frame: BodyFrame,
    begin: tuple[Array, Array],
    end: tuple[Array, Array],
    torque: Array,
    *,
    drag: float,
    dt: float,
) -> Array:
    """The rotation at the end of a step."""
    rate = np.linalg.norm(angular_velocity(basis, *begin, frame))
    rate += dt * np.linalg.norm(np.linalg.solve(inertia(basis, begin[0]), torque))
    parts = max(1, math.ceil(rate * dt / PART))
    h, rotation = dt / parts, frame.rotation

    def omega(share: float, turned: Array) -> Array:
        t = share * dt
        fades, covers = math.exp(-drag * t), -math.expm1(-drag * t) / drag if drag else t
        q, p = ((1.0 - share) * a + share * b for a, b in zip(begin, end, strict=True))
        now = BodyFrame(frame.centre, turned, frame.momentum, fades * frame.spin + covers * torque)
        return angular_velocity(basis, q, p, now)

    for k in range(parts):
        half = rotation @ rotation_matrix(0.5 * h * omega(k / parts, rotation))
        rotation = rotation @ rotation_matrix(h * omega((k + 0.5) / parts, half))
    return np.asarray(rotation)
