"""Collects the frames of a run."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import warp as wp

from pliant import __version__
from pliant.solvers import Report
from pliant.stepping import System
from pliant.take import ENERGIES, SOLVER, Take, Track

if TYPE_CHECKING:
    from pliant.scene import Scene


class Recorder:
    """Fills preallocated arrays, so that a long run does not pay for growing lists."""

    def __init__(
        self,
        scene: Scene,
        systems: Sequence[System],
        frames: int,
        steps: int,
        *,
        positions: Sequence[np.ndarray] | None = None,
    ):
        self._scene, self._systems = scene, systems
        self._times = np.zeros(frames)
        self._x = [np.zeros((frames, *b.mesh.points.shape)) for b in scene.bodies]
        self._v = [np.zeros_like(x) for x in self._x]
        self._external = [np.zeros(frames) for _ in scene.bodies]
        self._solver = [np.zeros(steps, SOLVER) for _ in scene.bodies]
        self._rests: list[list[np.ndarray]] = [[] for _ in scene.bodies]
        self._frames = self._steps = 0
        self.frame(positions)

    def frame(self, positions: Sequence[np.ndarray] | None = None) -> None:
        """Record the present."""
        f, scene = self._frames, self._scene
        self._times[f] = scene.time
        for i, body in enumerate(scene.bodies):
            system, state = self._systems[i], body.state
            x = system.lower(state.x) if positions is None else positions[i]
            v = system.lower(state.v) if positions is None else np.zeros_like(x)
            self._x[i][f], self._v[i][f] = x, v
            if body.state.rest is not None:
                self._rests[i].append(body.state.rest.x)  # not copied: mostly the same array
            load = body.loads_at(x, scene.time, scene.gravity)
            self._external[i][f] = -float(np.vdot(load, x - body.mesh.points))
        self._frames += 1

    def steps(self, time: float, reports: Sequence[Report]) -> None:
        """Record what the solver did for each body."""
        for log, r in zip(self._solver, reports, strict=True):
            log[self._steps] = (time, r.iterations, r.linear_iterations, r.residual, r.reason)
        self._steps += 1

    def take(self, dt: float) -> Take:
        """The frames so far."""
        f, s = self._frames, self._steps
        tracks = []
        for i, body in enumerate(self._scene.bodies):
            # Frame 0 is recorded before the damping has looked for its rest shape.
            known = self._rests[i]
            rests = [known[0]] * (f - len(known)) + known if known else None
            asked = {
                k: getattr(body.damping, k)
                for k in ("rest_in", "bounces", "within")
                if hasattr(body.damping, k)
            }
            tracks.append(
                Track(
                    name=body.name,
                    mesh=body.mesh,
                    body=body,
                    times=self._times[:f],
                    positions=self._x[i][:f],
                    velocities=self._v[i][:f],
                    count_energies=partial(
                        _energies,
                        self._systems[i],
                        self._x[i][:f],
                        self._v[i][:f],
                        self._external[i][:f],
                    ),
                    solver=self._solver[i][:s],
                    rests=rests,
                    masses=self._systems[i].masses,
                    pinned=self._systems[i].pinned,
                    asked=asked,
                    skin=body.skin,
                )
            )
        return Take(tracks, dt=dt, about=about(self._scene))


def _energies(system: System, x: np.ndarray, v: np.ndarray, external: np.ndarray) -> np.ndarray:
    e = np.zeros(len(x), ENERGIES)
    e["kinetic"] = 0.5 * np.einsum("p,fpd,fpd->f", system.masses, v, v)
    e["elastic"] = [system.assembly.value(frame) for frame in x]
    e["external"] = external
    e["total"] = e["kinetic"] + e["elastic"] + e["external"]
    return e


def about(scene: Scene) -> dict[str, Any]:
    """What made a take, as JSON can hold it."""
    return {
        "pliant": __version__,
        "numpy": np.__version__,
        "warp": wp.config.version,
        "gravity": scene.gravity.tolist(),
        "bodies": [
            {
                "name": body.name,
                "material": repr(body.material),
                "damping": repr(body.damping),
                "density": body.density,
                "thickness": body.thickness,
            }
            for body in scene.bodies
        ],
    }
