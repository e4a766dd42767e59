"""Coordinates from positions: where a reduced body is that was placed by its points."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from pliant.mesh import in_space
from pliant.problem import fit_rotation, rigid_motions

from .basis import Basis
from .frame import BodyFrame
from .shape import ReducedShape, ReducedVelocity
from .turning import angular_velocity

Array = np.ndarray
#: Pins whose distances from each other differ by this share of the body's size are not where they were.
SAME = 1e-7
#: All groups that are driven alike to this share are carried as one, however far they turn.
ROUNDING = 1e-13
#: Driven pins may be so far from a small rigid motion of their group, as a share of the body's size.
BENT = 0.01
#: Rounds in which rotation and deformation agree; each leaves a few per cent of what was left.
ROUNDS = 12


def lifted(basis: Basis, pinned: Array, x: Array) -> ReducedShape:
    """The shape of a body that is nearest to points at x [m], (n, d), in the norm of masses.

    pinned, (n,): a body that is held is carried by the rigid motion of its pins.
    """
    frame = _of_masses(basis, x) if basis.free else of_pins(basis, pinned, x)
    return ReducedShape(basis, basis.coordinates(_in_frame(basis, frame, x)), frame)


def driven_by(basis: Basis, frame: BodyFrame, x: Array) -> Array:
    """The driven coordinates of a body in a frame whose pins are at x [m], (n, d): (driven,)."""
    u = _in_frame(basis, frame, x)
    found = basis.coordinates(u)
    made = basis.expand(np.append(np.zeros(basis.own), found[basis.own :]))
    size = float(np.linalg.norm(np.ptp(basis.points, axis=0)))
    if np.abs((made - u)[basis.pins]).max() > BENT * size:
        raise ValueError(
            "a group of its pins is driven in a way that is not rigid, or turns far against the others; "
            "expected groups that move as one, and turn by little in pl.Modal. Use the full body"
        )
    return found[basis.own :]


def _in_frame(basis: Basis, frame: BodyFrame, x: Array) -> Array:
    """Displacements of points at x in the axes of the body [m], (n, d)."""
    arms = (in_space(x) - frame.centre) @ frame.rotation
    return np.asarray((arms - basis.arms)[:, : x.shape[1]])


def lifted_velocity(shape: ReducedShape, v: Array, pinned: Array) -> ReducedVelocity:
    """The velocity of a shape that is nearest to v [m/s], (n, d); momentum is kept to rounding.

    A body that is held is carried by the rigid motion of its pins.
    """
    basis, frame, d = shape.basis, shape.frame, v.shape[1]
    turn = frame.rotation[:d, :d]
    if not basis.free:
        first = pinned.copy()
        first[basis.pins] = False
        x = shape.expand()
        shape = ReducedShape(basis, shape.q, _moving(frame, x[first], v[first]))
        return ReducedVelocity(shape, basis.coordinates((v - shape.frame.velocities(x)) @ turn))
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


def _moving(frame: BodyFrame, x: Array, v: Array) -> BodyFrame:
    """The frame with the rigid velocity of pins at x [m] whose velocities are v [m/s], (k, d)."""
    if not v.any():
        return frame
    d = x.shape[1]
    found = np.linalg.lstsq(rigid_motions(x), v.ravel(), rcond=SAME)[0]
    turning = np.append(np.zeros(5 - len(found)), found[d:]) if d == 2 else found[d:]
    velocity = in_space(found[None, :d])[0]
    velocity = velocity + np.cross(turning, frame.centre - in_space(x).mean(axis=0))
    return replace(frame, velocity=velocity, turning=turning)


def of_pins(basis: Basis, pinned: Array, x: Array) -> BodyFrame:
    """The rigid motion that takes the pins of the mesh to where they are.

    If some are driven against others, that of the first group.
    """
    if basis.driven:
        try:
            return _of_points(basis, pinned, x, ROUNDING)
        except ValueError:
            pinned = pinned.copy()
            pinned[basis.pins] = False
    return _of_points(basis, pinned, x)


def _of_points(basis: Basis, pinned: Array, x: Array, same: float = SAME) -> BodyFrame:
    here, there = basis.points[pinned], x[pinned]
    if np.array_equal(here, there):
        return BodyFrame.still(basis.centre)
    a, b = in_space(here), in_space(there)
    rotation = fit_rotation(a, b)
    middle = a.mean(axis=0)
    moved = b.mean(axis=0) + (a - middle) @ rotation.T
    size = float(np.linalg.norm(np.ptp(basis.points, axis=0)))
    if np.abs(moved - b).max() > same * size:
        raise ValueError(
            "its pins are not where a rigid motion would take them; expected fixed and driven points "
            "that move as one, or groups of them that do, each with a body.move(...) of its "
            "own, and a body.place(...) that deforms free points only. Use the full body for others"
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
