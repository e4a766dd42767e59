"""`pl.fit`: the parameters of a scene whose bodies rest, or move, where others were seen to."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from pliant.bodies import Deformable, Subspace
from pliant.errors import SolverError, check_positive, is_finite, shown
from pliant.problem import Stepper
from pliant.scene import Scene
from pliant.take import Take

from .engine import JobEngine, ThisProcess, Workers
from .found import Fit, judged
from .methods import GaussNewton, Method
from .sensitivity import equilibrium_with_slopes
from .targets import Target, targets_of
from .variants import WIDE

#: What makes the scene, or scenes for several loads, of parameters: `make(young=1e5)`.
Make = Callable[..., Any]
#: Evaluations are remembered, the last ones, up to so many bytes.
REMEMBERED = 2**28
#: Step of differences of runs, as a share of a parameter's range.
STEP = 1e-3


@dataclass(frozen=True)
class FitTrial:
    """One evaluation, as it travels to a worker: which scenes, of what, and where points should be."""

    make: Make
    values: Mapping[str, float]
    targets: Sequence[Sequence[Target]]
    dt: float
    stepper: Stepper | None

    def missed(self) -> np.ndarray:
        """How far points are from where they should be [m], of all scenes."""
        return self.missed_by(self.seen())

    def seen(self) -> list[Any]:
        """What came of each scene: where its bodies rest, or a take."""
        scenes = scenes_of(self.make, self.values)
        return [self._seen(scene, own) for scene, own in zip(scenes, self.targets, strict=True)]

    def missed_by(self, seen: Sequence[Any]) -> np.ndarray:
        """How far points are from where they should be [m], flat."""
        pairs = zip(seen, self.targets, strict=True)
        parts = [
            target.missed_in(one) if isinstance(one, Take) else target.missed_at_rest(one)
            for one, own in pairs
            for target in own
        ]
        return np.concatenate(parts)

    def _seen(self, scene: Scene, targets: Sequence[Target]) -> Any:
        seconds = max(target.seconds for target in targets)
        if seconds == 0.0:
            return [track.positions[0] for track in scene.equilibrium().tracks]
        return scene.run(seconds=seconds, dt=self.dt, stepper=self.stepper, progress=False)


def scenes_of(make: Make, values: Mapping[str, float]) -> list[Scene]:
    """The scenes that `make` returns: one, several, or a body, which is in a scene by itself."""
    found = make(**values)
    listed = found if isinstance(found, (list, tuple)) else [found]
    scenes = [Scene([one]) if isinstance(one, Deformable) else one for one in listed]
    if not scenes or not all(isinstance(one, Scene) for one in scenes):
        raise TypeError(
            f"fit: make(**values) returned {shown(found)}; expected a pl.Scene, or a list of them"
        )
    return scenes


def missed_of(packed: bytes) -> np.ndarray:
    """A trial that came to a worker."""
    import cloudpickle

    trial: FitTrial = cloudpickle.loads(packed)
    return trial.missed()


@dataclass(frozen=True)
class Range:
    """A parameter between two ends, scaled to 0 .. 1: by the logarithm if they are far apart."""

    low: float
    high: float

    @property
    def wide(self) -> bool:
        """Whether it is scaled by the logarithm."""
        return self.low > 0.0 and self.high >= WIDE * self.low

    def value(self, t: float) -> float:
        """The value at t."""
        if self.wide:
            return float(self.low * (self.high / self.low) ** t)
        return float(self.low + t * (self.high - self.low))

    def scaled(self, value: float) -> float:
        """The t of a value."""
        if self.wide:
            return math.log(value / self.low) / math.log(self.high / self.low)
        return (value - self.low) / (self.high - self.low)

    def slope(self, t: float) -> float:
        """How the value changes with t."""
        if self.wide:
            return self.value(t) * math.log(self.high / self.low)
        return self.high - self.low


def fit(
    make: Make,
    target: Any,
    *,
    vary: Mapping[str, tuple[float, float]],
    start: Mapping[str, float] | None = None,
    method: Method | None = None,
    at_rest: bool = False,
    dt: float = 1 / 60,
    stepper: Stepper | None = None,
    client: Any = None,
) -> Fit:
    """Find the values of parameters for which bodies are nearest to where a target has them.

        min over theta of sum |x(theta) - x_target|^2

    make(**values) returns the scene, or a list of scenes for several loads; target: for each scene
    positions (n, d) [m], a mesh, a take, `pl.PointTracks`, or the name of a file of these. A take is a
    motion, run with `dt` and `stepper`; at_rest: where it ended is where bodies rest. vary: ranges
    (low, high) by name; those whose ends differ by a factor of 10 are searched by the logarithm. start:
    values, by default in the middle. method: pl.GaussNewton(), LBFGS(), CMAES() or Annealing(). client:
    of dask.distributed, on which independent trials run.
    """
    ranges = _ranges(vary)
    given = target if isinstance(target, list) else [target]
    question = Search(
        make, ranges, [targets_of(one, at_rest=at_rest) for one in given], dt, stepper, client
    )
    t = question.begin(start or {})
    found = np.clip((method or GaussNewton()).find(question, t), 0.0, 1.0)
    return judged(question, found)


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


def _ranges(vary: Mapping[str, tuple[float, float]]) -> dict[str, Range]:
    if not vary:
        raise ValueError('fit: got nothing to vary; expected e.g. vary={"young": (1e3, 1e6)}')
    for name, ends in vary.items():
        good = isinstance(ends, (tuple, list)) and len(ends) == 2 and all(map(is_finite, ends))
        if not (good and ends[0] < ends[1]):
            raise ValueError(
                f"fit: got vary {name}={shown(ends)}; expected a range (low, high), e.g. (1e3, 1e6)"
            )
    return {name: Range(float(low), float(high)) for name, (low, high) in vary.items()}


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
