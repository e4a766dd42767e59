"""Steps that fail on cue, and what is left of a body after one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np

import pliant as pl
from pliant.bodies import Deformable
from pliant.problem.known import Known


class Fuse:
    """A load of nothing that raises at some of its calls, counted from when it is lit."""

    def __init__(self) -> None:
        self._errors: list[BaseException] = []

    def light(self, *errors: BaseException) -> None:
        """Raise these, one for each call from now on."""
        self._errors = list(errors)

    def __call__(self, time: float) -> tuple[float, float, float]:
        if self._errors:
            raise self._errors.pop(0)
        return (0.0, 0.0, 0.0)


class Clumsy:
    """A load of nothing that raises each of some errors once it is so late [s]."""

    def __init__(self, errors: dict[float, BaseException]):
        self._errors = dict(errors)

    def __call__(self, time: float) -> tuple[float, float, float]:
        for late in [late for late in self._errors if late < time]:
            raise self._errors.pop(late)
        return (0.0, 0.0, 0.0)


def culprit(fuse: Callable[[float], Any], dim: int) -> pl.Springs:
    """A body that every stepper takes, whose steps fail when the fuse says so."""
    mesh = pl.meshes.rectangle((1, 1), (1, 1)) if dim == 2 else pl.meshes.box((1, 1, 1), (1, 1, 1))
    body = pl.Springs(
        mesh, stiffness=100.0, mass=0.1, pairs=pl.Springs.braced(mesh), name="culprit"
    )
    body.fix(mesh.points[:, 0] < 1e-9)
    body.push(force=lambda t: fuse(t)[:dim], on=mesh.points[:, 0] > 0.5)
    return body


#: How the culprit's steps fail: before which steps of the innocent, and how often in a row.
FAILURES = {2: 1, 3: 2, 6: 5}


def motion(
    innocent: Deformable,
    *,
    fails: bool,
    dt: float,
    stepper: Any = None,
    steps: int = 9,
    obstacles: Sequence[Any] = (),
    gravity: Any = None,
) -> np.ndarray:
    """Positions (steps, n, d) of a body beside one whose steps fail, or never do."""
    fuse = Fuse()
    scene = pl.Scene([innocent, culprit(fuse, innocent.dim)], gravity=gravity, contact=False)
    scene.add(*obstacles)
    found = []
    for k in range(steps):
        wrongs = FAILURES.get(k, 0) if fails else 0
        errors = [pl.SolverError("on cue") if i % 2 else KeyboardInterrupt() for i in range(wrongs)]
        fuse.light(*errors)
        for error in errors:
            before = remembered(innocent), scene.time
            try:
                scene.step(dt, stepper=stepper)
            except type(error):
                assert same((remembered(innocent), scene.time), before)
            else:
                raise AssertionError("the step should have failed")
        scene.step(dt, stepper=stepper)
        found.append(innocent.positions)
    return np.array(found)


def remembered(body: Deformable) -> dict[str, Any]:
    """All that a body remembers, as numbers that no later step can change."""
    return plain(body.state)


def plain(value: Any) -> Any:
    """A copy of the numbers in an object; of other things their identity."""
    if isinstance(value, np.ndarray):
        return value.copy()
    if isinstance(value, dict):
        return {str(k): plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    if is_dataclass(value) and not isinstance(value, Known):
        return {f.name: plain(getattr(value, f.name)) for f in fields(value)}
    return value.numpy().copy() if hasattr(value, "numpy") else value


def same(a: Any, b: Any) -> bool:
    """Whether two of these are equal bit for bit."""
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(same(a[k], b[k]) for k in a)
    if isinstance(a, (list, tuple)):
        return len(a) == len(b) and all(same(p, q) for p, q in zip(a, b, strict=True))
    if isinstance(a, np.ndarray):
        return np.array_equal(a, b)
    return bool(a is b or a == b)
