"""A fit under way: what is missed at scaled parameters, derivatives of it, and what it has cost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from pliant.bodies import Subspace
from pliant.errors import SolverError, check_positive, is_finite, shown
from pliant.problem import Stepper
from pliant.scene import Scene

from .engine import JobEngine, ThisProcess, Workers
from .ranges import Range
from .sensitivity import equilibrium_with_slopes
from .targets import Target
from .trial import FitTrial, Make, missed_of, scenes_of

#: Evaluations are remembered, the last ones, up to so many bytes.
REMEMBERED = 2**28
#: Step of differences of runs, as a share of a parameter's range.
STEP = 1e-3


class Search:
    """A fit under way: what is missed at scaled parameters, and what it has cost."""

    def __init__(
        self,
        make: Make,
        ranges: Mapping[str, Range],
        targets: Sequence[Sequence[Target]],
        dt: float,
        stepper: Stepper | None,
        client: Any,
    ):
        self.make, self.ranges, self.targets = make, dict(ranges), targets
        self._dt, self._stepper = dt, stepper
        self._engine: JobEngine = ThisProcess() if client is None else Workers(client)
        self._shared = client is not None
        self.solved = self.failed = 0
        self.size = max(t.size for own in targets for t in own)
        self._known: dict[bytes, np.ndarray] = {}
        self._slopes: tuple[bytes, np.ndarray] | None = None
        self._without: set[bytes] = set()
        self._rest: tuple[bytes, list[Any]] = b"", []

    @property
    def at_rest(self) -> bool:
        """Whether all targets are of bodies at rest."""
        return all(t.times is None for own in self.targets for t in own)

    def values(self, t: np.ndarray) -> dict[str, float]:
        """The values of scaled parameters."""
        return {
            name: r.value(float(u)) for (name, r), u in zip(self.ranges.items(), t, strict=True)
        }

    def begin(self, start: Mapping[str, float]) -> np.ndarray:
        """The scaled start; refused if it cannot be evaluated, or does not suit the targets."""
        unknown = set(start) - set(self.ranges)
        if unknown:
            raise ValueError(
                f"fit: got start= of {sorted(unknown)}; expected of {list(self.ranges)}"
            )
        for name, value in start.items():
            ends = self.ranges[name]
            if not (is_finite(value) and ends.low <= value <= ends.high):
                raise ValueError(
                    f"fit: got start {name}={shown(value)}; expected {ends.low:g} to {ends.high:g}"
                )
        t = np.array([r.scaled(start[n]) if n in start else 0.5 for n, r in self.ranges.items()])
        scenes = scenes_of(self.make, self.values(t))
        if len(scenes) != len(self.targets):
            raise ValueError(f"fit: got {len(self.targets)} targets for {len(scenes)} scenes")
        for scene, own in zip(scenes, self.targets, strict=True):
            _require_suited(scene, own)
        # An error here is the user's, and is told.
        self._known[t.tobytes()] = self._missed(t)
        self.solved += len(scenes)
        return t

    def missed(self, t: np.ndarray) -> np.ndarray:
        """r at t; where there is no equilibrium everything is missed by the size of the target."""
        return self.missed_at([t])[0]

    def missed_at(self, points: Sequence[np.ndarray]) -> list[np.ndarray]:
        """r at several t."""
        new = {t.tobytes(): t for t in points if t.tobytes() not in self._known}
        if self._shared and len(new) > 1:
            import cloudpickle

            packed = {f"{k}": cloudpickle.dumps(self._trial(t)) for k, t in enumerate(new.values())}
            told = dict(self._engine.each(missed_of, packed))
            found = [told[f"{k}"] for k in range(len(new))]
        else:
            found = [self._tried(t) for t in new.values()]
        for key, r in zip(new, found, strict=True):  # what has no solution is an answer, too
            self.solved += len(self.targets)
            if isinstance(r, SolverError):
                self.failed += 1
                self._without.add(key)
                r = np.full(sum(self._count), self.size)
            elif isinstance(r, Exception):
                raise r
            self._known[key] = r
        answers = [self._known[t.tobytes()] for t in points]
        while len(self._known) > 1 and len(self._known) * answers[0].nbytes > REMEMBERED:
            self._known.pop(next(iter(self._known)))
        return answers

    def slopes(self, t: np.ndarray) -> np.ndarray:
        """dr/dt, (residuals, parameters)."""
        if self._slopes is None or self._slopes[0] != t.tobytes():
            self._slopes = t.tobytes(), self._by_rest(t) if self.at_rest else self._by_runs(t)
        return self._slopes[1]

    def _by_rest(self, t: np.ndarray) -> np.ndarray:
        """Derivatives that come with the equilibria."""
        values, rows = self.values(t), list[np.ndarray]()
        (missed,) = self.missed_at([t])
        if t.tobytes() in self._without:
            return np.zeros((len(missed), len(t)))
        ends = {name: (r.low, r.high) for name, r in self.ranges.items()}
        known = self._rest[1] if self._rest[0] == t.tobytes() else [None] * len(self.targets)
        for k, own in enumerate(self.targets):
            found = equilibrium_with_slopes(partial(self._scene, k), values, known[k], ends)
            self.solved += found.solved
            rows += [target.slopes_at_rest(found.slopes[target.body]) for target in own]
        by_t = [r.slope(float(u)) for r, u in zip(self.ranges.values(), t, strict=True)]
        return np.concatenate(rows) * by_t

    def _by_runs(self, t: np.ndarray) -> np.ndarray:
        """Centred differences of runs."""
        ways = STEP * np.eye(len(t))
        ends = [np.clip(t + sign * way, 0.0, 1.0) for way in ways for sign in (1.0, -1.0)]
        found = self.missed_at(ends)
        columns = []
        for k in range(len(t)):
            above, below = ends[2 * k], ends[2 * k + 1]
            columns.append((found[2 * k] - found[2 * k + 1]) / (above[k] - below[k]))
        return np.stack(columns, axis=1)

    def _trial(self, t: np.ndarray) -> FitTrial:
        return FitTrial(self.make, self.values(t), self.targets, self._dt, self._stepper)

    def _tried(self, t: np.ndarray) -> np.ndarray | Exception:
        try:
            return self._missed(t)
        except SolverError as error:
            return error

    def _missed(self, t: np.ndarray) -> np.ndarray:
        trial = self._trial(t)
        seen = trial.seen()
        if self.at_rest:
            self._rest = t.tobytes(), seen
        return trial.missed_by(seen)

    def _scene(self, number: int, values: Mapping[str, float]) -> Scene:
        return scenes_of(self.make, values)[number]

    @property
    def _count(self) -> list[int]:
        return [int(np.isfinite(t.positions).sum()) for own in self.targets for t in own]


def _require_suited(scene: Scene, targets: Sequence[Target]) -> None:
    if any(t.times is None for t in targets) != all(t.times is None for t in targets):
        raise ValueError("fit: got bodies at rest and motions for one scene; expected one of them")
    for target in targets:
        if target.body >= len(scene.bodies):
            raise ValueError(f"fit: the target has more bodies than the scene, {len(scene.bodies)}")
        body = scene.bodies[target.body]
        if isinstance(body, Subspace):
            raise ValueError(
                f"fit: {body.name} is a pl.Subspace, whose shapes and cells are chosen anew for every "
                "value, so that it leaps farther than small changes move it; expected the full body"
            )
        count, dim = body.mesh.points.shape
        last = int(target.points.max())
        if target.positions.shape[-1] != dim or last >= count:
            raise ValueError(
                f"fit: the target has point {last} in {target.positions.shape[-1]}D; expected points of "
                f"{body.name}, 0 to {count - 1} in {dim}D"
            )
        if not np.isfinite(target.positions).any():
            raise ValueError("fit: the target has no point that was seen")
        if target.times is not None:
            check_positive("fit", "the length of the target", target.seconds, "s")
