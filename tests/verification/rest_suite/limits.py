"""Which scenes the README excludes from its promises, by what they are and not by how they fare."""

from __future__ import annotations

import numpy as np

from .scenes import RandomScene, Released

#: A bounce needs so many steps.
STEPS = 12.0
#: A body with bounces may sag by so much of its length.
SAG = 0.3
#: A body with bounces may be twisted by so much [degrees].
TWIST = 90.0
#: A body may spin at so much of its lowest natural frequency.
SPIN = 0.1


def outside(scene: RandomScene, one: Released) -> str:
    """Why a body is outside of the limits; empty if it is inside."""
    wish = one.wish
    if wish.bounces:
        if wish.rest_in / wish.bounces / scene.dt < STEPS - 1e-6:
            return f"fewer than {STEPS:.0f} steps in a bounce"
        if one.start.name == "twisted" and one.start.size > TWIST:
            return f"bounces from a twist by more than {TWIST:.0f} degrees"
        if _sag(scene, one) > SAG:
            return f"bounces of a body that sags by more than {SAG:g} of its length"
    if one.hold != "parts" and not len(one.held):
        spin, lowest = _spin(one), _lowest(one)
        if np.linalg.norm(spin) > SPIN * lowest:
            return f"spins at more than {SPIN:g} of its lowest frequency"
        if _tumbles(one, spin, lowest):
            return "tumbles: its own turning bends it by more than `within` of the start"
    return ""


def _sag(scene: RandomScene, one: Released) -> float:
    """How far gravity moves a held body, over its length; 0 for what swings or falls."""
    if one.hold not in ("held", "both ends", "parts") or not scene.gravity.any():
        return 0.0
    body = one.body
    part = body.components == body.components[one.held[0]]
    moved = body.rest_shape(scene.gravity) - body.mesh.points
    return float(np.linalg.norm(moved[part], axis=1).max() / one.length)


def _spin(one: Released) -> np.ndarray:
    """The angular velocity of a free body [rad/s], (3,), from its angular momentum."""
    tensor, momentum = _turning(one)
    return np.linalg.lstsq(tensor, momentum, rcond=None)[0]


def _turning(one: Released) -> tuple[np.ndarray, np.ndarray]:
    """Inertia tensor and angular momentum about the centre of mass."""
    body = one.body
    m = body.masses[:, None]
    pad = ((0, 0), (0, 3 - body.dim))
    x, v = np.pad(body.positions, pad), np.pad(body.velocity, pad)
    r, u = x - (m * x).sum(axis=0) / m.sum(), v - (m * v).sum(axis=0) / m.sum()
    second = (m * r).T @ r
    return np.trace(second) * np.eye(3) - second, (m * np.cross(r, u)).sum(axis=0)


def _lowest(one: Released) -> float:
    """The lowest natural frequency [rad/s]."""
    return float(np.sqrt(one.body.system().modes(one.body.mesh.points, 1)[0][0]))


def _tumbles(one: Released, spin: np.ndarray, lowest: float) -> bool:
    """Whether it turns about no principal axis, and so fast that the load of it goes round in it."""
    tensor, momentum = _turning(one)
    speed = float(np.linalg.norm(spin))
    if one.body.dim == 2 or speed == 0.0:
        return False
    across = np.linalg.norm(np.cross(spin, momentum)) / (speed * np.linalg.norm(momentum))
    mass = one.body.masses.sum()
    radius = float(np.sqrt(np.trace(tensor) / (2.0 * mass)))
    bent = across * (speed / lowest) ** 2 * radius
    apart = one.body.positions - one.body.mesh.points
    apart = apart - one.body.masses @ apart / mass
    start = np.sqrt(one.body.masses @ (apart**2).sum(axis=1) / mass)
    return bool(bent > one.wish.within * start)
