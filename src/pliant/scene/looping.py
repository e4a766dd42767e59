"""Seamless loops: the motion that repeats under pins and loads that repeat."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from pliant.errors import SolverError, is_finite, is_whole, shown
from pliant.take import Take

if TYPE_CHECKING:
    from .scene import Scene

Array = np.ndarray
#: How many periods Anderson's acceleration looks back, and how well conditioned its differences are.
WINDOW, CONDITION = 12, 1e-10
#: After a period that changes this many times as much as the best one it begins anew.
WORSE = 3.0
#: How often a load is asked for in a period, to see how large it is.
SEEN = 9
#: Periods that are run before it: they carry a body from where it was to about where it moves.
RUN_IN = 2
#: How far pins, loads and obstacles may be off after a period, as a share of the size or of the load.
REPEATS = 1e-6


@dataclass
class Seam:
    """How well a motion repeats: shares of the amplitude of positions, and of the largest speed."""

    position: float
    velocity: float

    @property
    def share(self) -> float:
        """The larger one."""
        return max(self.position, self.velocity)


def periodic(
    scene: Scene, period: float, tolerance: float, periods: int, run: Callable[[bool], Take]
) -> Take:
    """The take of one period that ends as it begins.

        z = Phi(z),   z = (x, v) at the start of a period, Phi: what a period makes of it

    run: simulates a period, and records it if asked. Bodies without a clock are found by Anderson's
    acceleration of this fixed point, which takes some periods for each slow mode; those of dampings
    with a clock run on until they repeat. Source: [walker2011].
    """
    begin, controlled = scene.time, any(body.damping.controlled for body in scene.moving)
    weights = _weights(scene, period)
    history: list[tuple[Array, Array]] = []
    z, seam, best = _state(scene, weights), Seam(np.inf, np.inf), np.inf
    for count in range(periods):
        scene.time = begin
        take = run(False)
        there = _state(scene, weights)
        seam = _seam(take)
        if seam.share <= tolerance:
            scene.time = begin
            return run(True)
        if controlled or count < RUN_IN:
            z = there
            continue
        change = float(np.linalg.norm(there - z))
        if change > WORSE * best:  # too far for differences to tell: a plain period, and anew
            history = []
        else:
            best = min(best, change)
        history = [*history[-WINDOW:], (z, there - z)]
        z = _mixed(history) if len(history) > 1 else there
        _put(scene, z, weights)
    raise SolverError(
        f"loop: after {periods} periods the motion does not repeat: its seam is {seam.share:.2g} of the "
        f"amplitude, not {tolerance:g}. Expected a damping with which it forgets how it began, such as "
        "pl.Settle(rest_in=...) or pl.Rayleigh(...), or more periods="
    )


def require_loop(scene: Scene, period: float, dt: float, tolerance: Any, periods: Any) -> None:
    """Refuse what cannot repeat."""
    steps = period / dt
    if steps < 1.5 or abs(steps - round(steps)) > 1e-6 * steps:
        near = period / max(2, round(steps))
        raise ValueError(
            f"loop: got period={period:g} with dt={dt:g}; expected a whole number of steps, e.g. "
            f"dt={near:.6g}"
        )
    if not (is_finite(tolerance) and 0.0 < tolerance < 1.0):
        raise ValueError(f"loop: got tolerance={shown(tolerance)}; expected a share, e.g. 1e-4")
    if not (is_whole(periods) and periods >= 1):
        raise ValueError(f"loop: got periods={shown(periods)}; expected a number of them, e.g. 100")
    begin, end = scene.time, scene.time + period
    for body in scene.bodies:
        if body.planned(begin, end):
            raise ValueError(
                f"{body.name}: loop: got a cut or a change of damping within the period; expected what "
                "repeats"
            )
    for body in scene.moving:
        _require_repeats(body, scene, begin, end)
    for obstacle in scene.obstacles:
        if not obstacle.moves:
            continue
        apart = np.abs(obstacle.contact_points(end) - obstacle.contact_points(begin)).max()
        if apart > REPEATS * max(body.mesh.size for body in scene.bodies):
            raise ValueError(
                f"loop: {obstacle!r} is elsewhere after {period:g} s; expected it back"
            )


def _require_repeats(body: Any, scene: Scene, begin: float, end: float) -> None:
    if not body.pinned.any():
        raise ValueError(
            f"{body.name}: loop: nothing holds it, so it has no motion that repeats; expected "
            "body.fix(...) or body.move(...)"
        )
    x = body.positions
    apart = np.abs(body.pin_positions(end, x) - body.pin_positions(begin, x)).max()
    if apart > REPEATS * body.mesh.size:
        raise ValueError(
            f"{body.name}: loop: its pins are {apart:.3g} m away from where they were after "
            f"{end - begin:g} s; expected paths of that period"
        )
    seen = [body.load_values(t) for t in np.linspace(begin, end, SEEN)]
    for values in zip(*seen, strict=True):
        load = np.stack([np.ravel(np.asarray(value, dtype=float)) for value in values])
        if np.abs(load[-1] - load[0]).max(initial=0.0) > REPEATS * np.abs(load).max(initial=0.0):
            raise ValueError(
                f"{body.name}: loop: a load is {load[-1, :3].tolist()} after {end - begin:g} s and was "
                f"{load[0, :3].tolist()}; expected loads of that period"
            )


def _weights(scene: Scene, period: float) -> Array:
    """What makes positions and velocities of light and heavy points alike: roots of energies."""
    roots = np.concatenate([np.repeat(np.sqrt(body.masses), body.dim) for body in scene.moving])
    return np.concatenate([roots, roots * period / (2.0 * np.pi)])


def _state(scene: Scene, weights: Array) -> Array:
    x = [body.positions.ravel() for body in scene.moving]
    v = [body.velocity.ravel() for body in scene.moving]
    return np.asarray(weights * np.concatenate([*x, *v]))


def _put(scene: Scene, z: Array, weights: Array) -> None:
    """Place the bodies in a state."""
    x, v = np.split(z / weights, 2)
    first = 0
    for body in scene.moving:
        own = slice(first, first + body.positions.size)
        first = own.stop
        body.place(x[own].reshape(-1, body.dim))
        body.velocity = v[own].reshape(-1, body.dim)


def _mixed(history: list[tuple[Array, Array]]) -> Array:
    """Anderson's next guess, from states and what a period has changed of them."""
    z, r = history[-1]
    states = np.diff(np.stack([state for state, _ in history], axis=1), axis=1)
    changes = np.diff(np.stack([change for _, change in history], axis=1), axis=1)
    shares = np.linalg.lstsq(changes, r, rcond=CONDITION)[0]
    return np.asarray(z + r - (states + changes) @ shares)


def _seam(take: Take) -> Seam:
    """How far the last frame of a take is from its first."""
    position = velocity = 0.0
    for track in take.tracks:
        x, v = np.asarray(track.positions), np.asarray(track.velocities)
        amplitude = float(np.ptp(x, axis=0).max()) / 2.0
        fastest = float(np.linalg.norm(v, axis=2).max())
        size = float(np.ptp(x[0], axis=0).max())
        if amplitude > 1e-12 * size:
            position = max(position, float(np.abs(x[-1] - x[0]).max()) / amplitude)
            velocity = max(velocity, float(np.abs(v[-1] - v[0]).max()) / fastest)
    return Seam(position, velocity)
