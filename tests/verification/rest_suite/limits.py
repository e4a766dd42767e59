"""Which scenes the README excludes from its promises, by what they are and not by how they fare."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from pliant.take import Track

from .scenes import RandomScene, Released

#: A bounce needs so many steps.
STEPS = 12.0
#: A body may spin at so much of its lowest natural frequency.
SPIN = 0.2
#: The turning of a body may bend it, now this way and now that, by so much of `within` of the start.
TUMBLE = 0.1
#: The swing of what hangs by a point may bend it in one step by so much of the start.
SWING = 0.25
#: A start may change volumes by so many times 1 - 2 nu, rms: 14 % where nu is 0.499, 70 % at 0.495; with
#: bounces, which overshoot, by half as much.
VOLUME, VOLUME_OF_BOUNCES = 70.0, 35.0


def outside(scene: RandomScene, one: Released) -> str:
    """Why a body is outside of the limits; empty if it is inside."""
    wish = one.wish
    if wish.bounces and wish.rest_in / wish.bounces / scene.dt < STEPS - 1e-6:
        return f"fewer than {STEPS:.0f} steps in a bounce"
    volume = VOLUME_OF_BOUNCES if wish.bounces else VOLUME
    if _pressed(one) > volume:
        return f"its start changes volumes by more than {volume:.0f} (1 - 2 nu)"
    if one.hold in ("free", "spinning", "tumbling", "hinged"):
        spin, (rates, modes) = _spin(one), one.body.system().modes(one.body.mesh.points, 6)
        if np.linalg.norm(spin) > SPIN * np.sqrt(rates[0]):
            return f"spins at more than {SPIN:g} of its lowest frequency"
        if _tumbles(one, spin, rates, modes):
            return f"tumbles: its turning bends it by more than {TUMBLE:g} `within` of the start"
    return ""


def swings(one: Released, track: Track) -> str:
    """Why a body that has swung is outside of the limits: how its rest shape has changed on the way.

    A swing goes on as it would undamped, and what it bends a body to has nothing to do with how that
    comes to rest.
    """
    if one.hold != "hinged" or not track.rests:
        return ""
    align, m = one.body.system().align, one.body.masses[:, None]
    changes = [_rms(b - align(a, b), m) for a, b in pairwise(track.rests)]
    start = _rms(one.body.mesh.points - align(track.positions[0], one.body.mesh.points), m)
    if max(changes) > SWING * start:
        return f"swings: that bends it in one step by more than {SWING:g} of the start"
    return ""


def _pressed(one: Released) -> float:
    """How much a start changes volumes, rms over cells, over 1 - 2 nu."""
    system = one.body.system()
    x = system.assembly.array(one.body.positions)
    J = [np.linalg.det(solid.deformation_gradients(x)).mean(axis=1) for solid in system.solids]
    nu = float(np.max(one.body.material.poisson))
    return float(np.sqrt(np.mean((np.concatenate(J) - 1.0) ** 2))) / (1.0 - 2.0 * nu)


def _spin(one: Released) -> np.ndarray:
    """The angular velocity of a body at the start [rad/s], (3,), from its angular momentum."""
    tensor, momentum = _turning(one)
    out: np.ndarray = np.linalg.lstsq(tensor, momentum, rcond=None)[0]
    return out


def _turning(one: Released) -> tuple[np.ndarray, np.ndarray]:
    """Inertia tensor and angular momentum about the centre of mass, or about the hinge."""
    body = one.body
    m = body.masses[:, None]
    pad = ((0, 0), (0, 3 - body.dim))
    x, v = np.pad(body.positions, pad), np.pad(body.velocity, pad)
    if len(one.held):
        r, u = x - x[one.held].mean(axis=0), v
    else:
        r, u = x - (m * x).sum(axis=0) / m.sum(), v - (m * v).sum(axis=0) / m.sum()
    second = (m * r).T @ r
    return np.trace(second) * np.eye(3) - second, (m * np.cross(r, u)).sum(axis=0)


def _tumbles(one: Released, spin: np.ndarray, rates: np.ndarray, modes: np.ndarray) -> bool:
    """Whether it turns about no principal axis, and so fast that the load of it goes round in it.

    The load is m w x (w x r), and turns with the body while that comes to rest, at most to the other
    side; its answer, by the lowest modes, is compared with the start.
    """
    body, m = one.body, one.body.masses[:, None]
    _, momentum = _turning(one)
    speed = float(np.linalg.norm(spin))
    if body.dim == 2 or len(one.held) or speed == 0.0:
        return False
    across = np.linalg.norm(np.cross(spin, momentum)) / (speed * np.linalg.norm(momentum))
    r = body.positions - (m * body.positions).sum(axis=0) / m.sum()
    load = -m * np.cross(spin, np.cross(spin, r))
    bent = _answer(load, m, rates, modes)
    home = body.mesh.points
    start = body.positions - one.aligned(home)
    turned = 2.0 * np.sin(0.5 * min(speed * one.wish.rest_in, np.pi))
    return bool(turned * across * _rms(bent, m) > TUMBLE * one.wish.within * _rms(start, m))


def _answer(load: np.ndarray, m: np.ndarray, rates: np.ndarray, modes: np.ndarray) -> np.ndarray:
    """How far a load bends a body, by its lowest modes."""
    out = np.zeros_like(load)
    for rate, mode in zip(rates, modes, strict=True):
        out += np.vdot(mode, load) / (rate * np.vdot(mode, m * mode)) * mode
    return out


def _rms(u: np.ndarray, m: np.ndarray) -> float:
    return float(np.sqrt((m * u**2).sum() / m.sum()))
