"""Coordinates from positions: where a reduced body is that was placed by its points."""

from __future__ import annotations

import numpy as np

from pliant.mesh import in_space
from pliant.problem import fit_rotation

from .basis import Basis
from .frame import BodyFrame
from .shape import ReducedShape, ReducedVelocity
from .turning import angular_velocity

Array = np.ndarray
#: Pins whose distances from each other differ by this share of the body's size are not where they were.
SAME = 1e-7
#: Rounds in which rotation and deformation agree; each leaves a few per cent of what was left.
ROUNDS = 12


def lifted(basis: Basis, pinned: Array, x: Array) -> ReducedShape:
    """The shape of a body that is nearest to points at x [m], (n, d), in the norm of masses.

    pinned, (n,): a body that is held is carried by the rigid motion of its pins.
    """
    frame = _of_masses(basis, x) if basis.free else of_pins(basis, pinned, x)
    d = x.shape[1]
    arms = (in_space(x) - frame.centre) @ frame.rotation
    return ReducedShape(basis, basis.coordinates((arms - basis.arms)[:, :d]), frame)


def lifted_velocity(shape: ReducedShape, v: Array) -> ReducedVelocity:
    """The velocity of a shape that is nearest to v [m/s], (n, d); momentum is kept to rounding."""
    basis, frame, d = shape.basis, shape.frame, v.shape[1]
    turn = frame.rotation[:d, :d]
    if not basis.free:
        return ReducedVelocity(shape, basis.coordinates(v @ turn))
    momentum = basis.masses @ in_space(v)
    arms = in_space(shape.expand()) - frame.centre
    spin = np.cross(arms, basis.masses[:, None] * in_space(v)).sum(axis=0)
    frame = BodyFrame(frame.centre, frame.rotation, momentum, spin)
    shape = ReducedShape(basis, shape.q, frame)
    own = in_space((v - momentum[:d] / basis.mass) @ turn)
    arms = arms @ frame.rotation
    p = basis.coordinates(own[:, :d])
    for _ in range(ROUNDS):
        omega = angular_velocity(basis, shape.q, p, frame)
        p = basis.coordinates((own - np.cross(omega, arms))[:, :d])
    return ReducedVelocity(shape, p)


def of_pins(basis: Basis, pinned: Array, x: Array) -> BodyFrame:
    """The rigid motion that takes the pins of the mesh to where they are."""
    here, there = basis.points[pinned], x[pinned]
    if np.array_equal(here, there):
        return BodyFrame.still(basis.centre)
    a, b = in_space(here), in_space(there)
    rotation = fit_rotation(a, b)
    middle = a.mean(axis=0)
    moved = b.mean(axis=0) + (a - middle) @ rotation.T
    size = float(np.linalg.norm(np.ptp(basis.points, axis=0)))
    if np.abs(moved - b).max() > SAME * size:
        raise ValueError(
            "its pins are not where a rigid motion would take them; expected fixed and driven points "
            "that move as one, and a body.place(...) that deforms free points only. Use the full body "
            "for pins that move apart"
        )
    centre = b.mean(axis=0) + rotation @ (basis.centre - middle)
    return BodyFrame.still(centre, rotation)


def _of_masses(basis: Basis, x: Array) -> BodyFrame:
    """The rigid motion that leaves the least deformation, in the norm of masses."""
    x = in_space(x)
    centre = basis.masses @ x / basis.mass
    u, _, vt = np.linalg.svd((x - centre).T @ (basis.masses[:, None] * basis.arms))
    sign = np.sign(np.linalg.det(u @ vt))
    rotation = u @ np.diag([1.0, 1.0, sign]) @ vt
    return BodyFrame.still(centre, rotation if np.abs(rotation - np.eye(3)).max() > 1e-15 else None)
